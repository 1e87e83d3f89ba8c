package pack

import (
	"path/filepath"
	"slices"

	"quire/model"
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
	used   *rowmatch.Used           // empty until the rows are matched
	places map[rowmatch.At][]string // DMD IDs of the content of a record
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
	return &description{sheet: sheet, name: name, used: &rowmatch.Used{}}, nil
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
	d.used = rowmatch.Use(rows, d.name, b.o.Profile.itemized(), b.o.SchemaVersion.mods())
	d.places = d.used.OfPages()
	b.result.Described, b.result.Unfound = &d.used.Described, d.used.Unfound
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

// title returns the title of the only website that the sheet describes here, and the source of the
// title. It returns "" if the sheet describes no website or several.
func (d *description) title() named {
	if d == nil {
		return named{}
	}
	title, source := d.used.Title()
	return named{title, source}
}
