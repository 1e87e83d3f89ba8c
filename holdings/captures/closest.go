package captures

import (
	"bytes"
	"slices"
	"time"
)

// closest visits the lines of one key by distance from a moment, the nearest line first. If two
// lines are equally near, it visits the earlier line first. It reads in both directions from the
// moment, only as far as needed. So a URL with a hundred thousand captures costs no more than a URL
// with two.
func (r *reader) closest(s stretch, visit func([]byte, head) error) error {
	key, _, _ := bytes.Cut(s.from, []byte(" "))
	middle := append(append(slices.Clone(key), ' '), r.q.Closest...)
	at := seconds([]byte(r.q.Closest))
	before, after := &side{r: r, stretch: s, back: true}, &side{r: r, stretch: s}
	if bytes.Compare(middle, s.to) > 0 {
		middle = s.to
	}
	if bytes.Compare(middle, s.from) < 0 {
		middle = s.from
	}
	l := &lookup{}
	defer l.close()
	for _, f := range r.segments {
		place, err := l.search(f.captures, middle)
		if err != nil {
			return err
		}
		before.cursors = append(before.cursors, f.captures.before(place))
		after.cursors = append(after.cursors, f.captures.from(place))
	}
	for _, d := range []*side{before, after} {
		if err := d.begin(); err != nil {
			return err
		}
	}
	skip := r.skipper(at)
	for {
		from := after
		if before.distance(at) <= after.distance(at) {
			from = before
		}
		if from.line == nil {
			return nil
		}
		if !skip(from) {
			if err := visit(from.line, from.head); err != nil {
				return err
			}
		}
		if err := from.next(); err != nil {
			return err
		}
	}
}

// skipper reports which lines precede the start of the result.
func (r *reader) skipper(at int64) func(*side) bool {
	if r.position == nil {
		return func(*side) bool { return false }
	}
	_, timestamp, _, ok := cutLine(append(slices.Clone(r.position), "     "...))
	if !ok {
		return func(*side) bool { return false }
	}
	far, isBefore := abs(seconds(timestamp)-at), seconds(timestamp) < at
	return func(s *side) bool {
		d := s.distance(at)
		switch {
		case d != far:
			return d < far
		case s.back != isBefore:
			return s.back // at equal distance, the earlier line came first
		case s.back:
			return bytes.Compare(s.line, r.position) >= 0
		}
		return bytes.Compare(s.line, r.position) < 0 || bytes.HasPrefix(s.line, r.position)
	}
}

// side is one direction of reading.
type side struct {
	r       *reader
	stretch stretch
	back    bool
	cursors []*cursor
	line    []byte // nil at the end
	head    head
}

// begin moves to the first line.
func (d *side) begin() error {
	open := d.cursors[:0]
	for _, c := range d.cursors {
		if c.next() {
			open = append(open, c)
		} else if c.err != nil {
			return c.err
		}
	}
	d.cursors = open
	return d.find()
}

// next moves to the next selected line.
func (d *side) next() error {
	if err := d.advance(); err != nil {
		return err
	}
	return d.find()
}

// best returns the cursor with the nearest line.
func (d *side) best() int {
	best := 0
	for i := range d.cursors {
		if order := bytes.Compare(d.cursors[i].line, d.cursors[best].line); order < 0 != d.back && order != 0 {
			best = i
		}
	}
	return best
}

func (d *side) advance() error {
	best := d.best()
	if c := d.cursors[best]; !c.next() {
		d.cursors = slices.Delete(d.cursors, best, best+1)
		return c.err
	}
	return nil
}

// find stops at the first selected line, starting with the current one.
func (d *side) find() error {
	for len(d.cursors) > 0 {
		d.line = d.cursors[d.best()].line
		if d.stretch.ends(d.line, d.back) {
			break
		}
		h, ok, err := d.r.means(d.line)
		if err != nil {
			return err
		}
		if ok {
			d.head = h
			return nil
		}
		if err := d.advance(); err != nil {
			return err
		}
	}
	d.line = nil
	return nil
}

// distance returns the distance of the current line from a moment, in seconds.
func (d *side) distance(at int64) int64 {
	if d.line == nil {
		return 1<<63 - 1
	}
	_, timestamp, _, _ := cutLine(d.line)
	return abs(seconds(timestamp) - at)
}

func abs(n int64) int64 { return max(n, -n) }

// seconds converts a timestamp of 14 digits. An invalid date (month 13) is normalized.
func seconds(t []byte) int64 {
	n := func(from, to int) (n int) {
		for _, c := range t[from:to] {
			n = n*10 + int(c-'0')
		}
		return n
	}
	return time.Date(n(0, 4), time.Month(n(4, 6)), n(6, 8), n(8, 10), n(10, 12), n(12, 14), 0, time.UTC).Unix()
}
