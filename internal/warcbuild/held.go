package warcbuild

import "quire/internal/held"

// Held holds the bytes of one block until its digests and its length are known, because they
// precede it in a WARC.
type Held = held.Block
