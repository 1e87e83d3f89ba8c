package aip

import (
	"encoding/binary"
	"errors"
	"strings"

	"quire/internal/extsort"
)

// crossReferences checks that references from one METS document of the package to another lead to
// an element, and that both state the same size and digest (clause 2.18). Memory grows only with
// the number of documents.
type crossReferences struct {
	sorter    *extsort.Sorter
	documents map[string]bool // path → whether it was read to its end
	checked   int64
	failed    error // from the disk
	key       []byte
	value     []byte
	last      struct { // the document of the last note
		name string
		key  key
	}
}

// noDigest is the key of a digest that is not stated.
var noDigest = keyOf("")

// The kinds of notes about an element, in the order in which they are checked.
const (
	crossDefined = '1' + iota
	crossReferred
)

func newCrossReferences() *crossReferences {
	return &crossReferences{sorter: extsort.New(extsort.Options{Memory: sortMemory}),
		documents: map[string]bool{METSName: true}}
}

// document records a document that references may lead to.
func (c *crossReferences) document(path string) { c.documents[path] = true }

// unread records that a document was not read to its end.
func (c *crossReferences) unread(path string) { c.documents[path] = false }

func (c *crossReferences) err() error { return c.failed }

// define records an element with an ID. size is -1 and digest "" if it states none.
func (c *crossReferences) define(document, id string, size int64, digest string) {
	c.note(document, id, crossDefined, size, digest, "")
}

// refer records a reference to an element, or to a whole document if id is "".
func (c *crossReferences) refer(from, document, id string, size int64, digest string) {
	c.note(document, id, crossReferred, size, digest, from)
}

func (c *crossReferences) note(document, id string, kind byte, size int64, digest, from string) {
	if c.failed != nil {
		return
	}
	if c.last.name != document {
		c.last.name, c.last.key = document, keyOf(document)
	}
	name := keyOf(id)
	c.key = append(append(append(c.key[:0], c.last.key[:]...), name[:]...), kind)
	digested := noDigest
	if digest != "" {
		digested = keyOf(strings.ToLower(digest))
	}
	value := binary.AppendVarint(c.value[:0], size)
	value = append(append(value, flags(digest != "", id == "")), digested[:]...)
	if kind == crossReferred {
		value = appendText(appendText(appendText(value, clip(from)), clip(document)), clip(id))
	}
	c.value = value
	c.failed = c.sorter.Add(c.key, value)
}

// crossElement is the statement of a note about an element.
type crossElement struct {
	size               int64
	digested, whole    bool
	digest             key
	from, document, id string // of a reference
}

func readCross(value []byte, reference bool) (e crossElement, err error) {
	i := &items{rest: value}
	e.size = i.int()
	if b := i.bytes(1); len(b) == 1 {
		e.digested, e.whole = b[0]&1 != 0, b[0]&2 != 0
	}
	e.digest = i.key()
	if reference {
		e.from, e.document, e.id = i.text(), i.text(), i.text()
	}
	return e, i.err()
}

// judge checks all references. If mets.xml was not read to its end, missing documents are not
// reported.
func (c *crossReferences) judge(found *findings, complete bool) error {
	if c.failed != nil {
		return c.failed
	}
	var at string
	var defined *crossElement
	return c.sorter.Each(func(key, value []byte) error {
		name, kind := string(key[:len(key)-1]), key[len(key)-1]
		if name != at {
			at, defined = name, nil
		}
		e, err := readCross(value, kind == crossReferred)
		switch {
		case err != nil:
		case kind == crossDefined:
			defined = &e
		case complete:
			c.checked++
			found.add(c.judgeReference(&e, defined))
		}
		return err
	})
}

func (c *crossReferences) judgeReference(e, to *crossElement) *breach {
	read, known := c.documents[e.document]
	switch {
	case !known:
		return breaks(CodeDocumentLink, e.from, "refers to %s, which is not a METS document of the package", e.document)
	case e.whole || !read:
		return nil
	case to == nil:
		return breaks(CodeDocumentLink, e.from, "refers to %s in %s, which has no such element", e.id, e.document)
	case e.size >= 0 && to.size >= 0 && e.size != to.size, e.digested && to.digested && e.digest != to.digest:
		return breaks(CodeDocumentLink, e.from, "states another size or digest of file %s than %s", e.id, e.document)
	}
	return nil
}

func (c *crossReferences) close() error { return errors.Join(c.failed, c.sorter.Close()) }
