package pack

import (
	"errors"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// fileSections writes the premis:object of each file of the package that is no container: logs,
// documentation, originals, indexes, METS documents (docs/reference/310_package-format.md, 2.5.1).
// Each has an amdSec of its own, because files name an amdSec as a whole.
func (b *builder) fileSections(w *mets.Writer) error {
	write := func(file string, o premis.Object) error {
		w.StartAmdSec(aip.FileAmdID(file))
		b.objectSection(w, aip.FileObjID(file), o)
		w.EndAmdSec()
		return w.Err()
	}
	mirrors := map[int]int{} // harvest: container made of its mirror
	err := b.spool.Each(func(p packed) error {
		switch {
		case p.Container != nil:
			if p.Made != nil && p.Made.Mirror != nil {
				mirrors[p.Harvest] = p.N
			}
			return write(aip.IndexFileID(p.N), b.indexObject(&p))
		case p.SourceOf > 0: // OBJ-src-cN is its object
			return nil
		}
		return write(fileID(p.Group, p.N), b.fileObject(&p, mirrors[p.Harvest]))
	})
	if err != nil {
		return err
	}
	err = b.eachDocument(func(d *aip.MadeFile) { _ = write(d.ID, b.documentObject(d)) })
	return errors.Join(err, w.Err())
}

// documentObject returns a METS document of the package, made from the data of the pass.
func (b *builder) documentObject(d *aip.MadeFile) premis.Object {
	o := b.madeObject(aip.FileObjID(d.ID), d.SHA512, d.Size, "METS")
	o.Events = append(o.Events, b.eventLink(aip.PackageEventID))
	return o
}

// madeObject returns a file in gzip that Quire made for the package.
func (b *builder) madeObject(id, sha512 string, size int64, format string) premis.Object {
	return premis.Object{
		Category:    premis.File,
		Identifiers: []premis.Identifier{b.identify(id)},
		Characteristics: []premis.Characteristics{
			{
				CompositionLevel: xmlstream.IntOf(1), Fixity: b.sha512(sha512), Size: xmlstream.IntOf(size),
				Formats: []premis.Format{gzipFormat},
			},
			{
				CompositionLevel: xmlstream.IntOf(0), Formats: []premis.Format{{Name: premis.Text(format)}},
				Applications: []premis.Application{{Name: premis.Text(b.o.Agent.Name), Version: b.o.Agent.Version}},
			},
		},
		Relationships: []premis.Relationship{b.relation("structural", "is included in", aip.PackageObjID)},
		Events:        []premis.Link{b.eventLink(aip.DigestEventID)},
	}
}

// fileObject returns a file that is no container. mirror is the number of the container made of its
// mirror, if the file belongs to one; otherwise 0.
func (b *builder) fileObject(p *packed, mirror int) premis.Object {
	o := premis.Object{
		Category:    premis.File,
		Identifiers: []premis.Identifier{b.identify(aip.FileObjID(fileID(p.Group, p.N)))},
		Characteristics: []premis.Characteristics{{
			CompositionLevel: xmlstream.IntOf(0), Fixity: b.sha512(p.SHA512), Size: xmlstream.IntOf(p.Size),
			Formats: []premis.Format{{Name: premis.Text(mimeType(*p)), Notes: byName}},
		}},
		OriginalName:  p.Name,
		Relationships: []premis.Relationship{b.relation("structural", "is included in", aip.PackageObjID)},
		Events:        []premis.Link{b.eventLink(aip.DigestEventID), b.eventLink(aip.IngestEventID)},
	}
	if mirror > 0 && strings.HasPrefix(p.Dest, aip.OriginalsDir+"/") {
		o.Relationships = append(o.Relationships,
			b.relation("structural", "is included in", aip.SourceObjID(mirror)))
	}
	return o
}

// indexObject returns the CDXJ index of a container, which the same pass made.
func (b *builder) indexObject(p *packed) premis.Object {
	r := b.relation("derivation", "has source", aip.ContainerObjID(p.N))
	r.Events = []premis.RelatedEvent{{Identifier: b.identify(aip.ContainerEventID(p.N))}}
	o := b.madeObject(aip.IndexObjID(p.N), p.Lines.SHA512, p.Lines.Size, "CDXJ")
	o.Relationships = append(o.Relationships, r)
	o.Events = append(o.Events, b.eventLink(aip.ContainerEventID(p.N)))
	return o
}

// byName notes that a format is concluded from the ending of the file's name.
var byName = []string{"by the name of the file"}

// sha512 returns the digest of a file that the pass computed.
func (b *builder) sha512(sum string) []premis.Fixity {
	return []premis.Fixity{{Algorithm: sha512Term, Digest: sum, Originator: premis.Text(b.o.Agent.Name)}}
}
