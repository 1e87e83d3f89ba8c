package wacz

import (
	"encoding/json"
	"fmt"
	"io"
)

// Digest is the content of datapackage-digest.json.
type Digest struct {
	Path   string // "datapackage.json"
	Hash   Hash
	Signed *Signed // nil without a signature
}

// Signed is a signature (wacz-auth 0.1.0, SignatureData), as found. It is anonymous if it has a
// public key, and by domain if it has a certificate.
type Signed struct {
	Hash            string `json:"hash"` // the signed string, not its meaning
	Created         string `json:"created"`
	Software        string `json:"software"`
	Version         string `json:"version"`
	Signature       string `json:"signature"`
	PublicKey       string `json:"publicKey"`
	Domain          string `json:"domain"`
	DomainCert      string `json:"domainCert"`
	TimeSignature   string `json:"timeSignature"`
	TimestampCert   string `json:"timestampCert"`
	CrossSignedCert string `json:"crossSignedCert"`
}

// Anonymous reports whether the signature does not identify its signer.
func (s *Signed) Anonymous() bool { return s.DomainCert == "" }

// maxDigest bounds datapackage-digest.json, in bytes. Three chains of certificates and a time stamp
// take twenty thousand.
const maxDigest = 4 << 20

// ReadDigest reads a datapackage-digest.json.
func ReadDigest(r io.Reader) (*Digest, error) {
	b, err := readAll(r, maxDigest)
	if err != nil {
		return nil, err
	}
	var raw struct {
		Path   text            `json:"path"`
		Hash   text            `json:"hash"`
		Signed json.RawMessage `json:"signedData"`
	}
	if err := json.Unmarshal(trimBOM(b), &raw); err != nil {
		return nil, fmt.Errorf("it is not a JSON digest: %w", err)
	}
	d := &Digest{Path: string(raw.Path), Hash: ParseHash("", string(raw.Hash))}
	if len(raw.Signed) > 0 && string(raw.Signed) != "null" {
		d.Signed = &Signed{}
		if err := json.Unmarshal(raw.Signed, d.Signed); err != nil {
			return d, fmt.Errorf("signedData is not a signature: %w", err)
		}
	}
	return d, nil
}
