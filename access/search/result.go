package search

import (
	"time"

	"quire/holdings/captures"
)

// Result is the response to a query, within the rights of the reader.
type Result struct {
	Level      Level    `json:"level"`
	Total      int      `json:"total"`                // number of all hits; Hits are some of them
	Elsewhere  int      `json:"elsewhere"`            // number of hits at the other level
	Suggestion string   `json:"suggestion,omitempty"` // for a query without hits: one with other words that has some
	Notes      []string `json:"notes"`                // notes on parts of the query not understood, and their treatment
	Filters    []Filter `json:"filters"`              // all applied filters, including those in the text
	Hits       []Hit    `json:"hits"`
	Facets     []Facet  `json:"facets"` // in the order of Fields, without empty facets

	// Indexing describes content that is not yet indexed: "3 of 12 packages are being read"; "" if
	// the index is complete.
	Indexing string        `json:"indexing,omitempty"`
	Took     time.Duration `json:"took"` // nanoseconds
}

// Hit is a page or a bytestream. All texts come from archived content, and are untrusted: never
// treat them as markup.
type Hit struct {
	URL      string `json:"url"`
	Host     string `json:"host"`
	Title    []Span `json:"title"` // never empty: the end of the URL is the default
	Snippet  []Span `json:"snippet"`
	Type     string `json:"type"`     // one of Types
	MIME     string `json:"mime"`     // as declared
	Language string `json:"language"` // "" if unknown
	Size     int64  `json:"size"`     // of the payload, in bytes

	Capture   *captures.Capture `json:"capture"`   // the newest matching one, as visible to the reader
	Matching  int               `json:"matching"`  // matching versions
	Versions  int               `json:"versions"`  // all versions visible to the reader
	First     string            `json:"first"`     // timestamp of the oldest match
	Last      string            `json:"last"`      // and of the newest match
	AlsoAt    int               `json:"also_at"`   // other URLs with the same content
	Packages  []string          `json:"packages"`  // packages with matching versions
	Score     float64           `json:"score"`     // comparable only within one result
	Truncated bool              `json:"truncated"` // the crawler kept only a part
	Details   []Detail          `json:"details"`   // of documents and images: author, date, camera, pages
}

// Span is a piece of a text.
type Span struct {
	Text  string `json:"text"`
	Match bool   `json:"match,omitempty"` // matches the query
}

// Detail is a metadata value of a document or image.
type Detail struct {
	Name  string `json:"name"` // author, created, camera, keywords, pages
	Value string `json:"value"`
}

// Facet counts the hits by one field. All filters apply except the filters on this field.
type Facet struct {
	Field  string  `json:"field"`
	Values []Value `json:"values"` // the most frequent first; years from the newest
	More   int     `json:"more"`   // number of further values
}

// Value is a value of a facet.
type Value struct {
	Value    string `json:"value"` // for a Filter
	Label    string `json:"label"` // for people: language name, collection title
	Count    int    `json:"count"`
	Selected bool   `json:"selected,omitempty"`
}
