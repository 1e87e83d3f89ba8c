// Package compound reads compound files, the folders within a file that Office before 2007 writes
// ([MS-CFB], also OLE2): .doc, .xls, .ppt, .msg.
//
// The package treats files as hostile. The size of the file bounds the bytes read, chains that form
// a circle are refused, and damage is an error.
package compound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// ErrUnknown means that the bytes are not a compound file. ErrDamaged means that they begin as one
// but cannot be read. ErrMissing means that the stream does not exist.
var (
	ErrUnknown = errors.New("no compound file")
	ErrDamaged = errors.New("the compound file is damaged")
	ErrMissing = errors.New("no such stream")
)

// Signature is the first bytes of a compound file.
const Signature = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// The bounds. The sector table of a file of 512 MiB has 4 MiB.
const (
	maxTable   = 4 << 20 // numbers in a sector table
	maxEntries = 20_000
	maxSmall   = 64 << 20 // bytes of all small streams
)

// lastSector is the highest sector number; higher values have other meanings ([MS-CFB] 2.1).
const lastSector = 0xfffffffa

// File is a compound file. Reading does not change it.
type File struct {
	in      io.ReaderAt
	size    int64
	sector  int64 // bytes
	table   []uint32
	small   []uint32 // table of the small sectors, which are in one stream
	inner   []byte   // that stream
	cutoff  int64    // shorter streams consist of small sectors
	entries []entry
}

// entry is a stream, a storage or the root.
type entry struct {
	name  string
	kind  byte // 1 storage, 2 stream, 5 root
	first uint32
	size  int64
}

// Open reads the tables of a file of this size in bytes.
func Open(in io.ReaderAt, size int64) (*File, error) {
	const header = 512
	h := make([]byte, header)
	if n, err := in.ReadAt(h, 0); n < header {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, ErrUnknown
	}
	if string(h[:8]) != Signature {
		return nil, ErrUnknown
	}
	f := &File{in: in, size: size, sector: 1 << min(h[30], 20), cutoff: int64(number(h, 56))}
	if f.sector != 512 && f.sector != 4096 || h[32] != 6 {
		return nil, fmt.Errorf("%w: sectors of %d bytes", ErrDamaged, f.sector)
	}
	if err := f.readTable(h); err != nil {
		return nil, err
	}
	directory, err := f.chain(number(h, 48), f.size, maxEntries*entrySize)
	if err != nil {
		return nil, fmt.Errorf("the directory: %w", err)
	}
	f.readEntries(directory)
	if len(f.entries) == 0 || f.entries[0].kind != 5 {
		return nil, fmt.Errorf("%w: it has no root", ErrDamaged)
	}
	return f, f.readSmall(number(h, 60))
}

func number(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// readSector reads a sector; the last sector of a file may be cut off.
func (f *File) readSector(n uint32, into []byte) error {
	at := (int64(n) + 1) * f.sector
	if n >= lastSector || at >= f.size {
		return fmt.Errorf("%w: sector %d is missing", ErrDamaged, n)
	}
	read, err := f.in.ReadAt(into, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	clear(into[read:])
	return nil
}

// readTable reads the table that links each sector to the next. The header lists the first sectors
// of the table, and a chain of sectors lists the rest (2.5).
func (f *File) readTable(h []byte) error {
	const inHeader, listBegins = 109, 76
	var sectors []uint32
	for i := range inHeader {
		sectors = append(sectors, number(h, listBegins+4*i))
	}
	b := make([]byte, f.sector)
	sectorsOfFile := f.size/f.sector + 1
	for next, turns := number(h, 68), int64(0); next < lastSector; turns++ {
		if turns > sectorsOfFile || len(sectors) > maxTable {
			return fmt.Errorf("%w: the list of its sector tables does not end", ErrDamaged)
		}
		if err := f.readSector(next, b); err != nil {
			return err
		}
		last := len(b) - 4
		for at := 0; at < last; at += 4 {
			sectors = append(sectors, number(b, at))
		}
		next = number(b, last)
	}
	for _, s := range sectors {
		if s >= lastSector || int64(len(f.table)) >= min(maxTable, sectorsOfFile) {
			continue
		}
		if err := f.readSector(s, b); err != nil {
			return err
		}
		for at := 0; at < len(b); at += 4 {
			f.table = append(f.table, number(b, at))
		}
	}
	return nil
}

// chain reads a chain of sectors, at most size bytes, or up to the bound.
func (f *File) chain(first uint32, size, most int64) ([]byte, error) {
	size = min(size, most, f.size)
	var all []byte
	for n := first; int64(len(all)) < size && n < lastSector; {
		all = append(all, make([]byte, f.sector)...)
		if err := f.readSector(n, all[len(all)-int(f.sector):]); err != nil {
			return nil, err
		}
		if int64(n) >= int64(len(f.table)) {
			return nil, fmt.Errorf("%w: sector %d is in no table", ErrDamaged, n)
		}
		n = f.table[n]
	}
	return all[:min(int64(len(all)), size)], nil
}

const entrySize = 128

// readEntries reads the directory (2.6). It keeps the root and the entries directly below the root.
// Deeper storages contain embedded files, whose streams have the same names.
func (f *File) readEntries(b []byte) {
	type place struct{ left, right, child uint32 }
	var all []entry
	var places []place
	for ; len(b) >= entrySize; b = b[entrySize:] {
		length := int(binary.LittleEndian.Uint16(b[64:]))
		if length > 64 {
			length = 0
		}
		var units []uint16
		for at := 0; at+4 <= length; at += 2 { // the last is 0
			units = append(units, binary.LittleEndian.Uint16(b[at:]))
		}
		size := int64(number(b, 120))
		if f.sector == 4096 {
			size |= int64(number(b, 124)&0x7fffffff) << 32
		}
		all = append(all, entry{string(utf16.Decode(units)), b[66], number(b, 116), size})
		places = append(places, place{number(b, 68), number(b, 72), number(b, 76)})
	}
	if len(all) == 0 {
		return
	}
	f.entries = append(f.entries, all[0])
	seen := make([]bool, len(all))
	for open := []uint32{places[0].child}; len(open) > 0; { // a tree of siblings
		n := open[len(open)-1]
		open = open[:len(open)-1]
		if int64(n) >= int64(len(all)) || seen[n] {
			continue
		}
		seen[n] = true
		f.entries = append(f.entries, all[n])
		open = append(open, places[n].left, places[n].right)
	}
}

// readSmall reads the small sectors and their table (2.4).
func (f *File) readSmall(first uint32) error {
	table, err := f.chain(first, f.size, maxTable*4)
	if err != nil {
		return fmt.Errorf("the table of small sectors: %w", err)
	}
	for ; len(table) >= 4; table = table[4:] {
		f.small = append(f.small, number(table, 0))
	}
	if f.inner, err = f.chain(f.entries[0].first, f.entries[0].size, maxSmall); err != nil {
		return fmt.Errorf("the small sectors: %w", err)
	}
	return nil
}

// Has reports whether the file has a stream of that name, ignoring case.
func (f *File) Has(name string) bool { return f.find(name) != nil }

func (f *File) find(name string) *entry {
	for i := range f.entries {
		if e := &f.entries[i]; e.kind == 2 && strings.EqualFold(e.name, name) {
			return e
		}
	}
	return nil
}

// Stream returns a stream, but not more than most bytes.
func (f *File) Stream(name string, most int64) ([]byte, error) {
	e := f.find(name)
	if e == nil {
		return nil, fmt.Errorf("%w: %s", ErrMissing, name)
	}
	if e.size >= f.cutoff {
		b, err := f.chain(e.first, e.size, most)
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return b, err
	}
	const smallSector = 64
	var all bytes.Buffer
	for n := e.first; int64(all.Len()) < min(e.size, most) && n < lastSector; {
		at := int64(n) * smallSector
		if int64(n) >= int64(len(f.small)) || at >= int64(len(f.inner)) {
			return nil, fmt.Errorf("%s: %w: small sector %d is missing", name, ErrDamaged, n)
		}
		all.Write(f.inner[at:min(at+smallSector, int64(len(f.inner)))])
		n = f.small[n]
	}
	return all.Bytes()[:min(int64(all.Len()), e.size, most)], nil
}
