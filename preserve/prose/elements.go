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
	switch string(small[:len(name)]) {
	case "a":
		return anchor
	case "address":
		return addressElement
	case "article":
		return articleElement
	case "aside":
		return asideElement
	case "blockquote":
		return blockquoteElement
	case "body":
		return bodyElement
	case "br":
		return brElement
	case "button":
		return buttonElement
	case "caption":
		return captionElement
	case "center":
		return centerElement
	case "dd":
		return ddElement
	case "details":
		return detailsElement
	case "dialog":
		return dialogElement
	case "div":
		return divElement
	case "dl":
		return dlElement
	case "dt":
		return dtElement
	case "fieldset":
		return fieldsetElement
	case "figcaption":
		return figcaptionElement
	case "figure":
		return figureElement
	case "footer":
		return footerElement
	case "form":
		return formElement
	case "h1":
		return h1Element
	case "h2":
		return h2Element
	case "h3":
		return h3Element
	case "h4":
		return h4Element
	case "h5":
		return h5Element
	case "h6":
		return h6Element
	case "header":
		return headerElement
	case "hr":
		return hrElement
	case "html":
		return htmlElement
	case "iframe":
		return iframe
	case "legend":
		return legendElement
	case "li":
		return liElement
	case "main":
		return mainElement
	case "math":
		return math
	case "meta":
		return meta
	case "nav":
		return navElement
	case "noembed":
		return noembed
	case "noframes":
		return noframes
	case "noscript":
		return noscript
	case "object":
		return objectElement
	case "ol":
		return olElement
	case "option":
		return optionElement
	case "p":
		return pElement
	case "plaintext":
		return plaintext
	case "pre":
		return pre
	case "script":
		return script
	case "section":
		return sectionElement
	case "select":
		return selectElement
	case "style":
		return style
	case "summary":
		return summaryElement
	case "svg":
		return svg
	case "table":
		return tableElement
	case "tbody":
		return tbodyElement
	case "td":
		return tdElement
	case "template":
		return templateElement
	case "textarea":
		return textarea
	case "tfoot":
		return tfootElement
	case "th":
		return thElement
	case "thead":
		return theadElement
	case "title":
		return title
	case "tr":
		return trElement
	case "ul":
		return ulElement
	case "xmp":
		return xmp
	}
	return anyElement
}

const maxName = len("blockquote")
