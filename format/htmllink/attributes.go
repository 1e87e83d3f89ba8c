package htmllink

// role is the use of an attribute's value.
type role uint8

const (
	unwanted   role = iota
	hint            // not a link, but describes other attributes
	describing      // describes the document: only for Scanner.Element
	governing       // not a link, but governs its use: only for Options.Guards
	href
	source
	wherever     // a URL on any element
	onElement    // a URL on the elements in elementOnly
	set          // candidates of srcset
	lazySet      // the same, for scripts
	list         // several URLs separated by white space
	declarations // CSS
	paint        // a presentation attribute of SVG: CSS, if it has parentheses
	document     // srcdoc: a document
	content      // of meta
	value        // of param
	handling     // a script: only for Options.Scripts
)

// use is the purpose of an attribute. The kind applies where the element makes no difference.
type use struct {
	role role
	kind Kind
}

// wanted are the attributes that hold URLs or describe them.
var wanted = map[string]use{
	"href": {href, 0}, "xlink:href": {href, 0},
	"src":    {source, 0},
	"srcset": {set, Candidate}, "imagesrcset": {set, Candidate},
	"style":  {declarations, CSS},
	"srcdoc": {document, Frame},

	"background": {wherever, Image}, "poster": {wherever, Image}, "lowsrc": {wherever, Image},
	"dynsrc":     {wherever, Image},
	"formaction": {wherever, Form},
	"longdesc":   {wherever, Citation},
	"usemap":     {wherever, Fragment},
	"codebase":   {wherever, Codebase},
	"url":        {wherever, Other}, "swurl": {wherever, Other}, "xml:base": {wherever, Other},
	"action":   {onElement, Form},
	"cite":     {onElement, Citation},
	"data":     {onElement, Object},
	"icon":     {onElement, Icon},
	"manifest": {onElement, Manifest},
	"profile":  {onElement, Profile},
	"ping":     {list, Ping},
	"archive":  {list, Archive},

	"data-src": {wherever, Lazy}, "data-original": {wherever, Lazy}, "data-lazy": {wherever, Lazy},
	"data-lazy-src":   {wherever, Lazy},
	"data-background": {wherever, Lazy}, "data-background-image": {wherever, Lazy}, "data-bg": {wherever, Lazy},
	"data-image": {wherever, Lazy}, "data-img": {wherever, Lazy}, "data-poster": {wherever, Lazy},
	"data-href": {wherever, Lazy},
	"data-url":  {wherever, Lazy}, "data-original-src": {wherever, Lazy}, "data-hi-res-src": {wherever, Lazy},
	"data-srcset": {lazySet, Lazy}, "data-lazy-srcset": {lazySet, Lazy}, "data-original-set": {lazySet, Lazy},

	"fill": {paint, CSS}, "stroke": {paint, CSS}, "filter": {paint, CSS}, "mask": {paint, CSS},
	"clip-path": {paint, CSS},
	"cursor":    {paint, CSS}, "marker": {paint, CSS}, "marker-start": {paint, CSS}, "marker-mid": {paint, CSS},
	"marker-end": {paint, CSS},

	"rel": {hint, 0}, "http-equiv": {hint, 0}, "name": {hint, 0}, "property": {hint, 0}, "itemprop": {hint, 0},
	"charset": {hint, 0}, "valuetype": {hint, 0}, "as": {hint, 0}, "type": {hint, 0},
	"lang": {describing, 0}, "xml:lang": {describing, 0}, "scheme": {describing, 0},
	"integrity": {governing, Guard}, "nonce": {governing, Guard}, "crossorigin": {governing, Guard},
	"referrerpolicy": {governing, Guard},
	"csp":            {governing, Guard}, "target": {governing, Guard}, "formtarget": {governing, Guard},
	"attributionsrc": {governing, Guard}, "sandbox": {governing, Guard},

	"onclick": {handling, Handler}, "onload": {handling, Handler}, "onerror": {handling, Handler},
	"onsubmit": {handling, Handler}, "onchange": {handling, Handler}, "oninput": {handling, Handler},
	"onmouseover": {handling, Handler}, "onmouseout": {handling, Handler}, "onmousedown": {handling, Handler},
	"onmouseup": {handling, Handler}, "onfocus": {handling, Handler}, "onblur": {handling, Handler},
	"onkeydown": {handling, Handler}, "onkeyup": {handling, Handler}, "onkeypress": {handling, Handler},
	"onunload": {handling, Handler}, "onbeforeunload": {handling, Handler}, "onresize": {handling, Handler},
	"onscroll": {handling, Handler}, "ondblclick": {handling, Handler}, "onselect": {handling, Handler},
	"onreset": {handling, Handler}, "ontoggle": {handling, Handler}, "onpageshow": {handling, Handler},
	"onhashchange": {handling, Handler}, "onpopstate": {handling, Handler}, "onmessage": {handling, Handler},
	"onmouseenter": {handling, Handler}, "onpointerdown": {handling, Handler}, "ontouchstart": {handling, Handler},

	"content": {content, Property},
	"value":   {value, Object},
}

// namedUse is a wanted attribute.
type namedUse struct {
	name string
	use
}

// attributesByName has the wanted attributes.
var attributesByName = func() *names[namedUse] {
	all := make(map[string]namedUse, len(wanted))
	for name, u := range wanted {
		all[name] = namedUse{name, u}
	}
	return newNames(all)
}()

// elementOnly lists attributes that are URLs only on certain elements, with these elements.
var elementOnly = map[string]map[string]bool{
	"action":   setOf("form", "isindex"),
	"cite":     setOf("blockquote", "q", "ins", "del"),
	"data":     setOf("object"),
	"icon":     setOf("menuitem", "command"),
	"manifest": setOf("html"),
	"profile":  setOf("head"),
}

// guards are the hints that become links of kind Guard, and their elements.
var guards = map[string]string{"http-equiv": "meta", "name": "meta", "type": "script"}

// hintsFor are the elements whose hints, content and value the scanner keeps. Each of these is the
// role of an attribute.
var hintsFor = setOf("link", "meta", "param")

// attribute is one attribute of the current tag.
type attribute struct {
	name       string
	role       role
	kind       Kind
	start, end int64 // of its value in the document
	named      int64 // where its name begins
	lo, hi     int   // of its value in Scanner.values
	quote      byte
	again      bool // the tag had this name before
	cut        bool
}

// tag is the current start tag.
type tag struct {
	start, end  int64
	name        string
	of          *traits
	selfClosing bool
	foreign     bool // an element of SVG or MathML
	tooLong     bool
	tooMany     bool
	attributes  []attribute
}

// add adds an attribute.
func (t *tag) add(a attribute) *attribute {
	for i := range t.attributes {
		a.again = a.again || t.attributes[i].name == a.name
	}
	t.attributes = append(t.attributes, a)
	return &t.attributes[len(t.attributes)-1]
}
