// Package xmltree reads XML of crawlers' systems whole: configurations of Heritrix, METS of the Web
// Curator Tool. They nest what they say too freely to be read as a stream, and follow no schema;
// they are small, and what they may cost is bounded.
//
// Names are local names: which namespace these documents use changed over the years. A document
// type declaration is an error, so that no entity expands and nothing is fetched.
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
	Space    string // namespace, or the prefix when nothing declares it
	Attrs    []xml.Attr
	Children []*Node
	Parent   *Node // nil of the root
	Weight   int   // elements below
	Offset   int64 // of the end of its start tag in the document, in bytes
	text     strings.Builder
}

// What a document may cost, in elements and in levels. Real configurations have some 500 elements,
// 12 levels deep.
const (
	MaxNodes = 100_000
	maxDepth = 64
)

var (
	// ErrDoctype refuses a document.
	ErrDoctype = errors.New("it has a document type declaration, which is not read")
	errLarge   = errors.New("it has more elements, or more levels of them, than any document of its kind")
)

// Options say how a document is read. The zero value is strict.
type Options struct {
	// Lenient reads on where the document is not well-formed: an ampersand alone, an element that
	// is not closed.
	Lenient bool
	// Leave is shown each element when it ends; where it says so, the element is not kept, nor
	// counted. It may be nil.
	Leave func(*Node) bool
}

// Parse reads a document strictly. Entities that the document declares are not known here, and an
// error.
func Parse(r io.Reader) (*Node, error) {
	root, err := Options{}.Parse(r)
	if err != nil {
		return nil, err
	}
	return root, nil
}

// Parse reads a document. With an error comes what was read until then, which may be nil.
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

// parsing is a document that is being read.
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

// maxLatin bounds a document that is not UTF-8, in bytes.
const maxLatin = 64 << 20

// charset reads what is not UTF-8: the crawlers of Western Europe wrote Latin-1.
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
	return nil, fmt.Errorf("the encoding %q is not known", label)
}

// Attr gives an attribute, "" when it is not there.
func (n *Node) Attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// Value is the text of the element, without the white space around it.
func (n *Node) Value() string { return strings.TrimSpace(n.text.String()) }

// Child gives the first child of that name; nil, whose own children are none, when there is none.
func (n *Node) Child(name string) *Node {
	return n.first(func(c *Node) bool { return c.Name == name })
}

// Named gives the first child whose attribute "name" says so, which is how both configurations call
// their settings.
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

// Text is the value of a node that may be nil.
func Text(n *Node) string {
	if n == nil {
		return ""
	}
	return n.Value()
}

// Each visits the node and all below it, in the order of the document.
func (n *Node) Each(visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, c := range n.Children {
		c.Each(visit)
	}
}

// All gives the children of a node that may be nil.
func (n *Node) All() []*Node {
	if n == nil {
		return nil
	}
	return n.Children
}
