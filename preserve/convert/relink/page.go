package relink

import (
	"errors"

	"quire/format/fault"
)

// Style is the program that wrote the links.
type Style uint8

// The styles.
const (
	// Plain means that links lead from file to file, and nothing else is known.
	Plain Style = iota
	// HTTrack means options -K0 (the default), -K and -K3, which can be recognized from the links.
	HTTrack
	// HTTrackOriginal means option -K4 or -%p, with links left unchanged. It cannot be recognized
	// from a page.
	HTTrackOriginal
	// HTTrackProxy means option -K5, with absolute links to saved files. It can be recognized only
	// for hosts with a port.
	HTTrackProxy
	// Wget means options -k and -K, with or without -E.
	Wget
)

func (s Style) isHTTrack() bool { return s == HTTrack || s == HTTrackOriginal || s == HTTrackProxy }

// Page is a document in a mirror.
type Page struct {
	File string // path within the mirror, slash-separated: "www.example.org/index.html"
	URL  string // its URL on the web; "" if not known
	MIME string // text/html, application/xhtml+xml, image/svg+xml or text/css, parameters allowed
	// Lookup returns the URL of a saved file by its path within the mirror. It is called with the
	// path of the link without percent escapes, and then with the path as written. nil knows no
	// files.
	Lookup func(savedPath string) (url string, ok bool)
	Style  Style
	// Footer is the text of HTTrack's option -%F, with its placeholders %s or {names}; "" is the
	// default. Only a comment can be found again.
	Footer string
	Report fault.Sink // receives the scanners' faults; may be nil
}

// ErrMIME reports that links in documents of this type cannot be restored.
var ErrMIME = errors.New("neither HTML nor CSS")

// Result counts the links and insertions. Each link is counted as Changed, Kept or Unresolved.
type Result struct {
	Links      int
	Changed    int
	Kept       int // absolute, or a fragment, or from the root of the host: still correct on the web
	Unresolved int // left unchanged
	Insertions int // of the crawler, removed
	// LateBase reports that a base element with an address follows links that were resolved without
	// it.
	LateBase bool
	List     []Unresolved // the first MaxList
}

// MaxList is how many unresolved links are listed.
const MaxList = 100

// Unresolved is a link that was not changed.
type Unresolved struct {
	Offset int64  // in the original document
	Raw    string // its text, at most MaxRaw bytes
	Reason Reason
}

// MaxRaw bounds the text of an unresolved link.
const MaxRaw = 256

// Reason is the reason why a link was not restored.
type Reason string

// The reasons.
const (
	// NotSaved: no saved file has this path. If the crawler does not rewrite an attribute (HTTrack
	// 3.49-4: srcset), the link is the original one and already correct.
	NotSaved Reason = "no saved file has this path"
	// QueryAlone means that the link is a query without a path. A crawler that rewrites such a link
	// changes it to a path.
	QueryAlone Reason = "a query without a path"
	// QueryDiffers means that the file at this path was fetched with a query that differs from the
	// query of the link. HTTrack saves a separate file for each query. So HTTrack probably did not
	// rewrite the link, and it is already correct.
	QueryDiffers Reason = "the saved file is of another query"
	// LeadsOut: the path leads out of the mirror.
	LeadsOut Reason = "the path leads out of the mirror"
	// LocalFile: a file: URL, or a path with a drive letter.
	LocalFile Reason = "a file on the machine that crawled"
	// TooLong: the scanner keeps only the beginning of the link.
	TooLong Reason = "too long to be read"
	// Overlap: the text to write into a srcdoc or a list overlaps an earlier change.
	Overlap Reason = "lies within another link"
)

func (r *Result) unresolved(offset int64, raw []byte, why Reason) {
	r.Unresolved++
	if len(r.List) < MaxList {
		r.List = append(r.List, Unresolved{offset, string(raw[:min(len(raw), MaxRaw)]), why})
	}
}
