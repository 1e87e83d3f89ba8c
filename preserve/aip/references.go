package aip

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"

	"quire/internal/extsort"
	"quire/metadata/mets"
)

// key stands for a string in sets that may have many: 128 bits of its SHA-256, which nobody can
// make collide.
type key [16]byte

func keyOf(s string) key {
	sum := sha256.Sum256([]byte(s))
	return key(sum[:16])
}

// references checks that the IDs and labels of METS are unique, that what refers to one finds it,
// and that what is said of it in several places agrees (clause 4). References go to METS's own
// elements; what a wrapped standard calls by an ID is for its schema to check. A METS may have
// millions: they are sorted on disk, and judged name by name.
type references struct {
	sorter *extsort.Sorter
	recent map[string]struct{} // references that were noted a short while ago: many lead to the same few sections
	key    []byte
	err    error // of the disk

	ids, labels, links, areas int64 // IDs and labels once each
	compared                  int64 // file elements held against an object
	met                       map[uint64]struct{}
}

// The kinds of what is noted of a name, in the order in which they are judged.
const (
	noteDefined = '1' + iota // an element has this ID, or label
	noteContent              // the file has so many bytes, its transformations undone
	noteObject               // what the premis:object states
	noteRef                  // an attribute refers to it
	noteArea                 // an area of the file
	noteFile                 // what a file element that refers to it states
)

// The two spaces of names.
const (
	spaceID    = 'i'
	spaceLabel = 'l'
)

// sortMemory is what each sorter holds in memory, in bytes.
const sortMemory = 4 << 20

func newReferences() *references {
	return &references{sorter: extsort.New(extsort.Options{Memory: sortMemory}), recent: map[string]struct{}{},
		met: map[uint64]struct{}{}}
}

// maxKey is how long a name can be and still stand in its key itself.
const maxKey = 100

// note keeps something about a name.
func (r *references) note(space byte, name string, kind byte, value []byte) {
	if r.err != nil {
		return
	}
	r.key = append(r.key[:0], space)
	if len(name) > 0 && len(name) <= maxKey {
		r.key = append(r.key, name...)
	} else {
		k := keyOf(name)
		r.key = append(append(r.key, 1), k[:]...) // no XML has this byte
	}
	r.key = append(r.key, 0, kind)
	r.err = r.sorter.Add(r.key, value)
}

func (r *references) id(element, id string) {
	r.note(spaceID, id, noteDefined, append([]byte{kindOf(element)}, clip(id)...))
}

func (r *references) label(label string) {
	r.note(spaceLabel, label, noteDefined, append([]byte{kindOther}, clip(label)...))
}

// The kinds of elements that references are to.
const (
	kindOther = 'o'
	kindFile  = 'f'
	kindAmd   = 'a'
	kindDmd   = 'd'
)

// kindOf is the kind of an element that has an ID.
func kindOf(element string) byte {
	switch element {
	case "file":
		return kindFile
	case "dmdSec":
		return kindDmd
	case "amdSec", "techMD", "rightsMD", "sourceMD", "digiprovMD":
		return kindAmd
	}
	return kindOther
}

// asked is what an attribute refers to, in words; the words are "" where anything will do.
func asked(attribute string) (kind byte, words string) {
	switch attribute {
	case "FILEID":
		return kindFile, "a file"
	case "ADMID":
		return kindAmd, "an amdSec, or a section in one"
	case "DMDID":
		return kindDmd, "a dmdSec"
	}
	return kindOther, ""
}

// ref notes a reference by an attribute to an ID.
func (r *references) ref(attribute, id string) { r.refTo(spaceID, attribute, id) }

// link notes both ends of a smLink.
func (r *references) link(l *mets.SmLink) {
	r.links++
	if l.From != "" && l.To != "" { // else METS itself is broken
		r.refTo(spaceLabel, "xlink:from", l.From)
		r.refTo(spaceLabel, "xlink:to", l.To)
	}
}

// maxRecent is how many references are remembered, and how long those may be together with their
// attribute.
const maxRecent, maxRecentText = 4096, 200

func (r *references) refTo(space byte, attribute, name string) {
	value := attribute + "=\"" + clip(name) + "\""
	if len(value) <= maxRecentText {
		if _, known := r.recent[value]; known {
			return
		}
		if len(r.recent) == maxRecent {
			clear(r.recent)
		}
		r.recent[value] = struct{}{}
	}
	r.note(space, name, noteRef, []byte(value))
}

// content notes how many bytes a file has with its transformations undone, which areas count in.
func (r *references) content(id string, size int64) {
	r.note(spaceID, id, noteContent, binary.AppendVarint(nil, size))
}

// area notes an area of a file.
func (r *references) area(a *mets.Area) (wrong string) {
	begin, end, wrong := areaRange(a)
	if wrong != "" || end < 0 {
		return wrong
	}
	r.areas++
	r.note(spaceID, a.FileID, noteArea, binary.AppendVarint(binary.AppendVarint(nil, begin), end))
	return ""
}

// close gives the room back.
func (r *references) close() error { return errors.Join(r.err, r.sorter.Close()) }

// name is one name while what was noted of it goes by.
type name struct {
	key     string
	defined int64
	kind    byte  // of the element
	size    int64 // of its content; -1 where that is not known
	object  statement
	objects int
	dangled bool
}

// text is the name as messages have it.
func (n *name) text() string {
	if n.key[1] == 1 {
		return "of a very long ID"
	}
	return n.key[1:]
}

// judge goes through all names. What a METS that was not read to its end may still have said is not
// missed.
func (r *references) judge(found *findings, complete bool) error {
	if r.err != nil {
		return r.err
	}
	var n name
	return r.sorter.Each(func(key, value []byte) error {
		of, kind := key[:len(key)-2], key[len(key)-1]
		if string(of) != n.key {
			n = name{key: string(of), size: -1}
		}
		i := &items{rest: value}
		switch kind {
		case noteDefined:
			if len(value) > 0 {
				n.kind = value[0]
				r.judgeDefined(&n, string(value[1:]), found)
			}
		case noteContent:
			n.size = i.int()
		case noteObject:
			n.objects++
			n.object = readStatement(i)
		case noteRef:
			found.add(n.judgeRef(string(value), complete))
		case noteArea:
			begin, end := i.int(), i.int()
			found.add(n.judgeArea(begin, end))
		case noteFile:
			r.compare(&n, i, found)
		}
		return i.err()
	})
}

func (r *references) judgeDefined(n *name, text string, found *findings) {
	n.defined++
	label := n.key[0] == spaceLabel
	switch {
	case n.defined > 1 && label:
		found.add(breaks(CodeLinkLabel, METSName, "the xlink:label %q is there twice", text))
	case n.defined > 1:
		found.add(breaks(CodeIDTwice, METSName, "the ID %q is there twice", text))
	case label:
		r.labels++
	default:
		r.ids++
	}
}

// judgeRef checks that a reference leads to something, and to what it is to lead to. One finding
// for each name is enough.
func (n *name) judgeRef(how string, complete bool) *breach {
	if n.dangled {
		return nil
	}
	if n.defined == 0 {
		if n.dangled = complete; !complete {
			return nil
		}
		return n.dangling(how)
	}
	attribute, _, _ := strings.Cut(how, "=")
	kind, words := asked(attribute)
	if n.key[0] == spaceLabel || words == "" || kind == n.kind {
		return nil
	}
	n.dangled = true
	return breaks(CodeIDDangling, METSName, "%s names what is not %s", how, words)
}

func (n *name) dangling(how string) *breach {
	if n.key[0] == spaceLabel {
		return breaks(CodeLinkEnd, METSName, "a smLink with %s leads to no label in the document", how)
	}
	return breaks(CodeIDDangling, METSName, "%s names nothing in the document", how)
}

// judgeArea checks that an area lies within the content of its file. Where the METS does not say
// how much that is, nothing is said.
func (n *name) judgeArea(begin, end int64) *breach {
	if n.size < 0 || end < n.size {
		return nil
	}
	return breaks(CodeAreaRange, METSName, "an area from byte %d to %d of file %s, which has %d bytes", begin, end,
		n.text(), n.size)
}
