package mods

import (
	"iter"
	"time"
)

// Namespace is the namespace of MODS 3. Version is the version written, as in METS's MDTYPEVERSION.
const (
	Namespace = "http://www.loc.gov/mods/v3"
	Version   = "3.8"
	Version34 = "3.4" // for repositories that still require it: without event types

	xlink = "http://www.w3.org/1999/xlink"
)

// Record is a mods element.
type Record struct {
	ID      string
	Version string // for writing: [Version], the default, or [Version34]
	Content

	// Constituents returns related items, any number, that are written after the Content. When
	// read, they are in Related.
	Constituents iter.Seq[RelatedItem]
}

// Content is the content of a record or of a related item.
type Content struct {
	Titles          []Title
	Names           []Name
	Types           []Term // typeOfResource
	Genres          []Term
	Origins         []Origin
	Languages       []Language
	Physical        []Physical
	Abstracts       []Note
	TableOfContents []Note
	Notes           []Note
	Subjects        []Subject
	Related         []RelatedItem
	Identifiers     []Identifier
	Locations       []Location
	Access          []Note // accessCondition
	RecordInfo      []RecordInfo
}

// Term is a text that may come from a vocabulary.
type Term struct {
	Text         string
	Type         string // for role, language, script and place terms: code, text
	Lang         string
	Authority    string
	AuthorityURI string
	ValueURI     string
}

// Text returns a Term without a vocabulary.
func Text(s string) Term { return Term{Text: s} }

// Note is a text with a type and a label: abstract, note, accessCondition and similar elements.
type Note struct {
	Text  string
	Type  string
	Label string // displayLabel
	Lang  string
	Href  string // xlink:href
}

// Title is a titleInfo.
type Title struct {
	Type       string // abbreviated, translated, alternative, uniform; "" for the main title
	Label      string
	Lang       string
	NonSort    string
	Title      string
	SubTitle   string
	PartNumber string
	PartName   string
}

// Name is a person or body with a role in the resource.
type Name struct {
	Type         string // personal, corporate, conference, family
	Authority    string
	AuthorityURI string
	ValueURI     string
	Parts        []NamePart
	DisplayForm  string
	Affiliations []string
	Roles        []Role
	Descriptions []string
	Identifiers  []Identifier
}

// NamePart is a part of a name.
type NamePart struct {
	Type string // date, family, given, termsOfAddress; "" for the whole name
	Text string
}

// Role is the role of a name. It has one or more terms, such as a code and a text.
type Role struct {
	Terms []Term
}

// Marc returns the role for a term of MARC relators: "creator", "collector".
func Marc(term string) Role {
	return Role{Terms: []Term{{Text: term, Type: "text", Authority: "marcrelator"}}}
}

// Origin is an originInfo: one event in the life of the resource.
type Origin struct {
	EventType    string
	EventTypeURI string
	Label        string
	Places       []Term
	Publishers   []string
	Dates        []Date
	Edition      string
	Issuance     string // continuing, monographic, single unit, multipart monograph, serial, integrating resource
	Frequency    string
}

// Date is a date of an origin.
type Date struct {
	// the element: dateCaptured, dateIssued, dateCreated, dateValid, dateModified, copyrightDate,
	// dateOther
	Kind      string
	Text      string
	Encoding  string // w3cdtf, iso8601, marc, temper, edtf
	Point     string // start, end
	Qualifier string // approximate, inferred, questionable
	Key       bool
}

// Captured returns the origin of a harvest, with the times of the first and the last capture, in
// seconds and UTC. If both times are zero, the origin has no dates. MODS does not allow an origin
// without content: omit it then.
func Captured(first, last time.Time) Origin {
	o := Origin{EventType: "capture"}
	for _, d := range []struct {
		point string
		time  time.Time
	}{{"start", first}, {"end", last}} {
		if !d.time.IsZero() {
			text := d.time.UTC().Format("2006-01-02T15:04:05Z")
			o.Dates = append(o.Dates, Date{Kind: "dateCaptured", Text: text, Encoding: "w3cdtf", Point: d.point})
		}
	}
	return o
}

// Language is a language of the resource, in one or more terms.
type Language struct {
	Terms   []Term // at least one
	Scripts []Term
}

// Physical is a physicalDescription.
type Physical struct {
	Forms         []Term
	MediaTypes    []string
	Extents       []string
	DigitalOrigin string // born digital, reformatted digital, digitized microfilm, digitized other analog
	Notes         []Note
}

// Subject is a subject: a set of related terms.
type Subject struct {
	Authority    string
	AuthorityURI string
	ValueURI     string
	Topics       []Term
	Geographics  []Term
	Temporals    []Term
	Genres       []Term
}

// RelatedItem describes a related resource.
type RelatedItem struct {
	Type      string // preceding, succeeding, original, host, constituent, series, otherVersion, …; see the schema
	OtherType string
	Label     string
	Href      string
	Content
}

// Identifier is an identifier with its type ("uri", "local").
type Identifier struct {
	Text    string
	Type    string
	Label   string
	Invalid bool // cancelled, or wrong
}

// Location is where the resource is available.
type Location struct {
	Physical      []Term
	ShelfLocators []string
	URLs          []URL
}

// URL is an address of the resource. The schema requires a URI (see xmlstream.IsURI), so Write
// refuses other addresses. Use an Identifier for an address as the crawler found it, such as
// "http://a/100%".
type URL struct {
	Text         string
	Label        string
	Usage        string // primary
	Access       string // preview, raw object, object in context
	Note         string
	LastAccessed string
}

// RecordInfo describes the description itself.
type RecordInfo struct {
	Sources     []Term // recordContentSource
	Created     []Date // Kind is unused here
	Changed     []Date
	Identifiers []RecordIdentifier
	Languages   []Language
	Origins     []string // origin of the description
	Standards   []Term   // descriptionStandard
	Notes       []Note
}

// RecordIdentifier identifies the description in a system.
type RecordIdentifier struct {
	Text, Source string
}
