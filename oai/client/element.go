package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxDepth is the maximum depth of elements in a record.
const maxDepth = 256

// span is a part of an answer.
type span struct{ start, end int64 }

func (s span) size() int64   { return s.end - s.start }
func (s span) isEmpty() bool { return s.end <= s.start }

// part is a child of an element: of a record, its header, metadata or about.
type part struct {
	name string // local
	span
	inner    span // from the start of its first child to the end of its last; empty without children
	children int
	tag      []byte // the start tag of the first child
	own      []byte // its own start tag
	prolog   bool   // contains an XML declaration
}

// element skips the element of the start tag just read, and returns its children.
func (s *scanner) element(t tag, limit int64) (end int64, parts []part, err error) {
	if t.kind == emptyTag {
		return t.end, nil, nil
	}
	open := append(make([]string, 0, 16), t.name)
	for {
		u, err := s.next(limit)
		if errors.Is(err, io.EOF) {
			return 0, nil, &broken{limit, fmt.Sprintf("it ends inside <%.40s>", open[len(open)-1])}
		}
		if err != nil {
			return 0, nil, err
		}
		depth := len(open) // of elements around u, or of u if it is an end tag
		switch u.kind {
		case aside:
			if depth > 1 && isDeclaration(s, u) {
				parts[len(parts)-1].prolog = true
			}
			continue
		case endTag:
			if open[depth-1] != u.name {
				return 0, nil, &broken{u.start, fmt.Sprintf("</%.40s> where <%.40s> ends", u.name, open[depth-1])}
			}
			open = open[:depth-1]
			depth--
			if depth == 0 {
				return u.end, parts, nil
			}
		case startTag, emptyTag:
			if depth >= maxDepth {
				return 0, nil, &broken{u.start, fmt.Sprintf("more than %d nested elements", maxDepth)}
			}
			if parts, err = note(parts, depth, u); err != nil {
				return 0, nil, err
			}
			if u.kind == startTag {
				open = append(open, u.name)
				continue
			}
		}
		switch depth { // depth of the element that ended
		case 1:
			parts[len(parts)-1].end = u.end
		case 2:
			parts[len(parts)-1].inner.end = u.end
		}
	}
}

// maxParts is the maximum number of children of an element. A record has a header, metadata and
// about containers.
const maxParts = 1000

// note records a child, or the first child of a child, at its start tag.
func note(parts []part, depth int, u tag) ([]part, error) {
	switch depth {
	case 1:
		if len(parts) == maxParts {
			return nil, &broken{u.start, fmt.Sprintf("an element with more than %d children", maxParts)}
		}
		parts = append(parts, part{name: local(u.name), span: span{u.start, u.end}, own: bytes.Clone(u.raw)})
	case 2:
		p := &parts[len(parts)-1]
		if p.children++; p.children == 1 {
			p.inner.start = u.start
			p.tag = bytes.Clone(u.raw)
		}
	}
	return parts, nil
}

// isDeclaration reports whether an aside is <?xml … ?>.
func isDeclaration(s *scanner, u tag) bool {
	b, err := s.fill(u.start, 6)
	return err == nil && len(b) >= 6 && bytes.EqualFold(b[:5], []byte("<?xml")) && isSpace(b[5])
}
