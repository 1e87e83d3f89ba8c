package source

import (
	"context"
	"io"
	"iter"
	"time"

	"quire/model"
)

// Mirror is a harvest with content in its own files and caches instead of containers: downloads of
// HTTrack and wget, instances of PANDAS, a folder of files. It describes the remains of each URL;
// higher levels decide their use.
type Mirror interface {
	Harvest
	// Resources yields each URL once, always in the same order: first the recorded URLs, then the
	// files without a record. Unreadable parts are findings, passed to report. A Resource is valid
	// until the next one.
	Resources(ctx context.Context, report func(model.Finding)) iter.Seq2[*Resource, error]
	// Artefacts returns the files that the crawler, or people later, added to the content: logs,
	// caches, inserted pictures. The files of Resources and of Artefacts together are all files of
	// the harvest, each exactly once.
	Artefacts() []model.SourceFile
}

// Resource has the remains of one URL.
type Resource struct {
	URL     string // original, absolute; "" for a file with an unknown URL
	Assumed string // assumed parts of the URL, with the reason: "scheme: the version wrote none"; or ""

	Time     time.Time // of the response, UTC; zero if unknown
	TimeFrom string    // "header Date in hts-ioinfo.txt", "mtime of the file"; "" without a Time
	// Leeway is the possible error of Time, either way; 0 means exact to the second.
	Leeway time.Duration

	Status   int    // of HTTP, below 0 the crawler's own code, 0 if unknown
	Reason   string // reason phrase after the status; "" if unknown
	Location string // target of a redirect, as recorded
	// media type as the server declared it, with its parameters if known; "" if unknown. In a plain
	// folder, derived from names
	MIME  string
	Facts []model.Field
	Via   string // URL of the page with the link to it

	Body Body
	// path within the source of the file that Body reads, if it is not File: a backup; else ""
	From      string
	Copy      Body // opens File if Body reads another file, a backup or a cache; else nil
	Grade     Grade
	Rewritten bool  // the crawler changed links in the Body, or inserted text: see Style
	Size      int64 // bytes of the Body; 0 without one
	Sent      int64 // bytes of the body as the server sent it, or announced it; -1 if unknown
	// Truncated is the reason for which the Body is not complete, as in WARC-Truncated: "disconnect",
	// "time", "length", "unspecified"; "" if no source states that it is truncated.
	Truncated string

	File  string   // path within the source of the saved file; or ""
	Saved string   // path in links of other pages to this resource, within the mirror; or ""
	Why   []string // evidence for the URL, the file and the grade

	// Request and Response return the header as sent and received, with the recorded line ends; nil
	// if not recorded.
	Request, Response func() ([]byte, error)
}

// Body opens the bytes of a Resource. It is nil if the Resource has no bytes.
type Body func() (io.ReadCloser, error)

// Grade is the degree to which the remaining bytes match the bytes that the server sent. Transfer
// and content codings are ignored in this comparison.
type Grade string

// The grades.
const (
	// OriginalEntity: the crawler stored it separately and unchanged, with the server's response
	// data.
	OriginalEntity Grade = "original entity"
	// OriginalFile: a file on disk of a type that the crawler does not change.
	OriginalFile Grade = "original file"
	// Differing: a file on disk with a different size than recorded, truncated or changed
	// afterwards; or with possible changes by the crawler that cannot be undone.
	Differing Grade = "differing file"
	// LinksReconstructed: the crawler changed links on disk, and the conversion restored them. The
	// restored bytes cannot be verified byte by byte. A Mirror marks such a Resource as Rewritten,
	// and the conversion assigns this grade.
	LinksReconstructed Grade = "links reconstructed"
	// Lost: the URL was fetched, or tried, but its bytes are missing. Status and Location may be
	// known.
	Lost Grade = "lost"
)

// Style is the way in which a Mirror changes saved files. The conversion needs it to revert the
// changes.
type Style string

// The styles.
const (
	StyleNone Style = ""
	// inserted comments and a meta element, links relative to the saved file, names derived from
	// the query
	StyleHTTrack Style = "httrack"
	StyleWget    Style = "wget" // links relative to the saved file, "?" written %3F
)

// Styled is a Mirror that changes the files that it saves.
type Styled interface{ Style() Style }

// Footed is a Mirror with a configured text that the crawler inserted into each page.
type Footed interface{ Footer() string }
