package wacz

import (
	"crypto/md5"  // the frictionless specification allows it
	"crypto/sha1" // and this
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"strings"
)

// Hash is a digest as a package states it: "sha256:…".
type Hash struct {
	Algorithm string // "sha256", in lower case; "" when there is no hash
	Hex       string // lower case
	Stated    string // algorithm that is stated, where the length of the digest says that it is another
}

// String writes it as the specification does.
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

// ParseHash reads "sha256:…", or a digest whose algorithm stands elsewhere. Without any it is MD5
// (frictionless); of a digest that has the length of another algorithm, that is taken: some tools
// call SHA-256 sha224.
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

// new gives what computes the hash, nil when it is not known.
func (h Hash) new() hash.Hash {
	for _, known := range hashes {
		if known.name == h.Algorithm && known.make().Size()*2 == len(h.Hex) {
			return known.make()
		}
	}
	return nil
}
