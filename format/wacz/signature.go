package wacz

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// stampLimit is the largest difference between the stated time and the time stamp (wacz-auth 0.1.0,
// Verification, step 6).
const stampLimit = 10 * time.Minute

// maxCertificates bounds a chain.
const maxCertificates = 20

// verify takes the steps of wacz-auth 0.1.0 one by one. If a step is impossible, verify continues
// with the next steps.
func (c *Checked) verify(d *Digest, o Options) {
	s := d.Signed
	c.verdict(StepSignedHash, s.Hash != "" && ParseHash("", s.Hash) == d.Hash,
		"signedData has the hash %q, and %s has %q", s.Hash, DigestName, d.Hash.String())
	if s.Anonymous() {
		key, err := publicKey(s.PublicKey)
		if err != nil {
			c.add(StepSignature, NotChecked, "publicKey: %v", err)
			return
		}
		c.signature(s, key, "the public key that stands beside it, which nothing says whose it is")
		return
	}
	chain, err := certificates(s.DomainCert)
	if err != nil {
		c.add(StepSignature, NotChecked, "domainCert: %v", err)
		return
	}
	leaf := chain[0]
	if key, ok := leaf.PublicKey.(*ecdsa.PublicKey); ok {
		c.signature(s, key, "the certificate of "+leaf.Subject.String())
	} else {
		c.add(StepSignature, NotChecked, "the key of the certificate is %s, and not ECDSA", leaf.PublicKeyAlgorithm)
	}
	c.domain(leaf, s.Domain)
	created, err := ParseTime(s.Created)
	if err != nil {
		c.add(StepValidity, NotChecked, "created: %v", err)
	} else {
		c.validity(StepValidity, leaf, created, "created")
	}
	stamped := c.timestamp(s, created, o)
	signed := created
	if !stamped.IsZero() {
		signed = stamped
	}
	c.chain(StepChain, StepTrust, chain, o.Roots, signed,
		x509.VerifyOptions{DNSName: s.Domain, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})
	c.crossSigned(s, leaf, o.Roots, signed)
}

// signature checks the ECDSA signature with SHA-256 over the text of the hash. The signature has
// one of two forms: two numbers of equal length (browsers), or ASN.1 (authsign).
func (c *Checked) signature(s *Signed, key *ecdsa.PublicKey, by string) {
	b, err := decode(s.Signature)
	if err != nil || len(b) == 0 {
		c.add(StepSignature, Fail, "signature is no base64: %v", err)
		return
	}
	sum := sha256.Sum256([]byte(s.Hash))
	ok, form := ecdsa.VerifyASN1(key, sum[:], b), "ASN.1"
	if size := (key.Curve.Params().BitSize + 7) / 8; !ok && len(b) == 2*size {
		ok = ecdsa.Verify(key, sum[:], new(big.Int).SetBytes(b[:size]), new(big.Int).SetBytes(b[size:]))
		form = "two numbers"
	}
	what := "is"
	if !ok {
		what = "is not"
	}
	c.verdict(StepSignature, ok, "the signature (ECDSA with SHA-256, %s, as %s) %s of %q by %s",
		key.Curve.Params().Name, form, what, s.Hash, by)
}

// decode decodes base64 in any variant.
func decode(s string) ([]byte, error) {
	s = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ",
		"").Replace(strings.TrimRight(strings.TrimSpace(s), "="))
	return base64.RawStdEncoding.DecodeString(s)
}

// publicKey parses a key as base64 of SubjectPublicKeyInfo, or as PEM.
func publicKey(s string) (*ecdsa.PublicKey, error) {
	if s == "" {
		return nil, errors.New("the package has neither a public key nor a certificate")
	}
	der, err := decode(s)
	if block, _ := pem.Decode([]byte(s)); block != nil {
		der, err = block.Bytes, nil
	}
	if err != nil {
		return nil, fmt.Errorf("it is no base64: %w", err)
	}
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, fmt.Errorf("the key is not a SubjectPublicKeyInfo: %w", err)
	}
	key, ok := parsed.(*ecdsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("it is a key of another kind than ECDSA (%T)", parsed)
	}
	return key, nil
}

// certificates parses a PEM chain, in order.
func certificates(s string) ([]*x509.Certificate, error) {
	var all []*x509.Certificate
	for rest := []byte(s); len(all) < maxCertificates; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("certificate %d: %w", len(all)+1, err)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, errors.New("it holds no certificate")
	}
	return all, nil
}

// domain compares the domain with the names of the certificate: its subject, or its alternative
// names, the usual place today.
func (c *Checked) domain(leaf *x509.Certificate, domain string) {
	names := slices.Clone(leaf.DNSNames)
	if cn := leaf.Subject.CommonName; cn != "" && !slices.Contains(names, cn) {
		names = append(names, cn)
	}
	ok := domain != "" && (strings.EqualFold(leaf.Subject.CommonName, domain) || leaf.VerifyHostname(domain) == nil)
	c.verdict(StepDomain, ok, "the domain is %q, and the certificate is of %s", domain, strings.Join(names, ", "))
}

func (c *Checked) validity(name StepName, cert *x509.Certificate, at time.Time, what string) {
	ok := !at.Before(cert.NotBefore) && !at.After(cert.NotAfter)
	c.verdict(name, ok, "the certificate counts from %s to %s; %s: %s, when it was %s old",
		cert.NotBefore.Format(time.RFC3339), cert.NotAfter.Format(time.RFC3339), what,
		at.Format(time.RFC3339), at.Sub(cert.NotBefore).Round(time.Minute))
}

// chain checks whether each certificate is signed by the next, and whether the chain leads to a
// trusted root, at the time of the signature.
func (c *Checked) chain(link, trust StepName, chain []*x509.Certificate, roots *x509.CertPool, at time.Time,
	o x509.VerifyOptions) {
	var names []string
	broken := ""
	for i, cert := range chain {
		names = append(names, cert.Subject.String())
		if i+1 < len(chain) && broken == "" {
			if err := cert.CheckSignatureFrom(chain[i+1]); err != nil {
				broken = fmt.Sprintf("; %s is not signed by the next: %v", cert.Subject, err)
			}
		}
	}
	if link != "" {
		c.verdict(link, broken == "", "%s%s", strings.Join(names, " < "), broken)
	}
	switch {
	case roots == nil:
		c.add(trust, NotChecked,
			"the chain was not checked against a trust anchor: none was given. It ends at %s, issued by %s, SHA-256 %x",
			chain[len(chain)-1].Subject, chain[len(chain)-1].Issuer, sha256.Sum256(chain[len(chain)-1].Raw))
		return
	case at.IsZero():
		c.add(trust, NotChecked, "nobody knows when it was signed")
		return
	}
	o.Roots, o.CurrentTime, o.Intermediates = roots, at, x509.NewCertPool()
	for _, cert := range chain[1:] {
		o.Intermediates.AddCert(cert)
	}
	found, err := chain[0].Verify(o)
	if err != nil {
		c.add(trust, Fail, "at %s: %v", at.Format(time.RFC3339), err)
		return
	}
	root := found[0][len(found[0])-1]
	c.add(trust, Pass, "at %s the chain leads to %s, SHA-256 %x", at.Format(time.RFC3339), root.Subject,
		sha256.Sum256(root.Raw))
}

// crossSigned checks the second certificate, if there is one: another authority issued it for the
// same key.
func (c *Checked) crossSigned(s *Signed, leaf *x509.Certificate, roots *x509.CertPool, at time.Time) {
	if s.CrossSignedCert == "" {
		return
	}
	chain, err := certificates(s.CrossSignedCert)
	if err != nil {
		c.add(StepCrossSigned, NotChecked, "crossSignedCert: %v", err)
		return
	}
	same, known := leaf.PublicKey.(*ecdsa.PublicKey)
	ok := known && same.Equal(chain[0].PublicKey)
	c.verdict(StepCrossSigned, ok,
		"the cross-signed certificate is of %s, by %s; its key is that of the domain's certificate: %v",
		chain[0].Subject, chain[0].Issuer, ok)
	c.chain("", StepCrossSignTrust, chain, roots, at,
		x509.VerifyOptions{KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})
}
