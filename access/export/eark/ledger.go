package eark

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"quire/access/export"
	"quire/internal/spool"
	"quire/metadata/mets"
	"quire/metadata/xmlstream"
)

// entry is a file of the package, for its METS.
type entry struct {
	ID   string
	Path string // relative to the METS
	MIME string
	Size int64
	Sum  string // SHA-512
	Note string // its original name
}

// ledger lists the files of one group while they are written.
type ledger struct {
	list  *spool.Spool[entry]
	out   *export.Output
	base  string // folder of the listing METS, with a slash: "representations/rep1/"
	stem  string // prefix of the IDs
	count int
}

func newLedger(out *export.Output, base, stem string) (*ledger, error) {
	list, err := spool.New[entry](out.Scratch())
	return &ledger{list: list, out: out, base: base, stem: stem}, err
}

func (l *ledger) close() { _ = l.list.Close() } // a temporary file

// write writes a file and lists it. name is its path relative to the METS.
func (l *ledger) write(name, mime string, write func(io.Writer) error) (entry, error) {
	f, err := l.out.Write(l.base+name, write)
	if err != nil {
		return entry{}, err
	}
	return l.add(f, mime, "")
}

// copy writes the content of a reader to a file.
func (l *ledger) copy(ctx context.Context, name, mime, note string, r io.Reader) error {
	f, err := l.out.Copy(ctx, l.base+name, r)
	if err == nil {
		_, err = l.add(f, mime, note)
	}
	return err
}

// add lists a written file.
func (l *ledger) add(f export.File, mime, note string) (entry, error) {
	l.count++
	e := entry{fmt.Sprintf("%s-%d", l.stem, l.count), strings.TrimPrefix(f.Path, l.base), mime, f.Size, f.SHA512, note}
	return e, l.list.Add(e)
}

// core returns the METS description of a file.
func (p *packer) core(e *entry) mets.FileCore {
	return mets.FileCore{MIMEType: e.MIME, Size: xmlstream.IntOf(e.Size), Created: p.date, Checksum: e.Sum,
		ChecksumType: "SHA-512"}
}

// location returns the METS location of a file.
func location(name string) mets.Location { return mets.Location{LocType: "URL", Href: mets.Href(name)} }

// mimeOf returns the media type of a log or document by its name. CSIP requires one of IANA's.
func mimeOf(name string) string {
	if m := byEnding[strings.ToLower(path.Ext(name))]; m != "" {
		return m
	}
	return "application/octet-stream"
}

var byEnding = map[string]string{
	".txt": "text/plain", ".log": "text/plain", ".out": "text/plain", ".seeds": "text/plain", ".md": "text/markdown",
	".csv":  "text/csv",
	".html": "text/html", ".htm": "text/html", ".xml": "application/xml", ".cxml": "application/xml",
	".xsd":  "application/xml",
	".json": "application/json", ".jsonl": "application/json", ".yaml": "text/plain", ".yml": "text/plain",
	".pdf": "application/pdf", ".gz": "application/gzip", ".zip": "application/zip", ".tar": "application/x-tar",
	".ods":  "application/vnd.oasis.opendocument.spreadsheet",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
