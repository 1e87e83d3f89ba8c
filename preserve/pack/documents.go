package pack

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// METSForm is the number of documents that the METS consists of
// (docs/reference/310_package-format.md, 2.18).
type METSForm string

// The forms.
const (
	// one small mets.xml, one document for the records of each container, and one for the pages of
	// each harvest
	InDocuments METSForm = ""
	Single      METSForm = "single" // everything in mets.xml
)

func (f METSForm) check() error {
	if f != InDocuments && f != Single {
		return fmt.Errorf("unknown form of the METS %q: use parts or single", string(f))
	}
	return nil
}

// metsDocuments are the METS documents beside mets.xml. Memory grows by some hundred bytes for each
// container and harvest.
type metsDocuments struct {
	containers map[int]*aip.MadeFile // by number
	harvests   map[int]*aip.MadeFile // by number; 0 is for pages outside any harvest
}

// inPackage reports whether mets.xml describes the record, not the document of its container.
// Readers have to know at once which records are infected, and which replace them.
func (b *builder) inPackage(c *content) bool {
	return b.o.METS == Single || c.infected() || c.Part == partCleaned
}

func (b *builder) outsidePackage(c *content) bool { return !b.inPackage(c) }

// writeDocuments writes the METS documents beside mets.xml.
func (b *builder) writeDocuments() error {
	b.docs = metsDocuments{map[int]*aip.MadeFile{}, map[int]*aip.MadeFile{}}
	if b.o.METS == Single {
		return nil
	}
	from, err := b.documentReaders()
	defer from.stop()
	if err != nil {
		return err
	}
	refs := map[int][]ref{}
	err = b.spool.Each(func(p packed) error {
		if p.Container == nil {
			return nil
		}
		refs[p.Harvest] = append(refs[p.Harvest], refOf(&p))
		return b.writeContainerDocument(&p, from)
	})
	if err != nil || !b.o.Profile.itemized() {
		return err
	}
	return b.writePagesDocuments(refs)
}

// writeDocument writes one METS document, compressed with gzip, and syncs it.
func (b *builder) writeDocument(d *aip.MadeFile, root mets.Root, content func(*mets.Writer) error) (err error) {
	f, err := b.create(d.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriterSize(f, 256<<10)
	err = aip.WriteDocument(out, d, func(text io.Writer) error {
		w := mets.NewWriter(text, mets.Options{Compact: true})
		root.ObjID, root.Type = b.result.ID+"/"+d.Path, aip.Type
		root.Namespaces = b.o.SchemaVersion.namespaces()
		w.Start(root)
		b.header(w)
		return errors.Join(content(w), w.Close())
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", d.Path, err)
	}
	b.result.Bytes += d.Size
	return errors.Join(out.Flush(), f.Sync())
}

// header writes the metsHdr of each document.
func (b *builder) header(w *mets.Writer) {
	w.Header(mets.Header{
		Created: b.now(), RecordStatus: "NEW",
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: b.o.Agent.Name,
			Notes: []string{b.o.Agent.Version}}},
	})
}

// documentReaders are readers of the derivations, one for each pass over a container.
type documentReaders struct{ some, objects, files, someOriginals, originals *derivedReader }

func (b *builder) documentReaders() (*documentReaders, error) {
	r := &documentReaders{}
	var failed error
	for _, to := range []**derivedReader{&r.some, &r.objects, &r.files, &r.someOriginals, &r.originals} {
		var err error
		*to, err = b.derived.reader()
		failed = errors.Join(failed, err)
	}
	return r, failed
}

func (r *documentReaders) stop() {
	for _, d := range []*derivedReader{r.some, r.objects, r.files, r.someOriginals, r.originals} {
		d.stop()
	}
}

// writeContainerDocument writes the document of the records of a container, if mets.xml does not
// describe them all.
func (b *builder) writeContainerDocument(p *packed, from *documentReaders) error {
	some, err := b.anyNested(p, from.some, "", b.outsidePackage)
	if err != nil || !some {
		return err
	}
	d := &aip.MadeFile{ID: aip.ContainerMETSFileID(p.N), Container: aip.ContainerFileID(p.N),
		Path: aip.ContainerMETSOf(p.Dest), Restrictions: b.restrictionsOf(p.Restricted)}
	b.docs.containers[p.N] = d
	return b.writeDocument(d, mets.Root{Label: p.Name, Profile: aip.ProfileContainerMETS},
		func(w *mets.Writer) error {
			if err := b.contentObjects(w, *p, from.objects, b.outsidePackage); err != nil {
				return err
			}
			if err := b.documentFiles(w, p, from, d.Path); err != nil {
				return err
			}
			w.StartStructMap(mets.StructMap{Type: "physical"})
			err = b.physicalContainer(w, p, "container")
			w.EndStructMap()
			return err
		})
}

// documentFiles writes the fileSec of a container's document: the container with its records, and
// the originals of pages with restored links in a group of their own.
func (b *builder) documentFiles(w *mets.Writer, p *packed, from *documentReaders, document string) error {
	f := mets.File{ID: aip.ContainerFileID(p.N),
		FileCore: mets.FileCore{MIMEType: mimeType(*p), Size: xmlstream.IntOf(p.Size), Checksum: p.SHA512,
			ChecksumType: "SHA-512"},
		Locations: locationFrom(document, p.Dest)}
	if p.layout().shape == together {
		f.Transforms = decompression(p.Container)
	}
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: aip.UseContainers})
	w.StartFile(f)
	if err := b.nested(w, p, from.files, aip.UseContainers, b.outsidePackage); err != nil {
		return err
	}
	w.EndFile()
	w.EndFileGrp()
	some, err := b.anyNested(p, from.someOriginals, aip.UseOriginalFiles, b.outsidePackage)
	if err == nil && some {
		w.StartFileGrp(mets.FileGrp{Use: aip.UseOriginalFiles})
		err = b.apartFile(w, p, from.originals, mets.File{ID: aip.OriginalPartsID(p.N),
			Use: aip.UseOriginalFiles}, document,
			b.outsidePackage)
		w.EndFileGrp()
	}
	w.EndFileSec()
	return errors.Join(err, w.Err())
}

// locationFrom returns the location of a file of the package, relative to a document.
func locationFrom(document, dest string) []mets.FLocat {
	return []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(aip.Relative(document, dest))}}}
}

// eachDocument visits the documents: those of containers, then those of harvests.
func (b *builder) eachDocument(visit func(*aip.MadeFile)) error {
	err := b.spool.Each(func(p packed) error {
		if d := b.docs.containers[p.N]; d != nil && p.Container != nil {
			visit(d)
		}
		return nil
	})
	for n := range b.eachHarvest() {
		if d := b.docs.harvests[n]; d != nil {
			visit(d)
		}
	}
	return err
}

// documentFiles writes the group of the documents, if there are some.
func (b *builder) documentGroup(w *mets.Writer) error {
	if len(b.docs.containers)+len(b.docs.harvests) == 0 {
		return nil
	}
	w.StartFileGrp(mets.FileGrp{Use: aip.UseMETS})
	err := b.eachDocument(func(d *aip.MadeFile) { w.File(d.Element()) })
	w.EndFileGrp()
	return errors.Join(err, w.Err())
}

// documentDiv points to a document, in the div of the container or harvest that it describes.
func documentDiv(w *mets.Writer, d *aip.MadeFile) {
	if d == nil {
		return
	}
	w.StartDiv(mets.Div{Type: "METS"})
	w.Mptr(mets.Mptr{Location: mets.Location{LocType: "URL", Href: mets.Href(d.Path)}})
	w.Fptr(mets.Fptr{FileID: d.ID})
	w.EndDiv()
}
