package aip

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"

	"quire/internal/extsort"
	"quire/metadata/mets"
)

// listing keeps the METS's statements about files and their parts on disk until all are known. Then
// each file is read once, with its parts in the order of their position.
type listing struct {
	sorter *extsort.Sorter
	paths  map[key]*listedPath
	parts  int64
	err    error // from the disk

	top   []byte  // key of the file of the next parts; nil if it cannot be opened
	last  *listed // the file of the next parts, until its last part; nil if it cannot be opened
	key   []byte  // of the current part
	value []byte
}

// listedPath is a path listed in the METS.
type listedPath struct {
	number uint32
	main   bool  // by a group that states size and digest
	groups uint8 // groups that list it again, see againBit
}

// listed is a file as a file element states it.
type listed struct {
	id, path   string
	use        string
	size       int64  // -1 if not stated
	sha512     string // lower-case hex; "" if not stated
	transforms []string
	shut       bool   // its transformations cannot be undone
	again      bool   // another group states its size and digest
	parts      bool   // parts follow within this element
	number     uint64 // of a container that must have an object, from 1; else 0
}

// placed is a part with its depth: 1 is directly in a file of the package.
type placed struct {
	element
	depth int
	shut  bool // its transformations cannot be undone
}

// A key begins with the number of the path. File elements come first, then parts. The key of a part
// has its position and number after those of its parents. So parts sort in reading order, each
// after its parent.
const (
	itemFile = 0
	itemPart = 1
)

// maxPartDepth is the greatest depth at which parts are read. Member, record, body and content are
// four levels.
const maxPartDepth = 16

func newListing() *listing {
	return &listing{sorter: extsort.New(extsort.Options{Memory: sortMemory}), paths: map[key]*listedPath{}}
}

func (l *listing) close() error { return errors.Join(l.err, l.sorter.Close()) }

// againBit returns the bit of a group that may list a path again; 0 for other groups.
func againBit(use string) uint8 {
	switch use {
	case UseTransformed:
		return 1
	case UseViral:
		return 2
	case UseCleaned:
		return 4
	case UseOriginalFiles:
		return 8
	}
	return 0
}

// path records a path. ok reports whether this group may list it now. again reports whether another
// group states its size and digest.
func (l *listing) path(path, use string, fixed bool) (p *listedPath, again, ok bool) {
	k := keyOf(path)
	p = l.paths[k]
	if p == nil {
		p = &listedPath{number: uint32(len(l.paths))}
		l.paths[k] = p
	}
	if listsAgain(use) && (!fixed || p.main) {
		bit := againBit(use)
		ok = p.groups&bit == 0
		p.groups |= bit
		return p, true, ok
	}
	ok = !p.main
	p.main = true
	return p, false, ok
}

// has reports whether mets.xml lists a path.
func (l *listing) has(path string) bool { return l.paths[keyOf(path)] != nil }

// pathAgain returns a path that mets.xml lists, for a document that lists it again. ok reports
// whether the group may list it now.
func (l *listing) pathAgain(path, use string) (p *listedPath, ok bool) {
	p = l.paths[keyOf(path)]
	bit := uint8(16)
	if listsAgain(use) {
		bit = againBit(use)
	}
	ok = p.groups&bit == 0
	p.groups |= bit
	return p, ok
}

// file begins a file. The parts that follow belong to it.
func (l *listing) file(p *listedPath, f *listed) {
	l.end()
	k := binary.BigEndian.AppendUint32(nil, p.number)
	l.top, l.last = append(k[:4:4], itemPart), f
}

// end keeps the file whose last part was read.
func (l *listing) end() {
	f := l.last
	if f == nil {
		l.top = nil
		return
	}
	k := append(bytes.Clone(l.top[:4]), itemFile)
	l.last, l.top = nil, nil
	sum, _ := hex.DecodeString(f.sha512) // "" if not stated
	b := binary.AppendUvarint(binary.AppendVarint(nil, f.size), f.number)
	b = append(b, flags(f.shut, f.again), flags(f.parts, false))
	b = appendText(appendText(appendText(appendText(b, f.id), f.path), f.use), string(sum))
	b = appendText(b, strings.Join(f.transforms, " "))
	l.add(k, b)
}

func flags(a, b bool) (n byte) {
	if a {
		n = 1
	}
	if b {
		n |= 2
	}
	return n
}

func readListed(value []byte) (*listed, error) {
	i := &items{rest: value}
	f := &listed{size: i.int(), number: i.uint()}
	if b := i.bytes(2); len(b) == 2 {
		f.shut, f.again, f.parts = b[0]&1 != 0, b[0]&2 != 0, b[1] != 0
	}
	f.id, f.path, f.use, f.sha512 = i.text(), i.text(), i.text(), hex.EncodeToString([]byte(i.text()))
	f.transforms = strings.Fields(i.text())
	return f, i.err()
}

// placeSize is the size of a place in a key: the start of the part, and its number.
const placeSize = 8 + 8

// part keeps a part at a depth of 1 or more. The parts that follow may be within it.
func (l *listing) part(e *element, depth int) {
	l.parts++
	if l.top == nil {
		return
	}
	l.last.parts = true
	if depth == 1 {
		l.key = append(l.key[:0], l.top...)
	}
	l.key = l.key[:min(len(l.key), len(l.top)+(depth-1)*placeSize)]
	l.key = binary.BigEndian.AppendUint64(l.key, uint64(max(e.begin, 0)))
	l.key = binary.BigEndian.AppendUint64(l.key, uint64(l.parts))
	b := binary.AppendUvarint(l.value[:0], uint64(depth))
	for _, n := range []int64{e.begin, e.end, e.size} {
		b = binary.AppendVarint(b, n)
	}
	b = append(b, flags(e.unknown != "", false))
	b = appendText(appendText(appendText(b, clip(e.id)), e.algorithm), clip(e.digest))
	b = appendText(b, strings.Join(e.transforms, " "))
	owner := "" // only that of a record is compared
	if _, _, ok := PartOf(e.id, RecordFileID); ok {
		owner = clip(e.owner)
	}
	l.value = appendText(b, owner)
	l.add(l.key, l.value)
}

func readPlaced(value []byte) (p placed, err error) {
	i := &items{rest: value}
	p.depth = int(i.uint())
	p.begin, p.end, p.size = i.int(), i.int(), i.int()
	if b := i.bytes(1); len(b) == 1 {
		p.shut = b[0] != 0
	}
	p.id, p.algorithm, p.digest = i.text(), i.text(), i.text()
	p.transforms, p.owner = strings.Fields(i.text()), i.text()
	return p, i.err()
}

func (l *listing) add(key, value []byte) {
	if l.err == nil {
		l.err = l.sorter.Add(key, value)
	}
}

// listedOf returns the METS's statements about a file of the package.
func listedOf(f *mets.File, e *element, path, use string) *listed {
	return &listed{id: f.ID, path: path, use: use, size: e.size, sha512: sha512Of(f), transforms: e.transforms,
		shut: e.unknown != ""}
}
