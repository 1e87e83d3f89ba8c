package inspect

import (
	"bytes"

	"quire/format/warc"
)

// judgeBlock compares the block with its digest (ISO 28500:2017, 5.8). A difference means that the
// content changed after it was written, or that the stated digest is wrong.
//
// Revisit records are an exception. wget (at least 1.21, with --warc-dedup) states the digest of
// zero bytes in all of them. Webrecorder (2017) states the digest of the whole response that the
// revisit represents. The block is the HTTP head as sent, and this difference does not show damage.
func (o *payloadObserver) judgeBlock(e *entry) {
	if !o.block.on || o.block.fits() {
		return
	}
	stated := e.warc.Get(warc.FieldBlockDigest)
	switch {
	case e.kind != warc.TypeRevisit:
		o.fault(FaultDigestBlock, "WARC-Block-Digest is %s, but the block has %s", stated, o.found(&o.block))
	case o.block.wantsNothing():
		o.fault(FaultDigestBlockRevisit, "WARC-Block-Digest is %s, the digest of zero bytes, but the "+
			"block has %s",
			stated, o.found(&o.block))
	default:
		o.fault(FaultDigestBlockRevisit, "WARC-Block-Digest is %s, but the block has %s", stated, o.found(&o.block))
	}
}

// wantsNothing reports whether the stated digest is the digest of zero bytes.
func (c *check) wantsNothing() bool {
	return bytes.Equal(c.want.Sum, warc.NewHash(c.want.Algorithm).Sum(nil))
}

// ofBlock reports whether the payload digest was computed over the whole block. warcprox writes
// such digests in requests, and WAIL in all records.
func (o *payloadObserver) ofBlock() bool {
	return o.block.on && o.block.want.Algorithm == o.raw.want.Algorithm &&
		bytes.Equal(o.block.want.Sum, o.raw.want.Sum) && o.block.fits()
}
