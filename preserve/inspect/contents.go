package inspect

import (
	"crypto/sha1"
	"crypto/sha256"
	"hash"

	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
)

// contents computes digests of payloads, for comparisons. It digests the payloads of responses and
// resources, as sent and without chunked framing. It reuses digests that other observers compute of
// the same bytes. A nil contents digests nothing.
type contents struct {
	o       *payloadObserver
	body    hash.Hash // as sent, if it differs from the payload
	sha1    hash.Hash // of the payload
	sha256  hash.Hash
	length  int64
	on      bool
	chunked bool // declared
}

func newContents(wanted bool, o *payloadObserver) *contents {
	if !wanted {
		return nil
	}
	return &contents{o: o, body: sha256.New(), sha1: sha1.New(), sha256: sha256.New()}
}

// begin resets the state for a new record. Only complete captures have a payload to compare.
func (c *contents) begin(e *entry) {
	if c == nil {
		return
	}
	c.on = (e.kind == warc.TypeResponse || e.kind == warc.TypeResource) && !e.bodyAsSent()
	c.chunked, c.length = false, 0
	if c.on {
		c.body.Reset()
		c.sha1.Reset()
		c.sha256.Reset()
	}
}

// head receives the framing of the body.
func (c *contents) head(h *http1.Head) {
	if c.wanted() {
		c.chunked = h != nil && h.Chunked()
	}
}

func (c *contents) wanted() bool { return c != nil && c.on }

// framed reports whether the payload must be separated from its framing.
func (c *contents) framed() bool { return c.wanted() && c.chunked }

// sent receives bytes of the body as sent.
func (c *contents) sent(p []byte) {
	switch {
	case c.framed() && !c.o.bodies.on:
		c.body.Write(p) // a hash never fails
	case c.framed():
	case c.wanted():
		c.plain(p)
	}
}

// unframed receives bytes of the body without its framing.
func (c *contents) unframed(p []byte) {
	if c.framed() {
		c.plain(p)
	}
}

func (c *contents) plain(p []byte) {
	c.length += int64(len(p))
	if c.checked() == nil {
		c.sha1.Write(p) // a hash never fails
	}
	if c.chunked || !c.o.bodies.on {
		c.sha256.Write(p)
	}
}

// checked returns the check of the payload digest if this check also computes the SHA-1 of the
// payload. Otherwise it returns nil.
func (c *contents) checked() *check {
	k := &c.o.raw
	if c.chunked {
		k = &c.o.dechunked
	}
	if k.on && k.want.Algorithm == "sha1" {
		return k
	}
	return nil
}

// end records the digests of the entry. framed means that chunked framing was declared and found.
func (c *contents) end(e *entry, framed bool) {
	if !c.wanted() {
		return
	}
	found := &model.Content{Framed: c.chunked && framed, Length: c.length}
	if k := c.checked(); k != nil {
		k.hash.Sum(found.SHA1[:0])
	} else {
		c.sha1.Sum(found.SHA1[:0])
	}
	payload, body := c.sha256, c.sha256
	switch {
	case c.o.bodies.on && c.chunked:
		body = c.o.bodies.sent
	case c.o.bodies.on:
		payload, body = c.o.bodies.sent, c.o.bodies.sent
	case c.chunked:
		body = c.body
	}
	payload.Sum(found.SHA256[:0])
	body.Sum(found.Body[:0])
	e.content = found
}
