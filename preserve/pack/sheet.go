package pack

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"quire/format/weburl"
	"quire/metadata/oclc"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/describe"
	"quire/preserve/describe/warcmeta"
	"quire/source/records/lookup"
)

// Sheet is a curator's spreadsheet with rows that describe this package.
type Sheet struct {
	Path    string
	Mapping string                // path of the file of Options.Mapping; "" if none
	Options describe.SheetOptions // how it is read
}

// ErrSheet is in the error of a sheet with problems.
var ErrSheet = errors.New("the sheet has problems")

// Described counts the rows of a sheet by their use in the package.
type Described struct {
	Sheet    string `json:"sheet"` // its path in the package
	Rows     int    `json:"rows"`
	Websites int    `json:"websites"` // rows that describe a website of the package
	Pages    int    `json:"pages"`    // rows that describe a page of it
	Absent   int    `json:"absent"`   // rows of websites and pages that were not captured
	Untold   int    `json:"untold"`   // rows of captured pages, in a METS that lists no pages
	Losses   int    `json:"losses"`   // values that MODS cannot hold; the sheet has them
}

// description is the state of a sheet in use.
type description struct {
	sheet    *describe.Sheet
	name     string
	index    *lookup.Index
	harvests map[int]int // by container, its harvest
	told     []matchedRow
	places   map[recordAt][]string // DMD IDs of the content of a record
	notes    []string
	result   Described
}

// matchedRow is a row that describes part of the package.
type matchedRow struct {
	row      *describe.Description
	whole    bool         // for all harvests, or for the package itself
	harvests map[int]bool // for these harvests
}

// recordAt identifies a record.
type recordAt struct {
	container int
	order     int64
}

// openSheet reads the sheet before any work. The file of the sheet and the file of its mapping
// become documentation.
func (o *Options) openSheet() (*description, error) {
	if o.Sheet == nil {
		return nil, nil
	}
	sheet, err := describe.OpenSheet(o.Sheet.Path, o.Sheet.Options)
	if err != nil {
		return nil, err
	}
	if sheet.Total > 0 {
		return nil, fmt.Errorf("%s: %w: correct %d; the first: %s (quire describe check lists all)", o.Sheet.Path,
			ErrSheet, sheet.Total, sheet.Problems[0])
	}
	o.Documents = append(slices.Clone(o.Documents), o.Sheet.Path)
	if o.Sheet.Mapping != "" {
		o.Documents = append(o.Documents, o.Sheet.Mapping)
	}
	name := filepath.Base(o.Sheet.Path)
	return &description{sheet: sheet, name: name, harvests: map[int]int{}, places: map[recordAt][]string{},
		result: Described{Sheet: name, Rows: len(sheet.Rows)}}, nil
}

// begin prepares for the captures.
func (d *description) begin(dir string) {
	if d != nil {
		d.index = lookup.New(dir)
	}
}

func (d *description) close() error {
	if d == nil || d.index == nil {
		return nil
	}
	return d.index.Close()
}

// see adds a record of the pass.
func (d *description) see(p *packed, r *model.Record) error {
	if d == nil {
		return nil
	}
	c, ok := lookup.Seen(r, p.N)
	if !ok {
		return nil
	}
	d.harvests[p.N] = p.Harvest
	return d.index.Add(c)
}

// match finds the parts of the package that the rows describe. A page is described in all its
// captures, unless its row has a date.
func (b *builder) match() error {
	d := b.described
	if d == nil {
		return nil
	}
	var sought [][]warcmeta.Sought
	var wants []lookup.Want
	for i := range d.sheet.Rows {
		row := &d.sheet.Rows[i]
		var urls []warcmeta.Sought
		if row.Level != describe.Collection {
			urls = warcmeta.Seek(row, "")
		}
		for j := range urls {
			for k := range urls[j].Wants {
				if w := &urls[j].Wants[k]; w.Which == lookup.First {
					w.Which = lookup.All
				}
			}
			wants = append(wants, urls[j].Wants...)
		}
		sought = append(sought, urls)
	}
	found, err := d.index.Find(wants)
	if err != nil {
		return err
	}
	seeds := b.seeds()
	for i := range d.sheet.Rows {
		t := matchedRow{row: &d.sheet.Rows[i], harvests: map[int]bool{}}
		var chosen []lookup.Chosen
		for _, s := range sought[i] {
			chosen = append(chosen, s.Pick(found[:len(s.Wants)]).Chosen...)
			found = found[len(s.Wants):]
			for _, h := range seeds[normal(s.URL)] {
				t.harvests[h] = true
			}
		}
		b.place(t, chosen)
	}
	if b.result.Described = &d.result; len(d.notes) > maxListed {
		d.notes = append(d.notes[:maxListed], fmt.Sprintf("and %d more of these", len(d.notes)-maxListed))
	}
	return nil
}

// seeds returns the harvests by their seed URLs, in the form of browser requests.
func (b *builder) seeds() map[string][]int {
	all := map[string][]int{}
	for i := range b.facts.harvests {
		if about := b.facts.harvests[i].about; about != nil {
			for _, s := range about.Seeds {
				all[normal(s)] = append(all[normal(s)], i+1)
			}
		}
	}
	return all
}

func normal(url string) string {
	n, ok := weburl.Normal(url)
	if !ok {
		return url
	}
	return n
}

// place decides where the structMap refers to the description of a row.
func (b *builder) place(t matchedRow, chosen []lookup.Chosen) {
	d, row := b.described, t.row
	id := aip.SheetDmdID(row.Row)
	switch {
	case row.Level == describe.Collection:
		d.notes = append(d.notes, fmt.Sprintf("row %d describes a collection: see the sheet", row.Row))
		return
	case len(chosen) == 0 && (row.Level == describe.Page || len(t.harvests) == 0):
		d.result.Absent++
		return
	case row.Level == describe.Page && !b.o.Profile.itemized():
		d.result.Untold++
		d.notes = append(d.notes,
			fmt.Sprintf("row %d describes the page %s: see the sheet, for this METS tells no pages", row.Row,
				chosen[0].URI))
		return
	case row.Level == describe.Page:
		d.result.Pages++
		for _, c := range chosen {
			at := recordAt{c.Container, c.Order}
			d.places[at] = append(d.places[at], id)
		}
	default:
		d.result.Websites++
		for _, c := range chosen {
			t.harvests[d.harvests[c.Container]] = true
		}
		t.whole = t.harvests[0] || len(t.harvests) == len(b.facts.harvests) // harvest 0 means none
	}
	how := "a seed of the harvest; no page was captured at it"
	if len(chosen) > 0 {
		how = fmt.Sprintf("%s, by %s", chosen[0].URI, chosen[0].How)
	}
	d.notes = append(d.notes, fmt.Sprintf("%s (row %d): %s", id, row.Row, how))
	for _, s := range row.Record.Values(oclc.SourceOfDescription) {
		d.notes = append(d.notes, fmt.Sprintf("%s, source of description: %s", id, s))
	}
	_, losses := describe.ToMODS(*row, b.o.SchemaVersion.mods())
	for _, l := range losses {
		d.notes = append(d.notes, fmt.Sprintf("%s, not in MODS: %s %.200q: %s", id, l.Element.Label(), l.Value, l.Why))
	}
	d.result.Losses += len(losses)
	d.told = append(d.told, t)
}

// title returns the title of the only website that the sheet describes here, and the source of the
// title. It returns "" if the sheet describes no website or several.
func (d *description) title() named {
	var title named
	if d == nil {
		return title
	}
	for _, t := range d.told {
		titles := t.row.Record.Values(oclc.Title)
		switch {
		case t.row.Level != describe.Site || len(titles) == 0:
		case title.name != "":
			return named{}
		default:
			title = named{titles[0], fmt.Sprintf("row %d of the sheet %s", t.row.Row, d.name)}
		}
	}
	return title
}
