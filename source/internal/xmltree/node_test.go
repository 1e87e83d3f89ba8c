package xmltree

import (
	"errors"
	"strings"
	"testing"
)

// shown returns a tree as name=value(children).
func shown(n *Node) string {
	if n == nil {
		return "nil"
	}
	s := n.Name
	if v := n.Value(); v != "" {
		s += "=" + v
	}
	var within []string
	for _, c := range n.Children {
		within = append(within, shown(c))
	}
	if within != nil {
		s += "(" + strings.Join(within, " ") + ")"
	}
	return s
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, in string
		options  Options
		want     string
		fails    bool
	}{
		{"names are local", `<m:a xmlns:m="u"><b:c>x</b:c></m:a>`, Options{}, "a(c=x)", false},
		{"mixed", "<a> x <b/> y </a>", Options{}, "a=x  y(b)", false},
		{"Latin-1", "<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe4</a>", Options{}, "a=ä", false},
		{"another encoding", "<?xml version='1.0' encoding='UTF-16'?><a/>", Options{}, "nil", true},
		{"cut", "<a><b>x</b><c>", Options{}, "a(b=x c)", true},
		{"empty", "", Options{}, "nil", true},
		{"two roots", "<a/><b/>", Options{}, "a", true},
		{"not closed", "<a><b>x</a>", Options{}, "a(b=x)", true},
		{"not closed, lenient", "<a><b>x</a>", Options{Lenient: true}, "a(b=x)", false},
		{"ampersand, lenient", "<a>x & y</a>", Options{Lenient: true}, "a=x & y", false},
		{"document type", "<!DOCTYPE a><a/>", Options{Lenient: true}, "nil", true},
		{"unknown entity", "<a>&e;</a>", Options{}, "a", true},
		{"left out", "<a><b>1</b><f/><b>2</b></a>", Options{Leave: func(n *Node) bool { return n.Name == "b" }}, "a(f)",
			false},
		{"too deep", strings.Repeat("<a>", maxDepth+1), Options{},
			strings.Repeat("a(", maxDepth-1) + "a" + strings.Repeat(")", maxDepth-1), true},
	} {
		root, err := c.options.Parse(strings.NewReader(c.in))
		if shown(root) != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %s, %v", c.name, shown(root), err)
		}
		if strict, err := Parse(strings.NewReader(c.in)); (c.fails && c.options.Leave == nil &&
			!c.options.Lenient) != (strict == nil && err != nil) && c.options.Leave == nil && !c.options.Lenient {
			t.Errorf("%s: strictly %s, %v", c.name, shown(strict), err)
		}
	}
	if _, err := Parse(strings.NewReader("<!DOCTYPE a><a/>")); !errors.Is(err, ErrDoctype) {
		t.Errorf("%v", err)
	}
}

// TestLeftOutCostsNothing checks that omitted elements do not count against the limit: a METS may
// list any number of files.
func TestLeftOutCostsNothing(t *testing.T) {
	many := "<a>" + strings.Repeat("<f><g/></f>", MaxNodes) + "</a>"
	n := 0
	root, err := Options{Leave: func(n0 *Node) bool {
		if n0.Name == "f" {
			n++
		}
		return n0.Name == "f"
	}}.Parse(strings.NewReader(many))
	if err != nil || n != MaxNodes || len(root.Children) != 0 || root.Weight != 0 {
		t.Errorf("%d files, %v", n, err)
	}
	if _, err := Parse(strings.NewReader(many)); err == nil {
		t.Error("too many elements are read")
	}
}
