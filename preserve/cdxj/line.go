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

// Line is a capture: what a record of a container says, and where it lies.
type Line struct {
	// what lines are sorted by: the URL in SURT form, with what a request sent (format/surt,
	// docs/reference/535_capture-index.md)
	Key       string
	Timestamp string // of the capture, UTC, 14 digits; "" when the record has no date, or none that these can tell
	// of the capture, as the record states it; "" where it states none, or a file of version 1 does
	// not have it
	Date      string
	Order     int64  // of the record in the container, from 1
	Type      string // of the record: response, resource, revisit, conversion
	ID        string // of the record, with its angle brackets; "" when it has none
	URL       string // as the record writes it, byte for byte
	MIME      string // as declared, without parameters, in lower case; "" when it has not the form of one
	Status    int    // of the answer; 0 when there is none
	Method    string // of the request, when it was not GET
	Location  string // where the answer sent the reader, absolute; "" when it sent him nowhere
	Truncated string // why the crawler kept a part only
	// content codings of the payload as it lies there, as they were applied; "" when they cannot be
	// undone
	Coding  string
	Chunked bool // the body is chunked, as its head says (not in files of version 1)
	Flaw    Flaw // why its payload cannot stand for that of others (not in files of version 1)
	// it is no capture for readers: it has no date or no URL, or is no web resource (not in files
	// of version 1)
	Unlisted bool

	// of the payload, as stated where a reading of it has that, otherwise as computed; of a
	// revisit, what it states
	Digest  string
	Digests []string // that are true of the payload; none of a revisit
	Size    int64    // of the payload, in bytes, without transfer coding

	RefersToURI  string // of a revisit: the URL whose payload it stands for
	RefersToDate string // and when that was captured, 14 digits

	Offset   int64  // in the file as stored: of the member, when the record lies alone in one
	Stored   int64  // bytes that it takes there; -1 when it does not lie alone in a member
	Inflated int64  // first byte in what the file holds when it is inflated
	Length   int64  // bytes of the record there: header, block and the line breaks behind it
	Head     int64  // bytes of the block before the body: the HTTP head
	Body     int64  // bytes of the block behind it, as stored, transfer coding and all
	SHA256   string // of these, hex
}

// Reasons why a record that is a capture has no line, or has one that does not say all. They are
// counted.
const (
	LeftCut     = "the record breaks off"
	LeftSegment = "one segment of several"
	LeftNoURL   = "it has no URL"
	LeftNoDate  = "it has no date"
	LeftLong    = "its URL has more than 32 KiB"
	LeftWebsite = "no web resource (dns, whois)"
	// such a one has a line, by its URL alone
	LeftRequests = "its request may have sent something: there were too many to remember"
	// such a one has a line, without the id
	LeftID = "its id has more than 4 KiB"
)

// unlisted are the reasons of those that have a line all the same, for who keeps lists of records
// and not of pages.
var unlisted = []string{LeftNoURL, LeftNoDate, LeftWebsite}

// reasons are all of them: a file of lines that counts others is none of ours.
var reasons = []string{LeftCut, LeftSegment, LeftNoURL, LeftNoDate, LeftLong, LeftWebsite, LeftRequests, LeftID}

// Bounds of what stands in a line, in bytes: lines are read into memory.
const (
	MaxURL = 32 << 10
	maxID  = 4 << 10

	maxDate = 64
)

// maxKey bounds a key, in bytes. Of one that is longer the beginning is kept, and a digest of all
// of it: it is found by its URL as before, but no longer sorts among others beyond the bound. No
// other key has a "#" in it.
const maxKey = 4096

// Key is the key of a URL, and of what a request with another method than GET sent for it.
func Key(url, method, bodyType string, body []byte) string {
	if method != "" && method != "GET" {
		url = surt.WithRequest(url, method, bodyType, body)
	}
	return Bounded(surt.Key(url))
}

// Bounded keeps keys within their bound.
func Bounded(key string) string {
	if len(key) <= maxKey {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return key[:maxKey-70] + "#" + hex.EncodeToString(sum[:])
}

const timestampLayout = "20060102150405"

// timestampOf is the date of a record as lines have it; "" when there is none that 14 digits can
// tell.
func timestampOf(r *model.Record) string {
	if at := r.Date.UTC(); !r.Date.IsZero() && at.Year() >= 0 && at.Year() <= 9999 {
		return at.Format(timestampLayout)
	}
	return ""
}

// leftOut says why a record is no capture that could be shown.
func leftOut(r *model.Record) string {
	switch {
	case len(r.URI) > MaxURL:
		return LeftLong
	case r.Segment != "":
		return LeftSegment
	case r.Length < 0 || r.Body == nil:
		return LeftCut
	}
	return whyUnlisted(r.URI, timestampOf(r))
}

// whyUnlisted says why a record is no capture for readers.
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

// lineFor makes the line of a record. The pass was to tell its body and its content.
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
	l.Status, _ = strconv.Atoi(r.Status) // the pass gives a number, or nothing
	l.Location = locationOf(r, l.Status)
	stated := digestOf(r.PayloadDigest)
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
	if stated != "" && r.Body.Stated != model.ReadNone { // otherwise it is of something else
		l.Digest = stated
		if !slices.Contains(l.Digests, stated) {
			l.Digests = append(l.Digests, stated)
		}
	} else if len(l.Digests) > 0 {
		l.Digest = l.Digests[0]
	}
	return l
}

// dateOf is the date as stated. One that is longer than dates are is told by its timestamp.
func dateOf(r *model.Record) string {
	if len(r.Dated) > maxDate || !utf8.ValidString(r.Dated) {
		return UsualDate(timestampOf(r))
	}
	return r.Dated
}

// UsualDate is how WARC writes a timestamp: a date that is written so does not stand in a line.
func UsualDate(timestamp string) string {
	at, err := time.Parse(timestampLayout, timestamp)
	if err != nil {
		return ""
	}
	return at.Format("2006-01-02T15:04:05Z")
}

// Host is the host of the URL, in lower case, without user or port; "" when there is none.
func (l *Line) Host() string { return inspect.Host(l.URL) }

// maxTruncated is how much is kept of what a crawler says of its stopping, in bytes.
const maxTruncated = 100

// digestOf writes a digest in one way, however it was stated.
func digestOf(stated string) string {
	d, err := warc.ParseDigest(stated)
	if err != nil {
		return ""
	}
	return warc.FormatDigest(d.Algorithm, d.Sum)
}

// codingOf is what is on the payload beside its framing. What could not be undone is not told:
// nobody should try on the word of a server.
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
	slices.Reverse(codings) // as they were applied
	return strings.Join(codings, ", ")
}

// locationOf is where a redirect leads, as browsers read it.
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

// mimeOf is the media type as declared, when it has the form of one.
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

// isMIME says whether a text has the form of a media type (RFC 9110, 8.3.1), in lower case.
func isMIME(s string) bool {
	return len(s) <= 127 && strings.Count(s, "/") == 1 &&
		strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789!#$&'*+-.^_`|~%/") == ""
}
