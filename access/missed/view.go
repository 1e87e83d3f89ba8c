package missed

import (
	"context"
	"iter"

	"quire/format/surt"
	"quire/holdings"
)

// View is a list as visible to one reader, for one response: rules change.
type View struct {
	*List
	names *holdings.Naming
	whole bool
	logs  map[int]bool // logs that may be shown, as far as known
}

// For returns the view of a reader.
func (l *List) For(names *holdings.Naming) *View {
	v := &View{List: l, names: names, logs: map[int]bool{}}
	v.whole = names.All() && names.File("")
	for i := range l.head.Logs {
		v.whole = v.whole && v.file(i)
	}
	return v
}

// Whole reports whether the reader may see the whole list. Otherwise numbers and hosts are not
// shown, because they would reveal the rest.
func (v *View) Whole() bool { return v.whole }

// lookedThrough limits the rows read for one page if some are omitted.
const lookedThrough = 20_000

// Page returns a part of the selected rows that the reader may see. If rows are omitted, a page can
// be short or empty even if another follows.
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
				r.Message = "" // it may name another URL
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

// Each iterates over all selected rows that the reader may see.
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

// Find returns the newest row of a URL that the reader may see, by the key of the index; nil if there
// is none. It reads the rows of one host only, and of these at most lookedThrough.
func (v *View) Find(ctx context.Context, url string) (newest *Row, err error) {
	host, key, looked := hostOf(url), surt.Key(url), 0
	for g, err := range v.groups() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		for from := g.At; g.Host == host && from < g.To && looked < lookedThrough; {
			var part Page
			if err := v.rows(&part, from, g.To, 500); err != nil {
				return nil, err
			}
			looked += max(1, len(part.Rows))
			for _, r := range part.Rows {
				if surt.Key(r.URL) != key || newest != nil && !r.Time.After(newest.Time) || !v.file(r.Log) ||
					!v.names.URL(r.URL, r.Time) {
					continue
				}
				if !v.whole {
					r.Message = "" // it may name another URL
				}
				newest = &r
			}
			if from = part.Next; from == 0 {
				break
			}
		}
	}
	return newest, nil
}
