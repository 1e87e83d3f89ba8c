package model

import (
	"encoding/hex"
	"fmt"
)

// Algorithm is the name of a digest algorithm in METS 1.12.1 (CHECKSUMTYPE) and containerMD.
type Algorithm string

// The algorithms that Quire computes.
const (
	MD5    Algorithm = "MD5"
	SHA1   Algorithm = "SHA-1"
	SHA256 Algorithm = "SHA-256"
	SHA512 Algorithm = "SHA-512"
)

// Digest is a message digest. It is comparable and can be a map key. Value is lower-case hex.
type Digest struct {
	Algorithm Algorithm
	Value     string
}

// NewDigest returns the Digest of a finished sum.
func NewDigest(a Algorithm, sum []byte) Digest {
	return Digest{Algorithm: a, Value: hex.EncodeToString(sum)}
}

// IsZero reports whether the digest is missing.
func (d Digest) IsZero() bool { return d.Value == "" }

// String returns the digest as "SHA-512:hex".
func (d Digest) String() string { return fmt.Sprintf("%s:%s", d.Algorithm, d.Value) }
