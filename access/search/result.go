package search

import (
	"time"

	"quire/holdings/captures"
)

// Result is the answer to a query, as far as the reader who asked may see what it is about.
type Result struct {
	Level     Level    `json:"level"`
	Total     int      `json:"total"`     // hits, of which Hits are some
	Elsewhere int      `json:"elsewhere"` // hits at the other level
	Notes     []string `json:"notes"`     // what of the query was not understood, and how it was taken, in words
	Filters   []Filter `json:"filters"`   // that were applied: those of the text among them
	Hits      []Hit    `json:"hits"`
	Facets    []Facet  `json:"facets"` // in the order of Fields; one without values is not there

	// Indexing tells what is not in the index yet, in words: "3 of 12 packages are being read"; ""
	// when all is.
	Indexing string        `json:"indexing,omitempty"`
	Took     time.Duration `json:"took"` // nanoseconds
}

// Hit is a page, or a bytestream. All texts are what the archived content says, and as hostile as
// that: nothing of them is markup.
type Hit struct {
	URL      string `json:"url"`
	Host     string `json:"host"`
	Title    []Span `json:"title"` // never empty: the end of the URL stands in for one
	Snippet  []Span `json:"snippet"`
	Type     string `json:"type"`     // one of Types
	MIME     string `json:"mime"`     // as declared
	Language string `json:"language"` // "" when it is not known
	Size     int64  `json:"size"`     // of the payload, in bytes

	Capture   *captures.Capture `json:"capture"`   // the newest of those that match, as the reader may see them
	Matching  int               `json:"matching"`  // versions that match
	Versions  int               `json:"versions"`  // versions that there are, of those that the reader may see
	First     string            `json:"first"`     // timestamp of the oldest that matches
	Last      string            `json:"last"`      // and of the newest
	AlsoAt    int               `json:"also_at"`   // other URLs that have the same
	Packages  []string          `json:"packages"`  // that have versions that match
	Score     float64           `json:"score"`     // comparable in one answer only
	Truncated bool              `json:"truncated"` // the crawler kept a part only
	Details   []Detail          `json:"details"`   // of documents and images: author, date, camera, pages
}

// Span is a piece of a text.
type Span struct {
	Text  string `json:"text"`
	Match bool   `json:"match,omitempty"` // it is what was looked for
}

// Detail is something that a document or an image says of itself.
type Detail struct {
	Name  string `json:"name"` // author, created, camera, keywords, pages
	Value string `json:"value"`
}

// Facet counts the hits by one field: with all filters but those of the field itself.
type Facet struct {
	Field  string  `json:"field"`
	Values []Value `json:"values"` // the most frequent first; years the newest first
	More   int     `json:"more"`   // values that are not among them
}

// Value is one of a facet.
type Value struct {
	Value    string `json:"value"` // for a Filter
	Label    string `json:"label"` // for people: the name of a language, the title of a collection
	Count    int    `json:"count"`
	Selected bool   `json:"selected,omitempty"`
}
