package dspace

import (
	"context"
	"fmt"
	"io"
	"strings"

	"quire/access/export"
	"quire/access/export/about"
	"quire/access/export/crawl"
	"quire/access/export/unpack"
	"quire/holdings"
	"quire/metadata/mods"
	"quire/metadata/xmlstream"
)

// Places in an item. Folders of websites have a dot in their names, these have none.
const (
	warcFolder = "warc/"
	ownFolder  = "quire/"
)

// archive writes a Simple Archive.
type archive struct {
	source *export.Source
	out    *export.Output
	about  *about.Website
	items  int
}

// makeSAF writes a package in the Simple Archive Format: one item for the website, or one for each
// page.
func makeSAF(ctx context.Context, s *export.Source, out *export.Output) error {
	w := about.Of(s)
	a := &archive{source: s, out: out, about: w}
	if err := a.registry(); err != nil {
		return err
	}
	switch out.Options.ItemPer {
	case "", "site":
		return a.website(ctx, true)
	case "page":
		if err := a.pages(ctx); err != nil {
			return err
		}
		return a.website(ctx, false)
	}
	return fmt.Errorf("an item is per page or site, not per %q", out.Options.ItemPer)
}

// item starts the next item.
func (a *archive) item() (*Item, error) {
	a.items++
	return NewItem(a.out, folder(a.items))
}

// folder returns the folder of an item, by its number.
func folder(number int) string { return fmt.Sprintf("item_%06d", number) }

// website creates the item of the whole website: its files, if unpacked, its WARC files, and its
// metadata.
func (a *archive) website(ctx context.Context, unpacked bool) error {
	item, err := a.item()
	if err != nil {
		return err
	}
	defer item.Abandon()
	if unpacked {
		if err := a.unpack(ctx, item); err != nil {
			return err
		}
	}
	if err := a.warc(ctx, item); err != nil {
		return err
	}
	if err := a.describe(item); err != nil {
		return err
	}
	return item.Close(a.fields(), a.out.Options.Collections, Handle(&a.about.MODS.Content))
}

// unpack writes the files of the website, and the list of their URLs.
func (a *archive) unpack(ctx context.Context, item *Item) error {
	site := &unpack.Site{Source: a.source, At: a.out.Options.At}
	front, err := Front(ctx, site, &a.about.MODS.Content)
	if err != nil {
		return err
	}
	names, err := a.out.Create(item.Path(ownFolder + unpack.NamesName))
	if err != nil {
		return err
	}
	defer names.Abandon()
	for c, err := range site.Captures(ctx) {
		if err != nil {
			return err
		}
		f, err := site.Unpack(ctx, a.out.Write, c.Capture, unpack.Options{Prefix: item.Path("")})
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		if err := listFile(item, names, f, c.Verdict, c.URL == front); err != nil {
			return err
		}
	}
	if err := a.text(item, Bitstream{Name: unpack.Dead, Description: "why some links lead nowhere"},
		unpack.DeadPage); err != nil {
		return err
	}
	if _, err := names.Finish(); err != nil {
		return err
	}
	return item.List(Bitstream{Name: ownFolder + unpack.NamesName, Bundle: Metadata,
		Description: "which file is which URL"})
}

// listFile adds an unpacked file to both lists.
func listFile(item *Item, names io.Writer, f *unpack.File, v holdings.Verdict, primary bool) error {
	if err := unpack.WriteName(names, f); err != nil {
		return err
	}
	description := fmt.Sprintf("%s, captured %s", unpack.Printable(f.URL), unpack.When(f.Timestamp))
	return item.List(Bitstream{Name: f.Name, Description: description, Primary: primary, Read: readers(v)})
}

// readers returns the group that may read content with a verdict; "" means the collection's
// default.
func readers(v holdings.Verdict) string {
	if v == holdings.Open {
		return ""
	}
	return Administrators
}

// warc writes the WARC files. They are open only to readers with access to every record in them. The
// first is the primary bitstream of an item without a front page.
func (a *archive) warc(ctx context.Context, item *Item) error {
	read := ""
	for c, err := range a.source.Captures(ctx) {
		if err != nil {
			return err
		}
		if c.Allowed && c.Verdict != holdings.Open {
			read = Administrators
			break
		}
	}
	return crawl.WARC(ctx, a.source, a.out, item.Path(warcFolder), func(f export.File) error {
		return item.List(Bitstream{Name: strings.TrimPrefix(f.Path, item.Path("")),
			Description: "all captures, as WARC (ISO 28500)", Primary: true, Read: read})
	})
}

// describe writes the description of the website, and the list of withheld content, now complete.
func (a *archive) describe(item *Item) error {
	read := ""
	if a.source.Who.Class != holdings.Public {
		read = Administrators // the withheld content listed is specific to these readers
	}
	if err := writeDescription(a.out, item, a.about.MODS, "description of the website (MODS)"); err != nil {
		return err
	}
	if _, err := a.out.Write(item.Path(ownFolder+export.WithheldName), a.source.WriteWithheld); err != nil {
		return err
	}
	return item.List(Bitstream{Name: ownFolder + export.WithheldName, Bundle: Metadata,
		Description: "what is not in this item, and why", Read: read})
}

// writeDescription writes a description into an item.
func writeDescription(out *export.Output, item *Item, r mods.Record, description string) error {
	const name = ownFolder + "mods.xml"
	if _, err := out.Write(item.Path(name), func(w io.Writer) error { return writeMODS(w, r) }); err != nil {
		return err
	}
	return item.List(Bitstream{Name: name, Bundle: Metadata, Description: description})
}

// text writes a short file and lists it.
func (a *archive) text(item *Item, b Bitstream, text string) error {
	_, err := a.out.Write(item.Path(b.Name), func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		return err
	}
	return item.List(b)
}

// fields returns the metadata of the website.
func (a *archive) fields() []Field {
	f := fields{list: FromMODS(&a.about.MODS.Content)}
	f.whole(a.about.Title, a.about.ID)
	f.website(a.about, a.source.Version().Number)
	a.local(&f)
	return f.list
}

// website adds the fields of a website that its description does not have.
func (f *fields) website(w *about.Website, version int) {
	f.add("dcterms.conformsTo", "ISO 28500 (WARC)")
	if p := w.Package; !p.First.IsZero() {
		f.add(history, fmt.Sprintf("Captured %s; package %s", span(p.First, p.Last), versionOf(w, version)))
	}
}

// whole adds the fields that every item must have: a title, and the identifier of the package.
func (f *fields) whole(title, id string) {
	titled := false
	for i := range f.list {
		titled = titled || f.list[i].Name() == "dc.title"
	}
	if !titled {
		f.add("dc.title", title)
	}
	f.add("dc.identifier.other", id)
}

func writeMODS(w io.Writer, r mods.Record) error {
	x := xmlstream.NewWriter(w, xmlstream.Options{Indent: true})
	if err := mods.Write(x, r); err != nil {
		return err
	}
	return x.Close()
}
