package wacz

import (
	"crypto/md5"  // allowed by the frictionless specification
	"crypto/sha1" // also
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"strings"
)

// Hash is a digest as a package writes it: "sha256:…".
type Hash struct {
	Algorithm string // "sha256", in lower case; "" without a hash
	Hex       string // lower case
	Stated    string // stated algorithm, if the digest's length shows another
}

// String returns the hash as the specification writes it.
func (h Hash) String() string {
	if h.Hex == "" {
		return ""
	}
	return h.Algorithm + ":" + h.Hex
}

var hashes = []struct {
	name string
	make func() hash.Hash
}{
	{"sha256", sha256.New}, {"sha512", sha512.New}, {"sha384", sha512.New384}, {"sha1", sha1.New},
	{"sha224", sha256.New224}, {"md5", md5.New},
}

// ParseHash parses "sha256:…", or a digest with its algorithm given separately. Without an
// algorithm the digest is MD5 (frictionless). If the length of the digest shows another algorithm,
// that algorithm is used: some tools call SHA-256 sha224.
func ParseHash(algorithm, value string) Hash {
	if name, digest, ok := strings.Cut(value, ":"); ok {
		algorithm, value = name, digest
	}
	algorithm = strings.ReplaceAll(strings.ToLower(algorithm), "-", "")
	value = strings.ToLower(strings.TrimSpace(value))
	if _, err := hex.DecodeString(value); err != nil || value == "" {
		return Hash{Stated: algorithm}
	}
	for _, h := range hashes {
		if h.name == algorithm && h.make().Size()*2 == len(value) {
			return Hash{Algorithm: algorithm, Hex: value}
		}
	}
	for _, h := range hashes {
		if h.make().Size()*2 == len(value) {
			return Hash{Algorithm: h.name, Hex: value, Stated: algorithm}
		}
	}
	return Hash{Algorithm: algorithm, Hex: value, Stated: algorithm}
}

// new returns a hash function, or nil if the algorithm is unknown.
func (h Hash) new() hash.Hash {
	for _, known := range hashes {
		if known.name == h.Algorithm && known.make().Size()*2 == len(h.Hex) {
			return known.make()
		}
	}
	return nil
}
