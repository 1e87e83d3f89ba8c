package register

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// ErrNoKey reports that the key file is missing. Without it nothing can be appended; [Relink] begins
// a new key.
var ErrNoKey = errors.New("register: the key file is missing")

// maxKeyFile is the maximum size in bytes of a file of keys.
const maxKeyFile = 1 << 20

// Names of the files beside the key file. Neither belongs in a copy.
const (
	stateSuffix = ".state" // the last checkpoint that was signed
	nextSuffix  = ".next"  // the next key, during a rotation
)

// signer is a private key.
type signer struct {
	note.Signer
	text   string // the content of the key file
	public [32]byte
}

// newSigner makes a key.
func newSigner(origin string) (*signer, error) {
	text, _, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return nil, fmt.Errorf("register: %q cannot name a key: %w", origin, err)
	}
	return parseSigner(text)
}

// parseSigner parses a note signer key: PRIVATE+KEY+name+hash+base64(1, seed).
func parseSigner(text string) (*signer, error) {
	text = strings.TrimSuffix(text, "\n")
	s, err := note.NewSigner(text)
	if err != nil {
		return nil, errors.New("register: the key file does not hold a note signer key") // no part of the key
	}
	parts := strings.SplitN(text, "+", 5) // PRIVATE, KEY, name, hash; base64 may have a + itself
	seed, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(seed) != 1+ed25519.SeedSize {
		return nil, errors.New("register: the key file does not hold an Ed25519 key")
	}
	public := ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey)
	return &signer{Signer: s, text: text, public: [32]byte(public)}, nil
}

// readSigner reads a key file.
func readSigner(path string) (*signer, error) {
	text, err := readFile(path, maxKeyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNoKey, path)
	}
	if err != nil {
		return nil, err
	}
	return parseSigner(string(text))
}

// KeyAt is a public key and the place in the register from which it signs.
type KeyAt struct {
	Index int64  // of the leaf that names it; it signs trees that contain this leaf
	Link  Link   // how it follows the key before it
	Key   string // note verifier key: name+hash+base64(1, public key)
}

// verifierKey returns the note verifier key of a public key.
func verifierKey(origin string, public [32]byte) string {
	key, err := note.NewEd25519VerifierKey(origin, public[:])
	if err != nil {
		return "" // a public key of 32 bytes always has a form
	}
	return key
}

// keyChain holds the keys of a register in order.
type keyChain struct {
	origin string
	keys   []KeyAt
	public [32]byte // of the last one
}

// maxKeys is the maximum number of keys of a register.
const maxKeys = 5000

var errKeyLeaf = errors.New("the key does not follow from the keys before it")

// add adds a key leaf. before is the tree without this leaf.
func (c *keyChain) add(before tlog.Tree, l Key) error {
	if (before.N == 0) != (l.Link == FirstKey) {
		return fmt.Errorf("leaf %d: %w", before.N, errKeyLeaf)
	}
	if l.Link == RotatedKey &&
		!ed25519.Verify(c.public[:], rotationText(c.origin, before, l.Public), l.Signature[:]) {
		return fmt.Errorf("leaf %d: the key before it did not sign it: %w", before.N, errKeyLeaf)
	}
	if len(c.keys) == maxKeys {
		return fmt.Errorf("leaf %d: more than %d keys", before.N, maxKeys)
	}
	c.public = l.Public
	c.keys = append(c.keys, KeyAt{Index: before.N, Link: l.Link, Key: verifierKey(c.origin, l.Public)})
	return nil
}

// at returns the key that signs trees of a size, or "".
func (c *keyChain) at(size int64) string {
	key := ""
	for _, k := range c.keys {
		if k.Index < size {
			key = k.Key
		}
	}
	return key
}

// unlinked returns the first key from an index on that the key before it did not sign, if it is not
// one of the trusted keys.
func (c *keyChain) unlinked(from int64, trusted []string) *KeyAt {
	for i, k := range c.keys {
		if k.Index >= from && k.Link == UnlinkedKey && !slices.Contains(trusted, k.Key) {
			return &c.keys[i]
		}
	}
	return nil
}

// rotationText returns the text that a key signs to name the next one.
func rotationText(origin string, before tlog.Tree, public [32]byte) []byte {
	return fmt.Appendf(nil, "quire.register/rotation/1\n%s\n%d\n%s\n%s\n", origin, before.N, before.Hash,
		verifierKey(origin, public))
}

// PublicKey returns the public key of a key file, a note verifier key.
func PublicKey(path string) (string, error) {
	s, err := readSigner(path)
	if err != nil {
		return "", err
	}
	return verifierKey(s.Name(), s.public), nil
}
