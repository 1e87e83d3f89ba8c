package register

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// signatureLine is the first line of a signature of [Writer.Sign]. No checkpoint and no rotation begins
// with it, so none can be passed off as such a signature.
const signatureLine = "quire.register/signature/1"

// maxSignature is the maximum size in bytes of a signature.
const maxSignature = 4 << 10

// Current reports whether the writer has the newest head: no other process appended since it was opened.
func (w *Writer) Current() bool {
	if w.broken != nil {
		return false
	}
	for _, path := range []string{w.main.join(checkpointFile), w.o.Key + stateSuffix} {
		text, err := readFile(path, maxCheckpoint)
		if err != nil || string(text) != string(w.head.Text) {
			return false
		}
	}
	return true
}

// Sign signs a document by the key of the register. purpose says what the signature is for, by the rule
// of Event.Type; a signature holds for no other purpose. The result is a signed note (c2sp.org/signed-note)
// with the lines of [signedText]. [CheckSignature] verifies it.
func (w *Writer) Sign(purpose string, document []byte) ([]byte, error) {
	if !isWords(purpose) {
		return nil, fmt.Errorf("register: %q is no purpose of a signature", purpose)
	}
	return note.Sign(&note.Note{Text: signedText(w.chain.origin, purpose, document)}, w.signer)
}

// Signed reports whether one of the keys of this register made a signature of a document. Keys from before
// a rotation count, too.
func (w *Writer) Signed(signature []byte, purpose string, document []byte) bool {
	for _, k := range w.chain.keys {
		if CheckSignature(signature, purpose, document, k.Key) == nil {
			return true
		}
	}
	return false
}

// CheckSignature verifies a signature of [Writer.Sign] by a public key, a note verifier key. The key must
// come from elsewhere than the signature.
func CheckSignature(signature []byte, purpose string, document []byte, key string) error {
	if len(signature) > maxSignature {
		return errors.New("register: the signature is too long")
	}
	v, err := note.NewVerifier(key)
	if err != nil {
		return fmt.Errorf("register: the public key: %w", err)
	}
	n, err := note.Open(signature, note.VerifierList(v))
	if err != nil {
		return fmt.Errorf("register: the key did not sign this: %w", err)
	}
	lines := strings.Split(n.Text, "\n")
	if len(lines) < 2 || n.Text != signedText(lines[1], purpose, document) {
		return errors.New("register: the signature is for another document or purpose")
	}
	return nil
}

// signedText returns the lines that are signed: the kind of the signature, the origin of the register, the
// purpose, and the SHA-256 of the document in base64.
func signedText(origin, purpose string, document []byte) string {
	sum := sha256.Sum256(document)
	return fmt.Sprintf("%s\n%s\n%s\n%s\n", signatureLine, origin, purpose, base64.StdEncoding.EncodeToString(sum[:]))
}
