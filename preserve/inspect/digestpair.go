package inspect

// Most bytes of a record belong to its block and its payload. While the block digest waits for the
// payload observer's turn, both are computed at once.

// digestBlock writes a chunk of the block to the block digest, now or together with the payload.
func (o *payloadObserver) digestBlock(p []byte) {
	if o.block.on && o.raw.on && o.block.want.Algorithm == sha1Name && o.raw.want.Algorithm == sha1Name {
		o.waiting = p
		return
	}
	o.block.Write(p) //nolint:errcheck // a hash never fails
}

// digestPayload writes bytes of the payload to its digest. If they are the end of the waiting chunk,
// they go to the block digest, too.
func (o *payloadObserver) digestPayload(p []byte) {
	head := len(o.waiting) - len(p)
	if len(p) == 0 || head < 0 || &o.waiting[head] != &p[0] {
		o.raw.Write(p) //nolint:errcheck // a hash never fails
		return
	}
	o.block.Write(o.waiting[:head]) //nolint:errcheck // a hash never fails
	o.pair.Write(o.block.hash, o.raw.hash, p)
	o.waiting = nil
}

// finishBlock writes the chunk that still waits.
func (o *payloadObserver) finishBlock() {
	if o.waiting != nil {
		o.block.Write(o.waiting) //nolint:errcheck // a hash never fails
		o.waiting = nil
	}
}

// sha1Name is the name of SHA-1 in a parsed digest.
const sha1Name = "sha1"
