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

// Capture is one record that holds, or names, what was at a URL once.
type Capture struct {
	URI       string // as the record writes it
	Date      time.Time
	ID        string // WARC-Record-ID, with its angle brackets; "" where there is none
	Type      string // of the record: response, resource, revisit
	Status    int    // of the HTTP answer; 0 when there is none
	Location  string // of a redirect, as the server wrote it
	Container int    // which container of the source, as the caller counts
	Offset    int64  // in it, as stored: of the record, or of the member that it begins
	Order     int64  // of the record in it, from 1; 0 where nobody counted
}

// Of makes a Capture of a record, of which the HTTP head is read; false when the record is none.
func Of(r *records.Record, container int) (Capture, bool, error) {
	c := Capture{URI: r.URI, Date: r.Date, ID: r.ID, Type: r.Type, Container: container, Offset: r.Offset}
	if !c.check() {
		return Capture{}, false, nil
	}
	if r.Type == warc.TypeResource && r.WARC != nil {
		return c, true, nil // its block is the content itself, whatever it begins with (6.4)
	}
	m, err := http1.ReadMessage(r, http1.Response)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // nothing was kept of the answer
		return c, true, nil
	case err != nil:
		return c, true, err
	case m.Head != nil:
		c.Status, c.Location = m.Head.StatusCode, m.Head.Get("Location")
	}
	return c, true, nil
}

// Seen makes a Capture of a record of a WARC that the pass saw go by; false when it is none.
func Seen(r *model.Record, container int) (Capture, bool) {
	c := Capture{URI: r.URI, Date: r.Date, ID: r.ID, Type: r.Type, Container: container, Offset: r.Offset,
		Order: r.Order}
	if !c.check() {
		return Capture{}, false
	}
	if r.Type != warc.TypeResource {
		c.Status, _ = strconv.Atoi(r.Status) // "" where there was no answer of HTTP
		c.Location = r.Location
	}
	return c, true
}

// check says whether this can be the capture of a page.
func (c *Capture) check() bool {
	if len(c.ID) > maxText {
		c.ID = "" // part of one would be another
	}
	switch c.Type {
	case warc.TypeResponse, warc.TypeResource, warc.TypeRevisit:
		return c.URI != "" && !strings.HasPrefix(c.URI, "dns:") && !strings.HasPrefix(c.URI, "whois:")
	}
	return false
}

// isPage says whether the record has what was asked for, or says that it was as it had been (a
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

// isRedirect says whether the answer leads on (RFC 9110, 15.4).
func (c *Capture) isRedirect() bool {
	switch c.Status {
	case 300, 301, 302, 303, 307, 308:
		return c.Location != ""
	}
	return false
}

// target is the URL that a redirect leads to, in its normal form; false when the server wrote none
// that is one.
func (c *Capture) target() (string, bool) {
	if !c.isRedirect() {
		return "", false
	}
	return weburl.Redirected(c.URI, c.Location)
}

// normal is the form of a URL by which captures are sorted; one that the URL Standard does not take
// stays as it is.
func normal(uri string) string {
	if n, ok := weburl.Normal(uri); ok {
		return n
	}
	return uri
}

// maxText is how long a URL may be that is kept. Longer ones are cut: no sheet names one, and no
// browser follows one.
const maxText = 64 << 10

// key sorts by URL, then by time.
func (c *Capture) key() []byte {
	n := normal(c.URI)
	b := append([]byte(n[:min(len(n), maxText)]), 0)
	return binary.BigEndian.AppendUint64(b, uint64(c.Date.UnixMilli())^1<<63)
}

const timeInKey = 8

// urlOf gives the URL that a key begins with.
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
	c.Date = time.UnixMilli(number()).UTC() // to the millisecond; the zero time comes back as such
	c.Container, c.Offset, c.Order, c.Status = unsigned(), number(), number(), int(number())
	c.URI, c.ID, c.Type, c.Location = text(), text(), text(), text()
	return c
}
