package captures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"quire/format/surt"
	"quire/internal/secret"
	"quire/preserve/cdxj"
)

// stretch is a range of lines: from the first text, inclusive, to the second, exclusive.
type stretch struct{ from, to []byte }

// ends reports whether a line is beyond the stretch in reading direction.
func (s *stretch) ends(line []byte, back bool) bool {
	if back {
		return bytes.Compare(line, s.from) < 0
	}
	return bytes.Compare(line, s.to) >= 0
}

// stretchesOf returns the ranges of keys that a query selects, in order. A key ends with a space,
// which sorts before all characters in keys.
func stretchesOf(q *Query) ([]stretch, error) {
	if q.URL == "" && q.Unlisted {
		return []stretch{{nil, []byte{unlistedMark[0] + 1}}}, nil
	}
	if q.URL == "" {
		return []stretch{{[]byte{unlistedMark[0] + 1}, []byte{0x7f}}}, nil
	}
	mark := ""
	if q.Unlisted {
		mark = unlistedMark
	}
	of := func(from, to string) stretch { return stretch{[]byte(mark + from), []byte(mark + to)} }
	switch q.Match {
	case Exact, "":
		key := keyOf(q.URL, q)
		from, to := key+" "+q.From, key+" ~"
		if q.To != "" {
			to = key + " " + q.To + "~"
		}
		return []stretch{of(from, to)}, nil
	case Prefix:
		key := cdxj.Bounded(surt.Prefix(secret.Without(q.URL)))
		return []stretch{of(key, key+"\x7f")}, nil
	}
	host, port, ok := surt.Host(q.URL)
	if !ok {
		return nil, fmt.Errorf("%.200q has no host", q.URL)
	}
	switch q.Match {
	case Host:
		return []stretch{of(host+port+")", host+port+"*")}, nil
	case Domain: // the host, its subdomains, and their ports
		return []stretch{of(host+")", host+"*"), of(host+",", host+"-"), of(host+":", host+";")}, nil
	}
	return nil, fmt.Errorf("%q is not a match type: use exact, prefix, host or domain", q.Match)
}

// check validates a query.
func (q *Query) check() error {
	for _, t := range []struct{ name, value string }{{"from", q.From}, {"to", q.To}, {"closest", q.Closest}} {
		if len(t.value) > 14 || strings.Trim(t.value, "0123456789") != "" {
			return fmt.Errorf("%s: %.40q is not a timestamp of up to 14 digits", t.name, t.value)
		}
	}
	if q.Closest != "" && (len(q.Closest) != 14 || q.Match != Exact && q.Match != "" || q.URL == "") {
		return errors.New("the closest capture needs one URL, and a timestamp of 14 digits")
	}
	return nil
}

// Captures yields the captures that a query selects. An error is yielded last.
func (x *Index) Captures(ctx context.Context, q Query) iter.Seq2[*Capture, error] {
	return func(yield func(*Capture, error) bool) {
		r, err := x.reader(ctx, q)
		if err != nil {
			yield(nil, err)
			return
		}
		defer x.release(r.snapshot)
		err = r.lines(func(line []byte, _ head) error {
			c, err := r.capture(line)
			if err != nil {
				return err
			}
			if !yield(c, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

// reader runs one query.
type reader struct {
	*snapshot
	ctx      context.Context
	q        Query
	resolver *resolver
	wanted   map[int64]bool // containers; nil means all
	// segments of the wanted containers, if searched one by one; nil if all lines are read
	home     map[int64]*files
	position []byte // beginning of the line after which the result starts
	seen     int
}

// reader validates a query. The caller releases the snapshot.
func (x *Index) reader(ctx context.Context, q Query) (*reader, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	s, err := x.acquire()
	if err != nil {
		return nil, err
	}
	r := &reader{snapshot: s, ctx: ctx, q: q}
	if q.Packages != nil {
		r.wanted = map[int64]bool{}
		for _, c := range s.manifest.Containers {
			if slices.Contains(q.Packages, c.Package) {
				r.wanted[c.In] = true
			}
		}
	}
	if a := q.After; a != nil {
		r.position = positionOf(whereOf(a.Key, a.Timestamp, a.Unlisted), s.numberOf(&a.Record), a.Record.Order)
	}
	if q.URL == "" && r.isPart() {
		r.home = map[int64]*files{}
	}
	return r, nil
}

// isPart reports whether the wanted containers have so few captures that searching them one by one
// is faster.
func (r *reader) isPart() bool {
	if r.wanted == nil || slices.ContainsFunc(r.segments, func(f *files) bool { return f.places == nil }) {
		return false
	}
	var part, all int64
	for in, c := range r.containers {
		n := c.Captures + c.Unlisted
		if all += n; r.wanted[in] {
			part += n
		}
	}
	return part <= all/searchCost
}

// searchCost is the number of lines read in sequence in the time of one search.
const searchCost = 6

// numberOf returns the number of a place's container. A removed container sorts before all others
// of the same key and time: so some captures may repeat, but none is lost.
func (s *snapshot) numberOf(p *Place) int64 {
	for _, c := range s.manifest.Containers {
		if c.Package == p.Package && c.Path == p.Container {
			return c.In
		}
	}
	return 0
}

// lines visits the lines that a query selects, in its order.
func (r *reader) lines(visit func(line []byte, h head) error) error {
	stretches, err := stretchesOf(&r.q)
	if err != nil {
		return err
	}
	if r.q.Reverse {
		slices.Reverse(stretches)
	}
	return guarded(r.maps, func() error {
		if r.q.Closest != "" {
			return r.closest(stretches[0], visit)
		}
		for _, s := range stretches {
			if err := r.stretch(s, visit); err != nil {
				return err
			}
		}
		return nil
	})
}

// stretch visits the lines of one stretch.
func (r *reader) stretch(s stretch, visit func([]byte, head) error) error {
	if r.position != nil {
		if r.q.Reverse && bytes.Compare(r.position, s.to) < 0 {
			s.to = r.position
		}
		if behind := append(slices.Clone(r.position), 0x7f); !r.q.Reverse && bytes.Compare(behind, s.from) > 0 {
			s.from = behind
		}
		if bytes.Compare(s.from, s.to) >= 0 {
			return nil
		}
	}
	at := s.from
	if r.q.Reverse {
		at = s.to
	}
	l := &lookup{}
	defer l.close()
	var cursors []*cursor
	if r.home != nil {
		var err error
		if cursors, err = r.places(s, l); err != nil {
			return err
		}
	} else {
		for _, f := range r.segments {
			place, err := l.search(f.captures, at)
			if err != nil {
				return err
			}
			if r.q.Reverse {
				cursors = append(cursors, f.captures.before(place))
			} else {
				cursors = append(cursors, f.captures.from(place))
			}
		}
	}
	err := merge(cursors, r.q.Reverse, func(line []byte) error {
		if s.ends(line, r.q.Reverse) {
			return errBeyond
		}
		h, ok, err := r.means(line)
		if !ok || err != nil {
			return err
		}
		return visit(line, h)
	})
	if errors.Is(err, errBeyond) {
		return nil
	}
	return err
}

// errBeyond ends the reading of a stretch.
var errBeyond = errors.New("beyond the end")

// means reports whether a line matches the wanted time, and belongs to an existing, wanted
// container.
func (r *reader) means(line []byte) (h head, ok bool, err error) {
	if r.seen++; r.seen%1024 == 0 && r.ctx.Err() != nil {
		return h, false, r.ctx.Err()
	}
	_, timestamp, object, ok := cutLine(line)
	if ok {
		h, ok = scanHead(object)
	}
	if !ok {
		return h, false, errLine(line)
	}
	if r.containers[h.in] == nil || r.wanted != nil && !r.wanted[h.in] {
		return h, false, nil
	}
	ok = string(timestamp[:len(r.q.From)]) >= r.q.From && string(timestamp[:len(r.q.To)]) <= r.q.To
	return h, ok, nil
}

// capture decodes a line, with the original of a revisit.
func (r *reader) capture(line []byte) (*Capture, error) {
	c, w, err := r.decode(line)
	if err != nil {
		return nil, err
	}
	return r.resolved(c, w)
}

// resolved adds the original to a revisit.
func (r *reader) resolved(c *Capture, w *written) (*Capture, error) {
	if c.Type != typeRevisit {
		return c, nil
	}
	if r.resolver == nil {
		r.resolver = newResolver(r.snapshot, nil, nil)
	}
	o, err := r.resolver.find(c.Key, c.Timestamp, w)
	if err != nil || o == nil {
		return c, err
	}
	c.Payload = o.payload(r.containers[o.In])
	if c.MIME == "" {
		c.MIME = o.MIME
	}
	if c.Status == 0 {
		c.Status = o.Status
	}
	c.Length = o.Size
	return c, nil
}
