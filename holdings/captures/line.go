package captures

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"quire/internal/secret"
	"quire/preserve/cdxj"
)

// Line is a capture to be indexed, with the data for finding the payload of a revisit.
type Line struct {
	Capture

	RefersToURI  string // of a revisit: the URL of its original
	RefersToDate string // and the date of its original, 14 digits
}

// keyOf returns the key of a URL with the request body.
func keyOf(url string, q *Query) string {
	url = secret.Without(url) // also those in the query, which would be part of the key
	if q == nil {
		return cdxj.Key(url, "", "", nil)
	}
	return cdxj.Key(url, q.Method, q.BodyType, q.Body)
}

// keyOfLine returns the key of a capture: the one in the package, unless the URL has a password, which
// that key may have. A request with a body keeps its key, because the body is not known here.
func keyOfLine(l *Line) string {
	if l.Key == "" || l.Method == "" && secret.Without(l.URL) != l.URL {
		return keyOf(l.URL, nil)
	}
	return l.Key
}

// written is the object of a captures line. Each line has the first members, in this order:
// [scanHead] reads only these. Members known to CDXJ have its names.
type written struct {
	In        int64  `json:"in"` // number of the container in index.json
	Order     int64  `json:"order"`
	Type      string `json:"type"`
	Status    int    `json:"status"`
	MIME      string `json:"mime,omitempty"`
	URL       string `json:"url"`
	URLBytes  []byte `json:"urlBytes,omitempty"` // instead of URL, if not UTF-8
	Method    string `json:"method,omitempty"`
	Digest    string `json:"digest,omitempty"`
	Redirect  string `json:"redirect,omitempty"`
	Size      int64  `json:"size"` // of the payload
	Truncated bool   `json:"truncated,omitempty"`
	Why       string `json:"why,omitempty"` // reason for truncation
	ID        string `json:"id,omitempty"`
	IDBytes   []byte `json:"idBytes,omitempty"`
	Date      string `json:"date,omitempty"` // if it differs from the timestamp in WARC form
	Coding    string `json:"coding,omitempty"`
	Chunked   bool   `json:"chunked,omitempty"`
	Flaw      Flaw   `json:"flaw,omitempty"`
	SHA1      string `json:"sha1,omitempty"`    // of the payload, computed
	Payload   string `json:"payload,omitempty"` // its SHA-256, hex, if the stored body has a different one
	Record    int64  `json:"record,omitempty"`  // bytes of the record
	// of a revisit: key and timestamp of its original, as stated
	Refers   string    `json:"refers,omitempty"`
	Original *original `json:"original,omitempty"` // of a revisit: its original, found while indexing
	place
}

// place is the position of a record in its container.
type place struct {
	Offset   int64  `json:"offset"`
	Length   int64  `json:"length"` // as stored; -1 if not alone in a member
	Inflated int64  `json:"inflated"`
	Head     int64  `json:"head"`
	Body     int64  `json:"body"`
	SHA256   string `json:"sha256,omitempty"`
	Viral    bool   `json:"viral,omitempty"`

	Segments []Segment `json:"segments,omitempty"`
}

// original is the object of a payloads line: a record that can be the original of revisits.
type original struct {
	In       int64  `json:"in"`
	Order    int64  `json:"order"`
	Status   int    `json:"status,omitempty"`
	MIME     string `json:"mime,omitempty"`
	URL      string `json:"url"`
	URLBytes []byte `json:"urlBytes,omitempty"`
	Size     int64  `json:"size"`
	place

	timestamp string // precedes the object
}

// encodeLine encodes the lines of one record: the captures line, and a payloads line for each
// digest.
func encodeLine(in int64, l *Line) (capture []byte, payloads [][]byte, err error) {
	at := place{Offset: l.Record.Offset, Length: l.Record.Stored, Inflated: l.Record.Inflated, Head: l.Record.Head,
		Body:   l.Record.Body,
		SHA256: l.Record.SHA256, Viral: l.Record.Viral, Segments: l.Record.Segments}
	w := written{In: in, Order: l.Record.Order, Type: l.Type, Status: l.Status, MIME: l.MIME, Method: l.Method,
		Digest:   l.Digest,
		Redirect: l.Location, Size: l.Length, Truncated: l.Truncated, Why: l.TruncatedBy, Coding: l.Coding,
		Chunked: l.Chunked, Flaw: l.Flaw,
		Record: l.Capture.Size, place: at}
	w.URL, w.URLBytes = text(l.URL)
	w.ID, w.IDBytes = text(l.ID)
	if l.Unlisted || l.Date != cdxj.UsualDate(l.Timestamp) {
		w.Date = l.Date
	}
	w.SHA1, w.Payload = cdxj.Computed(l.Digests, l.Record.SHA256)
	if l.Type == typeRevisit && l.RefersToURI != "" && len(l.RefersToDate) == 14 {
		w.Refers = keyOf(l.RefersToURI, nil) + " " + l.RefersToDate
	}
	key := whereOf(keyOfLine(l), l.Timestamp, l.Unlisted)
	if capture, err = lineOf(key, w); err != nil {
		return nil, nil, err
	}
	digests, kind := l.Digests, ""
	switch {
	case l.Unlisted:
		kind = ofUnlisted
	case l.Type == typeRevisit && l.Digest != "":
		digests, kind = []string{l.Digest}, ofRevisits
	}
	for _, digest := range digests {
		o := original{In: in, Order: w.Order, Status: w.Status, MIME: w.MIME, URL: w.URL, URLBytes: w.URLBytes,
			Size: w.Size, place: at}
		payload, err := lineOf(kind+digest+" "+key, o)
		if err != nil {
			return nil, nil, err
		}
		payloads = append(payloads, payload)
	}
	if w.Payload != "" {
		body, err := lineOf(ofBodies+w.SHA256+" "+key, pointer{in, w.Order})
		return capture, append(payloads, body), err
	}
	return capture, payloads, nil
}

// pointer is the object of a payloads line that only identifies the record.
type pointer struct {
	In    int64 `json:"in"`
	Order int64 `json:"order"`
}

// Prefixes of digests in payloads lines of records that cannot be originals of revisits.
const (
	ofBodies   = "=" // of the body as sent, if it differs from the payload: SHA-256, hex
	ofUnlisted = "!" // of an unlisted record
	ofRevisits = "?" // stated by a revisit
)

// Lines of unlisted records sort before all keys, because keys never contain this byte. A missing
// date is written as zeros.
const (
	unlistedMark = "\x01"
	noTimestamp  = "00000000000000"
)

// whereOf returns the part of a line before the object.
func whereOf(key, timestamp string, unlisted bool) string {
	if unlisted {
		return unlistedMark + key + " " + cmp.Or(timestamp, noTimestamp)
	}
	return key + " " + timestamp
}

// text returns a string valid in JSON, or else its bytes.
func text(s string) (string, []byte) {
	if utf8.ValidString(s) {
		return s, nil
	}
	return "", []byte(s)
}

func lineOf(words string, object any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(words + " ")
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(object); err != nil { // Encode also writes the line break
		return nil, err
	}
	return b.Bytes(), nil
}

// cutLine splits a captures line into key, timestamp and object.
func cutLine(line []byte) (key, timestamp, object []byte, ok bool) {
	i := bytes.IndexByte(line, ' ')
	if i < 1 || len(line) < i+1+14+2 || line[i+15] != ' ' {
		return nil, nil, nil, false
	}
	return line[:i], line[i+1 : i+15], line[i+16:], true
}

// head is the beginning of an object.
type head struct {
	in, order int64
	kind      []byte
	status    int
}

// scanPointer reads the record that an object belongs to: the first members of any object.
func scanPointer(object []byte) (h head, rest []byte, ok bool) {
	if h.in, rest, ok = member(object, `{"in":`); ok {
		h.order, rest, ok = member(rest, `,"order":`)
	}
	return h, rest, ok
}

// scanHead reads the first members of an object. This is a hundred times as fast as decoding it,
// and suffices for most lines.
func scanHead(object []byte) (h head, ok bool) {
	h, rest, ok := scanPointer(object)
	if !ok {
		return h, false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"type":"`)); !ok {
		return h, false
	}
	end := bytes.IndexByte(rest, '"')
	if end < 0 {
		return h, false
	}
	h.kind = rest[:end]
	status, _, ok := member(rest[end+1:], `,"status":`)
	h.status = int(status)
	return h, ok
}

// member reads a number after its name.
func member(b []byte, name string) (n int64, rest []byte, ok bool) {
	if len(b) < len(name) || string(b[:len(name)]) != name {
		return 0, nil, false
	}
	b = b[len(name):]
	i := 0
	for ; i < len(b) && i < 18 && b[i] >= '0' && b[i] <= '9'; i++ {
		n = n*10 + int64(b[i]-'0')
	}
	return n, b[i:], i > 0
}

// place converts the place in a line to its public form.
func (p *place) place(c *Container, order int64) Place {
	return Place{Package: c.Package, Container: c.Path, Order: order, Offset: p.Offset, Stored: p.Length,
		Inflated: p.Inflated, Head: p.Head,
		Body: p.Body, SHA256: p.SHA256, Viral: p.Viral, Segments: p.Segments}
}

// payload returns the place of a revisit's payload.
func (o *original) payload(c *Container) *Place {
	p := o.place.place(c, o.Order)
	p.URL, p.Timestamp, p.Harvest = secret.Without(o.url()), o.timestamp, c.Harvest
	return &p
}

func (o *original) url() string { return either(o.URL, o.URLBytes) }

// either reverses text.
func either(s string, b []byte) string {
	if b != nil {
		return string(b)
	}
	return s
}

// decodeLine decodes a captures line; it does not look for the original of a revisit.
func decodeLine(line []byte, known map[int64]*Container) (*Capture, *written, error) {
	key, timestamp, object, ok := cutLine(line)
	var w written
	if ok {
		ok = w.unmarshal(object) == nil
	}
	c := known[w.In]
	if !ok || c == nil {
		return nil, nil, errLine(line)
	}
	out := &Capture{Key: string(key), Timestamp: string(timestamp), URL: secret.Without(either(w.URL, w.URLBytes)),
		Method: w.Method, Type: w.Type, MIME: w.MIME,
		Status: w.Status, Digest: w.Digest, Location: secret.Without(w.Redirect), Length: w.Size,
		Truncated: w.Truncated,
		ID:        either(w.ID, w.IDBytes), Date: w.Date,
		TruncatedBy: w.Why, Coding: w.Coding, Chunked: w.Chunked, Flaw: w.Flaw, Size: w.Record, Package: c.Package,
		Harvest: c.Harvest,
		Record:  w.place.place(c, w.Order)}
	if out.Key, out.Unlisted = strings.CutPrefix(out.Key, unlistedMark); out.Unlisted && out.Timestamp == noTimestamp {
		out.Timestamp = ""
	}
	if out.Date == "" && !out.Unlisted && c.Version >= Full {
		out.Date = cdxj.UsualDate(out.Timestamp)
	}
	if out.Type != typeRevisit {
		out.Digests = cdxj.DigestsOf(w.SHA1, w.Payload, w.SHA256, w.Digest)
	}
	return out, &w, nil
}

// positionOf returns the unique beginning of a captures line.
func positionOf(where string, in, order int64) []byte {
	return append(strconv.AppendInt(append(strconv.AppendInt([]byte(where+` {"in":`), in, 10), `,"order":`...), order,
		10), ',')
}
