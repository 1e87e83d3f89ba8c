// Package mirror exports a package as a folder of files that opens from a disk, without a server or
// the web (docs/reference/565_exports.md).
//
// Each URL has one file below web/, from its selected capture; links lead from file to file.
// index.html lists the pages, names.jsonl the URL of each file. Package unpack names the files and
// rewrites the links.
package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"quire/access/export"
	"quire/access/export/unpack"
	"quire/internal/spool"
)

// Formats returns the formats of this package.
func Formats() []export.Format {
	return []export.Format{{
		Name: "mirror", Title: "Mirror folder",
		About: "a folder of linked files: open index.html; no server is needed", Make: makeMirror,
		Needs: export.Nothing,
	}}
}

// File names at the root of a mirror.
const (
	webDir    = "web/"
	startPage = "index.html"
)

// page is an entry of the start page.
type page struct {
	Title, URL, Timestamp, Name string
}

// maker writes one mirror.
type maker struct {
	source *export.Source
	out    *export.Output
	site   *unpack.Site
	pages  *spool.Spool[page]
	count  int64
}

func makeMirror(ctx context.Context, s *export.Source, out *export.Output) error {
	at, err := momentOf(out.Options.At)
	if err != nil {
		return err
	}
	pages, err := spool.New[page](out.Scratch())
	if err != nil {
		return err
	}
	defer func() { _ = pages.Close() }() // a temporary file
	m := &maker{source: s, out: out, site: &unpack.Site{Source: s, At: at}, pages: pages}
	out.Progress().Start("unpacking", s.Package.Bytes)
	names, err := out.Create(unpack.NamesName)
	if err != nil {
		return err
	}
	if err := m.unpack(ctx, names); err != nil {
		names.Abandon()
		return err
	}
	if _, err := names.Finish(); err != nil {
		return err
	}
	_, err = out.Write(webDir+unpack.Dead, func(w io.Writer) error {
		_, err := io.WriteString(w, unpack.DeadPage)
		return err
	})
	if err != nil {
		return err
	}
	_, err = out.Write(startPage, m.start)
	return err
}

// digits matches a requested moment.
var digits = regexp.MustCompile(`^[0-9]{4,14}$`)

// momentOf extends a moment to 14 digits: the start of its period.
func momentOf(at string) (string, error) {
	if at == "" {
		return "", nil
	}
	if !digits.MatchString(at) {
		return "", fmt.Errorf("%q is not a timestamp: use 4 to 14 digits, such as 2015 or 20150102030405", at)
	}
	return at + "00000101000000"[len(at):], nil
}

// unpack writes all files.
func (m *maker) unpack(ctx context.Context, names io.Writer) error {
	for c, err := range m.site.Captures(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		f, err := m.site.Unpack(ctx, m.out.Write, c.Capture, unpack.Options{Prefix: webDir})
		if err != nil {
			return fmt.Errorf("%s of %s: %w", c.URL, c.Timestamp, err)
		}
		m.out.Progress().Advance(c.Record.Body)
		if f == nil {
			continue // Source has listed it
		}
		if err := m.list(names, f); err != nil {
			return err
		}
	}
	return nil
}

// list records a written file.
func (m *maker) list(names io.Writer, f *unpack.File) error {
	if err := unpack.WriteName(names, f); err != nil {
		return err
	}
	if f.Declared == nil {
		return nil
	}
	m.count++
	one := page{Title: f.URL, URL: f.URL, Timestamp: unpack.When(f.Timestamp), Name: f.Name}
	if t := f.Declared.Title; t != nil && strings.TrimSpace(t.Text) != "" {
		one.Title = t.Text
	}
	return m.pages.Add(one)
}

// start writes the start page.
func (m *maker) start(w io.Writer) error {
	if err := begin.Execute(w, map[string]any{
		"Title": m.source.Title(), "ID": m.source.ID(), "Version": m.source.Version().Number,
		"Description": m.source.Description(),
		"Count":       m.count, "Software": m.source.Software(), "Kept": export.WithheldName, "Names": unpack.NamesName,
	}); err != nil {
		return err
	}
	err := m.pages.Each(func(p page) error {
		return row.Execute(w, map[string]any{"Title": p.Title, "URL": unpack.Printable(p.URL), "When": p.Timestamp,
			"Href": webDir + p.Name})
	})
	_, end := io.WriteString(w, ending)
	return errors.Join(err, end)
}
