package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// place is the place of an object: in the file, or in an object stream.
type place struct {
	at       int64
	inStream int64 // the number of the stream; 0 if it is in the file
}

// section is a run of entries of a cross-reference table or stream. A table is read only when an
// object is looked up: all its entries have one length (7.5.4).
type section struct {
	first, count int64
	at           int64  // of a table: offset of its first entry
	entries      []byte // of a stream
	widths       [3]int64
}

const tableEntry = 20

// tables finds the sections, starting at the end of the file.
func (d *document) tables() error {
	const searched = 2048
	n := min(d.size, searched)
	tail := d.bytes(d.size-n, n)
	i := bytes.LastIndex(tail, []byte("startxref"))
	if i < 0 {
		return errors.New("startxref is missing")
	}
	l := &lexer{b: tail[i+len("startxref"):]}
	l.space()
	at, err := strconv.ParseInt(l.word(), 10, 64)
	if err != nil {
		return errors.New("startxref does not name an offset")
	}
	d.first = at
	seen := map[int64]bool{}
	for {
		if seen[at] {
			return fmt.Errorf("the cross-reference tables form a circle at %d", at)
		}
		seen[at] = true
		trailer, err := d.table(at)
		if err != nil {
			return err
		}
		if d.trailer == nil {
			d.trailer = trailer
		}
		if hybrid, ok := trailer["XRefStm"].(int64); ok && !seen[hybrid] {
			seen[hybrid] = true
			if _, err := d.table(hybrid); err != nil {
				return err
			}
		}
		previous, ok := d.integer(trailer["Prev"])
		if !ok {
			return nil
		}
		at = previous
	}
}

// table reads the sections of one table or stream, and returns its trailer.
func (d *document) table(at int64) (dict, error) {
	const keyword = "xref"
	if at < 0 || at >= d.size {
		return nil, fmt.Errorf("no cross-reference table at %d", at)
	}
	head := d.bytes(at, min(64, d.size-at))
	l := &lexer{b: head}
	if !l.next(keyword) {
		return d.tableStream(at)
	}
	at += int64(l.at)
	for {
		first, count, length, ok := d.subsection(at)
		if !ok {
			break
		}
		at += length
		if count > (d.size-at)/tableEntry {
			return nil, fmt.Errorf("a cross-reference table has fewer than its %d entries", count)
		}
		if err := d.addSection(section{first: first, count: count, at: at}); err != nil {
			return nil, err
		}
		at += count * tableEntry
	}
	return d.trailerAt(at)
}

// subsection parses the two numbers before a run of entries, with the line's end.
func (d *document) subsection(at int64) (first, count, length int64, ok bool) {
	b := d.bytes(at, min(64, d.size-at))
	l := &lexer{b: b}
	l.space()
	first, err := strconv.ParseInt(l.word(), 10, 40)
	l.space()
	count, errCount := strconv.ParseInt(l.word(), 10, 40)
	l.space()
	if err != nil || errCount != nil || first < 0 || count < 0 {
		return 0, 0, 0, false
	}
	return first, count, int64(l.at), true
}

// trailerAt reads the trailer after a table.
func (d *document) trailerAt(at int64) (dict, error) {
	for _, window := range []int64{4 << 10, maxObject} {
		b := d.bytes(at, min(window, d.size-at))
		l := &lexer{b: b}
		if !l.next("trailer") {
			break
		}
		o, err := l.object(0)
		if found, ok := o.(dict); ok {
			return found, nil
		}
		if !errors.Is(err, errShort) {
			break
		}
	}
	return nil, fmt.Errorf("no trailer at %d", at)
}

// tableStream reads a cross-reference stream (7.5.8).
func (d *document) tableStream(at int64) (dict, error) {
	o, _ := d.objectAt(at)
	s, ok := o.(*stream)
	if !ok || d.name(s.dict["Type"]) != "XRef" {
		return nil, fmt.Errorf("no cross-reference table at %d", at)
	}
	var run section
	widths := d.array(s.dict["W"])
	if len(widths) < 3 {
		return nil, fmt.Errorf("the cross-reference stream at %d has no widths", at)
	}
	for i := range run.widths {
		n, ok := d.integer(widths[i])
		if !ok || n < 0 || n > 8 {
			return nil, fmt.Errorf("the cross-reference stream at %d has impossible widths", at)
		}
		run.widths[i] = n
	}
	entry := run.widths[0] + run.widths[1] + run.widths[2]
	if entry == 0 {
		return nil, fmt.Errorf("the cross-reference stream at %d has impossible widths", at)
	}
	b, err := d.content(s, maxStream)
	switch {
	case b == nil && err != nil:
		return nil, fmt.Errorf("the cross-reference stream at %d cannot be read: %w", at, err)
	case b == nil:
		return nil, fmt.Errorf("the cross-reference stream at %d is empty", at)
	}
	index := d.array(s.dict["Index"])
	if index == nil {
		index = array{int64(0), s.dict["Size"]}
	}
	for ; len(index) >= 2; index = index[2:] {
		first, ok := d.integer(index[0])
		count, also := d.integer(index[1])
		if !ok || !also || first < 0 || count < 0 {
			return nil, fmt.Errorf("the cross-reference stream at %d has an impossible index", at)
		}
		run.first, run.count = first, min(count, int64(len(b))/entry)
		run.entries, b = b[:run.count*entry], b[run.count*entry:]
		if err := d.addSection(run); err != nil {
			return nil, err
		}
	}
	return s.dict, nil
}

func (d *document) addSection(s section) error {
	if len(d.sections) == maxSections {
		return fmt.Errorf("there are more than %d cross-reference sections", maxSections)
	}
	d.sections = append(d.sections, s)
	return nil
}

// place finds an object.
func (d *document) place(number int64) (place, bool) {
	if d.found != nil {
		p, ok := d.found[number]
		return p, ok
	}
	for i := range d.sections {
		s := &d.sections[i]
		if number < s.first || number-s.first >= s.count {
			continue
		}
		if s.entries != nil {
			return s.entry(number - s.first)
		}
		return d.tableEntry(s.at + (number-s.first)*tableEntry)
	}
	return place{}, false
}

// tableEntry reads an entry of a table.
func (d *document) tableEntry(at int64) (place, bool) {
	b := d.bytes(at, tableEntry)
	parts := strings.Fields(string(b))
	if len(parts) < 3 || parts[2] != "n" {
		return place{}, false
	}
	offset, err := strconv.ParseInt(parts[0], 10, 64)
	return place{at: offset}, err == nil
}

// entry reads an entry of a stream.
func (s *section) entry(i int64) (place, bool) {
	const inFile, inStream = 1, 2
	b := s.entries[i*(s.widths[0]+s.widths[1]+s.widths[2]):]
	field := func(n int) (v uint64) {
		for _, c := range b[:s.widths[n]] {
			v = v<<8 | uint64(c)
		}
		b = b[s.widths[n]:]
		return v &^ (1 << 63)
	}
	kind := uint64(inFile)
	if k := field(0); s.widths[0] > 0 {
		kind = k
	}
	value := int64(field(1)) //nolint:gosec // its highest bit was taken off
	switch {
	case kind == inFile:
		return place{at: value}, true
	case kind == inStream && value > 0:
		return place{inStream: value}, true
	}
	return place{}, false
}
