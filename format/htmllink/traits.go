package htmllink

import "strings"

// traits are the properties of the elements with a name.
type traits struct {
	name        string
	src, href   Kind // the purpose of these attributes
	hinted      bool // its hints, content and value are kept
	described   bool // it is for Scanner.Element
	breakout    bool
	integration bool
}

// commonElements are names without a trait, kept to avoid allocating them each time.
const commonElements = "a abbr address article aside b body br button canvas caption center code col dd div dl dt em " +
	"font footer form frameset h1 h2 h3 h4 h5 h6 head header hr html i label legend li main meta nav object ol " +
	"option p param picture pre select small span strong style sub sup svg g path rect circle table tbody td " +
	"textarea tfoot th thead time title tr u ul video audio applet link nobr noscript blockquote q ins del map " +
	"section figure figcaption dfn kbd samp var cite details summary fieldset optgroup"

// elementsByName has the known elements.
var elementsByName = func() *names[traits] {
	all := map[string]traits{}
	know := func(name string, add func(*traits)) {
		t, ok := all[name]
		if !ok {
			t = traits{name: name, src: Other, href: Other}
		}
		add(&t)
		all[name] = t
	}
	for name := range strings.FieldsSeq(commonElements) {
		know(name, func(*traits) {})
	}
	for name, kind := range bySource {
		know(name, func(t *traits) { t.src = kind })
	}
	for name, kind := range byHref {
		know(name, func(t *traits) { t.href = kind })
	}
	for name := range hintsFor {
		know(name, func(t *traits) { t.hinted = true })
	}
	for name := range elementNames {
		know(name, func(t *traits) { t.described = true })
	}
	for name := range breakout {
		know(name, func(t *traits) { t.breakout = true })
	}
	for name := range integration {
		know(name, func(t *traits) { t.integration = true })
	}
	return newNames(all)
}()

// unknownElement has the traits of all other elements.
var unknownElement = traits{src: Other, href: Other}

// traitsOf returns the name of an element and its traits.
func traitsOf(name []byte) (string, *traits) {
	if t := elementsByName.find(name); t != nil {
		return t.name, t
	}
	return string(name), &unknownElement
}
