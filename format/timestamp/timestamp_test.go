package timestamp

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"testing"
	"time"

	"quire/format/timestamp/timestamptest"
)

var when = time.Date(2022, 1, 18, 19, 0, 12, 0, time.UTC)

func signer(t testing.TB, name string) timestamptest.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: name},
		NotBefore: when.AddDate(-1, 0, 0), NotAfter: when.AddDate(1, 0, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return timestamptest.Signer{Cert: cert, Key: key}
}

func TestStamp(t *testing.T) {
	by, other := signer(t, "one"), signer(t, "two")
	s, err := Parse(timestamptest.Response(t, by, by.Cert, "x", when, other.Cert, by.Cert))
	if err != nil {
		t.Fatal(err)
	}
	if !s.Time.Equal(when) || !s.Of([]byte("x")) || s.Of([]byte("y")) || len(s.Certificates) != 2 || s.Nonce != nil {
		t.Errorf("%+v", s)
	}
	if !s.IsSigner(by.Cert) || s.IsSigner(other.Cert) {
		t.Error("the signer is another")
	}
	if s.Verify(by.Cert) != nil || s.Strict() != nil || s.Verify(other.Cert) == nil {
		t.Error(s.Verify(by.Cert), s.Strict(), s.Verify(other.Cert))
	}
	named, err := Parse(timestamptest.Response(t, by, other.Cert, "x", when))
	if err != nil || named.Verify(by.Cert) == nil {
		t.Errorf("a time stamp that names another certificate is accepted: %v", err)
	}
}

func TestStrict(t *testing.T) {
	by := signer(t, "one")
	for name, change := range map[string]func(*Stamp){
		"attributes twice": func(s *Stamp) {
			s.signer.Attributes.Bytes = append(bytes.Clone(s.signer.Attributes.Bytes), s.signer.Attributes.Bytes...)
		},
		"no certificate named":   func(s *Stamp) { s.signer.Attributes.Bytes = nil },
		"SHA-1 of the content":   func(s *Stamp) { s.signer.DigestAlgorithm.Algorithm = digests[0].oid },
		"SHA-1 of the data":      func(s *Stamp) { s.Hash = crypto.SHA1 },
		"an unknown digest":      func(s *Stamp) { s.signer.DigestAlgorithm.Algorithm = oidTSTInfo },
		"attributes are cut off": func(s *Stamp) { s.signer.Attributes.Bytes = s.signer.Attributes.Bytes[1:] },
	} {
		s, err := Parse(timestamptest.Response(t, by, by.Cert, "x", when))
		if err != nil || s.Strict() != nil {
			t.Fatal(err, s.Strict())
		}
		if change(s); s.Strict() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func FuzzStamp(f *testing.F) {
	by := signer(f, "one")
	b := timestamptest.Response(f, by, by.Cert, "x", when, by.Cert)
	f.Add(b)
	f.Add([]byte{0x30, 3, 2, 1, 0})
	f.Fuzz(func(t *testing.T, der []byte) {
		s, err := Parse(der)
		if err != nil {
			return
		}
		if s.Verify(by.Cert) == nil && !bytes.Equal(der, b) {
			if _, rest := asn1.Unmarshal(der, &asn1.RawValue{}); rest == nil && !bytes.Contains(b, s.content) {
				t.Errorf("a forged time stamp is accepted")
			}
		}
	})
}
