package search

// Level says what is one hit.
type Level string

// The levels.
const (
	Pages       Level = "page"       // a web page, at its URL, whatever the number of its versions
	Bytestreams Level = "bytestream" // a payload of any type: each version of a page, documents, images
)

// The bounds of a query.
const (
	MaxQuery = 1000  // characters of it that are read
	MaxLimit = 100   // hits of one answer
	MaxFrom  = 10000 // hits before them
)

// Query is a question. Of the filters of one name one must hold, of each name.
type Query struct {
	Text  string // as the reader wrote it: docs/reference/560_search.md has its syntax; nothing he can write is an error
	Level Level  // "" means Pages

	Filters []Filter // beside those that the text has: what is chosen from facets

	Order Order
	From  int // hits to leave out, for pages
	Limit int // hits of the answer; 0 means 10
}

// Filter is a condition: {"year", "2015"}.
type Filter struct {
	Field string // of Fields
	Value string
	Not   bool
}

// Order says what comes first.
type Order string

// The orders. The zero value is Relevance.
const (
	Relevance Order = ""
	Newest    Order = "newest"
	Oldest    Order = "oldest"
)

// The fields that filters and facets have. Of a Facet, their order is that of Fields.
const (
	Type       = "type"       // one of Types
	Year       = "year"       // of the capture: "2015"
	Host       = "host"       // "www." left out
	Collection = "collection" // its id
	Language   = "language"   // "en"; "" where it is not known
	Package    = "package"    // its id; no facet
)

// Fields are those that facets tell.
var Fields = []string{Type, Year, Host, Collection, Language}

// Types are the kinds of content, as readers know them.
var Types = []string{"page", "text", "pdf", "document", "spreadsheet", "presentation", "image", "audio", "video",
	"other"}
