package main

import (
	"context"
	"errors"
	"strings"

	"quire/internal/humanize"
	"quire/preserve/pages"
)

// pagesFlags are the flags of describe for the metadata that pages declare.
type pagesFlags struct {
	Source []string `arg:"" optional:"" help:"Source: containers, or folders and archives with containers."`
	Pages  bool     `hidden:"" help:"Same as quire describe pages."`
}

// wanted reports whether the flags select pages. A curator's descriptions and the metadata of pages
// are never listed together.
func (f pagesFlags) wanted(sheet string) (bool, error) {
	switch {
	case !f.Pages:
		return false, nil
	case sheet != "":
		return false,
			errors.New("--pages lists the metadata of pages, --sheet has a curator's descriptions: use " +
				"one at a time")
	case len(f.Source) == 0:
		return false, errors.New("--pages needs a source: containers, or a folder with containers")
	}
	return true, nil
}

// list prints the pages as they are read.
func (f pagesFlags) list(ctx context.Context, t *terminal, from sourceFlags, asJSON bool) error {
	sum, err := pages.Source(ctx, from.options(), func(p *pages.Found) error {
		if asJSON {
			return t.json(p)
		}
		printPage(t, p)
		return t.failed
	}, f.Source...)
	if err != nil {
		return err
	}
	if asJSON {
		err = t.json(sum)
	} else {
		printPages(t, sum)
	}
	if err == nil && (len(sum.Damaged) > 0 || sum.Containers == 0) {
		err = errContent
	}
	return err
}

// maxShown is the number of characters of a value in the text output.
const maxShown = 200

func printPage(t *terminal, p *pages.Found) {
	t.printf("%s\n", p.URI)
	where := p.Container
	if !p.Date.IsZero() {
		where = p.Date.UTC().Format("2006-01-02 15:04:05 MST") + ", " + where
	}
	t.printf("  %s, byte %d\n", where, p.Offset)
	if !p.Whole {
		t.printf("  only the beginning of the page could be read\n")
	}
	d := p.Declared
	if d.Title != nil {
		printValue(t, "title", *d.Title)
	}
	for _, l := range d.Languages {
		printValue(t, "language ("+l.Source+")", l.Value)
	}
	if d.Charset.Name != "" {
		t.printf("  charset (%s): %s\n", d.Charset.Source, d.Charset.Name)
	}
	if d.Base != nil {
		printValue(t, "base", *d.Base)
	}
	for _, m := range d.Meta {
		printValue(t, m.Attribute+" "+m.Name, m.Content)
	}
	if d.Links > 0 {
		t.printf("  %s\n", humanize.Number(d.Links, "link to a page", "links to pages"))
	}
	if said := d.LeftOut.String(); said != "" {
		t.printf("  left out: %s\n", said)
	}
}

func printValue(t *terminal, name string, v pages.Value) {
	text := []rune(strings.Join(strings.Fields(v.Text), " "))
	more := ""
	if v.Length > 0 || len(text) > maxShown {
		more = "…"
	}
	t.printf("  %s: %s%s\n", name, string(text[:min(len(text), maxShown)]), more)
}

func printPages(t *terminal, sum *pages.Sum) {
	t.printf("%s in %s, with their declared metadata\n", humanize.Number(sum.Pages, "page", "pages"),
		humanize.Number(sum.Containers, "container", "containers"))
	for _, path := range sum.Damaged {
		t.printf("  %s is damaged: quire inspect shows where\n", path)
	}
}
