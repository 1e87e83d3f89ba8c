package amend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quire/internal/humanize"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
	"quire/preserve/describe"
	"quire/preserve/describe/rowmatch"
)

// Sheet is a curator's spreadsheet. Its descriptions replace those of earlier sheets.
type Sheet struct {
	Path    string
	Mapping string                // path of the file of Options.Mapping; "" if none
	Options describe.SheetOptions // how it is read
}

// ErrNoRow reports a sheet without a row about the package.
var ErrNoRow = errors.New("no row of the sheet describes this package")

// described is a sheet in use.
type described struct {
	*rowmatch.Used
	named map[pageKey][]string // the sections of each described page
	divs  map[int][]pageDiv    // by harvest: pages in a document of their own
}

// pageKey identifies the div of a page in mets.xml: its LABEL and ORDERLABEL.
type pageKey struct{ url, date string }

// pageDiv is a page in a document of pages.
type pageDiv struct {
	key      pageKey
	document string   // path in the package
	id       string   // of its div there
	sections []string // that describe it
}

// takeSheet reads the sheet, finds what its rows describe, and adds its files to the documentation.
func (j *job) takeSheet(ctx context.Context) (err error) {
	sheet, err := rowmatch.Open(j.o.Sheet.Path, j.o.Sheet.Options)
	if err != nil {
		return err
	}
	index := rowmatch.New("")
	defer func() { err = errors.Join(err, index.Close()) }()
	if err := j.captures(ctx, index); err != nil {
		return err
	}
	rows, err := index.Match(sheet, nil, len(j.s.harvests))
	if err != nil {
		return err
	}
	name, err := j.document(j.o.Sheet.Path)
	if err != nil {
		return err
	}
	j.sheet = &described{Used: rowmatch.Use(rows, name, j.s.listsPages(), j.s.modsVersion),
		named: map[pageKey][]string{}, divs: map[int][]pageDiv{}}
	if len(j.sheet.Rows) == 0 {
		return fmt.Errorf("%s: %w: of %s, none has the URL of a capture", j.o.Sheet.Path, ErrNoRow,
			humanize.Number(int64(len(rows)), "row", "rows"))
	}
	if j.o.Sheet.Mapping != "" {
		if _, err := j.document(j.o.Sheet.Mapping); err != nil {
			return err
		}
	}
	return j.findPages(ctx)
}

// findPages finds the divs of the described pages.
func (j *job) findPages(ctx context.Context) error {
	places := j.sheet.OfPages()
	if len(places) == 0 {
		return nil
	}
	for i := range j.sheet.Rows {
		r := &j.sheet.Rows[i]
		for _, c := range r.Captures {
			key, id := pageKey{c.URI, xmlstream.FormatTime(c.Date)}, aip.SheetDmdID(r.Row)
			if r.Level == describe.Page && !slices.Contains(j.sheet.named[key], id) {
				j.sheet.named[key] = append(j.sheet.named[key], id)
			}
		}
	}
	for _, f := range j.s.pages {
		harvest := numbered(f.id, "FILE-p")
		err := aip.ReadDocument(j.pkg, f.path, mets.Handler{
			Problem: func(mets.Problem) {}, // quire validate reports them
			Div: func(d mets.Div, _ int) error {
				n, order, ok := aip.PartOf(d.ID, aip.PageID)
				if sections := places[rowmatch.At{Container: n, Order: order}]; ok && len(sections) > 0 {
					j.sheet.divs[harvest] = append(j.sheet.divs[harvest],
						pageDiv{pageKey{d.Label, d.OrderLabel}, f.path, d.ID, sections})
				}
				return ctx.Err()
			}})
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return nil
}

// descriptions returns the sections of the new descriptions.
func (j *job) descriptions() (all []func(*mets.Writer)) {
	for i := range j.sheet.Rows {
		r := &j.sheet.Rows[i]
		all = append(all, func(w *mets.Writer) {
			record, _ := describe.ToMODS(*r.Description, j.s.modsVersion) // the losses are in the notes
			record = record.In(j.s.modsVersion)
			s := mets.Section{ID: aip.SheetDmdID(r.Row), Wrap: &mets.Wrap{
				MetadataType: mets.MetadataType{MDType: "MODS", MDTypeVersion: record.Version},
				FileCore:     mets.FileCore{MIMEType: "text/xml"},
			}}
			w.Dmd(s, func(x *xmlstream.Writer) error { return mods.Write(x, record) })
		})
	}
	return all
}

// pagesOf returns the described pages of a harvest, each with a pointer to its div in the document of
// pages: a reference cannot lead to another document.
func (j *job) pagesOf(harvest int) (all []func(*mets.Writer)) {
	for _, p := range j.sheet.divs[harvest] {
		all = append(all, func(w *mets.Writer) {
			w.StartDiv(mets.Div{Type: aip.WebPage, Label: p.key.url, OrderLabel: p.key.date, DmdID: p.sections})
			w.Mptr(mets.Mptr{Location: mets.Location{LocType: "URL", Href: mets.Href(p.document) + "#" + p.id}})
			w.EndDiv()
		})
	}
	return all
}

// change states the change, for the event.
func (d *described) change(before int) string {
	text := fmt.Sprintf("sheet: %s of websites and %s of pages from %s/%s, as MODS, before %d",
		humanize.Count(d.Websites, "description"), humanize.Count(d.Pages, "description"), aip.DocumentsDir,
		d.Sheet, before)
	if d.Absent > 0 {
		text += fmt.Sprintf("; %s about nothing that was captured here",
			humanize.Number(int64(d.Absent), "row", "rows"))
	}
	return text
}

// notes returns the notes for the event; none without a sheet.
func (d *described) notes() []string {
	if d == nil {
		return nil
	}
	return d.Notes
}

// fromSheet reports whether the source of a title is a row of a sheet.
func fromSheet(source string) bool {
	return strings.HasPrefix(source, "row ") && strings.Contains(source, " of the sheet ")
}
