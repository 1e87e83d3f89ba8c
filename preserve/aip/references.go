package aip

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"strings"

	"quire/internal/extsort"
	"quire/metadata/mets"
)

// key represents a string in large sets: 128 bits of its SHA-256, so collisions are infeasible.
type key [16]byte

func keyOf(s string) key { return keyOfBytes([]byte(s)) }

func keyOfBytes(b []byte) key {
	sum := sha256.Sum256(b)
	return key(sum[:16])
}

// references checks that IDs and labels of the METS are unique, that references lead to an element,
// and that repeated statements agree (clause 4). It checks references to METS elements only; the
// schemas check IDs within wrapped standards. A METS may have millions of references: they are
// sorted on disk, and checked name by name.
type references struct {
	document string // the METS document, for messages
	sorter   *extsort.Sorter
	recent   [maxRecent]string // recent references: many lead to the same few sections
	batches  [openBatches]labelBatch
	areasOf  string // the file of the areas in batch, which have no note yet
	batch    []byte
	key      []byte
	value    []byte
	err      error // from the disk

	ids, labels, links, areas int64 // distinct IDs and labels
	compared                  int64 // file elements compared with an object
	met                       map[uint64]struct{}
}

// The kinds of notes about a name, in the order in which they are checked.
const (
	noteDefined = '1' + iota // an element has this ID, or label
	noteContent              // the file has so many decoded bytes
	noteObject               // the statements of the premis:object
	noteRef                  // an attribute refers to it
	noteArea                 // an area of the file
	noteFile                 // the statements of a file element that refers to it
)

// The two spaces of names.
const (
	spaceID    = 'i'
	spaceLabel = 'l'
)

// sortMemory is the memory of each sorter, in bytes.
const sortMemory = 4 << 20

func newReferences(document string) *references {
	return &references{document: document, sorter: extsort.New(extsort.Options{Memory: sortMemory}),
		met: map[uint64]struct{}{}}
}

// maxKey is the longest name that is used as its own key.
const maxKey = 100

// note keeps a fact about a name.
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
	r.value = append(append(r.value[:0], kindOf(element)), clip(id)...)
	r.note(spaceID, id, noteDefined, r.value)
}

func (r *references) label(label string) {
	if r.numberedLabel(batchDefined, label) {
		return
	}
	r.note(spaceLabel, label, noteDefined, append([]byte{kindOther}, clip(label)...))
}

// The kinds of elements that references lead to.
const (
	kindOther = 'o'
	kindFile  = 'f'
	kindAmd   = 'a'
	kindDmd   = 'd'
)

// kindOf returns the kind of an element that has an ID.
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

// referenceTarget returns the kind of element that an attribute refers to, and its description. The
// description is "" if any element is allowed.
func referenceTarget(attribute string) (kind byte, words string) {
	switch attribute {
	case "FILEID":
		return kindFile, "a file"
	case "ADMID":
		return kindAmd, "an amdSec or one of its sections"
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
	if l.From != "" && l.To != "" { // otherwise METS itself is invalid
		if !r.numberedLabel(batchFrom, l.From) {
			r.refTo(spaceLabel, attributeOf[batchFrom], l.From)
		}
		if !r.numberedLabel(batchTo, l.To) {
			r.refTo(spaceLabel, attributeOf[batchTo], l.To)
		}
	}
}

// maxRecent is how many references are remembered; maxRecentText is their maximum length, with the
// attribute.
const maxRecent, maxRecentText = 4096, 200

var recentSeed = maphash.MakeSeed()

func (r *references) refTo(space byte, attribute, name string) {
	value := append(append(append(append(r.value[:0], attribute...), `="`...), clip(name)...), '"')
	r.value = value
	if len(value) <= maxRecentText {
		slot := &r.recent[maphash.Bytes(recentSeed, value)%maxRecent]
		if *slot == string(value) {
			return
		}
		*slot = string(value)
	}
	r.note(space, name, noteRef, value)
}

// content notes the decoded size of a file. Areas count within this size.
func (r *references) content(id string, size int64) {
	r.value = binary.AppendVarint(r.value[:0], size)
	r.note(spaceID, id, noteContent, r.value)
}

// area notes an area of a file.
func (r *references) area(a *mets.Area) (wrong string) {
	begin, end, wrong := areaRange(a)
	if wrong != "" || end < 0 {
		return wrong
	}
	r.areas++
	const most = 1 << 10 // bytes of a note
	if a.FileID != r.areasOf || len(r.batch) > most {
		r.flushAreas()
		r.areasOf = strings.Clone(a.FileID)
	}
	r.batch = binary.AppendVarint(binary.AppendVarint(r.batch, begin), end)
	return ""
}

// flushAreas notes the areas of the current file. The links of a page follow each other.
func (r *references) flushAreas() {
	if len(r.batch) > 0 {
		r.note(spaceID, r.areasOf, noteArea, r.batch)
		r.batch = r.batch[:0]
	}
}

// close releases the temporary files.
func (r *references) close() error { return errors.Join(r.err, r.sorter.Close()) }

// name is one name while its notes are read.
type name struct {
	key      string
	defined  int64
	kind     byte  // of the element
	size     int64 // of its content; -1 if not known
	object   statement
	objects  int
	dangled  bool
	document string
}

// text returns the name for messages.
func (n *name) text() string {
	if n.key[1] == 1 {
		return "of a very long ID"
	}
	return n.key[1:]
}

// judge checks all names. If the METS was not read to its end, it does not report missing elements.
func (r *references) judge(found *findings, complete bool) error {
	r.flushAreas()
	r.flushAll()
	if r.err != nil {
		return r.err
	}
	n := name{document: r.document}
	batches := &batchJudge{references: r, found: found, complete: complete}
	return r.sorter.Each(func(key, value []byte) error {
		if key[0] == spaceBatch {
			return batches.judge(key, value)
		}
		of, kind := key[:len(key)-2], key[len(key)-1]
		if string(of) != n.key {
			n = name{key: string(of), size: -1, document: r.document}
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
			for len(i.rest) > 0 {
				begin, end := i.int(), i.int()
				found.add(n.judgeArea(begin, end))
			}
		case noteFile:
			r.compare(&n, i, found, complete)
		}
		return i.err()
	})
}

func (r *references) judgeDefined(n *name, text string, found *findings) {
	n.defined++
	label := n.key[0] == spaceLabel
	switch {
	case n.defined > 1 && label:
		found.add(breaks(CodeLinkLabel, n.document, "the xlink:label %q occurs twice", text))
	case n.defined > 1:
		found.add(breaks(CodeIDTwice, n.document, "the ID %q occurs twice", text))
	case label:
		r.labels++
	default:
		r.ids++
	}
}

// judgeRef checks that a reference leads to an element of the right kind. It reports one finding
// for each name.
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
	kind, words := referenceTarget(attribute)
	if n.key[0] == spaceLabel || words == "" || kind == n.kind {
		return nil
	}
	n.dangled = true
	return breaks(CodeIDDangling, n.document, "%s does not name %s", how, words)
}

func (n *name) dangling(how string) *breach {
	if n.key[0] == spaceLabel {
		return danglingLink(n.document, how)
	}
	return breaks(CodeIDDangling, n.document, "%s names no element in the document", how)
}

// judgeArea checks that an area is within the content of its file. If the METS does not state that
// size, it reports nothing.
func (n *name) judgeArea(begin, end int64) *breach {
	if n.size < 0 || end < n.size {
		return nil
	}
	return breaks(CodeAreaRange, n.document, "an area has bytes %d to %d of file %s, which has only %d bytes",
		begin, end,
		n.text(), n.size)
}
