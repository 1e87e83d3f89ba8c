package pack

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// targetRows keeps the targets of links on disk, page by page in the order of the records: how
// linkTable resolved them. A page has several rows if it has many links; the files that it loads are
// in the last.
type targetRows struct {
	*rowFile
	of     map[int]span // by number of the container
	order  int64        // of the current page
	number int64        // of the last link in the row
	rows   []byte       // links of the current page
	loads  []embeddedFile
}

func newTargetRows(dir string) (*targetRows, error) {
	f, err := newRowFile(dir)
	return &targetRows{rowFile: f, of: map[int]span{}}, err
}

// begin starts a page.
func (t *targetRows) begin(order int64) {
	t.order, t.number, t.rows, t.loads = order, 0, t.rows[:0], t.loads[:0]
}

// load adds a file that the page loads.
func (t *targetRows) load(f embeddedFile) { t.loads = append(t.loads, f) }

// link adds a link with its target.
func (t *targetRows) link(number int64, to place, through string) error {
	row := binary.AppendVarint(t.rows, number-t.number)
	row = binary.AppendVarint(binary.AppendVarint(row, int64(to.container)), to.order)
	t.rows = append(binary.AppendUvarint(row, uint64(len(through))), through...)
	if t.number = number; len(t.rows) < linkBlock {
		return nil
	}
	return t.write(nil)
}

// end ends the page.
func (t *targetRows) end() error {
	slices.SortFunc(t.loads, func(a, b embeddedFile) int {
		return cmp.Or(cmp.Compare(a.at.container, b.at.container), cmp.Compare(a.at.order, b.at.order))
	})
	t.loads = slices.CompactFunc(t.loads, func(a, b embeddedFile) bool { return a.at == b.at })
	if len(t.loads)+len(t.rows) == 0 {
		return nil
	}
	return t.write(t.loads)
}

// write writes a row.
func (t *targetRows) write(loads []embeddedFile) error {
	row := binary.AppendVarint(t.row[:0], t.order)
	row = binary.AppendUvarint(row, uint64(len(loads)))
	for _, f := range loads {
		row = binary.AppendVarint(binary.AppendVarint(row, int64(f.at.container)), f.at.order)
		row = append(row, f.form)
	}
	t.row = append(row, t.rows...)
	t.number, t.rows = 0, t.rows[:0]
	return t.add(t.row)
}

// targetReader reads the rows of pages. Pages of a container must be queried in order.
type targetReader struct {
	rows  *targetRows
	in    *rowCursor
	of    int // number of the container
	order int64
	loads []embeddedFile
	links blockReader
	over  bool
}

// begin starts a container.
func (r *targetReader) begin(container int) (err error) {
	r.of, r.order, r.over = container, 0, false
	if r.in == nil {
		r.in, err = r.rows.read(r.rows.of[container])
	} else {
		err = r.in.reset(r.rows.of[container])
	}
	return errors.Join(err, r.advance())
}

// advance moves to the next row.
func (r *targetReader) advance() error {
	row, err := r.in.nextBytes()
	if errors.Is(err, io.EOF) {
		r.over = true
		return nil
	}
	if err != nil {
		return err
	}
	in := blockReader{rest: row}
	r.order, r.loads = in.number(), r.loads[:0]
	for n := in.unsigned(); n > 0 && !in.short; n-- {
		f := embeddedFile{at: place{int(in.number()), in.number()}}
		if len(in.rest) == 0 {
			return errRow
		}
		f.form, in.rest = in.rest[0], in.rest[1:]
		r.loads = append(r.loads, f)
	}
	if r.links = in; in.short {
		return errRow
	}
	return nil
}

// eachLoad visits the files that a page loads.
func (r *targetReader) eachLoad(page place, visit func(embeddedFile) error) error {
	if r.of != page.container {
		if err := r.begin(page.container); err != nil {
			return err
		}
	}
	for !r.over && r.order <= page.order {
		if r.order == page.order {
			for _, f := range r.loads {
				if err := visit(f); err != nil {
					return err
				}
			}
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
	return nil
}

// eachLink visits the links of a container's pages.
func (r *targetReader) eachLink(harvest, container int, visit func(foundLink) error) error {
	if err := r.begin(container); err != nil {
		return err
	}
	l := foundLink{harvest: harvest}
	for !r.over {
		l.from, l.number = place{container, r.order}, 0
		for in := &r.links; len(in.rest) > 0; {
			l.number += in.number()
			l.to = place{int(in.number()), in.number()}
			if l.through = string(in.bytes()); in.short {
				return errRow
			}
			if err := visit(l); err != nil {
				return err
			}
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
	return nil
}
