package xmlstream

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

// name is a qualified name of the document. Names are kept, so that each is built once.
type name struct {
	raw    string // as written
	local  string
	prefix *prefix // nil if it has none
	binds  *prefix // the prefix that an attribute of this name declares, or nil

	// the name that followed last time: it is likely to follow again
	next   *name   // the next start tag after that of this element
	likely []*name // the attributes of this element
}

// prefix is a prefix with its meaning at the scanner's position.
type prefix struct {
	text  string
	uri   string // its namespace; if it is not declared, the prefix itself
	bound bool   // a declaration is in scope
	fixed bool   // xml, xmlns: no declaration changes it
}

// rebound is the earlier meaning of a prefix that an element declares.
type rebound struct {
	*prefix
	uri   string
	bound bool
	depth int
}

// maxNames bounds the names that are kept.
const maxNames = 4096

// names keeps the names and prefixes of a document.
type names struct {
	known    map[string]*name
	prefixes map[string]*prefix
	unnamed  *prefix // the default namespace
	last     *name   // of the last start tag
}

func (n *names) init() {
	n.known, n.last = map[string]*name{}, &name{}
	n.unnamed = &prefix{}
	n.prefixes = map[string]*prefix{
		"xml":   {text: "xml", uri: XMLNamespace, bound: true, fixed: true},
		"xmlns": {text: "xmlns", uri: "xmlns", bound: true, fixed: true},
	}
}

// forget drops all names, and the prefixes that nothing declares: a hostile document can have any
// number of them.
func (n *names) forget() {
	n.known, n.last = map[string]*name{}, &name{}
	for text, p := range n.prefixes {
		if !p.bound {
			delete(n.prefixes, text)
		}
	}
}

// space returns the namespace of an element of this name.
func (n *names) space(el *name) string {
	switch {
	case el.prefix != nil:
		return el.prefix.uri
	case el.local == "xmlns":
		return ""
	}
	return n.unnamed.uri
}

// space returns the namespace of an attribute of this name.
func (n *name) space() string {
	if n.prefix == nil {
		return ""
	}
	return n.prefix.uri
}

// expect notes that attribute i of an element has this name.
func (n *name) expect(i int, attr *name) {
	if i < len(n.likely) {
		n.likely[i] = attr
	} else {
		n.likely = append(n.likely, attr)
	}
}

// errNoName means that no name is where one must be.
var errNoName = errors.New("a name is expected")

// asked replaces errNoName by an error that states the expected name.
func asked(err error, expected string) error {
	if errors.Is(err, errNoName) {
		return errors.New(expected)
	}
	return err
}

func badName(raw []byte) error { return fmt.Errorf("invalid XML name: %.100q", raw) }

// scanName scans the qualified name at b[i:], and returns it and the index after it. It compares
// with the likely name first.
func (n *names) scanName(b []byte, i int, likely *name) (*name, int, error) {
	if likely != nil {
		if end := i + len(likely.raw); end < len(b) && string(b[i:end]) == likely.raw && stops[b[end]]&inName == 0 {
			return likely, end, nil
		}
	}
	end, err := nameEnd(b, i)
	if err != nil {
		return nil, end, err
	}
	if known := n.known[string(b[i:end])]; known != nil {
		return known, end, nil
	}
	raw := b[i:end]
	if !isName(raw) {
		return nil, end, badName(raw)
	}
	if bytes.Count(raw, []byte{':'}) > 1 {
		return nil, end, errNoName
	}
	return n.keep(string(raw)), end, nil
}

// keep adds a name.
func (n *names) keep(raw string) *name {
	el := &name{raw: raw, local: raw}
	if before, after, ok := strings.Cut(raw, ":"); ok && before != "" && after != "" {
		el.prefix, el.local = n.prefixOf(before), after
	}
	switch {
	case el.prefix != nil && el.prefix.text == "xmlns":
		el.binds = n.prefixOf(el.local)
	case raw == "xmlns":
		el.binds = n.unnamed
	}
	n.known[raw] = el
	return el
}

func (n *names) prefixOf(text string) *prefix {
	p := n.prefixes[text]
	if p == nil {
		p = &prefix{text: text, uri: text}
		n.prefixes[text] = p
	}
	return p
}

// nameEnd returns the index after the name at b[i:]. It accepts all characters beyond ASCII.
func nameEnd(b []byte, i int) (int, error) {
	end := i
	for end < len(b) && stops[b[end]]&inName != 0 {
		end++
	}
	switch {
	case end == len(b):
		return 0, errMore
	case end == i:
		return i, errNoName
	}
	return end, nil
}

// isName reports whether b is a name (XML 1.0, production 5). encoding/xml knows the letters beyond
// ASCII.
func isName(b []byte) bool {
	if nameBytes[b[0]]&nameStart == 0 && b[0] != ':' && b[0] < 0x80 {
		return false
	}
	for _, c := range b {
		if c >= 0x80 {
			tok, err := xml.NewDecoder(strings.NewReader("<?" + string(b) + "?>")).RawToken()
			inst, ok := tok.(xml.ProcInst)
			return ok && err == nil && inst.Target == string(b)
		}
	}
	return true
}

// open opens an element with the declarations of its start tag.
func (s *scanner) open(el *name) {
	s.stack = append(s.stack, el)
	for i := range s.attrs {
		a := &s.attrs[i]
		p := a.binds
		if p == nil {
			continue
		}
		s.undo = append(s.undo, rebound{p, p.uri, p.bound, len(s.stack)})
		if !p.fixed {
			p.uri, p.bound = string(s.rawValue(a)), true
		}
	}
}

// close closes the innermost element. Its declarations stay in scope until the caller calls leave.
func (s *scanner) close() {
	depth := len(s.stack)
	for n := len(s.undo); n > 0 && s.undo[n-1].depth == depth; n-- {
		u := s.undo[n-1]
		u.prefix.uri, u.prefix.bound = u.uri, u.bound
		s.undo = s.undo[:n-1]
	}
	s.stack = s.stack[:depth-1]
}
