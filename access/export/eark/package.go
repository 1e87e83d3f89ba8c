package eark

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"quire/access/export"
	"quire/access/export/about"
	"quire/access/export/crawl"
	"quire/holdings"
	"quire/internal/portable"
	"quire/metadata/dc"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// Formats returns the formats of this package.
func Formats() []export.Format {
	return []export.Format{{
		Name: "eark", Title: "E-ARK DIP 2.2.0 (CSIP 2.2.0)",
		About: "the exchange format of European archives: a folder with its own METS and PREMIS", Make: Make,
		Besides: func(s *export.Source, _ export.Options) bool {
			return len(s.Files(aip.UseLogs, aip.UseDocuments)) > 0
		},
	}}
}

// ObjID returns the identifier of the exported package. It differs from the identifier of the
// stored package, because the export is only a part of it (DIP1). CSIP requires the folder to have
// the same name (CSIP1, CSIPSTR2).
func ObjID(id string) string { return portable.Name(strings.ReplaceAll(id, "/", "-")) + "-dip" }

// packer writes a package.
type packer struct {
	source  *export.Source
	out     *export.Output
	id      string // of the stored package
	version int
	class   holdings.Class
	objID   string
	title   string
	date    time.Time // of the version
	history []premis.Event
	mods    mods.Record

	meta, repMeta                  []section
	documents, schemas, reps, data *ledger
}

// Make writes the E-ARK package of s to out.
func Make(ctx context.Context, s *export.Source, out *export.Output) error {
	w := about.Of(s)
	p := &packer{source: s, out: out, id: s.ID(), version: s.Version().Number, class: s.Who.Class, objID: ObjID(s.ID()),
		title: w.Title,
		date:  s.Version().Created.UTC().Truncate(time.Second), history: w.Events, mods: w.MODS}
	var err error
	for _, l := range []struct {
		to         **ledger
		base, stem string
	}{{&p.documents, "", "DOC"}, {&p.schemas, "", "XSD"}, {&p.reps, "", "REP"}, {&p.data, rep + "/", "DATA"}} {
		if *l.to, err = newLedger(out, l.base, l.stem); err != nil {
			return err
		}
		defer (*l.to).close()
	}
	for _, step := range []func(context.Context) error{p.content, p.documentation, p.descriptive, p.representation,
		p.root} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// content writes the WARC files of the representation.
func (p *packer) content(ctx context.Context) error {
	return crawl.WARC(ctx, p.source, p.out, rep+"/data/", func(f export.File) error {
		_, err := p.data.add(f, "application/gzip", "") // validators do not know application/warc
		return err
	})
}

// documentation copies the logs and documents open to these readers. A readme about this package
// precedes them.
func (p *packer) documentation(ctx context.Context) error {
	_, err := p.documents.write("documentation/README.txt", "text/plain", func(w io.Writer) error {
		_, err := fmt.Fprintf(w, readme, p.objID, p.title, p.version, p.id, p.class)
		return err
	})
	if err != nil {
		return err
	}
	for _, f := range p.source.Files(aip.UseLogs, aip.UseDocuments) {
		if err := p.document(ctx, &f); err != nil {
			return err
		}
	}
	return nil
}

func (p *packer) document(ctx context.Context, f *holdings.File) error {
	in, err := p.source.OpenFile(ctx, f.Path)
	if err != nil {
		return p.source.FailFile(f.Path, err)
	}
	defer func() { _ = in.Close() }() // only read
	body := &tried{r: in}
	err = p.documents.copy(ctx, "documentation/package/"+f.Path, mimeOf(f.Path), path.Base(f.Path), body)
	if body.err != nil {
		return p.source.FailFile(f.Path, body.err)
	}
	return err
}

// tried remembers a read error, to distinguish unreadable files from a full disk.
type tried struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (t *tried) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		t.err = err
	}
	return n, err
}

// readme explains the package to a reader in fifty years.
const readme = `%s
%s

A dissemination information package by the specifications E-ARK CSIP and E-ARK DIP.
It is made of version v%d of the preservation package %s, for readers of class %s.

METS.xml                    lists what is in the package
representations/rep1/data   the captures of the website, as WARC files (ISO 28500)
metadata/descriptive        what the website is
metadata/preservation       what was done with it (PREMIS)
documentation/package       logs and documents of the harvests
documentation/kept-back.json  what was kept back from these readers, and why
`

// Paths of metadata.
const (
	modsPath   = "metadata/descriptive/mods.xml"
	dcPath     = "metadata/descriptive/dc.xml"
	premisPath = "metadata/preservation/premis.xml"
	keptPath   = "documentation/" + export.WithheldName
)

// descriptive writes the description of the website, and the list of withheld content, now
// complete.
func (p *packer) descriptive(context.Context) error {
	if _, err := p.documents.write(keptPath, "application/json", p.source.WriteWithheld); err != nil {
		return err
	}
	return p.metadata("", &p.meta, []piece{
		{"DMD-mods", mets.DmdSec, mets.MetadataType{MDType: "MODS", MDTypeVersion: mods.Version}, modsPath,
			"application/xml", p.writeMODS},
		{"DMD-dc", mets.DmdSec, mets.MetadataType{MDType: "DC"}, dcPath, "application/xml", p.writeDC},
		{"AMD-premis", mets.DigiprovMD, mets.MetadataType{MDType: "PREMIS", MDTypeVersion: premis.Version}, premisPath,
			"application/xml", p.rootPREMIS},
	})
}

// piece is a metadata file to write.
type piece struct {
	id    string
	kind  mets.SectionKind
	meta  mets.MetadataType
	path  string
	mime  string
	write func(io.Writer) error
}

func (p *packer) metadata(base string, to *[]section, list []piece) error {
	for _, m := range list {
		f, err := p.out.Write(base+m.path, m.write)
		if err != nil {
			return err
		}
		*to = append(*to, section{m.id, m.kind, m.meta, entry{Path: m.path, MIME: m.mime, Size: f.Size, Sum: f.SHA512}})
	}
	return nil
}

func (p *packer) writeMODS(out io.Writer) error {
	return writeDocument(out, func(x *xmlstream.Writer) error {
		x.Locate(mods.Namespace, schemaFor(modsPath, modsXSD))
		return mods.Write(x, p.mods)
	})
}

func (p *packer) writeDC(out io.Writer) error {
	return writeDocument(out, func(x *xmlstream.Writer) error {
		x.Locate(dc.OAINamespace, schemaFor(dcPath, dcXSD))
		return dc.Write(x, about.DC(&p.mods.Content))
	})
}

// writeDocument writes one XML document.
func writeDocument(out io.Writer, write func(*xmlstream.Writer) error) error {
	x := xmlstream.NewWriter(out, xmlstream.Options{Indent: true})
	if err := write(x); err != nil {
		return err
	}
	return x.Close()
}

// representation writes the metadata of the representation.
func (p *packer) representation(context.Context) error {
	err := p.metadata(rep+"/", &p.repMeta, []piece{
		{"AMD-premis", mets.DigiprovMD, mets.MetadataType{MDType: "PREMIS", MDTypeVersion: premis.Version}, premisPath,
			"application/xml", p.repPREMIS},
	})
	if err != nil {
		return err
	}
	_, err = p.reps.write(repName, "application/xml", p.repMETS)
	return err
}

// root writes the METS of the package.
func (p *packer) root(context.Context) error {
	if err := p.carry(); err != nil {
		return err
	}
	_, err := p.out.Write(metsName, p.rootMETS)
	return err
}

// software returns name and version of the software that creates the package.
func (p *packer) software() (name, version string) {
	name, version, _ = strings.Cut(p.source.Software(), " ")
	if version == "" {
		version = "unknown"
	}
	return name, version
}
