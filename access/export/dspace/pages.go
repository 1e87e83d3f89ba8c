package dspace

import (
	"context"
	"fmt"

	"quire/access/export"
	"quire/access/export/unpack"
	"quire/access/rewrite"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/metadata/mods"
)

// maxEmbedded limits the files embedded in one page. Further files are listed as withheld.
const maxEmbedded = 5_000

// pages creates an item for each web page: the page as captured, with its embedded files of that
// time.
func (a *archive) pages(ctx context.Context) error {
	site := &unpack.Site{Source: a.source, At: a.out.Options.At}
	for c, err := range site.Captures(ctx) {
		if err != nil {
			return err
		}
		if !isPage(c.Capture) {
			continue
		}
		if err := a.page(ctx, c); err != nil {
			return fmt.Errorf("item of %s: %w", c.URL, err)
		}
	}
	return nil
}

// page creates the item of one page.
func (a *archive) page(ctx context.Context, c holdings.Judged) error {
	item, err := a.item()
	if err != nil {
		return err
	}
	defer item.Abandon()
	names, err := a.out.Create(item.Path(ownFolder + unpack.NamesName))
	if err != nil {
		return err
	}
	defer names.Abandon()
	p := &pageItem{archive: a, page: c.Capture, site: &unpack.Site{Source: a.source, At: c.Timestamp},
		seen: map[string]bool{}}
	p.want(c.Capture)
	var first *unpack.File
	for len(p.queue) > 0 {
		next := p.queue[0]
		p.queue = p.queue[1:]
		f, err := p.site.Unpack(ctx, a.out.Write, next, unpack.Options{Prefix: item.Path(""), To: p.to(ctx)})
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		if next == c.Capture {
			first = f
		}
		if err := listFile(item, names, f, a.source.Judge(next).Verdict, next == c.Capture); err != nil {
			return err
		}
	}
	if _, err := names.Finish(); err != nil {
		return err
	}
	if err := item.List(Bitstream{Name: ownFolder + unpack.NamesName, Bundle: Metadata,
		Description: "which file is which URL"}); err != nil {
		return err
	}
	if err := a.text(item, Bitstream{Name: unpack.Dead, Description: "why some links lead nowhere"},
		unpack.DeadPage); err != nil {
		return err
	}
	return item.Close(a.pageFields(c.Capture, first), a.out.Options.Collections, "")
}

// pageFields returns the metadata in a page, and its address.
func (a *archive) pageFields(c *captures.Capture, f *unpack.File) []Field {
	var list fields
	var said *mods.Record
	if f != nil && f.Declared != nil {
		record := f.Declared.MODS(c.URL)
		list.list, said = FromMODS(&record.Content), &record
	}
	a.localPage(&list, c, said)
	url := unpack.Printable(c.URL)
	list.whole("["+url+"]", a.about.ID)
	list.add("dcterms.source", url)
	list.add("dc.date.created", unpack.When(c.Timestamp))
	list.add("dc.type", "web page")
	list.add("dc.relation.ispartof", a.about.Title)
	return list.list
}

// pageItem builds the item of a page: the page, its embedded files, and the files embedded in
// these.
type pageItem struct {
	*archive
	page  *captures.Capture
	site  *unpack.Site // as of the moment of the page
	queue []*captures.Capture
	seen  map[string]bool // file names in the item
	full  bool
}

// want adds a capture to the item, once. It reports whether the item has it.
func (p *pageItem) want(c *captures.Capture) bool {
	name := unpack.NameOf(c)
	if p.seen[name] {
		return true
	}
	if len(p.seen) >= maxEmbedded {
		return false
	}
	p.seen[name] = true
	p.queue = append(p.queue, c)
	return true
}

// to leads embedded files of a page to files of the item. Other pages are other items, without an
// address before DSpace has imported them: links to them stay unchanged.
func (p *pageItem) to(ctx context.Context) func(rewrite.Kind, string) (string, bool, error) {
	return func(kind rewrite.Kind, url string) (string, bool, error) {
		if kind == rewrite.Page && url != p.page.URL {
			return "", false, nil
		}
		c, err := p.site.Find(ctx, url)
		if c == nil || err != nil {
			return "", false, err
		}
		if c.Key == p.page.Key {
			c = p.page
		}
		if p.want(c) {
			return unpack.NameOf(c), true, nil
		}
		if !p.full {
			p.full = true
			err = p.source.Withhold(export.Withheld{
				Reason: export.NoPlace, URL: p.page.URL, Timestamp: p.page.Timestamp,
				Message: fmt.Sprintf("the page embeds more than the item's limit of %d files", maxEmbedded)})
		}
		return "", false, err
	}
}
