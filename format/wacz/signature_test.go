package wacz

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// told returns the verification steps that the signature did not pass.
func told(c *Checked) string {
	var all []string
	for _, s := range c.Steps {
		if s.Verdict != Pass {
			all = append(all, fmt.Sprintf("%s: %s", s.Name, s.Verdict))
		}
	}
	return strings.Join(all, ", ")
}

// TestAnonymous checks keys and signatures as browsers write them (P-384, SHA-256, two numbers),
// and in other allowed forms.
func TestAnonymous(t *testing.T) {
	m := good()
	m.describe(t, nil)
	hash := sha(m[PackageName])
	numbers := func(key *ecdsa.PrivateKey, text string) string {
		sum := sha256.Sum256([]byte(text))
		r, s, err := ecdsa.Sign(rand.Reader, key, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		size := (key.Curve.Params().BitSize + 7) / 8
		return base64.StdEncoding.EncodeToString(append(r.FillBytes(make([]byte, size)),
			s.FillBytes(make([]byte, size))...))
	}
	spki := func(key *ecdsa.PrivateKey) []byte {
		der, err := x509.MarshalPKIXPublicKey(key.Public())
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	p256, p384, p521 := ec(t, elliptic.P256()), ec(t, elliptic.P384()), ec(t, elliptic.P521())
	b64 := base64.StdEncoding.EncodeToString
	for _, c := range []struct {
		name   string
		signed Signed
		want   string
	}{
		{"P-384, two numbers", Signed{Hash: hash, Signature: numbers(p384, hash), PublicKey: b64(spki(p384))}, ""},
		{"P-256, two numbers", Signed{Hash: hash, Signature: numbers(p256, hash), PublicKey: b64(spki(p256))}, ""},
		{"P-521, two numbers", Signed{Hash: hash, Signature: numbers(p521, hash), PublicKey: b64(spki(p521))}, ""},
		{"ASN.1", Signed{Hash: hash, Signature: sign(t, p384, hash), PublicKey: b64(spki(p384))}, ""},
		{"base64 for URLs, without its end",
			Signed{Hash: hash, Signature: strings.TrimRight(strings.NewReplacer("+", "-", "/",
				"_").Replace(numbers(p384, hash)), "="), PublicKey: base64.RawURLEncoding.EncodeToString(spki(p384))},
			""},
		{"a key as PEM", Signed{Hash: hash, Signature: sign(t, p256, hash),
			PublicKey: string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: spki(p256)}))}, ""},
		{"another key", Signed{Hash: hash, Signature: numbers(p384, hash),
			PublicKey: b64(spki(ec(t, elliptic.P384())))}, "signature: fail"},
		{"the bytes of the hash are signed, not its text",
			Signed{Hash: hash, Signature: numbers(p384, "x"), PublicKey: b64(spki(p384))}, "signature: fail"},
		{"another hash is signed", Signed{Hash: sha("x"), Signature: numbers(p384, sha("x")),
			PublicKey: b64(spki(p384))}, "signed hash: fail"},
		{"no signature", Signed{Hash: hash, PublicKey: b64(spki(p384))}, "signature: fail"},
		{"no base64", Signed{Hash: hash, Signature: "!", PublicKey: b64(spki(p384))}, "signature: fail"},
		{"no key", Signed{Hash: hash, Signature: "AAAA"}, "signature: not checked"},
		{"a key that is none", Signed{Hash: hash, Signature: "AAAA", PublicKey: "AAAA"}, "signature: not checked"},
	} {
		signed := good()
		signed.describe(t, &c.signed)
		got, faults := checked(t, signed, Options{})
		if told(got) != c.want || faults != "" {
			t.Errorf("%s: %s, %s", c.name, told(got), faults)
		}
		if want := map[bool]Verdict{true: Pass}[c.want == ""]; want == Pass && got.Verdict() != Pass || c.want != "" &&
			got.Verdict() == Pass {
			t.Errorf("%s: %s", c.name, got.Verdict())
		}
	}
}

// TestByDomain checks a signature by domain, intact and broken in each way: each breach changes its
// own verdict and no other.
func TestByDomain(t *testing.T) {
	h := newHouse(t)
	created := begun.Add(time.Hour)
	m := good()
	m.describe(t, nil)
	hash := sha(m[PackageName])
	domainKey := h.domain.key.(*ecdsa.PrivateKey)
	whole := func() *Signed {
		s := &Signed{Hash: hash, Created: created.Format(time.RFC3339), Software: "authsigner", Version: "0.1.0",
			Signature: sign(t, domainKey, hash), Domain: "sign.test",
			DomainCert: chainOf(h.domain, h.middle, h.root), TimestampCert: chainOf(h.stamper, h.stampRoot)}
		s.TimeSignature = stampOf(t, h.stamper, s.Signature, created.Add(time.Second))
		return s
	}
	trusting := Options{Roots: poolOf(h.root), TimestampRoots: poolOf(h.stampRoot)}
	for _, c := range []struct {
		name   string
		change func(*Signed)
		o      Options
		want   string
	}{
		{"whole", nil, trusting, ""},
		{"no roots", nil, Options{}, "timestamp trust: not checked, trust: not checked"},
		{"other roots", nil, Options{Roots: poolOf(h.other), TimestampRoots: poolOf(h.other)},
			"timestamp trust: fail, trust: fail"},
		{"an RSA time stamper, with its certificate in the token", func(s *Signed) {
			s.TimeSignature, s.TimestampCert = stampOf(t, h.rsa, s.Signature, created, h.rsa, h.stampRoot), ""
		}, trusting, ""},
		{"certificates of the time stamper in another order", func(s *Signed) {
			s.TimestampCert = chainOf(h.stampRoot, h.stamper)
		}, trusting, ""},
		{"the signature of another hash", func(s *Signed) {
			s.Signature = sign(t, domainKey, "x")
			s.TimeSignature = stampOf(t, h.stamper, s.Signature, created)
		}, trusting, "signature: fail"},
		{"another signature than was stamped", func(s *Signed) {
			s.Signature = sign(t, domainKey, hash)
		}, trusting, "stamped signature: fail"},
		{"another domain", func(s *Signed) { s.Domain = "other.test" }, trusting, "domain: fail, trust: fail"},
		{"no domain", func(s *Signed) { s.Domain = "" }, trusting, "domain: fail"},
		{"the certificate of another", func(s *Signed) {
			s.DomainCert = chainOf(certify(t, h.middle, "sign.test", ec(t, elliptic.P256()), forDomain), h.middle,
				h.root)
		}, trusting, "signature: fail"},
		{"a chain with a link of another house", func(s *Signed) {
			s.DomainCert = chainOf(h.domain, h.other)
		}, trusting, "chain: fail, trust: fail"},
		{"a chain that ends before its root", func(s *Signed) {
			s.DomainCert = chainOf(h.domain, h.middle)
		}, trusting, ""},
		{"a certificate that had expired", func(s *Signed) {
			old := certify(t, h.middle, "sign.test", domainKey, func(c *x509.Certificate) {
				forDomain(c)
				c.NotBefore, c.NotAfter = begun.AddDate(-1, 0, 0), begun
			})
			s.DomainCert = chainOf(old, h.middle, h.root)
		}, trusting, "validity: fail, trust: fail"},
		{"a time stamp eleven minutes later", func(s *Signed) {
			s.TimeSignature = stampOf(t, h.stamper, s.Signature, created.Add(11*time.Minute))
		}, trusting, "timestamp time: fail"},
		{"a time stamp eleven minutes before", func(s *Signed) {
			s.TimeSignature = stampOf(t, h.stamper, s.Signature, created.Add(-11*time.Minute))
		}, trusting, "timestamp time: fail"},
		{"ten minutes", func(s *Signed) {
			s.TimeSignature = stampOf(t, h.stamper, s.Signature, created.Add(-10*time.Minute))
		}, trusting, ""},
		{"a time stamper that may not", func(s *Signed) {
			bad := certify(t, h.stampRoot, "Web Server", ec(t, elliptic.P256()), forDomain)
			s.TimeSignature, s.TimestampCert = stampOf(t, bad, s.Signature, created), chainOf(bad, h.stampRoot)
		}, trusting, "timestamp validity: fail"},
		{"a time stamp of another than is named", func(s *Signed) {
			s.TimestampCert = chainOf(h.rsa, h.stampRoot)
		}, trusting, "timestamp: fail"},
		{"a time stamp that was changed", func(s *Signed) {
			b, err := base64.StdEncoding.DecodeString(s.TimeSignature)
			if err != nil {
				t.Fatal(err)
			}
			at := strings.Index(string(b), "20220118190013Z")
			b[at+11]++
			s.TimeSignature = base64.StdEncoding.EncodeToString(b)
		}, trusting, "timestamp: fail"},
		{"a time stamp that names another certificate", func(s *Signed) {
			s.TimeSignature = stampNaming(t, h.stamper, h.rsa, s.Signature, created)
		}, trusting, "timestamp: fail"},
		{"a time stamp with another signature", func(s *Signed) {
			b, err := base64.StdEncoding.DecodeString(s.TimeSignature)
			if err != nil {
				t.Fatal(err)
			}
			b[len(b)-1]++
			s.TimeSignature = base64.StdEncoding.EncodeToString(b)
		}, trusting, "timestamp: fail"},
		{"a time stamp that is none", func(s *Signed) { s.TimeSignature = "AAAA" }, trusting, "timestamp: fail"},
		{"no time stamp", func(s *Signed) { s.TimeSignature = "" }, trusting, "timestamp: not checked"},
		{"no time", func(s *Signed) {
			s.Created = "yesterday"
		}, trusting, "validity: not checked, timestamp time: not checked"},
		{"no certificate", func(s *Signed) { s.DomainCert = "PEM" }, trusting, "signature: not checked"},
		{"cross-signed", func(s *Signed) {
			s.CrossSignedCert = chainOf(certify(t, h.other, "sign.test", domainKey, forDomain), h.other)
		},
			Options{Roots: poolOf(h.root, h.other), TimestampRoots: trusting.TimestampRoots}, ""},
		{"cross-signed with another key", func(s *Signed) {
			s.CrossSignedCert = chainOf(certify(t, h.other, "sign.test", ec(t, elliptic.P256()), forDomain), h.other)
		},
			Options{Roots: poolOf(h.root, h.other), TimestampRoots: trusting.TimestampRoots}, "cross-signed: fail"},
		{"cross-signed by nobody", func(s *Signed) {
			s.CrossSignedCert = chainOf(certify(t, h.other, "sign.test", domainKey, forDomain), h.other)
		}, trusting, "cross-signed trust: fail"},
		{"refused", func(s *Signed) {
			s.TimeSignature = base64.StdEncoding.EncodeToString([]byte{0x30, 5, 0x30, 3, 2, 1, 2})
		}, trusting, "timestamp: fail"},
	} {
		s := whole()
		if c.change != nil {
			c.change(s)
		}
		signed := good()
		signed.describe(t, s)
		got, faults := checked(t, signed, c.o)
		if told(got) != c.want || faults != "" {
			t.Errorf("%s: %s, %s", c.name, told(got), faults)
			for _, step := range got.Steps {
				t.Log(step)
			}
		}
		if failed := strings.Contains(c.want, "fail"); failed != (got.Verdict() == Fail) {
			t.Errorf("%s: %s", c.name, got.Verdict())
		}
		for _, step := range got.Steps {
			if step.Evidence == "" {
				t.Errorf("%s: %s has no evidence", c.name, step.Name)
			}
		}
	}
}

// TestChangedSince checks that a package changed after signing fails at the change, while the
// signature stays valid.
func TestChangedSince(t *testing.T) {
	key := ec(t, elliptic.P384())
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	whole := func() made {
		m := good()
		m.describe(t, nil)
		hash := sha(m[PackageName])
		m.describe(t, &Signed{Hash: hash, Signature: sign(t, key, hash),
			PublicKey: base64.StdEncoding.EncodeToString(der)})
		return m
	}
	for _, c := range []struct {
		name   string
		change func(made)
		want   string
		faults string
	}{
		{"nothing", func(made) {}, "", ""},
		{"a container", func(m made) { m["archive/data.warc.gz"] = "wars" }, "resources: fail", "WACZ-RESOURCE-HASH"},
		{"a container grew", func(m made) {
			m["archive/data.warc.gz"] += "x"
		}, "resources: fail", "WACZ-RESOURCE-HASH WACZ-RESOURCE-SIZE"},
		{"a container is gone", func(m made) {
			delete(m, "archive/data.warc.gz")
		}, "resources: fail", "WACZ-ARCHIVE-MISSING WACZ-RESOURCE-MISSING"},
		{"the title", func(m made) {
			m[PackageName] = strings.Replace(m[PackageName], `"T"`, `"U"`, 1)
		}, "digest: fail", "WACZ-DIGEST-HASH"},
		{"a file came", func(m made) { m["archive/other.warc"] = "x" }, "", "WACZ-UNLISTED"},
		{"the digest is gone", func(m made) { delete(m, DigestName) }, "digest: not checked", ""},
		{"the digest is no JSON", func(m made) { m[DigestName] = "{" }, "digest: not checked", "WACZ-DIGEST"},
		{"the digest is of another kind", func(m made) {
			m[DigestName] = `{"path":"datapackage.json","hash":"sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709"}`
		}, "digest: not checked", "WACZ-DIGEST"},
		{"the signature is none", func(m made) {
			m[DigestName] = `{"hash":"` + sha(m[PackageName]) + `","signedData":"x"}`
		}, "", "WACZ-DIGEST"},
	} {
		m := whole()
		c.change(m)
		got, faults := checked(t, m, Options{})
		if c.name == "the signature is none" {
			got.Steps = slices.DeleteFunc(got.Steps, func(s Step) bool {
				return s.Name == StepSignedHash || s.Name == StepSignature
			})
		}
		if told(got) != c.want || faults != c.faults {
			t.Errorf("%s: %s, %s", c.name, told(got), faults)
		}
	}
}
