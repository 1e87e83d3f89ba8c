package amend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/humanize"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
	"quire/preserve/describe"
	"quire/preserve/describe/rowmatch"
	"quire/source/records"
	"quire/source/records/lookup"
)

// Sheet is a curator's spreadsheet. Its descriptions replace those of earlier sheets.
type Sheet struct {
	Path    string
	Mapping string                // path of the file of Options.Mapping; "" if none
	Options describe.SheetOptions // how it is read
}

// ErrNoRow reports a sheet without a row about the package.
var ErrNoRow = errors.New("no row of the sheet describes this package")

// maxNotes is the largest number of notes on rows in the event. The sheet is in the package.
const maxNotes = 200

// described is a sheet in use.
type described struct {
	rows    []rowmatch.Row
	pages   map[pageKey][]string  // the sections of each described page
	places  map[recordAt][]string // the same by the record of the page
	divs    map[int][]pageDiv     // by harvest: pages in a document of their own
	notes   []string
	summary rowmatch.Described
	title   string // of the only website; "" if there is none, or several
	source  string // of the title
}

// pageKey identifies the div of a page: its LABEL and ORDERLABEL.
type pageKey struct{ url, date string }

// recordAt identifies a record: the number of its container, and its own there, from 1.
type recordAt struct {
	container int
	order     int64
}

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
	j.sheet = &described{pages: map[pageKey][]string{}, places: map[recordAt][]string{}, divs: map[int][]pageDiv{},
		summary: rowmatch.Described{Sheet: name, Rows: len(rows)}}
	for i := range rows {
		j.sheet.take(&rows[i], j.s)
	}
	if j.sheet.summary.Websites+j.sheet.summary.Pages == 0 {
		return fmt.Errorf("%s: %w: of %s, none has the URL of a capture", j.o.Sheet.Path, ErrNoRow,
			humanize.Number(int64(len(rows)), "row", "rows"))
	}
	j.sheet.title, j.sheet.source = rowmatch.Title(j.sheet.rows, name)
	if j.o.Sheet.Mapping != "" {
		if _, err := j.document(j.o.Sheet.Mapping); err != nil {
			return err
		}
	}
	return j.findPages(ctx)
}

// captures adds the captures of all containers to the index.
func (j *job) captures(ctx context.Context, index *rowmatch.Index) error {
	total := int64(0)
	for _, f := range j.s.containers {
		info, err := os.Stat(filepath.Join(j.pkg, filepath.FromSlash(f.path)))
		if err != nil {
			return err
		}
		total += info.Size()
	}
	if j.o.Start != nil {
		j.o.Start(total)
	}
	for _, n := range slices.Sorted(maps.Keys(j.s.containers)) {
		f := j.s.containers[n]
		if err := j.readContainer(ctx, f.path, n, index); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return nil
}

func (j *job) readContainer(ctx context.Context, name string, n int, index *rowmatch.Index) error {
	f, err := os.Open(filepath.Join(j.pkg, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	in := records.NewReader(f, nil)
	for at, order := int64(0), int64(1); ; order++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if j.o.Progress != nil {
			j.o.Progress(r.Offset - at)
		}
		at = r.Offset
		c, ok, err := lookup.Of(r, n)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		c.Order = order
		if err := index.Add(c, j.s.harvestOf[n]); err != nil {
			return err
		}
	}
}

// take decides what becomes of a row.
func (d *described) take(r *rowmatch.Row, s *survey) {
	id := aip.SheetDmdID(r.Row)
	switch {
	case r.Level == describe.Collection:
		d.note("row %d describes a collection: see the sheet", r.Row)
		return
	case !r.Found():
		d.summary.Absent++
		return
	case r.Level == describe.Page && !s.listsPages():
		d.summary.Untold++
		d.note("row %d describes the page %s: see the sheet, for this METS tells no pages", r.Row, r.Captures[0].URI)
		return
	case r.Level == describe.Page:
		d.summary.Pages++
		for _, c := range r.Captures {
			key, at := pageKey{c.URI, xmlstream.FormatTime(c.Date)}, recordAt{c.Container, c.Order}
			if !slices.Contains(d.pages[key], id) {
				d.pages[key] = append(d.pages[key], id)
			}
			d.places[at] = append(d.places[at], id)
		}
	default:
		d.summary.Websites++
	}
	notes, losses := r.Notes(id, s.modsVersion)
	for _, n := range notes {
		d.note("%s", n)
	}
	d.summary.Losses += losses
	d.rows = append(d.rows, *r)
}

func (d *described) note(format string, args ...any) {
	if len(d.notes) < maxNotes {
		d.notes = append(d.notes, fmt.Sprintf(format, args...))
	}
}

// allNotes returns the notes for the event; none without a sheet.
func (d *described) allNotes() []string {
	if d == nil {
		return nil
	}
	return d.notes
}

// findPages finds the described pages in the documents of pages.
func (j *job) findPages(ctx context.Context) error {
	if len(j.sheet.pages) == 0 {
		return nil
	}
	for _, f := range j.s.pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := j.findIn(f); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return nil
}

func (j *job) findIn(f file) (err error) {
	text, err := os.CreateTemp("", "quire-amend-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, text.Close(), os.Remove(text.Name())) }()
	if err := aip.CopyDocument(text, j.pkg, f.path); err != nil {
		return err
	}
	if _, err := text.Seek(0, io.SeekStart); err != nil {
		return err
	}
	harvest := numbered(f.id, "FILE-p")
	return mets.Read(text, mets.Handler{Problem: func(mets.Problem) {}, // quire validate reports them
		Div: func(d mets.Div, _ int) error {
			n, order, ok := aip.PartOf(d.ID, pageLabel)
			if sections := j.sheet.places[recordAt{n, order}]; ok && len(sections) > 0 && isPage(d.Type) {
				j.sheet.divs[harvest] = append(j.sheet.divs[harvest],
					pageDiv{pageKey{d.Label, d.OrderLabel}, f.path, d.ID, sections})
			}
			return nil
		}})
}

// pageLabel returns the ID of the div of a page in a document of pages (clause 2.18).
func pageLabel(container int, order int64) string { return fmt.Sprintf("P-c%d-b%d", container, order) }

// webPage is the TYPE of the div of a web page.
const webPage = "web page"

func isPage(of string) bool { return of == webPage || of == "associated object" }

// descriptions returns the sections of the new descriptions.
func (j *job) descriptions() (all []func(*mets.Writer)) {
	for i := range j.sheet.rows {
		r := &j.sheet.rows[i]
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

// named returns the sections that the div of a harvest names; 0 is the div of the website.
func (d *described) named(harvest int) (ids []string) {
	for i := range d.rows {
		r := &d.rows[i]
		if r.Level == describe.Site && (harvest == 0 && r.Whole || harvest > 0 && !r.Whole && r.Harvests[harvest]) {
			ids = append(ids, aip.SheetDmdID(r.Row))
		}
	}
	return ids
}

// pagesOf returns the described pages of a harvest, each with a pointer to its div in the document of
// pages: a reference cannot lead to another document.
func (j *job) pagesOf(harvest int) (all []func(*mets.Writer)) {
	for _, p := range j.sheet.divs[harvest] {
		all = append(all, func(w *mets.Writer) {
			w.StartDiv(mets.Div{Type: webPage, Label: p.key.url, OrderLabel: p.key.date, DmdID: p.sections})
			w.Mptr(mets.Mptr{Location: mets.Location{LocType: "URL", Href: mets.Href(p.document) + "#" + p.id}})
			w.EndDiv()
		})
	}
	return all
}

// change states the change, for the event.
func (d *described) change(before int) string {
	text := fmt.Sprintf("sheet: %s of websites and %s of pages from %s/%s, as MODS, before %d",
		humanize.Count(d.summary.Websites, "description"), humanize.Count(d.summary.Pages, "description"),
		aip.DocumentsDir, d.summary.Sheet, before)
	if d.summary.Absent > 0 {
		text += fmt.Sprintf("; %s about nothing that was captured here",
			humanize.Number(int64(d.summary.Absent), "row", "rows"))
	}
	return text
}

// fromSheet reports whether the source of a title is a row of a sheet.
func fromSheet(source string) bool {
	return strings.HasPrefix(source, "row ") && strings.Contains(source, " of the sheet ")
}
