package timestamp

import (
	"bytes"
	"crypto"
	"crypto/sha1"     // ESSCertID of RFC 2634 identifies certificates by it
	_ "crypto/sha256" // for crypto.SHA256
	_ "crypto/sha512" // for crypto.SHA384 and crypto.SHA512
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"slices"
)

// digests are the hash algorithms, by identifier.
var digests = []struct {
	oid  asn1.ObjectIdentifier
	hash crypto.Hash
}{
	{asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}, crypto.SHA1},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}, crypto.SHA256},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 2}, crypto.SHA384},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}, crypto.SHA512},
}

func sumOf(oid asn1.ObjectIdentifier, b []byte) (crypto.Hash, []byte, error) {
	for _, d := range digests {
		if d.oid.Equal(oid) {
			h := d.hash.New()
			_, _ = h.Write(b) // a hash never fails
			return d.hash, h.Sum(nil), nil
		}
	}
	return 0, nil, fmt.Errorf("the hash %s is not known", oid)
}

// IsSigner reports whether a certificate is the signer's: by issuer and serial number, or by the
// identifier of its key.
func (t *Stamp) IsSigner(cert *x509.Certificate) bool {
	if t.signer.ID.Class == asn1.ClassContextSpecific && t.signer.ID.Tag == 0 {
		return len(cert.SubjectKeyId) > 0 && bytes.Equal(t.signer.ID.Bytes, cert.SubjectKeyId)
	}
	var id struct {
		Issuer asn1.RawValue
		Serial asn1.RawValue
	}
	if _, err := asn1.Unmarshal(t.signer.ID.FullBytes, &id); err != nil {
		return false
	}
	serial, err := asn1.Marshal(cert.SerialNumber)
	return err == nil && bytes.Equal(id.Issuer.FullBytes, cert.RawIssuer) && bytes.Equal(id.Serial.FullBytes, serial)
}

// Verify checks the signature (RFC 5652, 5.4 and 5.6) over the attributes, which hold the hash of the
// content. It checks neither the chain of the certificate nor its validity.
func (t *Stamp) Verify(cert *x509.Certificate) error {
	algorithm, err := t.signer.algorithm()
	if err != nil {
		return err
	}
	if len(t.signer.Attributes.FullBytes) == 0 {
		return errors.New("it has no signed attributes, which a time stamp must have")
	}
	signed := slices.Clone(t.signer.Attributes.FullBytes)
	signed[0] = 0x31 // they are signed as a SET OF, not as the field [0]
	if err := t.attributes(cert); err != nil {
		return err
	}
	return cert.CheckSignature(algorithm, signed, t.signer.Signature)
}

// attributes checks the signed attributes: the type of the content, its hash, and the intended
// certificate if named.
func (t *Stamp) attributes(cert *x509.Certificate) error {
	var digested, typed bool
	for rest := t.signer.Attributes.Bytes; len(rest) > 0; {
		var a attribute
		var err error
		if rest, err = asn1.Unmarshal(rest, &a); err != nil || len(a.Values) == 0 {
			return fmt.Errorf("its attributes cannot be read: %w", errors.Join(err, errors.New("no value")))
		}
		value := a.Values[0]
		switch {
		case a.Type.Equal(oidMessageDigest):
			_, sum, err := sumOf(t.signer.DigestAlgorithm.Algorithm, t.content)
			if err != nil || !bytes.Equal(value.Bytes, sum) {
				return errors.Join(err, errors.New("the content has another hash than was signed"))
			}
			digested = true
		case a.Type.Equal(oidContentType):
			var oid asn1.ObjectIdentifier
			_, err := asn1.Unmarshal(value.FullBytes, &oid)
			typed = err == nil && oid.Equal(oidTSTInfo)
		case a.Type.Equal(oidSigningCert), a.Type.Equal(oidSigningCertV2):
			if !names(value.FullBytes, cert, a.Type.Equal(oidSigningCert)) {
				return errors.New("it was signed with another certificate, by its hash")
			}
		}
	}
	if !digested || !typed {
		return errors.New("its attributes do not hold the hash and the kind of the content")
	}
	return nil
}

// Strict checks the demands that Verify leaves out, because older time stamps do not meet them: each
// signed attribute stands once and has one value (RFC 5652, 5.3), one of them names the certificate of
// the signer (RFC 3161, 2.4.2), and no SHA-1 is used.
func (t *Stamp) Strict() error {
	seen := map[string]bool{}
	for rest := t.signer.Attributes.Bytes; len(rest) > 0; {
		var a attribute
		var err error
		if rest, err = asn1.Unmarshal(rest, &a); err != nil {
			return fmt.Errorf("its attributes cannot be read: %w", err)
		}
		if seen[a.Type.String()] || len(a.Values) != 1 {
			return fmt.Errorf("the signed attribute %s does not have one value", a.Type)
		}
		seen[a.Type.String()] = true
	}
	if !seen[oidSigningCert.String()] && !seen[oidSigningCertV2.String()] {
		return errors.New("no signed attribute names the certificate")
	}
	h, _, err := sumOf(t.signer.DigestAlgorithm.Algorithm, nil)
	if err == nil && (h == crypto.SHA1 || t.Hash == crypto.SHA1) {
		err = errors.New("it uses SHA-1")
	}
	return err
}

// names reports whether a SigningCertificate (RFC 2634) or SigningCertificateV2 (RFC 5035)
// identifies cert.
func names(der []byte, cert *x509.Certificate, first bool) bool {
	var outer struct {
		Certs    []asn1.RawValue
		Policies asn1.RawValue `asn1:"optional"`
	}
	if _, err := asn1.Unmarshal(der, &outer); err != nil || len(outer.Certs) == 0 {
		return false
	}
	var fields []asn1.RawValue
	if _, err := asn1.Unmarshal(outer.Certs[0].FullBytes, &fields); err != nil || len(fields) == 0 {
		return false
	}
	if first {
		sum := sha1.Sum(cert.Raw)
		return bytes.Equal(fields[0].Bytes, sum[:])
	}
	algorithm := digests[1].oid // SHA-256 is the default
	if fields[0].Tag == asn1.TagSequence && len(fields) > 1 {
		var id pkix.AlgorithmIdentifier
		if _, err := asn1.Unmarshal(fields[0].FullBytes, &id); err != nil {
			return false
		}
		algorithm, fields = id.Algorithm, fields[1:]
	}
	_, sum, err := sumOf(algorithm, cert.Raw)
	return err == nil && bytes.Equal(fields[0].Bytes, sum)
}

// algorithm combines the algorithms of signature and hash, which some tools write separately.
func (s *signerInfo) algorithm() (x509.SignatureAlgorithm, error) {
	h, _, err := sumOf(s.DigestAlgorithm.Algorithm, nil)
	if err != nil {
		return 0, err
	}
	switch oid := s.SignatureAlgorithm.Algorithm.String(); oid {
	case "1.2.840.113549.1.1.1": // rsaEncryption
		return map[crypto.Hash]x509.SignatureAlgorithm{crypto.SHA1: x509.SHA1WithRSA, crypto.SHA256: x509.SHA256WithRSA,
			crypto.SHA384: x509.SHA384WithRSA, crypto.SHA512: x509.SHA512WithRSA}[h], nil
	case "1.2.840.113549.1.1.5":
		return x509.SHA1WithRSA, nil
	case "1.2.840.113549.1.1.11":
		return x509.SHA256WithRSA, nil
	case "1.2.840.113549.1.1.12":
		return x509.SHA384WithRSA, nil
	case "1.2.840.113549.1.1.13":
		return x509.SHA512WithRSA, nil
	case "1.2.840.113549.1.1.10":
		return map[crypto.Hash]x509.SignatureAlgorithm{crypto.SHA256: x509.SHA256WithRSAPSS,
			crypto.SHA384: x509.SHA384WithRSAPSS, crypto.SHA512: x509.SHA512WithRSAPSS}[h], nil
	case "1.2.840.10045.2.1": // an elliptic curve, with a separate hash
		return map[crypto.Hash]x509.SignatureAlgorithm{crypto.SHA256: x509.ECDSAWithSHA256,
			crypto.SHA384: x509.ECDSAWithSHA384, crypto.SHA512: x509.ECDSAWithSHA512}[h], nil
	case "1.2.840.10045.4.3.2":
		return x509.ECDSAWithSHA256, nil
	case "1.2.840.10045.4.3.3":
		return x509.ECDSAWithSHA384, nil
	case "1.2.840.10045.4.3.4":
		return x509.ECDSAWithSHA512, nil
	case "1.3.101.112":
		return x509.PureEd25519, nil
	default:
		return 0, fmt.Errorf("the signature algorithm %s is not known", oid)
	}
}
