// Package xmltree reads complete XML documents of crawler systems: configurations of Heritrix, METS
// of the Web Curator Tool. Their nesting is too free for reading as a stream, and they follow no
// schema. They are small, and their cost is bounded.
//
// Names are local names, because the namespace of these documents changed over the years. A
// document type declaration is an error; this prevents entity expansion and network access.
package xmltree

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Node is one element.
type Node struct {
	Name     string // local name
	Space    string // namespace, or the prefix if undeclared
	Attrs    []xml.Attr
	Children []*Node
	Parent   *Node // nil of the root
	Weight   int   // number of elements below
	Offset   int64 // of the end of its start tag in the document, in bytes
	text     strings.Builder
}

// The limits of a document, in elements and in levels. Real configurations have some 500 elements,
// 12 levels deep.
const (
	MaxNodes = 100_000
	maxDepth = 64
)

var (
	// ErrDoctype reports a refused document type declaration.
	ErrDoctype = errors.New("it has a document type declaration, which is not allowed")
	errLarge   = errors.New("it exceeds the limit of elements or of nesting levels")
)

// Options control the reading of a document. The zero value is strict.
type Options struct {
	// Lenient continues where the document is not well-formed: a single ampersand, an unclosed
	// element.
	Lenient bool
	// Leave is called for each element at its end. If it returns true, the element is neither kept
	// nor counted. Leave may be nil.
	Leave func(*Node) bool
}

// Parse reads a document strictly. References to entities that the document declares are errors.
func Parse(r io.Reader) (*Node, error) {
	root, err := Options{}.Parse(r)
	if err != nil {
		return nil, err
	}
	return root, nil
}

// Parse reads a document. With an error it also returns the part read so far, which may be nil.
func (o Options) Parse(r io.Reader) (*Node, error) {
	d := xml.NewDecoder(r)
	d.Strict = !o.Lenient
	d.CharsetReader = charset
	p := parsing{o: o, top: &Node{}}
	p.open = []*Node{p.top}
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && len(p.open) == 1 && p.roots == 1:
			return p.root(), nil
		case errors.Is(err, io.EOF):
			return p.root(), io.ErrUnexpectedEOF
		case err != nil:
			return p.root(), err
		}
		if err := p.take(token, d.InputOffset()); err != nil {
			return p.root(), err
		}
	}
}

// parsing is the state of reading a document.
type parsing struct {
	o     Options
	top   *Node
	open  []*Node
	count int
	roots int
}

func (p *parsing) root() *Node {
	if len(p.top.Children) == 0 {
		return nil
	}
	p.top.Children[0].Parent = nil
	return p.top.Children[0]
}

func (p *parsing) take(token xml.Token, offset int64) error {
	at := p.open[len(p.open)-1]
	switch token := token.(type) {
	case xml.StartElement:
		if p.count++; p.count > MaxNodes || len(p.open) > maxDepth {
			return errLarge
		}
		if at == p.top {
			p.roots++
		}
		n := &Node{Name: token.Name.Local, Space: token.Name.Space, Attrs: token.Attr, Parent: at, Offset: offset}
		at.Children = append(at.Children, n)
		p.open = append(p.open, n)
	case xml.EndElement:
		p.open = p.open[:len(p.open)-1]
		above := p.open[len(p.open)-1]
		if p.o.Leave != nil && above != p.top && p.o.Leave(at) {
			above.Children = above.Children[:len(above.Children)-1]
			p.count -= at.Weight + 1
			return nil
		}
		above.Weight += at.Weight + 1
	case xml.CharData:
		at.text.Write(token)
	case xml.Directive:
		return ErrDoctype
	}
	return nil
}

// maxLatin is the maximum size in bytes of a document that is not UTF-8.
const maxLatin = 64 << 20

// charset decodes other encodings than UTF-8: crawlers in Western Europe wrote Latin-1.
func charset(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "iso-8859-1", "latin1", "us-ascii":
		b, err := io.ReadAll(io.LimitReader(in, maxLatin))
		if err != nil {
			return nil, err
		}
		var s strings.Builder
		for _, c := range b {
			s.WriteRune(rune(c))
		}
		return strings.NewReader(s.String()), nil
	}
	return nil, fmt.Errorf("the encoding %q is unknown", label)
}

// Attr returns an attribute, or "".
func (n *Node) Attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// Value returns the text of the element, without surrounding white space.
func (n *Node) Value() string { return strings.TrimSpace(n.text.String()) }

// Child returns the first child of that name, or nil. A nil node has no children.
func (n *Node) Child(name string) *Node {
	return n.first(func(c *Node) bool { return c.Name == name })
}

// Named returns the first child with this value of the attribute "name". Both configurations name
// their settings so.
func (n *Node) Named(name string) *Node {
	return n.first(func(c *Node) bool { return c.Attr("name") == name })
}

func (n *Node) first(is func(*Node) bool) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if is(c) {
			return c
		}
	}
	return nil
}

// Text returns the value of a node, which may be nil.
func Text(n *Node) string {
	if n == nil {
		return ""
	}
	return n.Value()
}

// Each visits the node and all nodes below it, in document order.
func (n *Node) Each(visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, c := range n.Children {
		c.Each(visit)
	}
}

// All returns the children of a node, which may be nil.
func (n *Node) All() []*Node {
	if n == nil {
		return nil
	}
	return n.Children
}
