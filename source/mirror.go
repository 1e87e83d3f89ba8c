package source

import (
	"context"
	"io"
	"iter"
	"time"

	"quire/model"
)

// Mirror is a harvest whose content lies in files and caches of its own rather than in containers:
// what HTTrack and wget save, what PANDAS keeps, a folder of files. It tells of each URL what is
// left of it; what becomes of that is decided above.
type Mirror interface {
	Harvest
	// Resources tells of each URL once, in an order that is the same each time: first by the
	// witnesses, then the files that no witness names. What cannot be read is a finding, told
	// through report. A Resource is valid until the next one.
	Resources(ctx context.Context, report func(model.Finding)) iter.Seq2[*Resource, error]
	// Artefacts tells what was made by the crawler or by people after it, and is no content: logs,
	// caches, inserted pictures. With the files that Resources name, each file of the harvest is
	// told of exactly once.
	Artefacts() []model.SourceFile
}

// Resource is what is left of one URL.
type Resource struct {
	URL     string // original, absolute; "" of a file whose URL nothing tells
	Assumed string // what of the URL is assumed, and from what: "scheme: the version wrote none"; "" when nothing is

	Time     time.Time // of the answer, UTC; zero when nothing tells
	TimeFrom string    // "header Date in hts-ioinfo.txt", "mtime of the file"; "" without a Time
	// Leeway is how far Time may be off, either way; 0 when it is known to the second.
	Leeway time.Duration

	Status   int    // of HTTP, below 0 the crawler's own code, 0 when nothing tells
	Reason   string // the server's words behind the status; "" when nothing tells
	Location string // that a redirect leads to, as the witness has it
	// media type as the server declared it, with its parameters where they are known; "" when
	// nothing tells. Of a plain folder, as names suggest
	MIME  string
	Facts []model.Field
	Via   string // URL of the page that led to it

	Body Body
	// path within the source of the file that Body reads, where that is not File: a backup; ""
	// otherwise
	From      string
	Copy      Body // opens File where Body reads something else, a backup or a cache; nil where Body is of File
	Grade     Grade
	Rewritten bool  // the crawler changed links in the Body, or put something in: see Style
	Size      int64 // bytes of the Body; 0 without one
	Sent      int64 // bytes of the body as the server sent it; -1 when nothing tells

	File  string   // path within the source of the file as saved; "" when there is none
	Saved string   // path that the links of other pages use to lead here, within the mirror; "" when nothing leads here
	Why   []string // evidence: what the URL, the file and the grade were concluded from

	// Request and Response give the head as it crossed the wire, with its line ends as kept; nil
	// where nobody kept it.
	Request, Response func() ([]byte, error)
}

// Body opens the bytes of a Resource. It is nil when there are none.
type Body func() (io.ReadCloser, error)

// Grade says how near the bytes that are left are to those the server sent, transfer and content
// codings removed.
type Grade string

// The grades.
const (
	// OriginalEntity: kept apart by the crawler, untouched, with what the server said of it.
	OriginalEntity Grade = "original entity"
	// OriginalFile: a file on disk of a kind that the crawler does not change.
	OriginalFile Grade = "original file"
	// Differing: a file on disk whose size is not what the witnesses tell, cut off or changed
	// afterwards; or that the crawler may have changed in a way that cannot be undone.
	Differing Grade = "differing file"
	// LinksReconstructed: the crawler changed links on disk; they were turned back, which cannot be
	// proved byte by byte. A Mirror gives such a Resource as Rewritten; the conversion makes it
	// this grade.
	LinksReconstructed Grade = "links reconstructed"
	// Lost: the URL was fetched, or tried, and its bytes are not there. Status and Location may be.
	Lost Grade = "lost"
)

// Style says how a Mirror changes what it saves, so that it can be turned back.
type Style string

// The styles.
const (
	StyleNone Style = ""
	// comments and a meta element put in, links relative to the saved file, names made of the query
	StyleHTTrack Style = "httrack"
	StyleWget    Style = "wget" // links relative to the saved file, "?" written %3F
)

// Styled is a Mirror that changes what it saves.
type Styled interface{ Style() Style }

// Footed is a Mirror whose crawler was told what to put into each page.
type Footed interface{ Footer() string }
