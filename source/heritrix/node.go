package heritrix

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// node is one element of a configuration, read whole. Both kinds of configuration nest what they say too freely to be read as
// a stream; they are small, and what they may cost is bounded.
type node struct {
	name     string // local name
	attrs    []xml.Attr
	text     strings.Builder
	children []*node
	weight   int // elements below
}

// What a configuration may cost, in elements and in levels. Real ones have some 500 elements, 12 levels deep.
const (
	maxNodes = 100_000
	maxDepth = 64
)

var (
	errDoctype = errors.New("it has a document type declaration, which is not read")
	errLarge   = errors.New("it has more elements, or more levels of them, than any configuration")
)

// parseXML reads a document. Entities that the document declares are not known here, and an error.
func parseXML(r io.Reader) (*node, error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset
	top := &node{}
	open, count := []*node{top}, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && len(open) == 1 && len(top.children) == 1 {
			return top.children[0], nil
		}
		if err != nil {
			return nil, err
		}
		at := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			if count++; count > maxNodes || len(open) > maxDepth {
				return nil, errLarge
			}
			n := &node{name: token.Name.Local, attrs: token.Attr}
			at.children = append(at.children, n)
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
			open[len(open)-1].weight += at.weight + 1
		case xml.CharData:
			at.text.Write(token)
		case xml.Directive:
			return nil, errDoctype
		}
	}
}

// charset reads what is not UTF-8: the crawlers of Western Europe wrote Latin-1.
func charset(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "iso-8859-1", "latin1", "us-ascii":
		b, err := io.ReadAll(io.LimitReader(in, maxConfiguration))
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

// attr gives an attribute, "" when it is not there.
func (n *node) attr(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// value is the text of the element, without the white space around it.
func (n *node) value() string { return strings.TrimSpace(n.text.String()) }

// child gives the first child of that name; nil, whose own children are none, when there is none.
func (n *node) child(name string) *node {
	return n.first(func(c *node) bool { return c.name == name })
}

// named gives the first child whose attribute "name" says so, which is how both configurations call their settings.
func (n *node) named(name string) *node {
	return n.first(func(c *node) bool { return c.attr("name") == name })
}

func (n *node) first(is func(*node) bool) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if is(c) {
			return c
		}
	}
	return nil
}

// textOf is the value of a node that may be nil.
func textOf(n *node) string {
	if n == nil {
		return ""
	}
	return n.value()
}

// each visits the node and all below it, in the order of the document.
func (n *node) each(visit func(*node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, c := range n.children {
		c.each(visit)
	}
}
