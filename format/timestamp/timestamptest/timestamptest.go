// Package timestamptest makes time stamps for tests.
package timestamptest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"slices"
	"testing"
	"time"
)

// Signer is a time stamping authority.
type Signer struct {
	Cert *x509.Certificate
	Key  crypto.Signer
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
	oidSigningCertV2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
	oidSHA256        = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}
	oidSHA512        = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}
)

// Response returns a TimeStampResp for a text, by RFC 3161 and RFC 5652. Its signed attributes name
// the certificate named; it has the certificates within.
func Response(t testing.TB, by Signer, named *x509.Certificate, text string, at time.Time,
	within ...*x509.Certificate) []byte {
	t.Helper()
	must := func(v any, params string) []byte {
		b, err := asn1.MarshalWithParams(v, params)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	raw := func(b []byte) asn1.RawValue { return asn1.RawValue{FullBytes: b} }
	sum := sha256.Sum256([]byte(text))
	sha256ID := pkix.AlgorithmIdentifier{Algorithm: oidSHA256, Parameters: asn1.NullRawValue}
	sha512ID := pkix.AlgorithmIdentifier{Algorithm: oidSHA512, Parameters: asn1.NullRawValue}
	imprint := must(struct {
		Algorithm pkix.AlgorithmIdentifier
		Hash      []byte
	}{sha256ID, sum[:]}, "")
	info := must([]asn1.RawValue{raw(must(1, "")), raw(must(asn1.ObjectIdentifier{1, 2, 3}, "")), raw(imprint),
		raw(must(big.NewInt(42), "")), raw(must(at, "generalized"))}, "")
	digest := sha512.Sum512(info)
	certSum := sha256.Sum256(named.Raw)
	essCert := must([][]asn1.RawValue{{raw(must(certSum[:], ""))}}, "")
	essCert = must([]asn1.RawValue{raw(essCert)}, "")
	attributes := must([]attribute{
		{oidContentType, []asn1.RawValue{raw(must(oidTSTInfo, ""))}},
		{oidMessageDigest, []asn1.RawValue{raw(must(digest[:], ""))}},
		{oidSigningCertV2, []asn1.RawValue{raw(essCert)}},
	}, "set")
	signedSum := sha512.Sum512(attributes)
	signature, err := by.Key.Sign(rand.Reader, signedSum[:], crypto.SHA512)
	if err != nil {
		t.Fatal(err)
	}
	algorithm := asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 4}
	if _, ok := by.Key.(*rsa.PrivateKey); ok {
		algorithm = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
	}
	retagged := slices.Clone(attributes)
	retagged[0] = 0xa0
	signer := must([]asn1.RawValue{raw(must(1, "")),
		raw(must([]asn1.RawValue{raw(by.Cert.RawIssuer), raw(must(by.Cert.SerialNumber, ""))}, "")),
		raw(must(sha512ID, "")),
		raw(retagged), raw(must(pkix.AlgorithmIdentifier{Algorithm: algorithm}, "")), raw(must(signature, ""))}, "")
	parts := []asn1.RawValue{raw(must(3, "")), raw(must([]pkix.AlgorithmIdentifier{sha512ID}, "set")),
		raw(must([]asn1.RawValue{raw(must(oidTSTInfo, "")),
			{Class: 2, Tag: 0, IsCompound: true, Bytes: must(info, "")}}, ""))}
	if len(within) > 0 {
		var all []byte
		for _, w := range within {
			all = append(all, w.Raw...)
		}
		parts = append(parts, asn1.RawValue{Class: 2, Tag: 0, IsCompound: true, Bytes: all})
	}
	parts = append(parts, raw(must([]asn1.RawValue{raw(signer)}, "set")))
	token := must([]asn1.RawValue{raw(must(oidSignedData, "")),
		{Class: 2, Tag: 0, IsCompound: true, Bytes: must(parts, "")}}, "")
	status := must([]asn1.RawValue{raw(must(0, ""))}, "")
	return must([]asn1.RawValue{raw(status), raw(token)}, "")
}
