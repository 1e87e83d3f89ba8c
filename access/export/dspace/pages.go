package dspace

import (
	"context"
	"fmt"

	"quire/access/export"
	"quire/access/export/unpack"
	"quire/access/rewrite"
	"quire/holdings"
	"quire/holdings/captures"
)

// maxEmbedded limits the files embedded in one page. Further files are listed as withheld.
const maxEmbedded = 5_000

// pages creates an item for each web page: the page as captured, with its embedded files of that
// time. A page that is only shown in frames of others is a file of their items, and no item.
func (a *archive) pages(ctx context.Context) error {
	site := &unpack.Site{Source: a.source, At: a.out.Options.At}
	framed, err := framesOf(ctx, site)
	if err != nil {
		return err
	}
	for c, err := range site.Captures(ctx) {
		if err != nil {
			return err
		}
		if !isPage(c.Capture) || framed.only(c.Capture) {
			continue
		}
		if err := a.page(ctx, c); err != nil {
			return fmt.Errorf("item of %s: %w", c.URL, err)
		}
	}
	return nil
}

// page creates the item of one page. A page that cannot be read has no item; it is listed as
// withheld.
func (a *archive) page(ctx context.Context, c holdings.Judged) error {
	p := &pageItem{archive: a, page: c.Capture, site: &unpack.Site{Source: a.source, At: c.Timestamp},
		seen: map[string]bool{}, folder: folder(a.items + 1)}
	p.want(c.Capture)
	first, err := p.unpack(ctx)
	if first == nil {
		return err // the next item has this folder
	}
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
	for f := first; ; {
		if f != nil {
			if err := listFile(item, names, f, a.source.Judge(p.current).Verdict, f == first); err != nil {
				return err
			}
		}
		if len(p.queue) == 0 {
			break
		}
		if f, err = p.unpack(ctx); err != nil {
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
	fields, err := a.describePage(item, c.Capture, first)
	if err != nil {
		return err
	}
	return item.Close(fields, a.out.Options.Collections, "")
}

// describePage returns the metadata in a page, with its address, and writes them as MODS, too.
func (a *archive) describePage(item *Item, c *captures.Capture, f *unpack.File) ([]Field, error) {
	var list fields
	if f.Declared != nil {
		record := f.Declared.MODS(c.URL)
		list.list = FromMODS(&record.Content)
		a.localPage(&list, c, &record)
		if err := writeDescription(a.out, item, record, "metadata that the page declares (MODS)"); err != nil {
			return nil, err
		}
	} else {
		a.localPage(&list, c, nil)
	}
	url := unpack.Printable(c.URL)
	list.whole("["+url+"]", a.about.ID)
	list.url(url)
	list.add(captured, unpack.When(c.Timestamp))
	list.add(history, "Captured from "+url+" on "+unpack.When(c.Timestamp)+"; package "+a.packageOf())
	list.add("dc.type", "web page")
	list.add("dc.relation.ispartof", a.about.Title)
	return list.list, nil
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

	folder  string            // of the item
	current *captures.Capture // unpacked last
}

// unpack writes the next file of the queue; nil if it cannot be read.
func (p *pageItem) unpack(ctx context.Context) (*unpack.File, error) {
	p.current, p.queue = p.queue[0], p.queue[1:]
	return p.site.Unpack(ctx, p.out.Write, p.current, unpack.Options{Prefix: p.folder + "/", To: p.to(ctx)})
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
