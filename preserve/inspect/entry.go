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

// entry is one record of either format, for the observers.
type entry struct {
	offset      int64
	id          string // WARC-Record-ID; in an ARC, the URL
	kind        string // record type; in an ARC "filedesc", "response" or "resource"
	uri         string
	contentType string // of the block; in an ARC, as the server declared
	date        time.Time
	size        int64 // declared size of the block, -1 if not declared
	read        int64 // bytes of the block that were read
	cut         bool  // the block ended early
	info        bool  // describes the container: warcinfo or version block

	warc *warc.Record // nil for an ARC
	arc  *arc.Record  // nil for a WARC

	// Set by the payload observer.
	http    *http1.Head // head of the HTTP message; nil if none
	payload int64       // bytes of the block after the HTTP head

	body    *model.Body       // its digests as sent and as served; nil if not required
	content *model.Content    // the payload's digests; nil if not required
	format  *identify.Pending // the format; nil if not identified
	scan    *scanning         // the scan; nil if not scanned
}

// reader is the common interface of both formats' readers.
type reader interface {
	next() (*entry, error)             // io.EOF after the last
	chunk(limit int64) ([]byte, error) // of the current block; io.EOF, io.ErrUnexpectedEOF
	// size of the block at its end: less than was read if a wrong length included other records
	held() int64
	close() (stored int64, err error) // size of the current entry in the file, -1 if not known
	finish(*container)                // adds the format's facts about the whole file
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
	w.entry.date, _ = rec.Date() // the structure observer reports invalid dates
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

// partial reports whether the record declares that its block is not the whole message: the crawler
// truncated it (ISO 28500:2017, 5.15), or it is one segment of several (clause 7).
func (e *entry) partial() bool {
	return e.warc != nil && (e.warc.Has(warc.FieldTruncated) || e.warc.Has(warc.FieldSegmentNumber))
}

// dated returns the date as the record states it.
func (e *entry) dated() string {
	if e.warc != nil {
		return e.warc.Get(warc.FieldDate)
	}
	return e.arc.Date
}

// blockAt returns the offset of the block from the start of the record, inflated.
func (e *entry) blockAt() int64 {
	if e.warc != nil {
		return int64(len(e.warc.Raw()))
	}
	return e.arc.BlockAt()
}

// servedType returns the declared media type of the content. The HTTP response declares it, or the
// record if it has no HTTP message, or the URL-record line of an ARC if neither does.
func (e *entry) servedType() string {
	if e.http != nil {
		return e.headType()
	}
	if _, isHTTP := e.isHTTP(); isHTTP && e.warc != nil {
		return e.lineType() // a message without a head
	}
	return e.contentType
}

// typeName returns the record's type for messages, or "typeless" if the record has no type.
func (e *entry) typeName() string { return cmp.Or(e.kind, "typeless") }

// isHTTP reports whether the entry's block is an HTTP message, and the kind of this message.
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

// hasScheme reports whether the URI begins with the scheme and a colon.
func hasScheme(uri, scheme string) bool {
	return len(uri) > len(scheme) && uri[len(scheme)] == ':' && strings.EqualFold(uri[:len(scheme)], scheme)
}

// Host returns the host of the URI, in lower case, without user or port; "" if there is none. The
// names of crawlers' own records contain a host that was not crawled
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
