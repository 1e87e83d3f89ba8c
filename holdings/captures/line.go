package captures

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"quire/preserve/capturelines"
)

// Line is a capture as it is put into the index, with what later finds the payload of a revisit.
type Line struct {
	Capture

	Digests      []string // of the payload, as far as they are known to be true of it; none of a revisit, whose Capture.Digest is what it states
	RefersToURI  string   // of a revisit: the URL whose payload it stands for
	RefersToDate string   // and when that was captured, 14 digits
}

// keyOf is the key of a URL with what a request sent.
func keyOf(url string, q *Query) string {
	if q == nil {
		return capturelines.Key(url, "", "", nil)
	}
	return capturelines.Key(url, q.Method, q.BodyType, q.Body)
}

// written is the object of a line of captures. The first members are there in each line, in this order: [scanHead] reads them without
// reading the rest. Members that CDXJ knows have its names.
type written struct {
	In        int64     `json:"in"` // the container's number, in index.json
	Order     int64     `json:"order"`
	Type      string    `json:"type"`
	Status    int       `json:"status"`
	MIME      string    `json:"mime,omitempty"`
	URL       string    `json:"url"`
	URLBytes  []byte    `json:"urlBytes,omitempty"` // instead, when it is not UTF-8
	Method    string    `json:"method,omitempty"`
	Digest    string    `json:"digest,omitempty"`
	Redirect  string    `json:"redirect,omitempty"`
	Size      int64     `json:"size"` // of the payload
	Truncated bool      `json:"truncated,omitempty"`
	Refers    string    `json:"refers,omitempty"`   // of a revisit: key and timestamp of what it stands for, as it says itself
	Original  *original `json:"original,omitempty"` // of a revisit: what it stands for, when it was indexed
	place
}

// place is where a record lies in its container.
type place struct {
	Offset   int64  `json:"offset"`
	Length   int64  `json:"length"` // as stored; -1 when it does not lie alone in a member
	Inflated int64  `json:"inflated"`
	Head     int64  `json:"head"`
	Body     int64  `json:"body"`
	SHA256   string `json:"sha256,omitempty"`
	Viral    bool   `json:"viral,omitempty"`
}

// original is the object of a line of payloads: a record that holds what revisits stand for.
type original struct {
	In       int64  `json:"in"`
	Order    int64  `json:"order"`
	Status   int    `json:"status,omitempty"`
	MIME     string `json:"mime,omitempty"`
	URL      string `json:"url"`
	URLBytes []byte `json:"urlBytes,omitempty"`
	Size     int64  `json:"size"`
	place

	timestamp string // stands before the object
}

// encodeLine writes the lines of one record: that of the capture, and those of its payload by each digest.
func encodeLine(in int64, l *Line) (capture []byte, payloads [][]byte, err error) {
	at := place{Offset: l.Record.Offset, Length: l.Record.Stored, Inflated: l.Record.Inflated, Head: l.Record.Head, Body: l.Record.Body,
		SHA256: l.Record.SHA256, Viral: l.Record.Viral}
	w := written{In: in, Order: l.Record.Order, Type: l.Type, Status: l.Status, MIME: l.MIME, Method: l.Method, Digest: l.Digest,
		Redirect: l.Location, Size: l.Length, Truncated: l.Truncated, place: at}
	w.URL, w.URLBytes = text(l.URL)
	if l.Type == typeRevisit && l.RefersToURI != "" && len(l.RefersToDate) == 14 {
		w.Refers = keyOf(l.RefersToURI, nil) + " " + l.RefersToDate
	}
	key := cmp.Or(l.Key, keyOf(l.URL, nil))
	if capture, err = lineOf(key+" "+l.Timestamp, w); err != nil {
		return nil, nil, err
	}
	for _, digest := range l.Digests {
		o := original{In: in, Order: w.Order, Status: w.Status, MIME: w.MIME, URL: w.URL, URLBytes: w.URLBytes, Size: w.Size, place: at}
		payload, err := lineOf(digest+" "+key+" "+l.Timestamp, o)
		if err != nil {
			return nil, nil, err
		}
		payloads = append(payloads, payload)
	}
	return capture, payloads, nil
}

// text gives a text that JSON can hold, or else its bytes.
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
	if err := e.Encode(object); err != nil { // it writes the line break, too
		return nil, err
	}
	return b.Bytes(), nil
}

// cutLine cuts a line of captures into its key, timestamp and object.
func cutLine(line []byte) (key, timestamp, object []byte, ok bool) {
	i := bytes.IndexByte(line, ' ')
	if i < 1 || len(line) < i+1+14+2 || line[i+15] != ' ' {
		return nil, nil, nil, false
	}
	return line[:i], line[i+1 : i+15], line[i+16:], true
}

// head is what stands at the beginning of an object.
type head struct {
	in, order int64
	kind      []byte
	status    int
}

// scanHead reads the first members of an object: a hundred times as fast as reading all of it, and most lines are only looked at.
func scanHead(object []byte) (h head, ok bool) {
	rest := object
	if h.in, rest, ok = member(rest, `{"in":`); !ok {
		return h, false
	}
	if h.order, rest, ok = member(rest, `,"order":`); !ok {
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

// member reads a number behind its name.
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

// place makes the words of those who read of what stands in a line.
func (p *place) place(c *Container, order int64) Place {
	return Place{Package: c.Package, Container: c.Path, Order: order, Offset: p.Offset, Stored: p.Length, Inflated: p.Inflated, Head: p.Head,
		Body: p.Body, SHA256: p.SHA256, Viral: p.Viral}
}

// payload is where the payload of a revisit lies.
func (o *original) payload(c *Container) *Place {
	p := o.place.place(c, o.Order)
	p.URL, p.Timestamp, p.Harvest = o.url(), o.timestamp, c.Harvest
	return &p
}

func (o *original) url() string {
	if o.URLBytes != nil {
		return string(o.URLBytes)
	}
	return o.URL
}

// decodeLine makes a capture of a line; what it stands for is not looked for.
func decodeLine(line []byte, known map[int64]*Container) (*Capture, *written, error) {
	key, timestamp, object, ok := cutLine(line)
	var w written
	if ok {
		ok = w.unmarshal(object) == nil
	}
	c := known[w.In]
	if !ok || c == nil {
		return nil, nil, fmt.Errorf("a line of the capture index cannot be read: %.200q: make it again (quire index --rebuild)", line)
	}
	url := w.URL
	if w.URLBytes != nil {
		url = string(w.URLBytes)
	}
	return &Capture{Key: string(key), Timestamp: string(timestamp), URL: url, Method: w.Method, Type: w.Type, MIME: w.MIME, Status: w.Status,
		Digest: w.Digest, Location: w.Redirect, Length: w.Size, Truncated: w.Truncated, Package: c.Package, Harvest: c.Harvest,
		Record: w.place.place(c, w.Order)}, &w, nil
}

// positionOf is how the line of a capture begins: as far as lines are told apart.
func positionOf(key, timestamp string, in, order int64) []byte {
	return append(strconv.AppendInt(append(strconv.AppendInt([]byte(key+" "+timestamp+` {"in":`), in, 10), `,"order":`...), order, 10), ',')
}
