package identify

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// PRONOM has entries for versions of SVG only, and its signatures need the version in the file. SVG
// 2 made the attribute version obsolete, so most SVG files of today have no entry, and no signature
// matches. Their root element, in the namespace of SVG, is evidence for the format, though not for
// a version.
const (
	svgNamespace = "http://www.w3.org/2000/svg"
	svgName      = "Scalable Vector Graphics" // as in PRONOM
	svgMIME      = "image/svg+xml"
)

// rootWindow is how far into the payload the root element is searched, in bytes.
const rootWindow = 64 << 10

// rootBasis begins the basis of formats that were found by the root element.
const rootBasis = "root element"

// byRoot identifies formats by the root element of the XML document, if no signature matched. The
// result then has no PUID. If the root element has the right name but not the namespace, it returns
// r with a warning: the document may be something else.
func byRoot(r Result, p Payload) Result {
	if r.Known() || !beginsMarkup(p.Head) {
		return r
	}
	root, ok := rootOf(p.Head[:min(len(p.Head), rootWindow)])
	if !ok || root.name != "svg" {
		return r
	}
	if root.namespace != svgNamespace {
		r.warn(fmt.Sprintf("perhaps %s: the root element is svg, but it is not in the namespace %s%s", svgName,
			svgNamespace, hintsOf(p)))
		return r
	}
	found := Result{Name: svgName, MIME: svgMIME, Basis: fmt.Sprintf("%s svg in the namespace %s%s", rootBasis,
		svgNamespace, hintsOf(p))}
	if root.version == "" {
		found.Basis += "; it states no version, and PRONOM has entries for versions only"
		return found
	}
	found.Version = root.version
	found.Basis += "; version as its attribute states; no signature of PRONOM matches"
	return found
}

// hintsOf returns the statements of the extension and the declared type about SVG, for the basis.
func hintsOf(p Payload) string {
	said := ""
	if p.Name == "svg" {
		said += "; extension svg"
	}
	if p.MIME != "" {
		said += "; declared as " + p.MIME
	}
	return said
}

// beginsMarkup reports whether the first byte, after a byte order mark and white space, begins
// markup.
func beginsMarkup(b []byte) bool {
	b = bytes.TrimPrefix(b[:min(len(b), 1024)], []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("<"))
}

// xmlRoot is the root element of an XML document.
type xmlRoot struct{ name, namespace, version string }

// rootOf returns the root element of the document that begins with b. It reads no further than its
// start tag.
func rootOf(b []byte) (root xmlRoot, ok bool) {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // names are ASCII
	doctype := ""
	for {
		token, err := d.RawToken()
		if err != nil {
			return xmlRoot{}, false
		}
		switch t := token.(type) {
		case xml.Directive:
			doctype = string(t)
		case xml.StartElement:
			return startOf(t, doctype), true
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return xmlRoot{}, false // text before the root element: not XML
			}
		}
	}
}

// startOf returns the expanded name and the version of an element, with the entities that the
// document type declares for namespaces.
func startOf(t xml.StartElement, doctype string) xmlRoot {
	root := xmlRoot{name: t.Name.Local}
	for _, a := range t.Attr {
		switch {
		case t.Name.Space == "" && a.Name.Space == "" && a.Name.Local == "xmlns",
			t.Name.Space != "" && a.Name.Space == "xmlns" && a.Name.Local == t.Name.Space:
			root.namespace = entity(a.Value, doctype)
		case a.Name.Space == "" && a.Name.Local == "version" && isVersion(a.Value):
			root.version = a.Value
		}
	}
	return root
}

// entity replaces a value that is one entity reference by the text that the document type declares,
// as drawing programs write it: <!ENTITY ns_svg "http://www.w3.org/2000/svg">.
func entity(value, doctype string) string {
	name, ok := strings.CutPrefix(value, "&")
	if !ok {
		return value
	}
	_, declared, ok := strings.Cut(doctype, "<!ENTITY "+strings.TrimSuffix(name, ";")+" ")
	declared = strings.TrimLeft(declared, " \t\r\n")
	if !ok || declared == "" || declared[0] != '"' && declared[0] != '\'' {
		return value
	}
	text, _, _ := strings.Cut(declared[1:], declared[:1])
	return text
}

// isVersion reports whether a value is a short version number.
func isVersion(s string) bool {
	return s != "" && len(s) <= 8 && strings.Trim(s, "0123456789.") == ""
}
