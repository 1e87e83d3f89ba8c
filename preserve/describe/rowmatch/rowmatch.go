// Package rowmatch finds what the rows of a curator's sheet describe in a package: websites, harvests
// and pages.
package rowmatch

import (
	"errors"
	"fmt"

	"quire/format/weburl"
	"quire/preserve/describe"
	"quire/preserve/describe/warcmeta"
	"quire/source/records/lookup"
)

// ErrSheet is in the error of a sheet with problems.
var ErrSheet = errors.New("the sheet has problems")

// Open reads a sheet, in which no problem may be.
func Open(path string, o describe.SheetOptions) (*describe.Sheet, error) {
	sheet, err := describe.OpenSheet(path, o)
	if err != nil {
		return nil, err
	}
	if sheet.Total > 0 {
		return nil, fmt.Errorf("%s: %w: correct %d; the first: %s (quire describe check lists all)", path, ErrSheet,
			sheet.Total, sheet.Problems[0])
	}
	return sheet, nil
}

// Index holds the captures of a package. Close removes its temporary files.
type Index struct {
	captures *lookup.Index
	harvests map[int]int // by container, its harvest
}

// New returns an empty index with its temporary files in dir; "" means the system's folder.
func New(dir string) *Index { return &Index{lookup.New(dir), map[int]int{}} }

// Add adds a capture of a harvest; 0 means none.
func (x *Index) Add(c lookup.Capture, harvest int) error {
	x.harvests[c.Container] = harvest
	return x.captures.Add(c)
}

// Close removes the temporary files.
func (x *Index) Close() error { return x.captures.Close() }

// Row is a row with what it describes here.
type Row struct {
	*describe.Description
	Whole    bool            // the row describes all harvests, or the package itself
	Harvests map[int]bool    // the row describes these harvests
	Captures []lookup.Chosen // the captures of the page, or of the website's first page
}

// Found reports whether the row describes something here. Rows of collections never do.
func (r *Row) Found() bool {
	return r.Level != describe.Collection && (len(r.Captures) > 0 || r.Level != describe.Page && len(r.Harvests) > 0)
}

// Match finds what each row of a sheet describes. A page is described in all its captures, unless its
// row has a date. seeds are the URLs from which each harvest began, with their harvests, numbered
// from 1; harvests is the number of them.
func (x *Index) Match(sheet *describe.Sheet, seeds map[string][]int, harvests int) ([]Row, error) {
	sought := make([][]warcmeta.Sought, len(sheet.Rows))
	var wants []lookup.Want
	for i := range sheet.Rows {
		if sheet.Rows[i].Level != describe.Collection {
			sought[i] = warcmeta.Seek(&sheet.Rows[i], "")
		}
		for _, s := range sought[i] {
			for k := range s.Wants {
				if s.Wants[k].Which == lookup.First {
					s.Wants[k].Which = lookup.All
				}
			}
			wants = append(wants, s.Wants...)
		}
	}
	found, err := x.captures.Find(wants)
	if err != nil {
		return nil, err
	}
	begun := map[string][]int{}
	for url, numbers := range seeds {
		begun[normal(url)] = append(begun[normal(url)], numbers...)
	}
	rows := make([]Row, 0, len(sheet.Rows))
	for i := range sheet.Rows {
		r := Row{Description: &sheet.Rows[i], Harvests: map[int]bool{}}
		for _, s := range sought[i] {
			r.Captures = append(r.Captures, s.Pick(found[:len(s.Wants)]).Chosen...)
			found = found[len(s.Wants):]
			for _, h := range begun[normal(s.URL)] {
				r.Harvests[h] = true
			}
		}
		x.spread(&r, harvests)
		rows = append(rows, r)
	}
	return rows, nil
}

// spread adds the harvests with a capture of the website. Harvest 0 means none.
func (x *Index) spread(r *Row, harvests int) {
	if !r.Found() || r.Level == describe.Page {
		return
	}
	for _, c := range r.Captures {
		r.Harvests[x.harvests[c.Container]] = true
	}
	r.Whole = r.Harvests[0] || len(r.Harvests) == harvests
}

// normal returns a URL in the form of browser requests.
func normal(url string) string {
	n, ok := weburl.Normal(url)
	if !ok {
		return url
	}
	return n
}
