package ocfl

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"strconv"
	"strings"

	"golang.org/x/crypto/blake2b"
)

// algorithm is one entry of the vocabulary of clause 3.4, or of the registered extensions 0001 and
// 0009 to it.
type algorithm struct {
	open    func() hash.Hash // nil for "size", which is not a hash
	hexSize int              // length of a digest in hexadecimal digits
	code    string           // for a digest in the wrong form
}

var algorithms = map[string]algorithm{
	"md5":         {md5.New, 32, "E057"},
	"sha1":        {sha1.New, 40, "E029"},
	"sha256":      {sha256.New, 64, "E030"},
	"sha512":      {sha512.New, 128, "E031"},
	"blake2b-512": {blake2(64), 128, "E032"},
	"blake2b-384": {blake2(48), 96, "E057"},
	"blake2b-256": {blake2(32), 64, "E057"},
	"blake2b-160": {blake2(20), 40, "E057"},
	"sha512/256":  {sha512.New512_256, 64, "E057"},
	"size":        {nil, 0, "E057"},
}

func blake2(size int) func() hash.Hash {
	return func() hash.Hash {
		h, err := blake2b.New(size, nil)
		if err != nil {
			panic(err) // only for a size above 64 or a key, and both are fixed above
		}
		return h
	}
}

// isDigest reports whether s has the form of a digest of this algorithm.
func (a algorithm) isDigest(s string) bool {
	if a.open == nil {
		n, err := strconv.ParseUint(s, 10, 63)
		return err == nil && strconv.FormatUint(n, 10) == s
	}
	return len(s) == a.hexSize && isHex(s)
}

// digestOf returns the digest of bytes in memory, in lower case, and false if the algorithm is
// unknown.
func digestOf(name string, b []byte) (string, bool) {
	a, ok := algorithms[name]
	if !ok || a.open == nil {
		return "", false
	}
	h := a.open()
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)), true
}

// multiHash computes the digests of one file under several algorithms in one reading.
type multiHash struct {
	hashes map[string]hash.Hash
	size   uint64
}

func newMultiHash(names []string) *multiHash {
	m := &multiHash{hashes: make(map[string]hash.Hash, len(names))}
	for _, name := range names {
		if a := algorithms[name]; a.open != nil {
			m.hashes[name] = a.open()
		}
	}
	return m
}

// Write never fails.
func (m *multiHash) Write(b []byte) (int, error) {
	for _, h := range m.hashes {
		h.Write(b)
	}
	m.size += uint64(len(b))
	return len(b), nil
}

// sum returns the digest under one of the algorithms, in lower case, or "" for an unknown one.
func (m *multiHash) sum(name string) string {
	if h, ok := m.hashes[name]; ok {
		return hex.EncodeToString(h.Sum(nil))
	}
	if name == "size" {
		return strconv.FormatUint(m.size, 10)
	}
	return ""
}

// equalDigest compares hexadecimal digests; their case has no meaning (clause 3.4).
func equalDigest(a, b string) bool { return strings.EqualFold(a, b) }
