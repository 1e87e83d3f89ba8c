package pdf

import (
	"bytes"
	"encoding/xml"
	"strings"
)

// The schemas of XMP for claims of conformance to a standard (ISO 19005-1, 6.7.11; ISO 14289-1, 5;
// ISO 15930-7).
const (
	spacePDFA = "http://www.aiim.org/pdfa/ns/id/"
	spacePDFU = "http://www.aiim.org/pdfua/ns/id/"
	spacePDFX = "http://www.npes.org/pdfx/ns/id/"
)

// metadata reads the claims in the document's XMP.
func (d *document) metadata(o any) {
	s := d.stream(o)
	if s == nil {
		return
	}
	b, err := d.content(s, maxXMP)
	d.facts.XMP = int64(len(b))
	if err != nil {
		d.facts.warn("XMP: %v", err)
	}
	said := claimed(b)
	if part := said[spacePDFA+"part"]; part != "" {
		d.facts.Claims = append(d.facts.Claims, "PDF/A-"+part+strings.ToLower(said[spacePDFA+"conformance"]))
	}
	if part := said[spacePDFU+"part"]; part != "" {
		d.facts.Claims = append(d.facts.Claims, "PDF/UA-"+part)
	}
	if version := said[spacePDFX+"GTS_PDFXVersion"]; version != "" {
		d.facts.Claims = append(d.facts.Claims, version)
	}
}

// claimed returns the values of these schemas in the XMP, from elements or attributes. It reads as
// far as the XML is valid.
func claimed(b []byte) map[string]string {
	said := map[string]string{}
	x := xml.NewDecoder(bytes.NewReader(b))
	x.Strict = false
	x.CharsetReader = nil
	tell := func(name xml.Name, value string) {
		const most = 40
		if value = strings.TrimSpace(value); (name.Space == spacePDFA || name.Space == spacePDFU ||
			name.Space == spacePDFX) && len(value) <= most && value != "" {
			said[name.Space+name.Local] = value
		}
	}
	var inside xml.Name
	for {
		token, err := x.Token()
		if err != nil {
			return said
		}
		switch t := token.(type) {
		case xml.StartElement:
			inside = t.Name
			for _, a := range t.Attr {
				tell(a.Name, a.Value)
			}
		case xml.CharData:
			tell(inside, string(t))
		case xml.EndElement:
			inside = xml.Name{}
		}
	}
}
