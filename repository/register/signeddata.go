package register

import (
	"bytes"
	"crypto"
	_ "crypto/sha1"   // digests of old signing certificates: RFC 2634, 5.4
	_ "crypto/sha256" // for crypto.SHA256
	_ "crypto/sha512" // for crypto.SHA384 and crypto.SHA512
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// The part of CMS (RFC 5652) that a time stamp token needs: SignedData with one signer, who signs
// attributes, and whose certificate is included.

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue `asn1:"explicit,optional,tag:0"`
}

type signedData struct {
	Version      int
	Digests      asn1.RawValue
	Content      contentInfo
	Certificates asn1.RawValue `asn1:"optional,tag:0"`
	Revocations  asn1.RawValue `asn1:"optional,tag:1"`
	Signers      []signerInfo  `asn1:"set"`
}

type signerInfo struct {
	Version    int
	ID         asn1.RawValue
	Digest     pkix.AlgorithmIdentifier
	Signed     asn1.RawValue `asn1:"optional,tag:0"`
	Algorithm  pkix.AlgorithmIdentifier
	Signature  []byte
	Attributes asn1.RawValue `asn1:"optional,tag:1"`
}

type issuerAndSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
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
	oidSigningCert   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 12} // RFC 2634, SHA-1
	oidSigningCertV2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47} // RFC 5035
)

// digests are the digests that a signature may use.
var digests = map[string]crypto.Hash{
	"2.16.840.1.101.3.4.2.1": crypto.SHA256, "2.16.840.1.101.3.4.2.2": crypto.SHA384,
	"2.16.840.1.101.3.4.2.3": crypto.SHA512,
}

// signatures maps algorithms to those of crypto/x509. RSA keys name only the digest.
var signatures = map[string]map[crypto.Hash]x509.SignatureAlgorithm{
	"1.2.840.113549.1.1.1": {crypto.SHA256: x509.SHA256WithRSA, crypto.SHA384: x509.SHA384WithRSA,
		crypto.SHA512: x509.SHA512WithRSA},
	"1.2.840.113549.1.1.11": {crypto.SHA256: x509.SHA256WithRSA},
	"1.2.840.113549.1.1.12": {crypto.SHA384: x509.SHA384WithRSA},
	"1.2.840.113549.1.1.13": {crypto.SHA512: x509.SHA512WithRSA},
	"1.2.840.10045.4.3.2":   {crypto.SHA256: x509.ECDSAWithSHA256},
	"1.2.840.10045.4.3.3":   {crypto.SHA384: x509.ECDSAWithSHA384},
	"1.2.840.10045.4.3.4":   {crypto.SHA512: x509.ECDSAWithSHA512},
	"1.3.101.112":           {crypto.SHA512: x509.PureEd25519},
}

// signedToken is a parsed token.
type signedToken struct {
	content      []byte // the TSTInfo
	signer       signerInfo
	certificates []*x509.Certificate
}

// parseSigned parses a time stamp token.
func parseSigned(der []byte) (*signedToken, error) {
	var outer contentInfo
	if err := unmarshal(der, &outer); err != nil {
		return nil, err
	}
	var s signedData
	if !outer.Type.Equal(oidSignedData) {
		return nil, fmt.Errorf("it is of type %v, not signed data", outer.Type)
	}
	if err := unmarshal(outer.Content.Bytes, &s); err != nil {
		return nil, err
	}
	if !s.Content.Type.Equal(oidTSTInfo) || len(s.Signers) != 1 {
		return nil, fmt.Errorf("it holds %v with %d signers, not a TSTInfo with one", s.Content.Type, len(s.Signers))
	}
	t := &signedToken{signer: s.Signers[0]}
	if err := unmarshal(s.Content.Content.Bytes, &t.content); err != nil {
		return nil, err
	}
	var err error
	if t.certificates, err = x509.ParseCertificates(s.Certificates.Bytes); err != nil {
		return nil, err
	}
	return t, nil
}

// verify verifies the signature, and with roots the chain of certificates at the time of the stamp.
func (t *signedToken) verify(at time.Time, roots *x509.CertPool) error {
	hash, ok := digests[t.signer.Digest.Algorithm.String()]
	if !ok {
		return fmt.Errorf("digest algorithm %v is not accepted", t.signer.Digest.Algorithm)
	}
	algorithm, ok := signatures[t.signer.Algorithm.Algorithm.String()][hash]
	if !ok {
		return fmt.Errorf("signature algorithm %v is not accepted", t.signer.Algorithm.Algorithm)
	}
	cert, err := t.certificate()
	if err != nil {
		return err
	}
	if err := t.checkAttributes(hash, cert); err != nil {
		return err
	}
	signed := bytes.Clone(t.signer.Signed.FullBytes)
	signed[0] = 0x31 // RFC 5652, 5.4: signed as a SET OF
	if err := cert.CheckSignature(algorithm, signed, t.signer.Signature); err != nil {
		return fmt.Errorf("the signature is wrong: %w", err)
	}
	if roots == nil {
		return nil
	}
	between := x509.NewCertPool()
	for _, c := range t.certificates {
		between.AddCert(c)
	}
	_, err = cert.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, CurrentTime: at,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
	return err
}

// certificate returns the certificate of the signer.
func (t *signedToken) certificate() (*x509.Certificate, error) {
	var id issuerAndSerial
	byKey := t.signer.ID.Class == asn1.ClassContextSpecific && t.signer.ID.Tag == 0
	if !byKey {
		if err := unmarshal(t.signer.ID.FullBytes, &id); err != nil {
			return nil, err
		}
	}
	for _, c := range t.certificates {
		if byKey && len(c.SubjectKeyId) > 0 && bytes.Equal(c.SubjectKeyId, t.signer.ID.Bytes) ||
			!byKey && bytes.Equal(c.RawIssuer, id.Issuer.FullBytes) && c.SerialNumber.Cmp(id.Serial) == 0 {
			return c, nil
		}
	}
	return nil, errors.New("the certificate of its signer is missing")
}

// checkAttributes verifies the signed attributes that RFC 5652 (5.3) and RFC 3161 (2.4.2) require:
// the type and digest of the content, and the digest of the certificate.
func (t *signedToken) checkAttributes(hash crypto.Hash, cert *x509.Certificate) error {
	values := map[string]asn1.RawValue{}
	for rest := t.signer.Signed.Bytes; len(rest) > 0; {
		var a attribute
		var err error
		if rest, err = asn1.Unmarshal(rest, &a); err != nil {
			return fmt.Errorf("a signed attribute: %w", err)
		}
		if _, twice := values[a.Type.String()]; twice || len(a.Values) != 1 {
			return fmt.Errorf("the signed attribute %v does not have one value", a.Type)
		}
		values[a.Type.String()] = a.Values[0]
	}
	var kind asn1.ObjectIdentifier
	if err := unmarshal(values[oidContentType.String()].FullBytes, &kind); err != nil || !kind.Equal(oidTSTInfo) {
		return errors.New("the signed content type is not TSTInfo")
	}
	var digest []byte
	if err := unmarshal(values[oidMessageDigest.String()].FullBytes, &digest); err != nil ||
		!bytes.Equal(digest, sumOf(hash, t.content)) {
		return errors.New("the signed digest is not that of the content")
	}
	if v2, ok := values[oidSigningCertV2.String()]; ok {
		return checkSigningCert(v2.FullBytes, crypto.SHA256, cert)
	}
	if v1, ok := values[oidSigningCert.String()]; ok {
		return checkSigningCert(v1.FullBytes, crypto.SHA1, cert)
	}
	return errors.New("no signed attribute names the certificate")
}

// checkSigningCert compares the first certificate of a SigningCertificate or SigningCertificateV2.
func checkSigningCert(der []byte, hash crypto.Hash, cert *x509.Certificate) error {
	var list struct {
		Certs    []asn1.RawValue
		Policies asn1.RawValue `asn1:"optional"`
	}
	if err := unmarshal(der, &list); err != nil || len(list.Certs) == 0 {
		return errors.New("the signed attribute that names the certificate is malformed")
	}
	rest := list.Certs[0].Bytes
	var algorithm pkix.AlgorithmIdentifier
	if after, err := asn1.Unmarshal(rest, &algorithm); err == nil { // V2 only; absent: SHA-256
		if hash = digests[algorithm.Algorithm.String()]; hash == 0 {
			return fmt.Errorf("digest algorithm %v is not accepted", algorithm.Algorithm)
		}
		rest = after
	}
	var sum []byte
	if _, err := asn1.Unmarshal(rest, &sum); err != nil || !bytes.Equal(sum, sumOf(hash, cert.Raw)) {
		return errors.New("the signed attributes name another certificate")
	}
	return nil
}

func sumOf(hash crypto.Hash, text []byte) []byte {
	h := hash.New()
	_, _ = h.Write(text) // a digest never fails to write
	return h.Sum(nil)
}
