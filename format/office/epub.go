package office

import (
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"path"
	"strings"
)

// epub reads the document if it is an EPUB book (3.3, 4 and 5): its chapters in reading order.
func (r *reader) epub() bool {
	const container, mime = "META-INF/container.xml", "application/epub+zip"
	head, err := io.ReadAll(io.LimitReader(r.open("mimetype"), int64(len(mime))))
	if r.parts[container] == nil || err != nil || len(head) > 0 && string(head) != mime {
		return false
	}
	r.facts.Kind, r.facts.Format = "document", "EPUB"
	book := ""
	r.elements(container, func(e xml.StartElement) {
		if e.Name.Local == "rootfile" && book == "" {
			book = attribute(e, "full-path")
		}
	})
	r.values(book)
	files := map[string]string{} // by the ids that the reading order uses
	var order []string
	r.elements(book, func(e xml.StartElement) {
		switch e.Name.Local {
		case "item":
			if name, err := url.PathUnescape(attribute(e, "href")); err == nil && len(files) < maxParts {
				files[attribute(e, "id")] = path.Join(path.Dir(book), name)
			}
		case "itemref":
			if len(order) < maxParts {
				order = append(order, attribute(e, "idref"))
			}
		}
	})
	for _, id := range order {
		if name := files[id]; strings.HasSuffix(name, "html") || strings.HasSuffix(name, ".htm") ||
			strings.HasSuffix(name, ".xml") {
			r.read(name, webPage)
		}
	}
	return true
}

// elements calls f for each element of a part.
func (r *reader) elements(name string, f func(xml.StartElement)) {
	for x := decoder(r.open(name)); ; {
		token, err := x.RawToken()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.facts.warn("%s: %v", name, err)
			}
			return
		}
		if e, ok := token.(xml.StartElement); ok {
			f(e)
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
