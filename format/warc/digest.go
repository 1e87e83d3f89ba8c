package warc

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
)

// Digest is the value of WARC-Block-Digest or WARC-Payload-Digest (ISO 28500:2017, 5.8 and 5.9):
// "algorithm:value".
type Digest struct {
	Algorithm string // "md5", "sha1", "sha256", "sha384", "sha512"
	Sum       []byte
	Labelled  bool   // the field names its algorithm; otherwise its length decided
	Encoding  string // "hex", "base32", "base64": encoding of the value
}

// algorithms are the digests that occur, with their sizes in bytes. MD5 comes before SHA-1: 32
// hexadecimal digits can by chance be valid Base32, but the Base32 of a SHA-1 is never all
// hexadecimal digits.
var algorithms = []struct {
	name string
	size int
	new  func() hash.Hash
}{
	{"md5", md5.Size, md5.New},
	{"sha1", sha1.Size, sha1.New},
	{"sha256", sha256.Size, sha256.New},
	{"sha512", sha512.Size, sha512.New},
	{"sha384", sha512.Size384, sha512.New384},
}

// ParseDigest parses a digest field. The standard leaves the encoding of the value open. SHA-1 is
// usually Base32, others are hexadecimal, and Base64 occurs; the length decides. For a value
// without a label, length and alphabet decide the algorithm.
func ParseDigest(s string) (Digest, error) {
	label, value, labelled := strings.Cut(s, ":")
	if !labelled {
		label, value = "", s
	}
	name := canonicalAlgorithm(label)
	for _, a := range algorithms {
		if labelled && a.name != name {
			continue
		}
		if sum, encoding := decodeSum(value, a.size); sum != nil {
			return Digest{Algorithm: a.name, Sum: sum, Labelled: labelled, Encoding: encoding}, nil
		}
		if labelled && hasLengthOf(value, a.size) {
			return Digest{}, fmt.Errorf("%.140q has %w of a %s digest", value, ErrLetters, a.name)
		}
		if labelled {
			return Digest{}, fmt.Errorf("%.140q is not the value of a %s digest", value, a.name)
		}
	}
	if labelled {
		return Digest{}, fmt.Errorf("%w: %.40q", ErrAlgorithm, label)
	}
	return Digest{}, fmt.Errorf("%.140q does not have the form of any known digest", s)
}

// ErrAlgorithm is in the error that ParseDigest returns for an unknown algorithm. Such a digest is
// not wrong, but it cannot be checked.
var ErrAlgorithm = fmt.Errorf("unknown digest algorithm")

// ErrLetters is in the error of ParseDigest for a value with the length of its algorithm's digests
// but with invalid characters. It cannot be the digest of any content.
var ErrLetters = fmt.Errorf("the length but not the letters")

// trim removes the white space around a value (clause 4: LWS). Other control characters stay.
func trim(value string) string { return strings.Trim(value, " \t") }

// canonicalAlgorithm converts "SHA-1" and "Sha1" to "sha1".
func canonicalAlgorithm(label string) string {
	return strings.ReplaceAll(strings.ToLower(trim(label)), "-", "")
}

// NewHash returns the hash function for an algorithm in Digest's spelling, or nil if it is unknown.
func NewHash(algorithm string) hash.Hash {
	for _, a := range algorithms {
		if a.name == algorithm {
			return a.new()
		}
	}
	return nil
}

// FormatDigest returns a sum in the form that most readers expect: Base32 for SHA-1, hexadecimal
// for the rest.
func FormatDigest(algorithm string, sum []byte) string {
	if algorithm == "sha1" {
		return algorithm + ":" + base32.StdEncoding.EncodeToString(sum)
	}
	return algorithm + ":" + hex.EncodeToString(sum)
}

// hasLengthOf reports whether value has the length of a sum of size bytes in one of the encodings.
func hasLengthOf(value string, size int) bool {
	n := len(strings.TrimRight(trim(value), "="))
	return n == hex.EncodedLen(size) || n == base64.RawStdEncoding.EncodedLen(size) ||
		n == base32.StdEncoding.WithPadding(base32.NoPadding).EncodedLen(size)
}

// decodeSum decodes value as a sum of size bytes in the encoding that fits its length. Base32 is
// checked before Base64: where both have the same length, no known writer uses Base64.
func decodeSum(value string, size int) ([]byte, string) {
	value = trim(value)
	bare := strings.TrimRight(value, "=")
	if strings.ContainsAny(bare, "\r\n") {
		return nil, "" // Go's decoders skip line breaks, which would make the length wrong
	}
	switch len(bare) {
	case hex.EncodedLen(size):
		if sum, err := hex.DecodeString(value); err == nil {
			return sum, "hex"
		}
	case base32.StdEncoding.WithPadding(base32.NoPadding).EncodedLen(size):
		if sum, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(
			strings.ToUpper(bare)); err == nil {
			return sum, "base32"
		}
	case base64.RawStdEncoding.EncodedLen(size):
		if sum, err := base64.RawStdEncoding.DecodeString(bare); err == nil {
			return sum, "base64"
		}
		if sum, err := base64.RawURLEncoding.DecodeString(bare); err == nil {
			return sum, "base64"
		}
	}
	return nil, ""
}
