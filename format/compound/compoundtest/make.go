// Package compoundtest makes small compound files, for tests.
package compoundtest

import (
	"encoding/binary"
	"unicode/utf16"

	"quire/format/compound"
)

const (
	sector    = 512
	small     = 64
	cutoff    = 4096
	endOf     = 0xfffffffe
	free      = 0xffffffff
	isTable   = 0xfffffffd
	entrySize = 128
)

// Stream is one stream of a file.
type Stream struct {
	Name    string
	Content []byte
}

// file is a compound file being made.
type file struct {
	body  []byte   // sectors
	table []uint32 // next sector of each
}

// add adds a chain of sectors and returns the number of the first.
func (f *file) add(b []byte) uint32 {
	if len(b) == 0 {
		return endOf
	}
	first := uint32(len(f.table)) //nolint:gosec // it is small
	for len(b) > 0 {
		part := make([]byte, sector)
		b = b[copy(part, b):]
		f.body = append(f.body, part...)
		next := uint32(endOf)
		if len(b) > 0 {
			next = uint32(len(f.table)) + 1 //nolint:gosec // it is small
		}
		f.table = append(f.table, next)
	}
	return first
}

// Make returns a compound file with these streams, less than 7 MB. Short streams use small sectors,
// as the standard requires.
func Make(streams ...Stream) []byte {
	var f file
	var inner, innerTable, directory []byte
	entries := []byte{}
	for i, s := range streams {
		first := uint32(endOf)
		if len(s.Content) < cutoff {
			if len(s.Content) > 0 {
				first = uint32(len(inner) / small) //nolint:gosec // it is small
			}
			for b := s.Content; len(b) > 0; {
				part := make([]byte, small)
				b = b[copy(part, b):]
				inner = append(inner, part...)
				next := uint32(endOf)
				if len(b) > 0 {
					next = uint32(len(inner) / small) //nolint:gosec // it is small
				}
				innerTable = binary.LittleEndian.AppendUint32(innerTable, next)
			}
		} else {
			first = f.add(s.Content)
		}
		right := uint32(free)
		if i+1 < len(streams) {
			right = uint32(i) + 2 //nolint:gosec // it is small
		}
		entries = append(entries, entry(s.Name, 2, right, free, first, len(s.Content))...)
	}
	child := uint32(free)
	if len(streams) > 0 {
		child = 1
	}
	directory = append(entry("Root Entry", 5, free, child, f.add(inner), len(inner)), entries...)
	innerAt, directoryAt := f.add(innerTable), f.add(directory)
	return append(f.header(directoryAt, innerAt), f.body...)
}

// entry returns an entry of the directory. The tree of streams is one long branch.
func entry(name string, kind byte, right, child, first uint32, size int) []byte {
	b := make([]byte, entrySize)
	units := append(utf16.Encode([]rune(name)), 0)
	for i, u := range units {
		binary.LittleEndian.PutUint16(b[2*i:], u)
	}
	binary.LittleEndian.PutUint16(b[64:], uint16(2*len(units))) //nolint:gosec // it is small
	b[66] = kind
	for at, n := range map[int]uint32{68: free, 72: right, 76: child, 116: first,
		120: uint32(size)} { //nolint:gosec // it is small
		binary.LittleEndian.PutUint32(b[at:], n)
	}
	return b
}

// header adds the table to the file and returns the header.
func (f *file) header(directory, inner uint32) []byte {
	const listBegins, inSector = 76, sector / 4
	tables := len(f.table)/(inSector-1) + 1
	first := len(f.table)
	for range tables {
		f.table = append(f.table, isTable)
	}
	var b []byte
	for i := range tables * inSector {
		n := uint32(free)
		if i < len(f.table) {
			n = f.table[i]
		}
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	f.body = append(f.body, b...)
	h := make([]byte, sector)
	copy(h, compound.Signature)
	for at, n := range map[int]uint16{24: 0x3e, 26: 3, 28: 0xfffe, 30: 9, 32: 6} {
		binary.LittleEndian.PutUint16(h[at:], n)
	}
	for at, n := range map[int]uint32{44: uint32(tables), 48: directory, 56: cutoff, 60: inner, 64: 1,
		68: endOf} { //nolint:gosec // it is small
		binary.LittleEndian.PutUint32(h[at:], n)
	}
	for i := range 109 {
		n := uint32(free)
		if i < tables {
			n = uint32(first + i) //nolint:gosec // it is small
		}
		binary.LittleEndian.PutUint32(h[listBegins+4*i:], n)
	}
	return h
}
