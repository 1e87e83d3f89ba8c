package register

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// A statement is a signed note outside of the register, such as the digest of a report. Its first line
// names its kind: no checkpoint and no rotation begins like that, so none can be mistaken for another.

// statementText returns the text of a statement: kind, verifier key, and the lines.
func statementText(kind, key string, lines []string) string {
	return "quire.register/" + kind + "/1\n" + key + "\n" + strings.Join(lines, "\n") + "\n"
}

// SignStatement signs lines of text with the key of the register. The kind is one word. Nothing is
// appended to the register. [OpenStatement] verifies the result, also without the register; [Writer.Sign]
// is for documents whose reader has the public key.
func (w *Writer) SignStatement(kind string, lines ...string) ([]byte, error) {
	key := w.chain.at(w.head.Size)
	signed, err := note.Sign(&note.Note{Text: statementText(kind, key, lines)}, w.signer)
	if err != nil {
		return nil, fmt.Errorf("register: signing the %s: %w", kind, err)
	}
	return signed, nil
}

// errStatement reports a text that is no statement with a valid signature.
var errStatement = errors.New("register: the text is not signed as a statement of its kind")

// OpenStatement verifies a statement by the key that it names, and returns this key and the lines. The
// caller compares the key with one that it trusts: anyone can make a key. Each other form of the text
// fails, also one with further signatures.
func OpenStatement(text []byte, kind string) (key string, lines []string, err error) {
	_, err = note.Open(text, note.VerifierList())
	var unverified *note.UnverifiedNoteError
	if !errors.As(err, &unverified) {
		return "", nil, errStatement
	}
	all := strings.Split(strings.TrimSuffix(unverified.Note.Text, "\n"), "\n")
	if len(all) < 3 {
		return "", nil, errStatement
	}
	key, lines = all[1], all[2:]
	v, err := note.NewVerifier(key)
	if err != nil {
		return "", nil, errStatement
	}
	opened, err := note.Open(text, note.VerifierList(v))
	if err != nil || len(opened.Sigs) != 1 || opened.Text != statementText(kind, key, lines) {
		return "", nil, errStatement
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(opened.Sigs[0].Base64)
	if err != nil {
		return "", nil, errStatement
	}
	if string(text) != opened.Text+"\n— "+v.Name()+" "+base64.StdEncoding.EncodeToString(raw)+"\n" {
		return "", nil, errStatement
	}
	return key, lines, nil
}

// Fingerprint returns the SHA-256 of the public key in a note verifier key, in hex; "" if the text is
// no such key.
func Fingerprint(key string) string {
	parts := strings.SplitN(key, "+", 3)
	if _, err := note.NewVerifier(key); err != nil || len(parts) != 3 {
		return ""
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) < 2 {
		return ""
	}
	sum := sha256.Sum256(raw[1:]) // after the byte of the algorithm
	return hex.EncodeToString(sum[:])
}
