package provider

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"quire/metadata/xmlstream"
	"quire/oai/protocol"
)

// answer is the document that answers one request. It is written without an XML encoder, because it
// contains records as their backends wrote them; every value is escaped by xmlstream. Elements have
// no prefix, and the default namespace is that of OAI-PMH, because some harvesters search for
// "record" by name.
//
// The first bytes are sent at the first call of begin or conditions, so that the status can still
// report an error before.
type answer struct {
	p       *Provider
	request *request
	w       http.ResponseWriter
	control *http.ResponseController
	gz      *gzip.Writer // nil if the client does not accept gzip
	zip     bool
	buf     []byte
	begun   bool
	sent    bool      // at least one byte
	at      time.Time // time of the request: later changes belong to the next harvest
	open    protocol.Verb
	err     error // of the client's connection
}

// flushSize is the number of bytes collected for one write.
const flushSize = 32 << 10

var answers = sync.Pool{New: func() any { return &answer{buf: make([]byte, 0, flushSize+flushSize/4)} }}

// zippers are compressors. Data that are harvested once do not justify more than the fastest level.
var zippers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // the level is valid
	return z
}}

func newAnswer(p *Provider, w http.ResponseWriter, r *http.Request) *answer {
	a := answers.Get().(*answer)
	*a = answer{p: p, w: w, at: p.opt.Now(), control: http.NewResponseController(w),
		zip: wantsGzip(r.Header.Values("Accept-Encoding")), buf: a.buf[:0]}
	return a
}

func (a *answer) release() {
	if a.gz != nil {
		a.gz.Reset(io.Discard)
		zippers.Put(a.gz)
	}
	*a = answer{buf: a.buf[:0]}
	if cap(a.buf) <= 8*flushSize {
		answers.Put(a)
	}
}

// begin writes the head of the document (clause 3.2).
func (a *answer) begin() {
	if a.begun {
		return
	}
	a.begun = true
	h := a.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "no-cache")
	if a.zip {
		h.Set("Content-Encoding", "gzip")
		a.gz = zippers.Get().(*gzip.Writer)
		a.gz.Reset(a.w)
	}
	a.raw(head)
	a.buf = protocol.AppendDatestamp(a.buf, a.at)
	a.raw("</responseDate>\n<request")
	for _, arg := range a.request.args {
		a.raw(" " + arg.name + `="`)
		a.buf, _ = xmlstream.AppendAttr(a.buf, arg.value)
		a.raw(`"`)
	}
	a.raw(">")
	a.text(a.p.opt.BaseURL)
	a.raw("</request>\n")
}

// head starts every document. Validators expect the schema first in schemaLocation, with the prefix
// xsi.
const head = `<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="` + protocol.Namespace +
	`" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="` +
	protocol.Namespace + ` ` + protocol.SchemaLocation + `">
<responseDate>`

// beginVerb writes the head and the start tag of the verb's element.
func (a *answer) beginVerb() {
	a.begin()
	a.open = a.request.verb
	a.raw("<" + string(a.open) + ">\n")
}

// conditions answers with errors.
func (a *answer) conditions(list []condition) {
	a.begin()
	for _, c := range list {
		a.raw(`<error code="` + string(c.code) + `">`)
		a.text(c.text)
		a.raw("</error>\n")
	}
}

// close ends the document and sends all of it.
func (a *answer) close() error {
	if a.open != "" {
		a.raw("</" + string(a.open) + ">\n")
	}
	a.raw("</OAI-PMH>\n")
	a.flush()
	if a.gz != nil && a.err == nil {
		a.err = a.gz.Close()
	}
	if a.sent {
		_ = a.control.SetWriteDeadline(time.Time{}) // not every server supports deadlines
	}
	return a.err
}

// clientFailed reports whether sending to the client failed.
func (a *answer) clientFailed() bool { return a.err != nil }

func (a *answer) raw(s string) { a.buf = append(a.buf, s...) }

func (a *answer) text(s string) { a.buf, _ = xmlstream.AppendText(a.buf, s) }

func (a *answer) element(name, text string) {
	a.raw("<" + name + ">")
	a.text(text)
	a.raw("</" + name + ">\n")
}

// comment writes a comment for people. It must not contain two adjacent hyphens or end in one (XML
// 1.0, clause 2.5).
func (a *answer) comment(text string) {
	a.raw("<!-- ")
	a.raw(strings.ReplaceAll(xmlstream.Sanitize(text), "--", "-%2D"))
	a.raw(" -->\n")
}

// piece writes a part of a rendered record, which may be large.
func (a *answer) piece(b []byte) {
	if len(b) < flushSize/2 {
		a.buf = append(a.buf, b...)
		a.flushFull()
		return
	}
	a.flush()
	a.send(b)
}

func (a *answer) flushFull() {
	if len(a.buf) >= flushSize {
		a.flush()
	}
}

func (a *answer) flush() {
	a.send(a.buf)
	a.buf = a.buf[:0]
}

// send writes to the client within a time limit.
func (a *answer) send(b []byte) {
	if a.err != nil || len(b) == 0 {
		return
	}
	a.sent = true
	_ = a.control.SetWriteDeadline(time.Now().Add(a.p.opt.Stall)) // not every server supports deadlines
	if a.gz != nil {
		_, a.err = a.gz.Write(b)
		return
	}
	_, a.err = a.w.Write(b)
}

// push flushes the bytes so far to the client before slow work.
func (a *answer) push() {
	if !a.begun {
		return
	}
	a.flush()
	if a.gz != nil && a.err == nil {
		a.err = a.gz.Flush()
	}
	if a.err == nil {
		_ = a.control.Flush() // not every server supports it
	}
}

// resumption writes the element that ends an incomplete list, or, without a token, the last part of
// one (clause 3.5).
func (a *answer) resumption(token string, cursor, size int64) {
	a.raw("<resumptionToken")
	if size > 0 {
		a.raw(` completeListSize="`)
		a.buf = strconv.AppendInt(a.buf, size, 10)
		a.raw(`"`)
	}
	a.raw(` cursor="`)
	a.buf = strconv.AppendInt(a.buf, cursor, 10)
	a.raw(`">` + token + "</resumptionToken>\n")
}

// wantsGzip parses Accept-Encoding (RFC 9110, clause 12.5.3).
func wantsGzip(values []string) bool {
	wants := false
	for _, v := range values {
		for part := range strings.SplitSeq(v, ",") {
			coding, weight, _ := strings.Cut(part, ";")
			coding = strings.ToLower(strings.TrimSpace(coding))
			refused := isZero(weight)
			switch coding {
			case "gzip", "x-gzip":
				return !refused
			case "*":
				wants = !refused
			}
		}
	}
	return wants
}

// isZero reports whether a weight is q=0, with any number of decimals.
func isZero(weight string) bool {
	q, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(weight)), "q=")
	return ok && strings.HasPrefix(q, "0") && strings.Trim(q, "0.") == ""
}
