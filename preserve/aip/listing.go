package aip

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"

	"quire/internal/extsort"
	"quire/metadata/mets"
)

// listing keeps what mets.xml says of the files of the package and of their parts, on disk, until
// all is known: then each file is read once, its parts in the order in which they lie in it.
type listing struct {
	sorter *extsort.Sorter
	paths  map[key]*listedPath
	parts  int64
	err    error // of the disk

	top []byte // key of the file whose parts come now; nil where it cannot be opened
	key []byte // of the present part
}

// listedPath is a path that was listed.
type listedPath struct {
	number uint32
	main   bool  // by a group that states size and digest
	groups uint8 // of those that list again, see againBit
}

// listed is a file as a file element states it.
type listed struct {
	id, path   string
	use        string
	size       int64  // -1 where none is stated
	sha512     string // lower-case hex; "" where none is stated
	transforms []string
	shut       bool   // its transformations cannot be undone
	again      bool   // another group states its size and digest
	number     uint64 // of a container, which must have an object, counted from 1; else 0
}

// placed is a part, and how deep it stands: 1 in a file of the package.
type placed struct {
	element
	depth int
	shut  bool // its transformations cannot be undone
}

// Keys are the number of the path, then what follows: file elements first, then parts, each with
// its place and number behind those of the parts it stands in. So parts come in the order in which
// they are read, each behind its parent.
const (
	itemFile = 0
	itemPart = 1
)

// maxPartDepth is how deep parts are looked into. Member, record, body and content are four.
const maxPartDepth = 16

func newListing() *listing {
	return &listing{sorter: extsort.New(extsort.Options{Memory: sortMemory}), paths: map[key]*listedPath{}}
}

func (l *listing) close() error { return errors.Join(l.err, l.sorter.Close()) }

// againBit tells the groups apart that may list a path again.
func againBit(use string) uint8 {
	switch use {
	case UseTransformed:
		return 1
	case UseViral:
		return 2
	}
	return 4
}

// path takes note of a path. It reports whether this group may list it now; again, whether another
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

// file keeps a file. Parts that come next stand in it.
func (l *listing) file(p *listedPath, f *listed) {
	k := binary.BigEndian.AppendUint32(nil, p.number)
	l.top = append(k[:4:4], itemPart)
	sum, _ := hex.DecodeString(f.sha512) // "" where there is none
	b := binary.AppendUvarint(binary.AppendVarint(nil, f.size), f.number)
	b = append(b, flags(f.shut, f.again))
	b = appendText(appendText(appendText(appendText(b, f.id), f.path), f.use), string(sum))
	b = appendText(b, strings.Join(f.transforms, " "))
	l.add(append(k, itemFile), b)
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
	if b := i.bytes(1); len(b) == 1 {
		f.shut, f.again = b[0]&1 != 0, b[0]&2 != 0
	}
	f.id, f.path, f.use, f.sha512 = i.text(), i.text(), i.text(), hex.EncodeToString([]byte(i.text()))
	f.transforms = strings.Fields(i.text())
	return f, i.err()
}

// placeSize is what a place takes in a key: where the part begins, and its number.
const placeSize = 8 + 8

// part keeps a part at a depth from 1. Parts that come next may stand in it.
func (l *listing) part(e *element, depth int) {
	l.parts++
	if l.top == nil {
		return
	}
	if depth == 1 {
		l.key = append(l.key[:0], l.top...)
	}
	l.key = l.key[:min(len(l.key), len(l.top)+(depth-1)*placeSize)]
	l.key = binary.BigEndian.AppendUint64(l.key, uint64(max(e.begin, 0)))
	l.key = binary.BigEndian.AppendUint64(l.key, uint64(l.parts))
	b := binary.AppendUvarint(nil, uint64(depth))
	for _, n := range []int64{e.begin, e.end, e.size} {
		b = binary.AppendVarint(b, n)
	}
	b = append(b, flags(e.unknown != "", false))
	b = appendText(appendText(appendText(b, clip(e.id)), e.algorithm), clip(e.digest))
	l.add(l.key, appendText(b, strings.Join(e.transforms, " ")))
}

func readPlaced(value []byte) (p placed, err error) {
	i := &items{rest: value}
	p.depth = int(i.uint())
	p.begin, p.end, p.size = i.int(), i.int(), i.int()
	if b := i.bytes(1); len(b) == 1 {
		p.shut = b[0] != 0
	}
	p.id, p.algorithm, p.digest = i.text(), i.text(), i.text()
	p.transforms = strings.Fields(i.text())
	return p, i.err()
}

func (l *listing) add(key, value []byte) {
	if l.err == nil {
		l.err = l.sorter.Add(key, value)
	}
}

// listedOf is what the METS states of a file of the package.
func listedOf(f *mets.File, e *element, path, use string) *listed {
	return &listed{id: f.ID, path: path, use: use, size: e.size, sha512: sha512Of(f), transforms: e.transforms,
		shut: e.unknown != ""}
}
