package dspace

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"time"

	"quire/access/export"
	"quire/access/export/about"
	"quire/access/export/crawl"
	"quire/access/export/unpack"
	"quire/holdings"
	"quire/internal/spool"
	"quire/preserve/pages"
)

// sip writes a METS SIP: a ZIP, streamed, with mets.xml as its last entry.
type sip struct {
	source *export.Source
	about  *about.Website
	zip    *zip.Writer
	dir    string // for data that cannot be streamed
	beside func(io.Writer) io.Writer
	date   time.Time // of the entries

	files   *spool.Spool[bitstream]
	links   *spool.Spool[link]
	lost    map[string]bool // missing files that links may lead to
	front   string          // URL of the front page
	primary string          // ID of its file
}

// bitstream is a file of the SIP.
type bitstream struct {
	Bundle, Name, MIME, SHA256 string
	Size                       int64
	URL, Timestamp, Title      string
	Page                       bool
}

// link is a link between pages, at its place in the file.
type link struct {
	From, To   string // names
	Kind       string
	Begin, End int64 // of the start tag, both inclusive
}

// makeSIP writes a package as a METS SIP for DSpace, with the unpacked website as one item.
func makeSIP(ctx context.Context, s *export.Source, out *export.Output) error {
	w := about.Of(s)
	p := &sip{source: s, about: w, dir: out.Scratch(), beside: out.Bounded,
		date: s.Version().Created.UTC().Truncate(2 * time.Second), lost: map[string]bool{}}
	var err error
	if p.files, err = spool.New[bitstream](p.dir); err != nil {
		return err
	}
	defer func() { _ = p.files.Close() }() // a temporary file
	if p.links, err = spool.New[link](p.dir); err != nil {
		return err
	}
	defer func() { _ = p.links.Close() }() // a temporary file
	_, err = out.Write(s.FileStem()+".zip", func(to io.Writer) error {
		p.zip = zip.NewWriter(to)
		if err := p.write(ctx, out); err != nil {
			return err
		}
		return p.zip.Close()
	})
	return err
}

// write writes the entries.
func (p *sip) write(ctx context.Context, out *export.Output) error {
	if err := p.unpack(ctx, &unpack.Site{Source: p.source, At: out.Options.At}); err != nil {
		return err
	}
	if err := p.warc(ctx, out); err != nil {
		return err
	}
	for _, f := range []struct {
		bitstream
		write func(io.Writer) error
	}{
		{bitstream{Bundle: Original, Name: unpack.Dead, MIME: "text/html"}, func(w io.Writer) error {
			_, err := io.WriteString(w, unpack.DeadPage)
			return err
		}},
		{bitstream{Bundle: Metadata, Name: ownFolder + "mods.xml", MIME: "application/xml"}, func(w io.Writer) error {
			return writeMODS(w, p.about.MODS)
		}},
		{bitstream{Bundle: Metadata, Name: ownFolder + export.WithheldName, MIME: "application/json"},
			p.source.WriteWithheld},
	} {
		if err := p.add(f.bitstream, f.write); err != nil {
			return err
		}
	}
	to, err := p.entry("mets.xml", zip.Deflate)
	if err != nil {
		return err
	}
	return p.mets(to)
}

// unpack adds the files of the website.
func (p *sip) unpack(ctx context.Context, site *unpack.Site) (err error) {
	if p.front, err = Front(ctx, site, &p.about.MODS.Content); err != nil {
		return err
	}
	for c, err := range site.Captures(ctx) {
		if err != nil {
			return err
		}
		if err := p.capture(ctx, site, c); err != nil {
			return err
		}
	}
	return nil
}

// capture adds one file, and notes its links.
func (p *sip) capture(ctx context.Context, site *unpack.Site, c holdings.Judged) error {
	name := unpack.NameOf(c.Capture)
	f, err := site.Unpack(ctx, p.put, c.Capture, unpack.Options{Link: func(l pages.Link) error {
		if to, ok := target(name, l); ok {
			return p.links.Add(link{name, to, string(l.Kind), l.Begin, l.End})
		}
		return nil
	}})
	if err != nil {
		return err
	}
	if f == nil {
		p.lost[name] = true
		return nil
	}
	if c.URL == p.front {
		p.primary = fileID(name)
	}
	b := bitstream{Bundle: Original, Name: name, MIME: f.MIME, SHA256: f.SHA256, Size: f.Size, URL: f.URL,
		Timestamp: f.Timestamp, Page: isPage(c.Capture)}
	if d := f.Declared; d != nil && d.Title != nil {
		b.Title = d.Title.Text
	}
	return p.files.Add(b)
}

// warc adds the WARC files.
func (p *sip) warc(ctx context.Context, out *export.Output) error {
	return crawl.Volumes(ctx, p.source, out, func(name string) (io.WriteCloser, error) {
		to, err := p.entry(warcFolder+name, zip.Store)
		if err != nil {
			return nil, err
		}
		return &volume{counted: counted{to: to, sum: sha256.New()}, sip: p, name: warcFolder + name}, nil
	})
}

// volume is a WARC file that is added to the ZIP.
type volume struct {
	counted
	sip  *sip
	name string
}

// Close implements io.Closer.
func (v *volume) Close() error {
	if v.sip.primary == "" { // there is no front page
		v.sip.primary = fileID(v.name)
	}
	return v.sip.files.Add(bitstream{Bundle: Original, Name: v.name, MIME: "application/warc",
		SHA256: hex.EncodeToString(v.sum.Sum(nil)), Size: v.n})
}

// add writes a file into the ZIP and lists it.
func (p *sip) add(b bitstream, write func(io.Writer) error) error {
	to, err := p.entry(b.Name, zip.Deflate)
	if err != nil {
		return err
	}
	c := &counted{to: to, sum: sha256.New()}
	if err := write(c); err != nil {
		return err
	}
	b.SHA256, b.Size = hex.EncodeToString(c.sum.Sum(nil)), c.n
	return p.files.Add(b)
}

// put is the Sink of files that may turn out to be unreadable. It first writes them to files beside
// the ZIP, because ZIP entries cannot be removed.
func (p *sip) put(name string, write func(io.Writer) error) (f export.File, err error) {
	tmp, err := os.CreateTemp(p.dir, "entry-*")
	if err != nil {
		return f, err
	}
	defer func() {
		_ = tmp.Close() // only read from here on
		_ = os.Remove(tmp.Name())
	}()
	c := &counted{to: p.beside(tmp), sum: sha256.New()}
	if err := write(c); err != nil {
		return f, err
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return f, err
	}
	to, err := p.entry(name, zip.Deflate)
	if err != nil {
		return f, err
	}
	_, err = io.Copy(to, tmp)
	return export.File{Path: name, Size: c.n, SHA256: hex.EncodeToString(c.sum.Sum(nil))}, err
}

// entry starts an entry of the ZIP.
func (p *sip) entry(name string, method uint16) (io.Writer, error) {
	to, err := p.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: p.date})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return to, nil
}
