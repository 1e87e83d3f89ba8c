package points

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
)

// File is an open file of points. Many goroutines may use it.
type File struct {
	f         *os.File
	directory int64
	records   int64
	state     [sha256.Size]byte
}

// trailerOf returns the end of a file.
func trailerOf(directory, records int64, state string) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(directory))
	b = binary.BigEndian.AppendUint64(b, uint64(records))
	sum := sha256.Sum256([]byte(state))
	return sealed(append(b, sum[:]...))
}

// Open opens a file of points. The error is [ErrUnusable] if it is none, and fs.ErrNotExist if it is missing.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	x := &File{f: f}
	if err := x.begin(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return x, nil
}

func (x *File) begin() error {
	info, err := x.f.Stat()
	if err != nil {
		return err
	}
	head, end := make([]byte, len(magic)), make([]byte, trailer)
	at := info.Size() - trailer
	if at < int64(len(magic)) {
		return fmt.Errorf("%w: the file is too short", ErrUnusable)
	}
	if err := x.readAt(head, 0); err != nil {
		return err
	}
	if err := x.readAt(end, at); err != nil {
		return err
	}
	x.directory, x.records = int64At(end), int64At(end[8:])
	copy(x.state[:], end[16:])
	if string(head) != magic || !unbroken(end) || x.records < 0 || x.records > at/directoryRow ||
		x.directory != at-x.records*directoryRow {
		return fmt.Errorf("%w: the file is damaged, or of another version", ErrUnusable)
	}
	return nil
}

// Is reports whether the file was written with a state.
func (x *File) Is(state string) bool { return x.state == sha256.Sum256([]byte(state)) }

// Close closes the file.
func (x *File) Close() error { return x.f.Close() }

// readAt reads all of b; missing bytes are a fault of the file.
func (x *File) readAt(b []byte, at int64) error {
	if at < 0 {
		return fmt.Errorf("%w: a place before the file", ErrUnusable)
	}
	_, err := x.f.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: the file ends too early", ErrUnusable)
	}
	return err
}

// find returns the row of a record; nil if there is none.
func (x *File) find(key digest) (*record, error) {
	var failed error
	var r record
	row := make([]byte, directoryRow)
	load := func(i int) bool {
		if failed == nil {
			failed = x.readAt(row, x.directory+int64(i)*directoryRow)
		}
		if failed == nil {
			failed = r.read(row)
		}
		return failed == nil
	}
	i := sort.Search(int(x.records), func(i int) bool { return !load(i) || string(r.key[:]) >= string(key[:]) })
	if failed == nil && i < int(x.records) && load(i) && r.key == key {
		return &r, nil
	}
	return nil, failed
}

// Skip adds that a record cannot be entered, or not read. Keep then keeps this in the same state of the package.
func (m *Maker) Skip(rec *Record) {
	m.records = append(m.records, record{key: rec.key(), in: rec.tried(), body: rec.Place.Body, kind: none})
}

// Keep copies a record of an earlier file, and reports whether that has it, of the same container.
func (m *Maker) Keep(from *File, rec *Record) (bool, error) {
	r, err := from.find(rec.key())
	switch {
	case r == nil || err != nil:
		return false, err
	case r.kind == none && r.in == rec.tried():
		m.records = append(m.records, *r)
		return true, nil
	case r.kind == none || r.in != rec.container():
		return false, nil
	}
	points := make([]byte, int64(r.points)*pointRow)
	pieces := make([]byte, r.pieces()*pieceRow)
	if err := errors.Join(from.readAt(points, r.tables),
		from.readAt(pieces, r.tables+int64(len(points)))); err != nil {
		return false, err
	}
	for at := 0; at < len(points); at += pointRow {
		var p point
		if err := p.read(points[at : at+pointRow]); err != nil {
			return false, err
		}
		packed, err := from.packed(&p)
		if err != nil {
			return false, err
		}
		p.window = m.out.n
		copy(points[at:], p.row())
		if _, err := m.out.Write(packed); err != nil {
			return false, err
		}
	}
	kept := *r
	kept.tables = m.out.n
	for _, b := range [][]byte{points, pieces} {
		if _, err := m.out.Write(b); err != nil {
			return false, err
		}
	}
	m.records = append(m.records, kept)
	return true, nil
}
