package pack

import (
	"fmt"
	"path/filepath"
	"slices"

	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/describe"
	"quire/preserve/describe/rowmatch"
	"quire/source/records/lookup"
)

// Sheet is a curator's spreadsheet with rows that describe this package.
type Sheet struct {
	Path    string
	Mapping string                // path of the file of Options.Mapping; "" if none
	Options describe.SheetOptions // how it is read
}

// ErrSheet is in the error of a sheet with problems.
var ErrSheet = rowmatch.ErrSheet

// Described counts the rows of a sheet by their use in the package.
type Described = rowmatch.Described

// description is the state of a sheet in use.
type description struct {
	sheet  *describe.Sheet
	name   string
	index  *rowmatch.Index
	told   []rowmatch.Row
	places map[recordAt][]string // DMD IDs of the content of a record
	notes  []string
	result Described
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
	sheet, err := rowmatch.Open(o.Sheet.Path, o.Sheet.Options)
	if err != nil {
		return nil, err
	}
	o.Documents = append(slices.Clone(o.Documents), o.Sheet.Path)
	if o.Sheet.Mapping != "" {
		o.Documents = append(o.Documents, o.Sheet.Mapping)
	}
	name := filepath.Base(o.Sheet.Path)
	return &description{sheet: sheet, name: name, places: map[recordAt][]string{},
		result: Described{Sheet: name, Rows: len(sheet.Rows)}}, nil
}

// begin prepares for the captures.
func (d *description) begin(dir string) {
	if d != nil {
		d.index = rowmatch.New(dir)
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
	return d.index.Add(c, p.Harvest)
}

// match finds the parts of the package that the rows describe.
func (b *builder) match() error {
	d := b.described
	if d == nil {
		return nil
	}
	rows, err := d.index.Match(d.sheet, b.seeds(), len(b.facts.harvests))
	if err != nil {
		return err
	}
	for i := range rows {
		b.place(&rows[i])
	}
	if b.result.Described = &d.result; len(d.notes) > maxListed {
		d.notes = append(d.notes[:maxListed], fmt.Sprintf("and %d more of these", len(d.notes)-maxListed))
	}
	return nil
}

// seeds returns the harvests by their seed URLs.
func (b *builder) seeds() map[string][]int {
	all := map[string][]int{}
	for i := range b.facts.harvests {
		if about := b.facts.harvests[i].about; about != nil {
			for _, s := range about.Seeds {
				all[s] = append(all[s], i+1)
			}
		}
	}
	return all
}

// place decides where the structMap refers to the description of a row.
func (b *builder) place(row *rowmatch.Row) {
	d, id := b.described, aip.SheetDmdID(row.Row)
	switch {
	case row.Level == describe.Collection:
		d.notes = append(d.notes, fmt.Sprintf("row %d describes a collection: see the sheet", row.Row))
		return
	case !row.Found():
		d.result.Absent++
		return
	case row.Level == describe.Page && !b.o.Profile.itemized():
		d.result.Untold++
		d.notes = append(d.notes,
			fmt.Sprintf("row %d describes the page %s: see the sheet, for this METS tells no pages", row.Row,
				row.Captures[0].URI))
		return
	case row.Level == describe.Page:
		d.result.Pages++
		for _, c := range row.Captures {
			at := recordAt{c.Container, c.Order}
			d.places[at] = append(d.places[at], id)
		}
	default:
		d.result.Websites++
	}
	notes, losses := row.Notes(id, b.o.SchemaVersion.mods())
	d.notes = append(d.notes, notes...)
	d.result.Losses += losses
	d.told = append(d.told, *row)
}

// title returns the title of the only website that the sheet describes here, and the source of the
// title. It returns "" if the sheet describes no website or several.
func (d *description) title() named {
	if d == nil {
		return named{}
	}
	title, source := rowmatch.Title(d.told, d.name)
	return named{title, source}
}
