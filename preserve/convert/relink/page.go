package relink

import (
	"errors"

	"quire/format/fault"
)

// Style says who wrote the links.
type Style uint8

// The styles.
const (
	// Plain: links lead from file to file, and nothing else is known.
	Plain Style = iota
	// HTTrack: as its options -K0 (the default), -K and -K3 have it, which can be told from the
	// links themselves.
	HTTrack
	// HTTrackOriginal: with option -K4 or -%p, by which links are left as they were. Nothing in a
	// page tells that.
	HTTrackOriginal
	// HTTrackProxy: with option -K5, by which absolute links name saved files. That can be told
	// only of hosts with a port.
	HTTrackProxy
	// Wget: options -k and -K, -E or not.
	Wget
)

func (s Style) isHTTrack() bool { return s == HTTrack || s == HTTrackOriginal || s == HTTrackProxy }

// Page is a document in a mirror.
type Page struct {
	File string // path within the mirror, slash-separated: "www.example.org/index.html"
	URL  string // its own, on the web; "" when it is not known
	MIME string // text/html, application/xhtml+xml, image/svg+xml or text/css, with parameters or not
	// Lookup gives the URL of a saved file, by its path within the mirror. The path is as the link
	// has it, percent escapes removed; where that is no file, as the link has it. nil knows none.
	Lookup func(savedPath string) (url string, ok bool)
	Style  Style
	// Footer is what the option -%F of HTTrack says, with %s or {names} for what it fills in; "" is
	// the usual one. Only a comment can be found again.
	Footer string
	Report fault.Sink // takes what the scanners could not read; may be nil
}

// ErrMIME says that documents of this type have no links that can be turned back.
var ErrMIME = errors.New("neither HTML nor CSS")

// Result tells what was done. Each link is Changed, Kept or Unresolved.
type Result struct {
	Links      int
	Changed    int
	Kept       int // absolute, or a fragment, or from the root of the host: they mean on the web what they meant
	Unresolved int // and left as they are
	Insertions int // of the crawler, removed
	// LateBase: a base element with an address stands behind links that were resolved without it.
	LateBase bool
	List     []Unresolved // the first MaxList
}

// MaxList is how many unresolved links are listed.
const MaxList = 100

// Unresolved is a link that stands as it was.
type Unresolved struct {
	Offset int64  // in the document as it was
	Raw    string // its text; of a long one the first MaxRaw bytes
	Reason Reason
}

// MaxRaw is how much is kept of the text of an unresolved link.
const MaxRaw = 256

// Reason says why a link was not turned back.
type Reason string

// The reasons.
const (
	// NotSaved: no saved file has this path. Where the crawler does not rewrite an attribute
	// (HTTrack 3.49-4: srcset) the link is the original one, and right as it stands.
	NotSaved Reason = "no saved file has this path"
	// QueryAlone: the link is a query and no path, which crawlers that rewrite it turn into a path.
	QueryAlone Reason = "a query without a path"
	// QueryDiffers: the link has a query that the file of this path was not got with, and HTTrack
	// gives each its own file. So the link is likely one that it did not rewrite, and right as it
	// stands.
	QueryDiffers Reason = "the saved file is of another query"
	// LeadsOut: the path leads out of the mirror.
	LeadsOut Reason = "the path leads out of the mirror"
	// LocalFile: a file: URL, or a path with a drive letter.
	LocalFile Reason = "a file on the machine that crawled"
	// TooLong: the scanner keeps only the beginning.
	TooLong Reason = "too long to be read"
	// Overlap: what is written into a srcdoc or a list would lie over what was written before.
	Overlap Reason = "lies within another link"
)

func (r *Result) unresolved(offset int64, raw []byte, why Reason) {
	r.Unresolved++
	if len(r.List) < MaxList {
		r.List = append(r.List, Unresolved{offset, string(raw[:min(len(raw), MaxRaw)]), why})
	}
}
