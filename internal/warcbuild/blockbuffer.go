package warcbuild

import "quire/internal/held"

// BlockBuffer holds the bytes of one block until its digests and its length are known, because they
// precede it in a WARC.
type BlockBuffer = held.Block
