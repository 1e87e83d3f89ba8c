package machines

import "encoding/xml"

// OpenSearch describes the search of an archive for browsers.
type OpenSearch struct {
	Name     string // of the archive; as a short name it is cut to 16 characters, and as a long one to 48
	About    string // cut to 1,024 characters
	Language string // BCP 47
	Forms    []SearchForm
	Address  string // of the description itself
}

// SearchForm is one form of the results: a media type, and the address of a query with the parameters
// {searchTerms} and {startIndex?}. The first hit has number 0.
type SearchForm struct{ Type, Template string }

type openSearchDescription struct {
	XMLName       xml.Name        `xml:"http://a9.com/-/spec/opensearch/1.1/ OpenSearchDescription"`
	ShortName     string          // at most 16 characters
	LongName      string          // at most 48
	Description   string          // at most 1024
	URLs          []openSearchURL `xml:"Url"`
	Language      string
	InputEncoding string
}

type openSearchURL struct {
	Type        string `xml:"type,attr"`
	Rel         string `xml:"rel,attr,omitempty"`
	Template    string `xml:"template,attr"`
	IndexOffset string `xml:"indexOffset,attr,omitempty"`
}

// Document returns the description as an XML document.
func (o *OpenSearch) Document() ([]byte, error) {
	d := openSearchDescription{ShortName: shorten(o.Name, 16), LongName: shorten(o.Name, 48),
		Description: shorten(o.About, 1024), Language: o.Language, InputEncoding: "UTF-8"}
	for _, f := range o.Forms {
		d.URLs = append(d.URLs, openSearchURL{Type: f.Type, Template: f.Template, IndexOffset: "0"})
	}
	d.URLs = append(d.URLs, openSearchURL{Type: OpenSearchType, Rel: "self", Template: o.Address})
	return document(OpenSearchType, d)
}

// shorten cuts a text to a number of characters.
func shorten(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
