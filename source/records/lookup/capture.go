package lookup

import (
	"encoding/binary"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"quire/format/http1"
	"quire/format/warc"
	"quire/format/weburl"
	"quire/model"
	"quire/source/records"
)

// Capture is one record with the content of a URL at one time, or a reference to it.
type Capture struct {
	URI       string // as written in the record
	Date      time.Time
	ID        string // WARC-Record-ID, with its angle brackets; or ""
	Type      string // of the record: response, resource, revisit
	Status    int    // of the HTTP response; or 0
	Location  string // of a redirect, as the server wrote it
	Container int    // number of the container, in the caller's numbering
	Offset    int64  // in it, as stored: of the record, or of its member
	Order     int64  // of the record in it, from 1; 0 if not counted
}

// Of returns the Capture of a record, after reading its HTTP head, and false if the record is not a
// capture.
func Of(r *records.Record, container int) (Capture, bool, error) {
	c := Capture{URI: r.URI, Date: r.Date, ID: r.ID, Type: r.Type, Container: container, Offset: r.Offset}
	if !c.check() {
		return Capture{}, false, nil
	}
	if r.Type == warc.TypeResource && r.WARC != nil {
		return c, true, nil // its block is the content itself, with any beginning (6.4)
	}
	m, err := http1.ReadMessage(r, http1.Response)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // no part of the response was kept
		return c, true, nil
	case err != nil:
		return c, true, err
	case m.Head != nil:
		c.Status, c.Location = m.Head.StatusCode, m.Head.Get("Location")
	}
	return c, true, nil
}

// Seen returns the Capture of a WARC record that the pass reported, and false if it is not a
// capture.
func Seen(r *model.Record, container int) (Capture, bool) {
	c := Capture{URI: r.URI, Date: r.Date, ID: r.ID, Type: r.Type, Container: container, Offset: r.Offset,
		Order: r.Order}
	if !c.check() {
		return Capture{}, false
	}
	if r.Type != warc.TypeResource {
		c.Status, _ = strconv.Atoi(r.Status) // "" without an HTTP response
		c.Location = r.Location
	}
	return c, true
}

// check reports whether this can be the capture of a page.
func (c *Capture) check() bool {
	if len(c.ID) > maxText {
		c.ID = "" // a truncated id would be a different one
	}
	switch c.Type {
	case warc.TypeResponse, warc.TypeResource, warc.TypeRevisit:
		return c.URI != "" && !strings.HasPrefix(c.URI, "dns:") && !strings.HasPrefix(c.URI, "whois:")
	}
	return false
}

// isPage reports whether the record has the requested content, or confirms that it was unchanged (a
// revisit; 304 with one).
func (c *Capture) isPage() bool {
	switch {
	case c.isRedirect():
		return false
	case c.Type == warc.TypeRevisit:
		return c.Status < 400
	}
	return c.Status == 0 || c.Status >= 200 && c.Status < 300
}

// isRedirect reports whether the response is a redirect (RFC 9110, 15.4).
func (c *Capture) isRedirect() bool {
	switch c.Status {
	case 300, 301, 302, 303, 307, 308:
		return c.Location != ""
	}
	return false
}

// target returns the normalized target URL of a redirect, and false if the server sent no valid
// one.
func (c *Capture) target() (string, bool) {
	if !c.isRedirect() {
		return "", false
	}
	return weburl.Redirected(c.URI, c.Location)
}

// normal returns the form of a URL used for sorting captures. It leaves a URL unchanged that the
// URL Standard does not accept.
func normal(uri string) string {
	if n, ok := weburl.Normal(uri); ok {
		return n
	}
	return uri
}

// maxText is the maximum length of a stored URL. Longer URLs are truncated: sheets never name such
// URLs, and browsers never follow them.
const maxText = 64 << 10

// key returns the sort key: by URL, then by time.
func (c *Capture) key() []byte {
	n := normal(c.URI)
	b := append([]byte(n[:min(len(n), maxText)]), 0)
	return binary.BigEndian.AppendUint64(b, uint64(c.Date.UnixMilli())^1<<63)
}

const timeInKey = 8

// urlOf returns the URL at the start of a key.
func urlOf(key []byte) []byte { return key[:len(key)-timeInKey-1] }

func (c *Capture) value() []byte {
	b := binary.AppendVarint(nil, c.Date.UnixMilli())
	b = binary.AppendUvarint(b, uint64(c.Container))
	b = binary.AppendVarint(b, c.Offset)
	b = binary.AppendVarint(binary.AppendVarint(b, c.Order), int64(c.Status))
	for _, s := range []string{c.URI, c.ID, c.Type, c.Location} {
		s = s[:min(len(s), maxText)]
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	return b
}

func parse(b []byte) Capture {
	number := func() int64 {
		n, size := binary.Varint(b)
		b = b[size:]
		return n
	}
	unsigned := func() int {
		n, size := binary.Uvarint(b)
		b = b[size:]
		return int(n)
	}
	text := func() string {
		n := unsigned()
		s := string(b[:n])
		b = b[n:]
		return s
	}
	var c Capture
	c.Date = time.UnixMilli(number()).UTC() // to the millisecond; the zero time remains zero
	c.Container, c.Offset, c.Order, c.Status = unsigned(), number(), number(), int(number())
	c.URI, c.ID, c.Type, c.Location = text(), text(), text(), text()
	return c
}
