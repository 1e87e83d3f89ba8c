package pack

import (
	"strconv"

	"quire/metadata/mets"
	"quire/preserve/pages"
)

// linkWriter writes the divs of links. There are millions in a crawl, so it uses forms.
type linkWriter struct {
	w     *mets.Writer
	forms [len(linkKinds)][2]*mets.Form // without and with CONTENTIDS
	file  []byte
	// of the current link
	label, begin, end, url []byte
	shared                 int // length of the beginning of label that all links of the page share
}

// The holes of the forms, in the order of the values.
var linkHoles = []string{"hole-of-file", "hole-of-label", "9000000000000000001", "9000000000000000002",
	"hole-of-words", "hole-of-url"}

// linksTo returns the writer of the links in a document.
func (b *builder) linksTo(w *mets.Writer) *linkWriter {
	if b.linkWriter == nil || b.linkWriter.w != w {
		b.linkWriter = &linkWriter{w: w}
		for kind := range linkKinds {
			div := mets.Div{Type: string(linkKinds[kind]), Label: linkHoles[4], XLinkLabel: linkHoles[1]}
			b.linkWriter.forms[kind][0] = w.NewForm(linkHoles, func(w *mets.Writer) {
				linkElement(w, div, linkHoles[0], linkHoles[2], linkHoles[3])
			})
			div.ContentIDs = []string{linkHoles[5]}
			b.linkWriter.forms[kind][1] = w.NewForm(linkHoles, func(w *mets.Writer) {
				linkElement(w, div, linkHoles[0], linkHoles[2], linkHoles[3])
			})
		}
	}
	return b.linkWriter
}

// linkElement writes the div of a link, with the place of its start tag in a file.
func linkElement(w *mets.Writer, div mets.Div, file, begin, end string) {
	w.StartDiv(div)
	w.Fptr(mets.Fptr{Area: &mets.Area{FileID: file, Begin: begin, End: end, BEType: "BYTE"}})
	w.EndDiv()
}

// beginPage starts a page with its file.
func (l *linkWriter) beginPage(page place, file string) {
	l.file = append(l.file[:0], file...)
	l.label = appendLinkLabel(l.label[:0], page)
	l.shared = len(l.label)
}

// write writes a link of the page.
func (l *linkWriter) write(to *pages.Resolver, number int64, link *webLink) error {
	words, url := l.describe(to, link)
	l.label = strconv.AppendInt(l.label[:l.shared], number, 10)
	l.begin, l.end = strconv.AppendInt(l.begin[:0], link.begin, 10), strconv.AppendInt(l.end[:0], link.end, 10)
	form := l.forms[link.kind][0]
	if url != nil {
		form = l.forms[link.kind][1]
	}
	if len(words) > 0 && l.w.Fill(form, l.file, l.label, l.begin, l.end, words, url) {
		return nil
	}
	div := mets.Div{Type: string(linkKinds[link.kind]), Label: string(words), XLinkLabel: string(l.label)}
	if url != nil {
		div.ContentIDs = []string{string(url)}
	}
	linkElement(l.w, div, string(l.file), string(l.begin), string(l.end))
	return l.w.Err()
}

// describe describes a link: its text, and the URL of its target with the fragment. A link without a
// text has the URL as its label; a text that is not a URL is not changed.
func (l *linkWriter) describe(to *pages.Resolver, link *webLink) (words, url []byte) {
	target, fragment, ok := to.Lookup(link.href)
	if !ok || link.cut {
		return []byte(to.Text(link.href)), nil
	}
	l.url = append(l.url[:0], target.URL...)
	if len(fragment) > 0 {
		l.url = append(append(l.url, '#'), fragment...)
	}
	words = to.Words(link.text)
	if len(words) == 0 || !mets.IsContentID(l.url) {
		return l.url, nil
	}
	return words, l.url
}

// appendLinkLabel appends the beginning of the labels of a page's links; their numbers follow.
func appendLinkLabel(to []byte, p place) []byte {
	to = strconv.AppendInt(append(to, "L-c"...), int64(p.container), 10)
	return append(strconv.AppendInt(append(to, "-b"...), p.order, 10), '-')
}

// appendPageLabel appends the label of a page or other object in the structLink.
func appendPageLabel(to []byte, p place) []byte {
	to = strconv.AppendInt(append(to, "P-c"...), int64(p.container), 10)
	return strconv.AppendInt(append(to, "-b"...), p.order, 10)
}
