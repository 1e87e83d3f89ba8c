// Package timestamp reads and verifies time stamps of RFC 3161: a token is a SignedData of RFC 5652
// over a TSTInfo, which has the digest of the stamped data and the time. It reads only the parts that
// verification needs, and only DER. Other libraries do the same, but give one yes or no; here each
// step can have its own verdict.
package timestamp

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// Stamp is a time stamp.
type Stamp struct {
	Time         time.Time
	Imprint      []byte              // digest of the stamped data
	Hash         crypto.Hash         // of Imprint
	Nonce        *big.Int            // of the request that it answers; nil if it has none
	Certificates []*x509.Certificate // within the time stamp

	content []byte // TSTInfo, as signed
	signer  signerInfo
}

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue `asn1:"explicit,tag:0"`
}

type signedData struct {
	Version          int
	DigestAlgorithms []pkix.AlgorithmIdentifier `asn1:"set"`
	Content          struct {
		Type    asn1.ObjectIdentifier
		Content asn1.RawValue `asn1:"explicit,optional,tag:0"`
	}
	Certificates asn1.RawValue `asn1:"optional,tag:0"`
	CRLs         asn1.RawValue `asn1:"optional,tag:1"`
	Signers      []signerInfo  `asn1:"set"`
}

type signerInfo struct {
	Version            int
	ID                 asn1.RawValue
	DigestAlgorithm    pkix.AlgorithmIdentifier
	Attributes         asn1.RawValue `asn1:"optional,tag:0"`
	SignatureAlgorithm pkix.AlgorithmIdentifier
	Signature          []byte
	Unsigned           asn1.RawValue `asn1:"optional,tag:1"`
}

type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

var (
	oidSignedData    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidTSTInfo       = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
	oidContentType   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidMessageDigest = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidSigningCert   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 12}
	oidSigningCertV2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
)

// Parse parses a response (RFC 3161, 2.4.2), or its bare token. It does not verify the time stamp.
func Parse(der []byte) (*Stamp, error) {
	var response struct {
		Status struct {
			Status int
			Text   asn1.RawValue  `asn1:"optional"`
			Fail   asn1.BitString `asn1:"optional"`
		}
		Token contentInfo `asn1:"optional"`
	}
	var token contentInfo
	if _, err := asn1.Unmarshal(der, &response); err == nil {
		if response.Status.Status > 1 { // status is neither granted nor granted with modifications
			return nil, fmt.Errorf("the time stamp was refused, with status %d", response.Status.Status)
		}
		token = response.Token
	} else if _, err := asn1.Unmarshal(der, &token); err != nil {
		return nil, fmt.Errorf("the data is neither a response of RFC 3161 nor a time-stamp token: %w", err)
	}
	if !token.Type.Equal(oidSignedData) {
		return nil, errors.New("it holds no signed data")
	}
	var s signedData
	if _, err := asn1.Unmarshal(token.Content.Bytes, &s); err != nil {
		return nil, fmt.Errorf("its signed data cannot be read: %w", err)
	}
	if !s.Content.Type.Equal(oidTSTInfo) || len(s.Signers) != 1 {
		return nil, fmt.Errorf("it holds %s with %d signatures, and not one time with one", s.Content.Type,
			len(s.Signers))
	}
	t := &Stamp{signer: s.Signers[0]}
	if _, err := asn1.Unmarshal(s.Content.Content.Bytes, &t.content); err != nil {
		return nil, fmt.Errorf("its content cannot be read: %w", err)
	}
	t.Certificates, _ = x509.ParseCertificates(s.Certificates.Bytes) // unreadable certificates are treated as missing
	return t, t.info()
}

// info parses the TSTInfo.
func (t *Stamp) info() error {
	var fields []asn1.RawValue
	if _, err := asn1.Unmarshal(t.content, &fields); err != nil || len(fields) < 5 {
		return fmt.Errorf("the content of the token is not a TSTInfo: %w",
			errors.Join(err, errors.New("fields are missing")))
	}
	var imprint struct {
		Algorithm pkix.AlgorithmIdentifier
		Hash      []byte
	}
	if _, err := asn1.Unmarshal(fields[2].FullBytes, &imprint); err != nil {
		return fmt.Errorf("its imprint cannot be read: %w", err)
	}
	h, _, err := sumOf(imprint.Algorithm.Algorithm, nil)
	if err != nil {
		return err
	}
	t.Imprint, t.Hash = imprint.Hash, h
	if t.Time, err = time.Parse("20060102150405Z07:00", string(fields[4].Bytes)); err != nil {
		return fmt.Errorf("its time cannot be read: %w", err)
	}
	for _, f := range fields[5:] { // the nonce is the only number behind the time
		if f.Class == asn1.ClassUniversal && f.Tag == asn1.TagInteger {
			if _, err := asn1.Unmarshal(f.FullBytes, &t.Nonce); err != nil {
				return fmt.Errorf("its nonce cannot be read: %w", err)
			}
		}
	}
	return nil
}

// Sum returns the digest of data by the algorithm of the time stamp, to compare with Imprint.
func (t *Stamp) Sum(data []byte) []byte {
	h := t.Hash.New()
	_, _ = h.Write(data) // a hash never fails
	return h.Sum(nil)
}

// Of reports whether the time stamp is of data.
func (t *Stamp) Of(data []byte) bool { return bytes.Equal(t.Imprint, t.Sum(data)) }
