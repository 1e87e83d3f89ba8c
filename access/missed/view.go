package missed

import (
	"iter"

	"quire/holdings"
)

// View is a list as one reader may see it, for one answer: rules change.
type View struct {
	*List
	names *holdings.Naming
	whole bool
	logs  map[int]bool // which may be told of, as far as that was asked
}

// For shows a list to a reader.
func (l *List) For(names *holdings.Naming) *View {
	v := &View{List: l, names: names, logs: map[int]bool{}}
	v.whole = names.All() && names.File("")
	for i := range l.head.Logs {
		v.whole = v.whole && v.file(i)
	}
	return v
}

// Whole says whether the reader may have all that is in the list. Otherwise he is told no numbers
// and no hosts, in which the rest would show.
func (v *View) Whole() bool { return v.whole }

// lookedThrough is how many rows are read for one page where some are left out.
const lookedThrough = 20_000

// Page gives a part of what was chosen and may be told. Where rows are left out it can be short, or
// empty, though there is a next.
func (v *View) Page(q Query) (*Page, error) {
	if v.whole {
		return v.List.Page(q)
	}
	some := &Page{}
	left := q.Most
	for looked := 0; looked < lookedThrough; {
		part, err := v.List.Page(q)
		if err != nil {
			return nil, err
		}
		looked += max(1, len(part.Rows))
		for _, r := range part.Rows {
			if v.file(r.Log) && v.names.URL(r.URL, r.Time) {
				r.Message = "" // which may name another URL
				some.Rows = append(some.Rows, r)
			}
		}
		q.From, some.Next = part.Next, part.Next
		if q.Most = left - len(some.Rows); q.Most <= 0 || part.Next == 0 {
			break
		}
	}
	return some, nil
}

// Each gives all rows that were chosen and may be told.
func (v *View) Each(q Query) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for {
			p, err := v.Page(q)
			if err != nil {
				yield(Row{}, err)
				return
			}
			for _, r := range p.Rows {
				if !yield(r, nil) {
					return
				}
			}
			if q.From = p.Next; p.Next == 0 {
				return
			}
		}
	}
}

func (v *View) file(log int) bool {
	may, asked := v.logs[log]
	if !asked {
		may = v.names.File(v.Log(log))
		v.logs[log] = may
	}
	return may
}
