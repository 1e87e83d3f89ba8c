package inspect

import (
	"cmp"
	"strings"
	"time"

	"quire/format/arc"
	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
	"quire/preserve/identify"
)

// entry is one record of either format, as the observers see it.
type entry struct {
	offset      int64
	id          string // WARC-Record-ID; in an ARC, the URL
	kind        string // record type; in an ARC "filedesc", "response" or "resource"
	uri         string
	contentType string // of the block; in an ARC, what the server declared
	date        time.Time
	size        int64 // declared bytes of the block, -1 when not declared
	read        int64 // bytes of the block that were there
	cut         bool  // the block ended before its time
	info        bool  // describes the container: a warcinfo or the version block

	warc *warc.Record // nil in an ARC
	arc  *arc.Record  // nil in a WARC

	// Set by the payload observer.
	http    *http1.Head // head of the HTTP message, nil when there is none
	payload int64       // bytes of the block behind the HTTP head

	body    *model.Body       // its digests as sent and as served; nil when they are not wanted
	content *model.Content    // the payload's digests; nil when they are not wanted
	format  *identify.Pending // what the content is; nil when it is not identified
	scan    *scanning         // whether it is infected; nil when it is not scanned
}

// reader is what both formats' readers are to the pass.
type reader interface {
	next() (*entry, error)             // io.EOF after the last
	chunk(limit int64) ([]byte, error) // of the present entry's block; io.EOF, io.ErrUnexpectedEOF
	// bytes of the block, once it is over: fewer than went by when a length swallowed records
	held() int64
	close() (stored int64, err error) // the bytes the present entry takes in the file, -1 when they cannot be told
	finish(*container)                // adds what the format knows of the whole file
}

// warcReader reads the entries of a WARC file.
type warcReader struct {
	r       *warc.Reader
	rec     *warc.Record
	entry   entry
	version []string
}

func (w *warcReader) next() (*entry, error) {
	rec, err := w.r.Next()
	if err != nil {
		return nil, err
	}
	w.rec = rec
	kind := Shorten(strings.ToLower(rec.Type()), maxName)
	w.entry = entry{
		offset: rec.Offset, id: rec.ID(), kind: kind, uri: rec.TargetURI(), contentType: rec.Get(warc.FieldContentType),
		size: rec.ContentLength, info: kind == warc.TypeWarcinfo, warc: rec,
	}
	w.entry.date, _ = rec.Date() // the structure observer reports a bad one
	w.noteVersion(rec.Version)
	return &w.entry, nil
}

func (w *warcReader) noteVersion(v string) {
	for _, known := range w.version {
		if known == v {
			return
		}
	}
	if len(w.version) < 16 {
		w.version = append(w.version, v)
	}
}

func (w *warcReader) chunk(limit int64) ([]byte, error) { return w.rec.Chunk(limit) }

func (w *warcReader) held() int64 { return w.rec.BlockRead }

func (w *warcReader) close() (int64, error) {
	err := w.rec.Close()
	return w.rec.Length, err
}

func (w *warcReader) finish(c *container) { c.Versions = w.version }

// partial says whether the record itself declares that its block is not the whole message: it was
// truncated by the crawler (ISO 28500:2017, 5.15), or is one segment of several (clause 7).
func (e *entry) partial() bool {
	return e.warc != nil && (e.warc.Has(warc.FieldTruncated) || e.warc.Has(warc.FieldSegmentNumber))
}

// dated is the date as the record states it.
func (e *entry) dated() string {
	if e.warc != nil {
		return e.warc.Get(warc.FieldDate)
	}
	return e.arc.Date
}

// blockAt is where the block begins: bytes from the record's own first, inflated.
func (e *entry) blockAt() int64 {
	if e.warc != nil {
		return int64(len(e.warc.Raw()))
	}
	return e.arc.BlockAt()
}

// servedType is the media type of what the entry carries, as it was declared: that of the HTTP
// answer, or of a record that is none.
func (e *entry) servedType() string {
	if e.http != nil {
		return e.http.Get("Content-Type")
	}
	if _, isHTTP := e.isHTTP(); isHTTP && e.warc != nil {
		return "" // a message without a head
	}
	return e.contentType
}

// typeName is the record's type for a message: "a typeless record" where it states none.
func (e *entry) typeName() string { return cmp.Or(e.kind, "typeless") }

// isHTTP says whether the entry's block is an HTTP message, and of which kind.
func (e *entry) isHTTP() (http1.Kind, bool) {
	if e.warc == nil {
		return http1.Response, e.kind == warc.TypeResponse
	}
	media, params, _ := strings.Cut(e.contentType, ";")
	if !strings.EqualFold(strings.TrimSpace(media), "application/http") {
		web := hasScheme(e.uri, "http") || hasScheme(e.uri, "https")
		return http1.Response, e.contentType == "" && e.kind == warc.TypeResponse && web
	}
	if e.kind == warc.TypeRequest || strings.Contains(strings.ToLower(params), "msgtype=request") {
		return http1.Request, true
	}
	return http1.Response, true
}

// hasScheme says whether the URI begins with the scheme and a colon.
func hasScheme(uri, scheme string) bool {
	return len(uri) > len(scheme) && uri[len(scheme)] == ':' && strings.EqualFold(uri[:len(scheme)], scheme)
}

// Host is the host of the URI, in lower case, without user or port; "" when there is none. In the
// names that crawlers give to what they write of themselves stands one that nobody asked
// (metadata://gnu.org/software/wget/warc/wget.log).
func Host(uri string) string {
	if hasScheme(uri, "metadata") {
		return ""
	}
	_, rest, ok := strings.Cut(uri, "://")
	if !ok {
		if rest, ok = strings.CutPrefix(uri, "dns:"); !ok {
			return ""
		}
		rest = strings.TrimLeft(rest, "/")
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:i]
	}
	return strings.ToLower(rest)
}
