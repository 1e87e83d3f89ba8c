package captures

import (
	"bytes"
	"fmt"
)

// The third file of a segment has a line for each capture, sorted by containers: number of the
// container, key, timestamp, and the beginning of the object of its line. By it the captures of one
// package are found without looking at those of others.

// placeDigits is how many digits the number of a container has there, so that numbers sort.
const placeDigits = 12

func placePrefix(in int64) string { return fmt.Sprintf("%0*d ", placeDigits, in) }

// placeLine makes the line of a capture's line.
func placeLine(line []byte) ([]byte, error) {
	_, _, object, ok := cutLine(line)
	h, scanned := scanHead(object)
	if !ok || !scanned {
		return nil, errLine(line)
	}
	at := append([]byte(placePrefix(h.in)), line[:len(line)-len(object)]...)
	return fmt.Appendf(at, `{"in":%d,"order":%d,"type":"%s","status":%d}`+"\n", h.in, h.order, h.kind, h.status), nil
}

// errLine says that an index has to be made again.
func errLine(line []byte) error {
	return fmt.Errorf("a line of the capture index cannot be read: %.200q: make it again (quire index --rebuild)", line)
}

// places gives, for each container that is wanted, the part of its captures that lies in a stretch,
// without their numbers: what a line of captures begins with.
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

// between gives the lines of a stretch, the last one first when it is read backward.
func (s *segment) between(lo, hi int64, back bool) *cursor {
	c := s.forward(lo, hi)
	if c.back = back; back && s.text != nil {
		c.buf, c.start = s.text[lo:hi], int(hi-lo)
	}
	return c
}

// decode reads a line; of one that places gave the rest is looked for.
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

// find reads the line that begins so.
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
