package pdf

import (
	"bytes"
	"strconv"
)

// If the tables do not list the objects, a search finds them by "12 0 obj". Of two objects with one
// number the later counts, like an update. The search reads piece by piece, and of each object only
// the beginning.

const (
	piece     = 256 << 10 // read at once
	overlap   = 1 << 10   // read again with the next piece
	beginning = 512       // of an object, searched for its type
)

// search finds objects and trailers, and combines the trailers into one.
func (d *document) search() {
	d.found, d.sections, d.trailer, d.streams = map[int64]place{}, nil, dict{}, map[int64][]byte{}
	s := &searched{document: d}
	if d.size <= MaxSearched {
		s.stretch(0, d.size)
	} else {
		d.facts.warn("of %d bytes only the first and the last %d were searched", d.size, MaxSearched/2)
		s.stretch(0, MaxSearched/2)
		s.stretch(d.size-MaxSearched/2, d.size)
	}
	for _, at := range s.trailers {
		if t, err := d.trailerAt(at); err == nil {
			d.adopt(t)
		}
	}
	for _, number := range s.tables {
		if stream := d.stream(ref{number: number}); stream != nil {
			d.adopt(stream.dict)
		}
	}
	d.unlock()
	for _, number := range s.objectStreams {
		d.listed(number)
	}
	if d.dict(d.trailer["Root"]) == nil {
		s.guessRoot()
	}
}

// searched holds the results of a search.
type searched struct {
	*document
	trailers, tables, objectStreams, catalogues []int64
}

// stretch searches a section of the file.
func (s *searched) stretch(from, to int64) {
	b := make([]byte, min(piece, to-from))
	for at := from; at < to && s.err == nil; at += piece - overlap {
		n, err := s.in.ReadAt(b[:min(piece, to-at)], at)
		if int64(n) < min(piece, to-at) {
			s.err = err
			return
		}
		last := at+int64(n) == to
		end := n - overlap
		if last {
			end = n
		}
		s.piece(b[:n], max(0, end), at)
		if last {
			return
		}
	}
}

// piece searches the bytes up to end; later bytes come again with the next piece.
func (s *searched) piece(b []byte, end int, at int64) {
	const obj, trailer = "obj", "trailer"
	for i := 0; ; i += len(trailer) {
		n := bytes.Index(b[i:], []byte(trailer))
		if n < 0 || i+n >= end {
			break
		}
		i += n
		s.trailers = keep(s.trailers, at+int64(i))
	}
	for i := 0; ; i += len(obj) {
		n := bytes.Index(b[i:], []byte(obj))
		if n < 0 || i+n >= end {
			return
		}
		i += n
		if begin, number, ok := numberBefore(b[:i]); ok {
			s.object(number, at+int64(begin), b[i:min(len(b), i+beginning)])
		}
	}
}

// numberBefore parses "12 0 " before "obj".
func numberBefore(b []byte) (begin int, number int64, ok bool) {
	i := len(b)
	back := func(is func(byte) bool) int {
		end := i
		for i > 0 && end-i < 20 && is(b[i-1]) {
			i--
		}
		return end - i
	}
	if back(isSpace) == 0 || back(isDigit) == 0 || back(isSpace) == 0 {
		return 0, 0, false
	}
	end := i
	if back(isDigit) == 0 {
		return 0, 0, false
	}
	number, err := strconv.ParseInt(string(b[i:end]), 10, 40)
	return i, number, err == nil
}

// object notes an object, and its type if its beginning shows it.
func (s *searched) object(number, at int64, b []byte) {
	if _, known := s.found[number]; !known && len(s.found) >= maxFound {
		return
	}
	s.found[number] = place{at: at}
	if i := bytes.Index(b, []byte("endobj")); i >= 0 {
		b = b[:i]
	}
	if i := bytes.Index(b, []byte("stream")); i >= 0 {
		b = b[:i]
	}
	switch {
	case bytes.Contains(b, []byte("/ObjStm")):
		s.objectStreams = keep(s.objectStreams, number)
	case bytes.Contains(b, []byte("/XRef")):
		s.tables = keep(s.tables, number)
	case bytes.Contains(b, []byte("/Catalog")):
		s.catalogues = keep(s.catalogues, number)
	}
}

// keep appends n and keeps only the last of very many.
func keep(all []int64, n int64) []int64 {
	const most = 1000
	if len(all) == most {
		all = append(all[:0], all[most/2:]...)
	}
	return append(all, n)
}

// adopt adds the entries of a trailer. Later entries replace earlier ones.
func (d *document) adopt(t dict) {
	for _, key := range []name{"Root", "Info", "Encrypt", "ID"} {
		if o, ok := t[key]; ok {
			d.trailer[key] = o
		}
	}
}

// listed notes the objects in an object stream, unless they are also in the file itself.
func (d *document) listed(number int64) {
	b, _, n := d.objectStream(number)
	l := &lexer{b: b}
	for i := int64(0); i < n && len(d.found) < maxFound; i++ {
		p, ok := d.pair(l)
		if !ok {
			return
		}
		if _, known := d.found[p[0]]; !known {
			d.found[p[0]] = place{inStream: number}
		}
	}
}

// guessRoot uses the last catalogue if no trailer names one.
func (s *searched) guessRoot() {
	for i := len(s.catalogues) - 1; i >= 0; i-- {
		if r := (ref{number: s.catalogues[i]}); s.name(s.dict(r)["Type"]) == "Catalog" {
			s.trailer["Root"] = r
			return
		}
	}
	for _, number := range s.objectStreams {
		b, _, n := s.objectStream(number)
		l := &lexer{b: b}
		for i := int64(0); i < n && bytes.Contains(b, []byte("/Catalog")); i++ {
			p, ok := s.pair(l)
			if !ok {
				break
			}
			if r := (ref{number: p[0]}); s.name(s.dict(r)["Type"]) == "Catalog" {
				s.trailer["Root"] = r
				return
			}
		}
	}
}
