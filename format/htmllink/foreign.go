package htmllink

// context is the language of an open element's content (HTML, 13.2.6.5): HTML or an XML language.
// In an XML language, a start tag can close its own element, and style and title are not raw text.
type context struct {
	name    string
	foreign bool
}

// maxContexts bounds the nesting of SVG in HTML in SVG.
const maxContexts = 32

func (s *Scanner) isForeign() bool {
	return s.options.XML || len(s.foreign) > 0 && s.foreign[len(s.foreign)-1].foreign
}

// integration are the integration points: foreign elements with HTML content.
var integration = setOf("foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext")

// breakout are the start tags that end foreign elements (13.2.6.5).
var breakout = setOf("b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed",
	"h1", "h2", "h3",
	"h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s",
	"small",
	"span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var")

// follow updates the contexts for the current start tag.
func (s *Scanner) follow() {
	if s.tag.foreign = s.options.XML; s.options.XML {
		return
	}
	name := s.tag.name
	if s.isForeign() && s.tag.of.breakout {
		for s.isForeign() {
			s.foreign = s.foreign[:len(s.foreign)-1]
		}
	}
	s.tag.foreign = s.isForeign()
	if s.tag.selfClosing || len(s.foreign) == maxContexts {
		return
	}
	switch {
	case name == "svg" || name == "math":
		s.foreign = append(s.foreign, context{name, true})
	case s.isForeign() && s.tag.of.integration:
		s.foreign = append(s.foreign, context{name, false})
	}
}

// unfollow updates the contexts for an end tag.
func (s *Scanner) unfollow(name []byte) {
	for i := len(s.foreign) - 1; i >= 0; i-- {
		if s.foreign[i].name == string(name) {
			s.foreign = s.foreign[:i]
			return
		}
	}
}
