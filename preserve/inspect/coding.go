package inspect

import (
	"strings"

	"quire/format/fault"
	"quire/format/http1"
	"quire/format/httpcoding"
)

// contentCoding removes the content codings (gzip, br …) of a streamed body. This is needed to
// detect that a coding does not decode, that a payload digest is of the decoded body, and the
// format of the content.
type contentCoding struct {
	o        *payloadObserver
	decoder  *httpcoding.Decoder
	on       bool
	codings  []string
	bomb     bool  // it unpacks to too much, and decoding was stopped
	transfer bool  // all are transfer codings
	decoded  check // WARC-Payload-Digest, compared with the body without its content codings
	excess   int64 // of the bodies of this container so far
}

// The limits for all bodies of a container together, beyond httpcoding.FairRatio times their size:
// a number of bytes, and a multiple of the file size so far. Each body has its own limit in
// httpcoding. Without this limit, a small file could contain thousands of bombs just below that
// one. Ordinary pages do not use any of it.
const (
	freeExcess    = 512 << 20
	excessPerByte = 100
)

// partialContent is the status of an answer with only part of a representation.
const partialContent = 206

func newContentCoding(o *payloadObserver) *contentCoding {
	c := &contentCoding{o: o, decoder: httpcoding.NewDecoder()}
	c.decoder.Report = c.fault
	return c
}

// begin resets the state for a new record.
func (c *contentCoding) begin() {
	c.on, c.decoded.on, c.codings, c.transfer, c.bomb = false, false, nil, false, false
}

// start decides whether the body after h is decoded. Part of a representation (206) begins and ends
// anywhere, so its coding cannot be checked.
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

// codingsOf lists the codings of the body without its chunked framing, in the order in which they
// were applied: content codings, and the rare transfer codings (RFC 9112, 7.2). An entity has no
// transfer codings. So for a body with these, the standard means the digest of the decoded payload.
func codingsOf(h *http1.Head) []string {
	codings := h.ContentCodings()
	transfer := h.TransferCodings()
	if h.Chunked() {
		transfer = transfer[:len(transfer)-1]
	}
	return append(codings, transfer...)
}

// Write adds bytes of the body, without its framing. It fails only if the listener fails.
func (c *contentCoding) Write(p []byte) (int, error) {
	if c.on {
		return c.decoder.Write(p)
	}
	return len(p), nil
}

// plain receives the body without its codings.
type plain struct{ c *contentCoding }

func (w plain) Write(p []byte) (int, error) {
	w.c.decoded.Write(p) //nolint:errcheck // a hash never fails
	w.c.o.formats.decoded(p)
	w.c.o.scans.show(readServed, p)
	return len(p), w.c.o.served(p)
}

// end is called at the end of the body, after the checks of its framing and length.
func (c *contentCoding) end() error {
	if !c.on {
		return nil
	}
	err := c.decoder.Close()
	c.excess += c.decoder.Excess()
	return err
}

// stop releases a body when the pass ends in the middle.
func (c *contentCoding) stop() { c.decoder.Stop() }

// fault reports a fault of the coding. It ignores faults of a body that is known to be short, since
// they are expected.
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

// digest returns the check that compares the payload digest with the decoded body. It returns nil
// if there is no such check.
func (c *contentCoding) digest() *check {
	if c.on && c.decoded.on && (c.decoder.Decoded() || c.o.current.partial() && c.decoder.Size() > 0) {
		return &c.decoded
	}
	return nil
}

// names returns the codings for reports.
func (c *contentCoding) names() string { return Shorten(strings.Join(c.codings, ", "), 100) }
