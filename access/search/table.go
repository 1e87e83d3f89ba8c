package search

import (
	"cmp"
	"encoding/json"
	"sort"

	"quire/holdings/captures"
)

// table is the data of each document and capture that all queries need: about 130 bytes per
// capture, and its URL. It is immutable. Its lists are sections of one file (tableimage.go), which
// is mapped into memory, so a query reads only the rows that it needs. After a change of the
// database the table is read from the database (tableread.go).
type table struct {
	changes int64 // change counter of the database
	made    int64 // identity of the database

	documents documents // by number
	captures  rows      // by URL, then by time
	urls      addresses // by number
	byNumber  numbers   // documents by the lower half of their numbers; -1 for none; empty if most are gone
	groups    numbers   // of documents: the best-ranked URL; documents with the same one are versions of one page
	// documents sorted by group, so that the documents of one group are adjacent: first pages, then
	// all others
	byGroup numbers
	pages   int     // number of pages among them
	of      numbers // captures of document d: of[begin[d]:begin[d+1]]
	begin   numbers
	// briefs are the data of captures for conditions and facets, in the order of "of": queries read them side by side
	briefs briefs
	texts  []byte // the strings of the rows

	usualLength float32 // mean document length, in words

	packages   []string
	hosts      []string
	languages  []string
	containers []string
	mimes      []string

	image []byte // the mapped file; nil if the lists are in memory

	*memories // of questions to this table; they end with it
}

// memories are what a table remembers of questions.
type memories struct {
	asked    answers
	frequent frequents
}

type document struct {
	id       int64
	digest   span
	kind     uint8 // index in Types
	language uint16
	length   int32 // in words
	alone    bool  // its only capture is at a page without other versions: it is a group of its own
}

type capture struct {
	time      int64
	url       int32
	document  int32
	pkg       int32
	harvest   int32
	container int32
	mime      int32
	order     int64
	written   span // the URL, if it differs from urls
	origin    span // JSON: of a revisit, the original place of its payload, if access to it may differ; else empty
}

// brief is the data of a capture that conditions and facets need.
type brief struct {
	time int64
	host int32
	pkg  int32
}

// brief returns the data of a capture for conditions.
func (t *table) brief(c *capture) brief { return brief{c.time, t.hostOf(c.url), c.pkg} }

type address struct {
	id   int64
	key  span
	url  span
	host int32
}

// group returns the group of a document; -1 for none.
func (t *table) group(d int32) int32 { return t.groups.at(d) }

// hostOf returns the host of a URL, by number.
func (t *table) hostOf(url int32) int32 { return t.urls.at(url).host }

// document finds a document by its number.
func (t *table) document(id int64) (int32, bool) {
	n := id & (1<<32 - 1)
	if len(t.byNumber) == 0 {
		d, ok := sort.Find(t.documents.len(), func(d int) int {
			return cmp.Compare(id, t.documents.id(int32(d))) //nolint:gosec // there are fewer than 2^31
		})
		return int32(d), ok //nolint:gosec // there are fewer than 2^31
	}
	if n >= int64(t.byNumber.len()) {
		return 0, false
	}
	d := t.byNumber.at(int32(n)) //nolint:gosec // it was bounded just now
	return d, d >= 0 && int(d) < t.documents.len() && t.documents.id(d) == id
}

// compareGroups orders pages before all others, and keeps groups together.
func (t *table) compareGroups(a, b int32) int {
	x, y := t.documents.at(a), t.documents.at(b)
	if x.isPage() != y.isPage() {
		if x.isPage() {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(t.group(a), t.group(b)), cmp.Compare(a, b))
}

// capturesOf returns the captures of a document, by URL and time.
func (t *table) capturesOf(d int32) numbers { return t.of.part(t.begin.at(d), t.begin.at(d+1)) }

// isPage reports whether a document is a hit at page level.
func (d *document) isPage() bool { return d.kind < 2 } // page, text

// text returns a string of the table; "" if the file is damaged.
func (t *table) text(s span) string {
	if s.length == 0 || s.at > uint64(len(t.texts)) || uint64(s.length) > uint64(len(t.texts))-s.at {
		return ""
	}
	return string(t.texts[s.at : s.at+uint64(s.length)])
}

// place returns the original place of a revisit's payload; nil for none.
func (t *table) place(origin span) *captures.Place {
	text := t.text(origin)
	if text == "" {
		return nil
	}
	p := &captures.Place{}
	if json.Unmarshal([]byte(text), p) != nil { // it was read before it was stored: the file is damaged
		return &captures.Place{}
	}
	return p
}

// name returns a name by number; "" if the file is damaged.
func name(all []string, n int32) string {
	if n < 0 || int(n) >= len(all) {
		return ""
	}
	return all[n]
}
