package inspect

import (
	"strings"

	"quire/format/fault"
	"quire/format/http1"
	"quire/format/httpcoding"
)

// contentCoding removes the content codings (gzip, br …) of a body that streams by: only so can be
// said that a coding does not decode, that a payload digest is of the decoded body, and in what
// format the content is.
type contentCoding struct {
	o        *payloadObserver
	decoder  *httpcoding.Decoder
	on       bool
	codings  []string
	bomb     bool  // it unpacks to so much that it was given up
	transfer bool  // they are all of the transfer
	decoded  check // WARC-Payload-Digest, read as the body without its content codings
	excess   int64 // of the bodies of this container, so far
}

// What the bodies of a container may unpack to in all, beyond httpcoding.FairRatio times what they
// have: so much, and so many times the bytes of the file until there. Each body has its own bound
// in httpcoding; without this one, a small file could hold thousands of bombs, each just below it.
// Nothing of it is used up by pages that are what they seem.
const (
	freeExcess    = 512 << 20
	excessPerByte = 100
)

// partialContent is the status of an answer with a part of a representation.
const partialContent = 206

func newContentCoding(o *payloadObserver) *contentCoding {
	c := &contentCoding{o: o, decoder: httpcoding.NewDecoder()}
	c.decoder.Report = c.fault
	return c
}

// begin forgets the record before.
func (c *contentCoding) begin() {
	c.on, c.decoded.on, c.codings, c.transfer, c.bomb = false, false, nil, false, false
}

// start decides whether the body behind h is decoded. A part of a representation (206) begins and
// ends where it likes, so that nothing can be said of its coding.
func (c *contentCoding) start(e *entry, h *http1.Head) bool {
	if h == nil || h.StatusCode == partialContent {
		return false
	}
	c.codings, c.transfer = codingsOf(h), len(h.ContentCodings()) == 0
	if len(c.codings) == 0 {
		return false
	}
	c.decoder.MaxExcess = max(1, freeExcess+excessPerByte*e.offset-c.excess)
	if c.decoder.Reset(c.codings, plain{c}) && c.o.raw.on {
		c.decoded.start(c.o.raw.want)
	}
	c.on = true
	return true
}

// codingsOf lists the codings that lie on the body once its chunked framing is off, in the order in
// which they were applied: those of the content, and the transfer codings that hardly anybody ever
// used (RFC 9112, 7.2). In no entity are the latter left, so that for such a body the decoded
// reading of a payload digest is the one the standard means.
func codingsOf(h *http1.Head) []string {
	codings := h.ContentCodings()
	transfer := h.TransferCodings()
	if h.Chunked() {
		transfer = transfer[:len(transfer)-1]
	}
	return append(codings, transfer...)
}

// Write takes some of the body, without its framing. It fails only where who listens does.
func (c *contentCoding) Write(p []byte) (int, error) {
	if c.on {
		return c.decoder.Write(p)
	}
	return len(p), nil
}

// plain is where the body goes without its codings.
type plain struct{ c *contentCoding }

func (w plain) Write(p []byte) (int, error) {
	w.c.decoded.Write(p) //nolint:errcheck // a hash never fails
	w.c.o.formats.decoded(p)
	w.c.o.scans.show(readServed, p)
	return len(p), w.c.o.bodies.asServed(p)
}

// end is called when the body is over, after what its framing and its length had to say.
func (c *contentCoding) end() error {
	if !c.on {
		return nil
	}
	err := c.decoder.Close()
	c.excess += c.decoder.Excess()
	return err
}

// stop lets go of a body in whose midst the pass ended.
func (c *contentCoding) stop() { c.decoder.Stop() }

// fault passes on what is wrong with the coding. Of a body that is known to be short, nothing else
// can be expected.
func (c *contentCoding) fault(f fault.Fault) {
	c.bomb = c.bomb || f.Code == httpcoding.CodingBomb
	if f.Code == httpcoding.CodingTruncated {
		for _, short := range []fault.Code{http1.BodyShort, http1.ChunkTruncated, http1.ChunkSyntax} {
			if c.o.seen[short] {
				return
			}
		}
	}
	c.o.bodyFault(f)
}

// digest is the reading of the payload digest as that of the decoded body; nil when there is no
// such reading.
func (c *contentCoding) digest() *check {
	if c.on && c.decoded.on && (c.decoder.Decoded() || c.o.current.partial() && c.decoder.Size() > 0) {
		return &c.decoded
	}
	return nil
}

// names are the codings, as a report names them.
func (c *contentCoding) names() string { return Shorten(strings.Join(c.codings, ", "), 100) }
