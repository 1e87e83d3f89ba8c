package captures

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Period is the unit of counting: a number of digits of the timestamp.
type Period int

// The periods.
const (
	Year  Period = 4
	Month Period = 6
	Day   Period = 8
	Hour  Period = 10
)

// Count is the number of captures in one period.
type Count struct {
	Period   string // the common digits of its timestamps: "202003"
	Captures int
	Class    [6]int // by the first digit of the status; 0 for those without one, or with another
	Revisits int    // revisits among them
	Repeated [6]int // revisits, by the same digit
}

// Brief is the part of a capture that counting reads: it suffices for most access rules.
type Brief struct {
	Timestamp string
	Package   string
	Harvest   int
	Status    int
	Type      string

	line   []byte
	reader *reader
}

// Capture reads the whole capture. It is valid only during the call that received the Brief.
func (b *Brief) Capture() (*Capture, error) { return b.reader.capture(b.line) }

// Counts counts the selected captures by period, in chronological order. For a prefix, a host or a
// domain it counts the captures of all URLs together. It omits empty periods. may selects the
// captures to count; nil means all captures. Counts reads only a small part of each line: a hundred
// thousand captures take some milliseconds. It ignores order and paging of the query.
func (x *Index) Counts(ctx context.Context, q Query, by Period, may func(*Brief) bool) ([]Count, error) {
	switch by {
	case Year, Month, Day, Hour:
	default:
		return nil, fmt.Errorf("%d is not a period to count by", by)
	}
	q.Closest, q.Reverse, q.After = "", false, nil
	r, err := x.reader(ctx, q)
	if err != nil {
		return nil, err
	}
	defer x.release(r.snapshot)
	t := tally{byPeriod: map[string]*Count{}}
	b := &Brief{reader: r}
	err = r.lines(func(line []byte, h head) error {
		_, timestamp, _, _ := cutLine(line) // the reader has verified the line
		revisit := string(h.kind) == typeRevisit
		if may != nil {
			c := r.containers[h.in]
			b.Timestamp, b.Package, b.Harvest, b.Status, b.line = string(timestamp), c.Package, c.Harvest, h.status,
				line
			if b.Type = typeRevisit; !revisit {
				b.Type = string(h.kind)
			}
			if !may(b) {
				return nil
			}
		}
		t.add(timestamp[:by], h.status, revisit)
		return nil
	})
	return t.sorted(), err
}

// tally counts captures by period. Captures of one period are usually adjacent.
type tally struct {
	byPeriod map[string]*Count
	last     *Count
}

func (t *tally) add(period []byte, status int, revisit bool) {
	if t.last == nil || t.last.Period != string(period) {
		if t.last = t.byPeriod[string(period)]; t.last == nil {
			t.last = &Count{Period: string(period)}
			t.byPeriod[t.last.Period] = t.last
		}
	}
	t.last.Captures++
	class := status / 100
	if class > 5 {
		class = 0
	}
	t.last.Class[class]++
	if revisit {
		t.last.Revisits++
		t.last.Repeated[class]++
	}
}

func (t *tally) sorted() []Count {
	all := make([]Count, 0, len(t.byPeriod))
	for _, c := range t.byPeriod {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Count) int { return strings.Compare(a.Period, b.Period) })
	return all
}
