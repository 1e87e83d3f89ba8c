package prose

// element is an element that matters for the text of a page; zero is any other.
type element uint8

const (
	anyElement element = iota
	anchor
	addressElement
	articleElement
	asideElement
	blockquoteElement
	bodyElement
	brElement
	buttonElement
	captionElement
	centerElement
	ddElement
	detailsElement
	dialogElement
	divElement
	dlElement
	dtElement
	fieldsetElement
	figcaptionElement
	figureElement
	footerElement
	formElement
	h1Element
	h2Element
	h3Element
	h4Element
	h5Element
	h6Element
	headerElement
	hrElement
	htmlElement
	iframe
	legendElement
	liElement
	mainElement
	math
	meta
	navElement
	noembed
	noframes
	noscript
	objectElement
	olElement
	optionElement
	pElement
	plaintext
	pre
	script
	sectionElement
	selectElement
	style
	summaryElement
	svg
	tableElement
	tbodyElement
	tdElement
	templateElement
	textarea
	tfootElement
	thElement
	theadElement
	title
	trElement
	ulElement
	xmp
	elements // their number
)

// feature is a set of bits: how an element counts.
type feature uint8

const (
	isBlock   feature = 1 << iota // it starts a new line in browsers, if it contains text
	isHeading                     // of a section
	isLeftOut                     // with all that is in it
	isFraming                     // left out, except in the main element
	isMain                        // it has the text that the page is for
)

var features = [elements]feature{
	addressElement:    isBlock,
	articleElement:    isBlock | isMain,
	asideElement:      isBlock | isLeftOut,
	blockquoteElement: isBlock,
	bodyElement:       isBlock,
	brElement:         isBlock,
	buttonElement:     isLeftOut,
	captionElement:    isBlock,
	centerElement:     isBlock,
	ddElement:         isBlock,
	detailsElement:    isBlock,
	dialogElement:     isBlock,
	divElement:        isBlock,
	dlElement:         isBlock,
	dtElement:         isBlock,
	fieldsetElement:   isBlock,
	figcaptionElement: isBlock,
	figureElement:     isBlock,
	footerElement:     isBlock | isFraming,
	formElement:       isBlock,
	h1Element:         isBlock | isHeading,
	h2Element:         isBlock | isHeading,
	h3Element:         isBlock | isHeading,
	h4Element:         isBlock | isHeading,
	h5Element:         isBlock | isHeading,
	h6Element:         isBlock | isHeading,
	headerElement:     isBlock | isFraming,
	hrElement:         isBlock,
	iframe:            isLeftOut,
	legendElement:     isBlock,
	liElement:         isBlock,
	mainElement:       isBlock | isMain,
	math:              isLeftOut,
	navElement:        isBlock | isLeftOut,
	noembed:           isLeftOut,
	noframes:          isLeftOut,
	noscript:          isLeftOut,
	objectElement:     isLeftOut,
	olElement:         isBlock,
	optionElement:     isBlock,
	pElement:          isBlock,
	pre:               isBlock,
	script:            isLeftOut,
	sectionElement:    isBlock,
	selectElement:     isLeftOut,
	style:             isLeftOut,
	summaryElement:    isBlock,
	svg:               isLeftOut,
	tableElement:      isBlock,
	tbodyElement:      isBlock,
	tdElement:         isBlock,
	templateElement:   isLeftOut,
	textarea:          isLeftOut,
	tfootElement:      isBlock,
	thElement:         isBlock,
	theadElement:      isBlock,
	title:             isBlock | isLeftOut,
	trElement:         isBlock,
	ulElement:         isBlock,
}

// elementOf returns the element of a name, in any case.
func elementOf(name []byte) element {
	var small [maxName]byte
	if len(name) > len(small) {
		return anyElement
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		small[i] = c
	}
	for at := placeOf(small[:len(name)]); places[at].element != anyElement; at = (at + 1) % len(places) {
		if places[at].name == string(small[:len(name)]) {
			return places[at].element
		}
	}
	return anyElement
}

// places has the elements by the hash of their names: the look-up takes a fraction of the time of a map.
var places = func() (all [256]struct {
	name    string
	element element
}) {
	for name, e := range named {
		at := placeOf([]byte(name))
		for all[at].element != anyElement {
			at = (at + 1) % len(all)
		}
		all[at].name, all[at].element = name, e
	}
	return all
}()

// placeOf returns the place of a name in places, if no other name has it.
func placeOf(name []byte) int {
	if len(name) == 0 {
		return 0
	}
	return (int(name[0])*5 + int(name[len(name)/2])*31 + int(name[len(name)-1])*17 + len(name)*64) % 256
}

const maxName = len("blockquote")

var named = map[string]element{
	"a":          anchor,
	"address":    addressElement,
	"article":    articleElement,
	"aside":      asideElement,
	"blockquote": blockquoteElement,
	"body":       bodyElement,
	"br":         brElement,
	"button":     buttonElement,
	"caption":    captionElement,
	"center":     centerElement,
	"dd":         ddElement,
	"details":    detailsElement,
	"dialog":     dialogElement,
	"div":        divElement,
	"dl":         dlElement,
	"dt":         dtElement,
	"fieldset":   fieldsetElement,
	"figcaption": figcaptionElement,
	"figure":     figureElement,
	"footer":     footerElement,
	"form":       formElement,
	"h1":         h1Element,
	"h2":         h2Element,
	"h3":         h3Element,
	"h4":         h4Element,
	"h5":         h5Element,
	"h6":         h6Element,
	"header":     headerElement,
	"hr":         hrElement,
	"html":       htmlElement,
	"iframe":     iframe,
	"legend":     legendElement,
	"li":         liElement,
	"main":       mainElement,
	"math":       math,
	"meta":       meta,
	"nav":        navElement,
	"noembed":    noembed,
	"noframes":   noframes,
	"noscript":   noscript,
	"object":     objectElement,
	"ol":         olElement,
	"option":     optionElement,
	"p":          pElement,
	"plaintext":  plaintext,
	"pre":        pre,
	"script":     script,
	"section":    sectionElement,
	"select":     selectElement,
	"style":      style,
	"summary":    summaryElement,
	"svg":        svg,
	"table":      tableElement,
	"tbody":      tbodyElement,
	"td":         tdElement,
	"template":   templateElement,
	"textarea":   textarea,
	"tfoot":      tfootElement,
	"th":         thElement,
	"thead":      theadElement,
	"title":      title,
	"tr":         trElement,
	"ul":         ulElement,
	"xmp":        xmp,
}
