package pdf

import (
	"errors"
	"strconv"
)

// stream is a stream object: a dictionary, and the place of its bytes.
type stream struct {
	dict
	at     int64
	number ref // of the object; its encryption key depends on it
}

// follow resolves references; it returns other objects unchanged.
func (d *document) follow(o any) any {
	for range 10 { // references to references
		r, ok := o.(ref)
		if !ok {
			return o
		}
		if d.lookups++; d.lookups > d.mostLookups {
			return nil
		}
		o = d.lookup(r)
	}
	return nil
}

func (d *document) dict(o any) dict {
	switch o := d.follow(o).(type) {
	case dict:
		return o
	case *stream:
		return o.dict
	}
	return nil
}

func (d *document) stream(o any) *stream {
	s, _ := d.follow(o).(*stream)
	return s
}

func (d *document) array(o any) array {
	a, _ := d.follow(o).(array)
	return a
}

func (d *document) name(o any) string {
	n, _ := d.follow(o).(name)
	return string(n)
}

func (d *document) integer(o any) (int64, bool) {
	switch n := d.follow(o).(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), true
	}
	return 0, false
}

func (d *document) float(o any) (float64, bool) {
	switch n := d.follow(o).(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// lookup reads the object with this number, or returns nil.
func (d *document) lookup(r ref) any {
	p, ok := d.place(r.number)
	if !ok {
		return nil
	}
	if p.inStream != 0 {
		return d.inStream(p, r.number)
	}
	o, got := d.objectAt(p.at)
	if got.number != r.number {
		return nil
	}
	if d.crypt != nil {
		o = d.crypt.decrypt(o, got, 0)
	}
	return o
}

// objectAt reads the object at an offset of the file, and its number, or -1 if no object is there.
func (d *document) objectAt(at int64) (any, ref) {
	for window := int64(4 << 10); ; window *= 8 {
		n := min(window, maxObject, d.size-at)
		b := d.bytes(at, n)
		if b == nil {
			return nil, ref{number: -1}
		}
		l := &lexer{b: b}
		o, number, err := l.indirect()
		if errors.Is(err, errShort) && n < min(maxObject, d.size-at) {
			continue
		}
		if err != nil {
			return nil, ref{number: -1}
		}
		if s, ok := o.(*stream); ok {
			s.at, s.number = at+int64(l.at), number
		}
		return o, number
	}
}

// indirect parses an object with its number, and stops where the bytes of a stream begin (7.3.8.1,
// 7.3.10).
func (l *lexer) indirect() (any, ref, error) {
	l.space()
	number, err := strconv.ParseInt(l.word(), 10, 64)
	l.space()
	generation, errGeneration := strconv.ParseInt(l.word(), 10, 32)
	if err != nil || errGeneration != nil || !l.next("obj") {
		return nil, ref{}, errSyntax
	}
	r := ref{number, generation}
	o, err := l.object(0)
	if err != nil {
		return nil, r, err
	}
	found, ok := o.(dict)
	if !ok {
		return o, r, nil
	}
	l.space()
	if len(l.b)-l.at < len("endstream\r\n") && l.at < len(l.b) {
		return o, r, errShort
	}
	if !l.next("stream") {
		return o, r, nil
	}
	if l.at < len(l.b) && l.b[l.at] == '\r' {
		l.at++
	}
	if l.at < len(l.b) && l.b[l.at] == '\n' {
		l.at++
	}
	return &stream{dict: found}, r, nil
}

// inStream reads an object in an object stream (7.5.7).
func (d *document) inStream(p place, number int64) any {
	b, first, n := d.objectStream(p.inStream)
	if b == nil {
		return nil
	}
	l := &lexer{b: b}
	for i := int64(0); i < n && l.at < len(b); i++ {
		have, ok := d.pair(l)
		if !ok {
			return nil
		}
		if d.pairs++; d.pairs > maxPairs {
			return nil
		}
		if have[0] != number {
			continue
		}
		if at := first + have[1]; at >= 0 && at < int64(len(b)) {
			inner := &lexer{b: b[at:min(int64(len(b)), at+maxObject)]}
			o, err := inner.object(0)
			if err != nil {
				return nil
			}
			return o
		}
		return nil
	}
	return nil
}

// pair parses the number of an object in a stream, and its place.
func (d *document) pair(l *lexer) (p [2]int64, ok bool) {
	for i := range p {
		l.space()
		n, err := strconv.ParseInt(l.word(), 10, 40)
		if err != nil || n < 0 {
			return p, false
		}
		p[i] = n
	}
	return p, true
}

// objectStream inflates an object stream. It returns the offset of the first object and the number
// of objects.
func (d *document) objectStream(number int64) (b []byte, first, n int64) {
	p, ok := d.place(number)
	if !ok || p.inStream != 0 { // a stream is never within a stream
		return nil, 0, 0
	}
	s, _ := d.lookup(ref{number: number}).(*stream)
	if s == nil {
		return nil, 0, 0
	}
	first, ok = d.integer(s.dict["First"])
	n, also := d.integer(s.dict["N"])
	if !ok || !also || first < 0 {
		return nil, 0, 0
	}
	if b, ok = d.streams[number]; !ok {
		b, _ = d.content(s, maxStream)
		d.streams[number] = b
	}
	return b, first, n
}
