package inspect

import (
	"bytes"
	"hash"

	"quire/format/warc"
)

// check recomputes a digest.
type check struct {
	want   warc.Digest
	on     bool
	hash   hash.Hash
	hashes map[string]hash.Hash // by algorithm, reused for all records
}

func (c *check) start(want warc.Digest) {
	if c.hashes == nil {
		c.hashes = map[string]hash.Hash{}
	}
	if c.hashes[want.Algorithm] == nil {
		c.hashes[want.Algorithm] = warc.NewHash(want.Algorithm)
	}
	c.want, c.on, c.hash = want, true, c.hashes[want.Algorithm]
	c.hash.Reset()
}

func (c *check) Write(p []byte) (int, error) {
	if c.on {
		c.hash.Write(p) // a hash never fails
	}
	return len(p), nil
}

func (c *check) sum() []byte { return c.hash.Sum(nil) }

func (c *check) fits() bool { return bytes.Equal(c.sum(), c.want.Sum) }
