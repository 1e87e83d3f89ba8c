package register

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Digest is a SHA-256 or an HMAC-SHA-256.
type Digest [sha256.Size]byte

// String returns the digest in hex.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Salt makes the digests of one object unguessable. The caller keeps it beside the object in every
// copy, and in the catalogue. Once all of these are deleted, the register no longer shows what its
// leaves were about.
type Salt [32]byte

// NewSalt returns a random salt.
func NewSalt() Salt {
	var s Salt
	_, _ = rand.Read(s[:]) // never fails: crypto/rand ends the program instead
	return s
}

// String returns the salt in hex.
func (s Salt) String() string { return hex.EncodeToString(s[:]) }

// ParseSalt is the inverse of [Salt.String].
func ParseSalt(text string) (Salt, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(Salt{}) {
		return Salt{}, fmt.Errorf("register: %q is not a salt: 64 hex digits", text)
	}
	return Salt(b), nil
}

// Object returns the digest of an object's id.
func (s Salt) Object(id string) Digest { return s.digest("object", []byte(id)) }

// Inventory returns the digest of a version: sum is the SHA-512 of its inventory.
func (s Salt) Inventory(sum [64]byte) Digest { return s.digest("inventory", sum[:]) }

// Event returns the digest of the bytes of an event file.
func (s Salt) Event(file []byte) Digest { return s.digest("event", file) }

// Setting returns the digest of a document of rules or policy.
func (s Salt) Setting(document []byte) Digest { return s.digest("setting", document) }

// Record returns the digest of a document on a removal.
func (s Salt) Record(document []byte) Digest { return s.digest("record", document) }

// Line returns the digest of a line of a run's file, without the line end.
func (s Salt) Line(line []byte) Digest { return s.digest("line", line) }

// digest returns HMAC-SHA-256 over a label, a zero byte and the value. The label keeps a digest of
// one use from counting in another.
func (s Salt) digest(label string, value []byte) Digest {
	h := hmac.New(sha256.New, s[:])
	_, _ = h.Write(append([]byte(label), 0)) // a digest never fails to write
	_, _ = h.Write(value)
	return Digest(h.Sum(nil))
}
