package pack

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
	"quire/preserve/characterize"
)

// writeMETS writes the description of the package (docs/reference/310_package-format.md, 2).
func (b *builder) writeMETS(out io.Writer) error {
	w := mets.NewWriter(out, mets.Options{})
	w.Start(mets.Root{ObjID: b.result.ID, Label: b.result.Title, Type: "Web archives",
		Profile:    b.o.Profile.name(b.o.METS),
		Namespaces: b.o.SchemaVersion.namespaces()})
	b.header(w)
	b.descriptionSection(w, aip.WebsiteDmdID, b.website())
	b.descriptions(w)
	if err := b.sheetSections(w); err != nil {
		return err
	}
	if b.o.METS == Single {
		if err := b.pageDescriptions(w); err != nil {
			return err
		}
	}
	b.packageSection(w)
	if err := errors.Join(b.containerSections(w), b.fileSections(w)); err != nil {
		return err
	}
	if err := b.files(w); err != nil {
		return err
	}
	if err := b.physical(w); err != nil {
		return err
	}
	if err := b.structure(w); err != nil {
		return err
	}
	if b.o.METS == Single {
		if err := b.structLinks(w); err != nil {
			return err
		}
	}
	return w.Close()
}

// packageSection writes the sections about the package as a whole (2.4).
func (b *builder) packageSection(w *mets.Writer) {
	w.StartAmdSec(aip.PackageAmdID)
	b.objectSection(w, aip.WebsiteObjID, b.websiteObject())
	b.objectSection(w, aip.PackageObjID, b.packageObject())
	b.statements(w)
	agents := b.agents()
	for _, e := range b.packageEvents(agents) {
		b.eventSection(w, e.id, e.event)
	}
	for _, a := range agents {
		b.agentSection(w, a.id, a.agent)
	}
	w.EndAmdSec()
	b.restrictions(w)
}

// containerSections writes the sections about each container.
func (b *builder) containerSections(w *mets.Writer) error {
	derived, err := b.derived.reader()
	defer derived.stop()
	objects, other := b.derived.reader()
	defer objects.stop()
	if err := errors.Join(err, other); err != nil {
		return err
	}
	return b.spool.Each(func(p packed) error {
		if p.Container == nil {
			return nil
		}
		if err := b.containerSection(w, p, derived, objects); err != nil {
			return err
		}
		return w.Err()
	})
}

// containerSection writes the sections about one container (2.5): its own amdSec has no object but
// that of the container, because files name an amdSec as a whole.
func (b *builder) containerSection(w *mets.Writer, p packed, derived, objects *derivedReader) error {
	w.StartAmdSec(aip.ContainerAmdID(p.N))
	b.objectSection(w, aip.ContainerObjID(p.N), b.containerObject(p))
	b.containerMDSection(w, aip.ContainerMDID(p.N),
		characterize.Summary(p.Container, b.characterization(p)))
	told, err := b.countObjects(p, derived)
	if err != nil {
		return err
	}
	if p.Made != nil {
		b.eventSection(w, aip.MigrationEventID(p.N), b.migration(p))
	}
	if p.transformed() > 0 {
		b.eventSection(w, aip.TransformationEventID(p.N), b.transformation(p))
	}
	b.eventSection(w, aip.ContainerEventID(p.N), b.validation(p, told))
	if p.Container.Scan != nil {
		b.eventSection(w, aip.VirusEventID(p.N), b.virusCheck(p))
	}
	if p.Contents.revisits(p.Container) > 0 {
		b.eventSection(w, aip.DedupEventID(p.N), b.deduplication(p))
	}
	w.EndAmdSec()
	if p.Made != nil {
		w.StartAmdSec(aip.SourceAmdID(p.N))
		b.objectSection(w, aip.SourceObjID(p.N), b.sourceObject(p))
		w.EndAmdSec()
	}
	return b.contentObjects(w, p, objects, b.inPackage)
}

// files writes the fileSec (2.6): containers, then the originals of converted containers, then the
// other files.
func (b *builder) files(w *mets.Writer) error {
	anyOf, each, stop, err := b.partReaders()
	defer stop()
	if err != nil {
		return err
	}
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: useOf[containers]})
	at := containers
	err = b.spool.Each(func(p packed) error {
		if p.Group != at {
			at = p.Group
			w.EndFileGrp()
			w.StartFileGrp(mets.FileGrp{Use: useOf[at]})
		}
		return b.file(w, p, anyOf, each)
	})
	if err != nil {
		return err
	}
	w.EndFileGrp()
	err = errors.Join(b.apartGroup(w, aip.UseOriginalFiles, aip.OriginalPartsID),
		b.apartGroup(w, aip.UseViral, aip.ViralFileID), b.lineFiles(w), b.documentGroup(w))
	if err != nil {
		return err
	}
	w.EndFileSec()
	return w.Err()
}

// file writes a file, and for a container the records within it.
func (b *builder) file(w *mets.Writer, p packed, anyOf, each *derivedReader) error {
	f := b.fileOf(p)
	if p.Container == nil {
		w.File(f)
		return w.Err()
	}
	some, err := b.anyNested(&p, anyOf, "", b.inPackage)
	if err != nil {
		return err
	}
	if some && p.layout().shape == apart {
		f.Transforms = nil // each member has its own, at its record, here and in the separate groups
	}
	w.StartFile(f)
	err = b.nested(w, &p, each, aip.UseContainers, b.inPackage)
	w.EndFile()
	return err
}

func (b *builder) fileOf(p packed) mets.File {
	f := mets.File{
		ID: fileID(p.Group, p.N),
		FileCore: mets.FileCore{MIMEType: mimeType(p), Size: xmlstream.IntOf(p.Size), Checksum: p.SHA512,
			ChecksumType: "SHA-512"},
		Locations: locationFrom("", p.Dest),
	}
	switch {
	case p.Container != nil:
		f.GroupID = aip.ContainerFileID(p.N)
		f.AdmID = []string{aip.ContainerAmdID(p.N)}
		f.Transforms = decompression(p.Container)
	case p.SourceOf > 0:
		f.AdmID = []string{aip.SourceAmdID(p.SourceOf)}
	default:
		f.AdmID = []string{aip.FileAmdID(f.ID)}
	}
	if p.Restricted != "" {
		f.AdmID = append(f.AdmID, b.restriction(p.Restricted))
	}
	if _, path, _ := strings.Cut(p.Dest, "/"); p.Container == nil && path != p.Name {
		f.OwnerID = p.Name
	}
	return f
}

func fileID(g group, n int) string {
	switch g {
	case containers:
		return aip.ContainerFileID(n)
	case originals:
		return aip.OriginalFileID(n)
	case documentation:
		return aip.DocumentFileID(n)
	}
	return aip.LogFileID(n)
}

// ref is a reference to a file in the structMap.
type ref struct {
	group      group
	n          int
	label      string
	rows       span // of a container
	pages      span
	layout     layout
	restricted string // why it must be restricted
	recordType string // media type of its records
}

func refOf(p *packed) ref {
	r := ref{group: p.Group, n: p.N, restricted: p.Restricted}
	if p.Group == containers {
		r.label, r.rows, r.pages, r.layout = p.Name, p.Contents.Rows, p.Contents.Pages, p.layout()
		r.recordType = characterize.MediaType(p.Container)
	}
	return r
}

// structure writes the logical structMap (2.7). The files of a harvest are in the order of the
// fileSec.
func (b *builder) structure(w *mets.Writer) error {
	refs := map[int][]ref{} // by harvest
	err := b.spool.Each(func(p packed) error {
		refs[p.Harvest] = append(refs[p.Harvest], refOf(&p))
		return nil
	})
	if err != nil {
		return err
	}
	links := b.foundLinks()
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "website", Label: b.result.Title,
		DmdID: append([]string{aip.WebsiteDmdID}, b.described.ofWebsite()...),
		AdmID: append(b.websiteSections(), b.rightsOf(0)...)})
	for i := range b.facts.harvests {
		div := mets.Div{Type: "harvest", Label: b.facts.harvests[i].label(),
			DmdID: append(b.descriptionIDs(i+1), b.described.ofHarvest(i+1)...)}
		if b.captured(i + 1) {
			div.AdmID = []string{aip.HarvestEventID(i + 1)}
		}
		div.AdmID = append(div.AdmID, append(b.completionIDs(i+1), b.rightsOf(i+1)...)...)
		w.StartDiv(div)
		if err := b.harvestFiles(w, i+1, refs[i+1], links); err != nil {
			return err
		}
		w.EndDiv()
	}
	if err := b.harvestFiles(w, 0, refs[0], links); err != nil {
		return err
	}
	w.EndDiv()
	w.EndStructMap()
	return w.Err()
}

// divOf is the TYPE of the div for a group's files; each container has its own div.
var divOf = [groups]string{"container", "original", "log", "documentation"}

// harvestFiles writes the files of one harvest (0 means none), followed by its pages if the profile
// includes them: each page in a single METS, else a pointer to their document.
func (b *builder) harvestFiles(w *mets.Writer, harvest int, refs []ref, links *foundReader) error {
	b.fileDivs(w, refs)
	switch {
	case !b.o.Profile.itemized():
		return w.Err()
	case b.o.METS != Single:
		documentDiv(w, b.docs.harvests[harvest])
		return b.describedPages(w, harvest, refs)
	}
	for i := range refs {
		if refs[i].group == containers {
			if err := b.pages(w, harvest, &refs[i], links); err != nil {
				return err
			}
		}
	}
	return w.Err()
}

// fileDivs writes the files of one harvest.
func (b *builder) fileDivs(w *mets.Writer, refs []ref) {
	open := containers
	for _, r := range refs {
		if r.group != open {
			if open != containers {
				w.EndDiv()
			}
			open = r.group
			w.StartDiv(mets.Div{Type: divOf[open]})
		}
		if r.group == containers {
			w.StartDiv(mets.Div{Type: divOf[containers], Label: r.label})
		}
		w.Fptr(mets.Fptr{FileID: fileID(r.group, r.n)})
		if r.group == containers {
			indexDiv(w, r.n)
			documentDiv(w, b.docs.containers[r.n])
			w.EndDiv()
		}
	}
	if open != containers {
		w.EndDiv()
	}
}

// label describes the harvest and its time, for people.
func (h *harvest) label() string {
	first, last, ok := h.span()
	if !ok {
		return "harvest without dates"
	}
	return fmt.Sprintf("%s to %s", first.UTC().Format("2006-01-02 15:04:05"),
		last.UTC().Format("2006-01-02 15:04:05 MST"))
}
