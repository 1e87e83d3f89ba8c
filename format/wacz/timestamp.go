package wacz

import (
	"bytes"
	"crypto"
	"crypto/sha1" // ESSCertID of RFC 2634 identifies certificates by it
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"hash"
	"slices"
	"time"
)

// stamp is a time stamp: a TimeStampResp of RFC 3161 in base64, with a token that is a SignedData
// of RFC 5652 over a TSTInfo. This file reads only the parts that verification needs, and only DER.
// Other libraries do the same, but give one yes or no; here each step needs its own verdict.
type stamp struct {
	time    time.Time
	imprint []byte // of the stamped data
	hash    crypto.Hash
	content []byte // TSTInfo, as signed
	signer  signerInfo
	certs   []*x509.Certificate // certificates in the time stamp
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

// digests are the hash algorithms, by identifier.
var digests = []struct {
	oid  asn1.ObjectIdentifier
	hash crypto.Hash
	make func() hash.Hash
}{
	{asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}, crypto.SHA1, sha1.New},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}, crypto.SHA256, sha256.New},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 2}, crypto.SHA384, sha512.New384},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}, crypto.SHA512, sha512.New},
}

func sumOf(oid asn1.ObjectIdentifier, b []byte) (crypto.Hash, []byte, error) {
	for _, d := range digests {
		if d.oid.Equal(oid) {
			h := d.make()
			_, _ = h.Write(b) // a hash never fails
			return d.hash, h.Sum(nil), nil
		}
	}
	return 0, nil, fmt.Errorf("the hash %s is not known", oid)
}

// parseStamp parses a response, or its bare token.
func parseStamp(der []byte) (*stamp, error) {
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
	t := &stamp{signer: s.Signers[0]}
	if _, err := asn1.Unmarshal(s.Content.Content.Bytes, &t.content); err != nil {
		return nil, fmt.Errorf("its content cannot be read: %w", err)
	}
	t.certs, _ = x509.ParseCertificates(s.Certificates.Bytes) // unreadable certificates are treated as missing
	return t, t.info()
}

// info parses the TSTInfo.
func (t *stamp) info() error {
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
	t.imprint, t.hash = imprint.Hash, h
	if t.time, err = time.Parse("20060102150405Z07:00", string(fields[4].Bytes)); err != nil {
		return fmt.Errorf("its time cannot be read: %w", err)
	}
	return nil
}

// timestamp checks the time stamp and returns its time; zero if it cannot be read.
func (c *Checked) timestamp(s *Signed, created time.Time, o Options) time.Time {
	if s.TimeSignature == "" {
		c.add(StepTimestamp, NotChecked, "there is no timeSignature")
		return time.Time{}
	}
	der, err := decode(s.TimeSignature)
	if err != nil {
		c.add(StepTimestamp, Fail, "timeSignature is no base64: %v", err)
		return time.Time{}
	}
	t, err := parseStamp(der)
	if err != nil {
		c.add(StepTimestamp, Fail, "timeSignature: %v", err)
		return time.Time{}
	}
	chain, err := certificates(s.TimestampCert)
	if err != nil && len(t.certs) == 0 {
		c.add(StepTimestamp, NotChecked, "timestampCert: %v", err)
	} else {
		c.stampedBy(t, chain, o)
	}
	sum := digestOf(t.hash, []byte(s.Signature))
	c.verdict(StepStamped, bytes.Equal(sum, t.imprint),
		"the time stamp is of %x, and the signature, as the base64 that it is, has the %s %x", t.imprint, t.hash, sum)
	if created.IsZero() {
		c.add(StepStampTime, NotChecked, "it is of %s, and the time that is stated cannot be read",
			t.time.Format(time.RFC3339))
	} else {
		apart := created.Sub(t.time)
		c.verdict(StepStampTime, apart.Abs() <= stampLimit, "it is of %s, and created says %s: %s apart",
			t.time.Format(time.RFC3339), created.Format(time.RFC3339), apart.Abs())
	}
	return t.time
}

func digestOf(h crypto.Hash, b []byte) []byte {
	for _, d := range digests {
		if d.hash == h {
			sum := d.make()
			_, _ = sum.Write(b) // a hash never fails
			return sum.Sum(nil)
		}
	}
	return nil
}

// stampedBy checks the signer of the time stamp. It finds the signer's certificate, named in the
// token, among the enclosed certificates and those within the token.
func (c *Checked) stampedBy(t *stamp, chain []*x509.Certificate, o Options) {
	all := append(slices.Clone(chain), t.certs...)
	i := slices.IndexFunc(all, t.signer.is)
	if i < 0 {
		c.add(StepTimestamp, Fail, "none of the %d certificates is that of the signer whom it names", len(all))
		return
	}
	leaf := all[i]
	if err := t.verify(leaf); err != nil {
		c.add(StepTimestamp, Fail, "it is not signed by %s: %v", leaf.Subject, err)
	} else {
		c.add(StepTimestamp, Pass, "it is signed by %s", leaf.Subject)
	}
	usage := slices.Contains(leaf.ExtKeyUsage, x509.ExtKeyUsageTimeStamping)
	valid := !t.time.Before(leaf.NotBefore) && !t.time.After(leaf.NotAfter)
	c.verdict(StepStampValidity, usage && valid,
		"the certificate counts from %s to %s, for time stamps: %v; the time stamp is of %s",
		leaf.NotBefore.Format(time.RFC3339), leaf.NotAfter.Format(time.RFC3339), usage, t.time.Format(time.RFC3339))
	if i >= len(chain) { // not among the enclosed certificates
		chain = t.certs
		i -= len(all) - len(t.certs)
	}
	ordered := append([]*x509.Certificate{leaf}, slices.Delete(slices.Clone(chain), i, i+1)...)
	c.chain(StepStampChain, StepStampTrust, ordered, o.TimestampRoots, t.time,
		x509.VerifyOptions{KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
}

// is reports whether a certificate is the signer's: by issuer and serial number, or by the
// identifier of its key.
func (s *signerInfo) is(cert *x509.Certificate) bool {
	if s.ID.Class == asn1.ClassContextSpecific && s.ID.Tag == 0 {
		return len(cert.SubjectKeyId) > 0 && bytes.Equal(s.ID.Bytes, cert.SubjectKeyId)
	}
	var id struct {
		Issuer asn1.RawValue
		Serial asn1.RawValue
	}
	if _, err := asn1.Unmarshal(s.ID.FullBytes, &id); err != nil {
		return false
	}
	serial, err := asn1.Marshal(cert.SerialNumber)
	return err == nil && bytes.Equal(id.Issuer.FullBytes, cert.RawIssuer) && bytes.Equal(id.Serial.FullBytes, serial)
}

// verify checks the signature (RFC 5652, 5.4 and 5.6) over the attributes, which hold the hash of
// the content.
func (t *stamp) verify(cert *x509.Certificate) error {
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
func (t *stamp) attributes(cert *x509.Certificate) error {
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
