package inspect

import (
	"bytes"

	"quire/format/warc"
)

// judgeBlock compares the block with its digest (ISO 28500:2017, 5.8). Where they differ, content
// changed after it was written, or another is stated for it.
//
// Revisit records are another matter: wget (1.21 at least, with --warc-dedup) states the digest of
// no bytes in all of them, and Webrecorder (2017) that of the response which the revisit stands
// for, body and all. The block is the HTTP head as sent, and nothing says that it is not whole.
func (o *payloadObserver) judgeBlock(e *entry) {
	if !o.block.on || o.block.fits() {
		return
	}
	stated := e.warc.Get(warc.FieldBlockDigest)
	switch {
	case e.kind != warc.TypeRevisit:
		o.fault(FaultDigestBlock, "WARC-Block-Digest is %s, the block gives %s", stated, o.found(&o.block))
	case o.block.wantsNothing():
		o.fault(FaultDigestBlockRevisit, "WARC-Block-Digest is %s, which is that of no bytes; the block gives %s",
			stated, o.found(&o.block))
	default:
		o.fault(FaultDigestBlockRevisit, "WARC-Block-Digest is %s, the block gives %s", stated, o.found(&o.block))
	}
}

// wantsNothing says whether the digest that is looked for is that of no bytes.
func (c *check) wantsNothing() bool {
	return bytes.Equal(c.want.Sum, warc.NewHash(c.want.Algorithm).Sum(nil))
}

// ofBlock says whether the payload digest is that of the block, head included: warcprox writes its
// requests so, and WAIL all of its records.
func (o *payloadObserver) ofBlock() bool {
	return o.block.on && o.block.want.Algorithm == o.raw.want.Algorithm &&
		bytes.Equal(o.block.want.Sum, o.raw.want.Sum) && o.block.fits()
}
