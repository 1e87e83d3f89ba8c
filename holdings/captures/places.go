package captures

import (
	"bytes"
	"fmt"
)

// The third file of a segment has a line for each capture, sorted by container: number of the
// container, key, timestamp, and the beginning of the capture line's object. It finds the captures
// of one package without reading those of others.

// placeDigits is the width of a container number in this file, so numbers sort.
const placeDigits = 12

func placePrefix(in int64) string { return fmt.Sprintf("%0*d ", placeDigits, in) }

// placeLine converts a captures line to a places line.
func placeLine(line []byte) ([]byte, error) {
	_, _, object, ok := cutLine(line)
	h, scanned := scanHead(object)
	if !ok || !scanned {
		return nil, errLine(line)
	}
	at := append([]byte(placePrefix(h.in)), line[:len(line)-len(object)]...)
	return fmt.Appendf(at, `{"in":%d,"order":%d,"type":"%s","status":%d}`+"\n", h.in, h.order, h.kind, h.status), nil
}

// errLine reports a damaged line: the index must be rebuilt.
func errLine(line []byte) error {
	return fmt.Errorf("unreadable line in the capture index: %.200q: rebuild it with quire index --rebuild", line)
}

// places returns, for each wanted container, its places lines in a stretch, without the container
// number: each is the beginning of a captures line.
func (r *reader) places(s stretch, l *lookup) (cursors []*cursor, err error) {
	for in := range r.wanted {
		prefix := placePrefix(in)
		from, to := append([]byte(prefix), s.from...), append([]byte(prefix), s.to...)
		for _, f := range r.segments {
			lo, err := l.search(f.places, from)
			if err != nil {
				return nil, err
			}
			hi, err := l.search(f.places, to)
			if err != nil {
				return nil, err
			}
			if lo.at == hi.at {
				continue
			}
			r.home[in] = f
			c := f.places.between(lo.at, hi.at, r.q.Reverse)
			c.skip = len(prefix)
			cursors = append(cursors, c)
		}
	}
	return cursors, nil
}

// between returns the lines of a stretch; in reverse, the last one first.
func (s *segment) between(lo, hi int64, back bool) *cursor {
	c := s.forward(lo, hi)
	if c.back = back; back && s.text != nil {
		c.buf, c.start = s.text[lo:hi], int(hi-lo)
	}
	return c
}

// decode decodes a line; it completes a places line from the captures file.
func (r *reader) decode(line []byte) (*Capture, *written, error) {
	if r.home == nil {
		return decodeLine(line, r.containers)
	}
	_, _, object, ok := cutLine(line)
	h, scanned := scanHead(object)
	f := r.home[h.in]
	if !ok || !scanned || f == nil {
		return nil, nil, errLine(line)
	}
	return r.find(f, positionOf(string(line[:len(line)-len(object)-1]), h.in, h.order))
}

// find reads the line with this beginning.
func (s *snapshot) find(f *files, position []byte) (*Capture, *written, error) {
	l := &lookup{}
	defer l.close()
	place, err := l.search(f.captures, position)
	if err != nil {
		return nil, nil, err
	}
	c := f.captures.from(place)
	if !c.next() || !bytes.HasPrefix(c.line, position) {
		if c.err != nil {
			return nil, nil, c.err
		}
		return nil, nil, errLine(position)
	}
	return decodeLine(c.line, s.containers)
}
