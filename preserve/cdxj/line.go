package cdxj

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quire/format/surt"
	"quire/format/warc"
	"quire/format/weburl"
	"quire/model"
	"quire/preserve/inspect"
)

// Line is a capture: the data of a record and its position in the container.
type Line struct {
	// the sort key: the URL in SURT form, with the data that a request sent (format/surt,
	// docs/reference/535_capture-index.md)
	Key       string
	Timestamp string // of the capture, UTC, 14 digits; "" if the record has no date, or one that these cannot express
	// of the capture, as the record states it; "" if not stated, or in a file of version 1
	Date      string
	Order     int64  // of the record in the container, from 1
	Type      string // of the record: response, resource, revisit, conversion; of a later segment, continuation
	ID        string // of the record, with its angle brackets; "" if it has none
	URL       string // as written in the record, byte for byte
	MIME      string // as declared, without parameters, in lower case; "" if malformed
	Status    int    // status of the answer; 0 if there is none
	Method    string // of the request, if not GET
	Location  string // absolute URL to which the capture redirects; "" if there is none
	Truncated string // why the crawler kept only a part
	// content codings of the payload as stored, in the order applied; "" if they cannot be undone
	Coding  string
	Chunked bool // the body is chunked, as its head states (not in version 1)
	Flaw    Flaw // why its payload cannot serve for other captures (not in version 1)
	// not a capture for readers: no date, no URL, or not a web resource (not in version 1)
	Unlisted bool

	// of one part of a segmented record (version 3): its number, from 1, otherwise 0. Such a line
	// describes the part alone: body, lengths and SHA-256 are of its block, and it has no digests.
	Segment int64
	Origin  string // id of the first segment, with its angle brackets; of later segments
	Total   int64  // length of all blocks, as the last segment states it; 0 if not stated
	Stated  string // payload digest that the first segment states: of the whole

	// of the payload: the stated digest if it was verified in any reading, otherwise the computed
	// one; of a revisit, the stated one
	Digest  string
	Digests []string // verified digests of the payload; none for a revisit
	Size    int64    // of the payload, in bytes, without transfer coding

	RefersToURI  string // of a revisit: the URL of the capture with its payload
	RefersToDate string // and the time of that capture, 14 digits

	Offset   int64  // in the stored file: of the member, if the record is alone in one
	Stored   int64  // its stored size; -1 if it is not alone in a member
	Inflated int64  // offset of its first byte in the inflated file
	Length   int64  // inflated size: header, block and the line breaks after it
	Head     int64  // bytes of the block before the body: the HTTP head
	Body     int64  // bytes of the block after the head, as stored, with transfer coding
	SHA256   string // of the body, hex
}

// Reasons why a capture has no line, or an incomplete one. They are counted.
const (
	LeftCut     = "the record breaks off"
	LeftSegment = "one segment of several"
	LeftNoURL   = "it has no URL"
	LeftNoDate  = "it has no date"
	LeftLong    = "its URL has more than 32 KiB"
	LeftWebsite = "no web resource (dns, whois)"
	// such a record has a line; the key of the line is made from the URL alone
	LeftRequests = "its request may have sent something: there were too many to remember"
	// such a record has a line, without the id
	LeftID = "its id has more than 4 KiB"
)

// unlisted are the reasons of records that still have a line, for lists of records rather than of
// pages.
var unlisted = []string{LeftNoURL, LeftNoDate, LeftWebsite}

// reasons are all reasons: an index with any other reason is not one of Quire's.
var reasons = []string{LeftCut, LeftSegment, LeftNoURL, LeftNoDate, LeftLong, LeftWebsite, LeftRequests, LeftID}

// The limits of texts in a line, in bytes: lines are read into memory.
const (
	MaxURL = 32 << 10
	maxID  = 4 << 10

	maxDate = 64
)

// maxKey bounds a key, in bytes. A longer key keeps its beginning, followed by "#" and a digest of
// the whole. It is still found by its URL, but does not sort among other keys beyond the limit. No
// other key has a "#".
const maxKey = 4096

// Key returns the key of a URL, with the data that a request by a method other than GET sent.
func Key(url, method, bodyType string, body []byte) string {
	if method != "" && method != "GET" {
		url = surt.WithRequest(url, method, bodyType, body)
	}
	return Bounded(surt.Key(url))
}

// Bounded shortens a key to the limit.
func Bounded(key string) string {
	if len(key) <= maxKey {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return key[:maxKey-70] + "#" + hex.EncodeToString(sum[:])
}

const timestampLayout = "20060102150405"

// timestampOf returns the date of a record as lines have it, or "" if 14 digits cannot express it.
func timestampOf(r *model.Record) string {
	if at := r.Date.UTC(); !r.Date.IsZero() && at.Year() >= 0 && at.Year() <= 9999 {
		return at.Format(timestampLayout)
	}
	return ""
}

// leftOut returns why a record is not a capture that can be shown.
func leftOut(r *model.Record) string {
	switch {
	case len(r.URI) > MaxURL:
		return LeftLong
	case r.Segment != "" && segmentOf(r) == 0:
		return LeftSegment
	case r.Length < 0 || r.Body == nil:
		return LeftCut
	case r.Segment != "":
		return "" // a line of its own kind, also without a date
	}
	return whyUnlisted(r.URI, timestampOf(r))
}

// segmentOf returns the number of a segment that can be joined with others, or 0. The first segment
// has an id, and the others name it. Revisits have no content to join.
func segmentOf(r *model.Record) int64 {
	n, err := strconv.ParseInt(r.Segment, 10, 64)
	switch {
	case err != nil || n < 1 || n > maxSegment:
		return 0
	case n == 1 && r.Type != warc.TypeContinuation && r.Type != warc.TypeRevisit && isID(r.ID):
		return n
	case n > 1 && r.Type == warc.TypeContinuation && isID(r.SegmentOrigin):
		return n
	}
	return 0
}

// maxSegment bounds the number of a segment.
const maxSegment = 1 << 20

// isID reports whether an id of a record can join segments.
func isID(id string) bool { return id != "" && len(id) <= maxID && utf8.ValidString(id) }

// ListedAs sets whether the line is one for readers. Lines of joined segments need it: it depends on the URL and
// the date of the first.
func (l *Line) ListedAs() { l.Unlisted = whyUnlisted(l.URL, l.Timestamp) != "" }

// whyUnlisted returns why a record is not a capture for readers.
func whyUnlisted(url, timestamp string) string {
	switch scheme, _, _ := strings.Cut(url, ":"); {
	case url == "":
		return LeftNoURL
	case strings.EqualFold(scheme, "dns"), strings.EqualFold(scheme, "whois"):
		return LeftWebsite
	case timestamp == "":
		return LeftNoDate
	}
	return ""
}

// lineFor makes the line of a record. The pass must report its body and its content.
func lineFor(r *model.Record) *Line {
	l := &Line{
		Key: Key(r.URI, "", "", nil), Timestamp: timestampOf(r), Order: r.Order, Type: r.Type, ID: r.ID, URL: r.URI,
		MIME: mimeOf(r),
		Date: dateOf(r), Truncated: inspect.Shorten(r.Truncated, maxTruncated), Coding: codingOf(r.Body),
		Size:   r.Payload,
		Offset: r.Offset, Stored: r.Stored, Inflated: r.Inflated, Length: r.Length, Head: r.Block - r.Payload,
		Body:   r.Payload,
		SHA256: hex.EncodeToString(r.Body.SHA256[:]),
	}
	l.Status, _ = strconv.Atoi(r.Status) // the pass returns a number, or ""
	l.Location = locationOf(r, l.Status)
	stated := digestOf(r.PayloadDigest)
	if l.Segment = segmentOf(r); l.Segment > 0 {
		l.segment(r, stated)
		return l
	}
	if r.Type == warc.TypeRevisit {
		l.Digest = stated
		if len(r.RefersToURI) <= MaxURL {
			l.RefersToURI = r.RefersToURI
		}
		if at, err := warc.ParseDate(r.RefersToDate); err == nil && l.RefersToURI != "" {
			l.RefersToDate = at.UTC().Format(timestampLayout)
		}
		return l
	}
	switch {
	case r.Content != nil:
		l.Size, l.Chunked = r.Content.Length, r.Content.Framed
		l.Digests = append(l.Digests, warc.FormatDigest("sha1", r.Content.SHA1[:]),
			warc.FormatDigest("sha256", r.Content.SHA256[:]))
	case r.Body.Whole && slices.Equal(r.Body.Removed, []string{"chunked"}):
		l.Size = r.Body.ServedLength
	}
	if stated != "" && r.Body.Stated != model.ReadNone { // otherwise the digest is of other bytes
		l.Digest = stated
		if !slices.Contains(l.Digests, stated) {
			l.Digests = append(l.Digests, stated)
		}
	} else if len(l.Digests) > 0 {
		l.Digest = l.Digests[0]
	}
	return l
}

// segment sets the members of one part of a segmented record.
func (l *Line) segment(r *model.Record, stated string) {
	if l.Coding, l.Chunked = "", false; l.Segment == 1 {
		l.Stated = stated
	} else {
		l.Origin = r.SegmentOrigin
	}
	if total, err := strconv.ParseInt(r.SegmentTotal, 10, 64); err == nil && total > 0 {
		l.Total = total
	}
}

// dateOf returns the date as stated. If it is longer than a date can be, the timestamp replaces it.
func dateOf(r *model.Record) string {
	if len(r.Dated) > maxDate || !utf8.ValidString(r.Dated) {
		return UsualDate(timestampOf(r))
	}
	return r.Dated
}

// UsualDate returns a timestamp in the form that WARC uses. A line does not store a date that has
// this form.
func UsualDate(timestamp string) string {
	at, err := time.Parse(timestampLayout, timestamp)
	if err != nil {
		return ""
	}
	return at.Format("2006-01-02T15:04:05Z")
}

// Host returns the host of the URL, in lower case, without user or port. It returns "" if there is
// no host.
func (l *Line) Host() string { return inspect.Host(l.URL) }

// maxTruncated bounds the crawler's reason for truncation, in bytes.
const maxTruncated = 100

// digestOf writes a digest in one form, however it was stated.
func digestOf(stated string) string {
	d, err := warc.ParseDigest(stated)
	if err != nil {
		return ""
	}
	return warc.FormatDigest(d.Algorithm, d.Sum)
}

// codingOf returns the content codings of the payload. Codings that cannot be undone are omitted:
// no reader should try them just because a server declared them.
func codingOf(b *model.Body) string {
	if !b.Whole {
		return ""
	}
	var codings []string
	for _, c := range b.Removed {
		if c != "chunked" {
			codings = append(codings, c)
		}
	}
	slices.Reverse(codings) // in the order applied
	return strings.Join(codings, ", ")
}

// locationOf returns the target of a redirect, as browsers read it.
func locationOf(r *model.Record, status int) string {
	if r.Location == "" || status < 300 || status > 399 || status == 304 {
		return ""
	}
	base, err := weburl.Parse(r.URI, nil, nil)
	if err != nil {
		return ""
	}
	to, err := weburl.Parse(r.Location, base, nil)
	if err != nil || len(to.String()) > MaxURL {
		return ""
	}
	return to.String()
}

// mimeOf returns the declared media type, if it is well-formed.
func mimeOf(r *model.Record) string {
	declared := r.ServedType
	if declared == "" && r.Type != warc.TypeResponse && r.Type != warc.TypeRevisit {
		declared = r.ContentType
	}
	mime, _, _ := strings.Cut(declared, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	if !isMIME(mime) {
		return ""
	}
	return mime
}

// isMIME reports whether a text has the form of a media type (RFC 9110, 8.3.1), in lower case.
func isMIME(s string) bool {
	return len(s) <= 127 && strings.Count(s, "/") == 1 &&
		strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789!#$&'*+-.^_`|~%/") == ""
}
