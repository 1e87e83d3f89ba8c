package register

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// maxCheckpoint is the maximum size in bytes of a signed checkpoint.
const maxCheckpoint = 16 << 10

// Checkpoint is a signed head of the register (c2sp.org/tlog-checkpoint).
type Checkpoint struct {
	Origin string // identifies the register; see [Origin]
	Size   int64  // number of leaves
	Root   Digest // Merkle tree hash over them (RFC 6962, 2.1)
	Text   []byte // the signed note
}

// Origin returns the origin of the register of a repository, from its UUID.
func Origin(repository string) string { return "quire.register/" + repository }

// ParseCheckpoint parses a checkpoint. It does not verify the signatures: see [Checkpoint.SignedBy].
func ParseCheckpoint(text []byte) (Checkpoint, error) {
	if len(text) > maxCheckpoint {
		return Checkpoint{}, fmt.Errorf("register: a checkpoint of more than %d bytes", maxCheckpoint)
	}
	_, err := note.Open(text, note.VerifierList())
	var unverified *note.UnverifiedNoteError
	if !errors.As(err, &unverified) {
		return Checkpoint{}, fmt.Errorf("register: the checkpoint is not a signed note: %w", err)
	}
	lines := strings.Split(unverified.Note.Text, "\n")
	if len(lines) < 4 || lines[0] == "" {
		return Checkpoint{}, errors.New("register: the checkpoint has fewer than three lines")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || size > maxSize || strconv.FormatInt(size, 10) != lines[1] {
		return Checkpoint{}, fmt.Errorf("register: %q is not the size of a tree", lines[1])
	}
	root, err := base64.StdEncoding.Strict().DecodeString(lines[2])
	if err != nil || len(root) != len(Digest{}) {
		return Checkpoint{}, fmt.Errorf("register: %q is not the root of a tree", lines[2])
	}
	return Checkpoint{Origin: lines[0], Size: size, Root: Digest(root), Text: text}, nil
}

// maxSize bounds the size of a tree, so that no index overflows.
const maxSize = 1 << 48

// SignedBy reports whether the checkpoint has a valid signature by a key (a note verifier key).
func (c Checkpoint) SignedBy(key string) bool {
	v, err := note.NewVerifier(key)
	if err != nil {
		return false
	}
	_, err = note.Open(c.Text, note.VerifierList(v))
	return err == nil
}

func (c Checkpoint) tree() tlog.Tree { return tlog.Tree{N: c.Size, Hash: tlog.Hash(c.Root)} }

// signCheckpoint signs the head of a tree.
func signCheckpoint(origin string, tree tlog.Tree, signers ...note.Signer) (Checkpoint, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n", origin, tree.N, tree.Hash)
	signed, err := note.Sign(&note.Note{Text: text}, signers...)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("register: signing the checkpoint: %w", err)
	}
	return Checkpoint{Origin: origin, Size: tree.N, Root: Digest(tree.Hash), Text: signed}, nil
}
