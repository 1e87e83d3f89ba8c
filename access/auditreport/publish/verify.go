package publish

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"quire/repository/register"
)

// maxReport is the maximum size in bytes of a report that Verify reads.
const maxReport = 1 << 30

// Verification is the result of verifying a report. Its JSON form is part of the contract of "quire
// verify-report".
type Verification struct {
	File        string `json:"file"`
	Valid       bool   `json:"valid"`
	Problem     string `json:"problem"`     // why it is not valid; "" if it is
	Key         string `json:"key"`         // verifier key that signed it
	Fingerprint string `json:"fingerprint"` // SHA-256 of the public key, hex
	Compared    bool   `json:"compared"`    // the key is one that the caller named
	SHA256      string `json:"sha256"`      // of the content, as signed
	Repository  string `json:"repository"`
	Made        string `json:"made"`
	Form        string `json:"form"`
	Register    string `json:"register"` // leaves and root of the register when it was made; "" without

	// Unproved are the facts that the verification does not show.
	Unproved []string `json:"not_proved"`
}

// Verify verifies the signature of a report, without its repository. keys are the verifier keys that the
// caller trusts; without any, the caller compares the fingerprint. The error is that of reading the file.
func Verify(path string, keys []string) (Verification, error) {
	f, err := os.Open(path)
	if err != nil {
		return Verification{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	file, err := io.ReadAll(io.LimitReader(f, maxReport+1))
	if err != nil {
		return Verification{}, fmt.Errorf("%s: %w", path, err)
	}
	if len(file) > maxReport {
		return Verification{}, fmt.Errorf("%s has more than %d bytes: it is no report", path, maxReport)
	}
	v := verify(file, keys)
	v.File = path
	return v, nil
}

func verify(file []byte, keys []string) (v Verification) {
	content, signature, err := unsealed(file)
	if err != nil {
		return v.failed("%v", err)
	}
	if signature == "" {
		return v.failed("it is not signed")
	}
	text, err := base64.StdEncoding.Strict().DecodeString(signature)
	if err != nil || base64.StdEncoding.EncodeToString(text) != signature {
		return v.failed("its signature is damaged")
	}
	key, lines, err := register.OpenStatement(text, kind)
	if err != nil {
		return v.failed("its signature is not valid")
	}
	sum := sha256.Sum256(content)
	v.SHA256, v.Key, v.Fingerprint = hex.EncodeToString(sum[:]), key, register.Fingerprint(key)
	for _, l := range lines {
		name, value, _ := strings.Cut(l, " ")
		switch name {
		case "sha256":
			if value != v.SHA256 {
				return v.failed("its content was changed after it was signed")
			}
			v.Valid = true
		case "repository":
			v.Repository = value
		case "made":
			v.Made = value
		case "form":
			v.Form = value
		case "register":
			v.Register = value
		}
	}
	if !v.Valid {
		return v.failed("its signature names no digest")
	}
	for _, k := range keys {
		v.Compared = v.Compared || k == key
	}
	if len(keys) > 0 && !v.Compared {
		return v.failed("it is signed by another key than those that were named")
	}
	v.Unproved = []string{"the truth of the records that the report repeats, and of attestations",
		"the time: a holder of the key can state any"}
	if !v.Compared {
		v.Unproved = append([]string{"the owner of the key: compare the fingerprint with that of the repository"},
			v.Unproved...)
	}
	return v
}

func (v Verification) failed(format string, args ...any) Verification {
	v.Valid, v.Problem, v.Unproved = false, fmt.Sprintf(format, args...), []string{}
	return v
}

// ReadKeys returns the verifier keys in a text, or in the file that it names: one key, or the file keys
// of a register.
func ReadKeys(text string) ([]string, error) {
	if _, err := note.NewVerifier(text); err == nil {
		return []string{text}, nil
	}
	content, err := os.ReadFile(text)
	if err != nil {
		return nil, fmt.Errorf("%q is neither a verifier key nor a file of keys: %w", text, err)
	}
	var keys []string
	for _, word := range strings.Fields(string(content)) {
		if _, err := note.NewVerifier(word); err == nil {
			keys = append(keys, word)
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s has no verifier key (NAME+HASH+BASE64)", text)
	}
	return keys, nil
}
