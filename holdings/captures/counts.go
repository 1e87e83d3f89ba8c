package captures

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Period is what captures are counted by: so many digits of their timestamp.
type Period int

// The periods.
const (
	Year  Period = 4
	Month Period = 6
	Day   Period = 8
	Hour  Period = 10
)

// Count says how many captures there are in one period.
type Count struct {
	Period   string // the digits that its timestamps begin with: "202003"
	Captures int
	Class    [6]int // of these, by the first digit of the status; 0 is those without one, or with another
	Revisits int    // of these
	Repeated [6]int // the revisits, by the same digit
}

// Brief is what counting knows of a capture, which is enough for most rules about who may know of
// it.
type Brief struct {
	Timestamp string
	Package   string
	Harvest   int
	Status    int
	Type      string

	line   []byte
	reader *reader
}

// Capture reads all of it. It holds no longer than the call that it is handed to.
func (b *Brief) Capture() (*Capture, error) { return b.reader.capture(b.line) }

// Counts counts the captures that a query means, by period, the first period first; of a prefix, a
// host or a domain those of all URLs together. Periods without any are not there. May says which
// count; nil is all. It reads each line, but little of it: some milliseconds for a hundred thousand
// captures. Order and pages of the query mean nothing here.
func (x *Index) Counts(ctx context.Context, q Query, by Period, may func(*Brief) bool) ([]Count, error) {
	switch by {
	case Year, Month, Day, Hour:
	default:
		return nil, fmt.Errorf("%d is no period to count by", by)
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
		_, timestamp, _, _ := cutLine(line) // who reads has seen that it can be
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

// tally counts. Captures of one period mostly come one behind the other.
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
