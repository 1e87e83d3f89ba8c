package pack

import (
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// fileSections writes the premis:object of each file of the package that is no container: logs,
// documentation, originals, indexes (docs/reference/310_package-format.md, 2.5.1). METS allows no
// empty amdSec.
func (b *builder) fileSections(w *mets.Writer) error {
	open := false
	write := func(id string, o premis.Object) error {
		if !open {
			open = true
			w.StartAmdSec(aip.FilesAmdID)
		}
		b.objectSection(w, id, o)
		return w.Err()
	}
	mirrors := map[int]int{} // harvest: container made of its mirror
	err := b.spool.Each(func(p packed) error {
		switch {
		case p.Container != nil:
			if p.Made != nil && p.Made.Mirror != nil {
				mirrors[p.Harvest] = p.N
			}
			return write(aip.IndexObjID(p.N), b.indexObject(&p))
		case p.SourceOf > 0: // OBJ-src-cN is its object
			return nil
		}
		return write(aip.FileObjID(fileID(p.Group, p.N)), b.fileObject(&p, mirrors[p.Harvest]))
	})
	if open {
		w.EndAmdSec()
	}
	return err
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
	return premis.Object{
		Category:    premis.File,
		Identifiers: []premis.Identifier{b.identify(aip.IndexObjID(p.N))},
		Characteristics: []premis.Characteristics{
			{
				CompositionLevel: xmlstream.IntOf(1), Fixity: b.sha512(p.Lines.SHA512),
				Size: xmlstream.IntOf(p.Lines.Size), Formats: []premis.Format{gzipFormat},
			},
			{
				CompositionLevel: xmlstream.IntOf(0), Formats: []premis.Format{{Name: premis.Text("CDXJ")}},
				Applications: []premis.Application{{Name: premis.Text(b.o.Agent.Name), Version: b.o.Agent.Version}},
			},
		},
		Relationships: []premis.Relationship{
			b.relation("structural", "is included in", aip.PackageObjID), r},
		Events: []premis.Link{b.eventLink(aip.DigestEventID), b.eventLink(aip.ContainerEventID(p.N))},
	}
}

// byName notes that a format is concluded from the ending of the file's name.
var byName = []string{"by the name of the file"}

// sha512 returns the digest of a file that the pass computed.
func (b *builder) sha512(sum string) []premis.Fixity {
	return []premis.Fixity{{Algorithm: sha512Term, Digest: sum, Originator: premis.Text(b.o.Agent.Name)}}
}
