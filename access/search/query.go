package search

// Level is the unit of hits.
type Level string

// The levels.
const (
	Pages       Level = "page"       // a web page at its URL, with all its versions
	Bytestreams Level = "bytestream" // a payload of any type: each version of a page, documents, images
)

// Limits of a query.
const (
	MaxQuery = 1000  // characters read
	MaxLimit = 100   // hits per response
	MaxFrom  = 10000 // hits skipped before them
)

// Query is a search query. Filters of one field are alternatives; filters of different fields must
// all hold.
type Query struct {
	Text  string // as entered: docs/reference/560_search.md has the syntax; every input is valid
	Level Level  // "" means Pages; a query for files alone is one for Bytestreams

	Filters []Filter // in addition to those in the text: selected facets

	Order Order
	From  int // hits to skip, for paging
	Limit int // hits to return; 0 means 10
}

// Filter is a condition: {"year", "2015"}.
type Filter struct {
	Field string // of Fields
	Value string
	Not   bool
}

// Order is the order of hits.
type Order string

// The orders. The zero value is Relevance.
const (
	Relevance Order = ""
	Newest    Order = "newest"
	Oldest    Order = "oldest"
)

// The fields of filters and facets. Facets have the order of Fields.
const (
	Type       = "type"       // one of Types
	Year       = "year"       // of the capture: "2015"
	Host       = "host"       // without "www."
	Collection = "collection" // its id
	Language   = "language"   // "en"; "" if unknown
	Package    = "package"    // its id; not a facet
	Date       = "date"       // of the capture: a day, a month or a range: "2015-03-01..2015-04-15"; not a facet
)

// Fields are the fields with facets.
var Fields = []string{Type, Year, Host, Collection, Language}

// Types are the kinds of content, in readers' terms.
var Types = []string{"page", "text", "pdf", "document", "spreadsheet", "presentation", "image", "audio", "video",
	"other"}
