package wacz

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/format/fault"
	"quire/format/timestamp/timestamptest"
)

// made is a WACZ in memory.
type made map[string]string

func (m made) files() Files {
	f := Files{Open: func(p string) (io.ReadCloser, error) {
		s, ok := m[p]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return io.NopCloser(strings.NewReader(s)), nil
	}}
	for _, p := range slices.Sorted(maps.Keys(m)) {
		f.List = append(f.List, Entry{p, int64(len(m[p]))})
	}
	return f
}

func sha(s string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(s))) }

// describe writes datapackage.json and its digest for the files.
func (m made) describe(t testing.TB, signed *Signed) {
	t.Helper()
	p := map[string]any{"profile": "data-package", "wacz_version": "1.1.1", "title": "T",
		"created": "2022-01-18T19:00:12Z"}
	var list []map[string]any
	for _, e := range m.files().List {
		if e.Path != PackageName && e.Path != DigestName {
			list = append(list, map[string]any{"name": e.Path, "path": e.Path, "hash": sha(m[e.Path]), "bytes": e.Size})
		}
	}
	p["resources"] = list
	m[PackageName] = toJSON(t, p)
	d := map[string]any{"path": PackageName, "hash": sha(m[PackageName])}
	if signed != nil {
		d["signedData"] = signed
	}
	m[DigestName] = toJSON(t, d)
}

func toJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func good() made {
	return made{"archive/data.warc.gz": "warc", "indexes/index.cdx": "cdx",
		PagesName: "{\"format\":\"json-pages-1.0\"}\n{\"url\":\"http://a.test/\",\"ts\":\"2022-01-18T19:00:12Z\"}\n"}
}

// checked checks a WACZ and returns the codes of the faults.
func checked(t *testing.T, m made, o Options) (*Checked, string) {
	t.Helper()
	var codes []string
	o.Report = func(f fault.Fault) { codes = append(codes, string(f.Code)) }
	c, err := Check(context.Background(), m.files(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c, strings.Join(codes, " ")
}

// authority issues certificates.
type authority struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// begun is the start of all validity; signatures are one hour later.
var begun = time.Date(2022, 1, 18, 18, 0, 12, 0, time.UTC)

func certify(t testing.TB, by *authority, name string, key crypto.Signer, change func(*x509.Certificate)) *authority {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(int64(len(name)) + 1e9),
		Subject: pkix.Name{CommonName: name}, NotBefore: begun, NotAfter: begun.AddDate(0, 3, 0),
		BasicConstraintsValid: true}
	if change != nil {
		change(template)
	}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{cert, key}
}

func isCA(c *x509.Certificate) {
	c.IsCA, c.KeyUsage = true, x509.KeyUsageCertSign
	c.NotBefore, c.NotAfter = begun.AddDate(-5, 0, 0), begun.AddDate(5, 0, 0)
}

func forStamps(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping} }

func forDomain(c *x509.Certificate) { c.DNSNames = []string{c.Subject.CommonName} }

func ec(t testing.TB, curve elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func chainOf(all ...*authority) string {
	var b strings.Builder
	for _, a := range all {
		b.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw}))
	}
	return b.String()
}

func poolOf(all ...*authority) *x509.CertPool {
	p := x509.NewCertPool()
	for _, a := range all {
		p.AddCert(a.cert)
	}
	return p
}

// signers is the set of all signers.
type signers struct {
	root, middle, domain *authority
	stampRoot, stamper   *authority
	rsa                  *authority // a time-stamp authority with another kind of key
	other                *authority // an untrusted authority
}

func newHouse(t testing.TB) *signers {
	h := &signers{}
	h.root = certify(t, nil, "Root", ec(t, elliptic.P256()), isCA)
	h.middle = certify(t, h.root, "Middle", ec(t, elliptic.P256()), isCA)
	h.domain = certify(t, h.middle, "sign.test", ec(t, elliptic.P256()), forDomain)
	h.stampRoot = certify(t, nil, "Stamp Root", ec(t, elliptic.P384()), isCA)
	h.stamper = certify(t, h.stampRoot, "Stamper", ec(t, elliptic.P256()), forStamps)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	h.rsa = certify(t, h.stampRoot, "RSA Stamper", key, forStamps)
	h.other = certify(t, nil, "Other", ec(t, elliptic.P256()), isCA)
	return h
}

func sign(t testing.TB, key *ecdsa.PrivateKey, text string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(text))
	b, err := ecdsa.SignASN1(rand.Reader, key, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// stampOf returns a time stamp of a text, in base64.
func stampOf(t testing.TB, by *authority, text string, at time.Time, within ...*authority) string {
	t.Helper()
	return stampNaming(t, by, by, text, at, within...)
}

// stampNaming returns a time stamp with signed attributes that name the certificate of named.
func stampNaming(t testing.TB, by, named *authority, text string, at time.Time, within ...*authority) string {
	t.Helper()
	var certs []*x509.Certificate
	for _, w := range within {
		certs = append(certs, w.cert)
	}
	return base64.StdEncoding.EncodeToString(timestamptest.Response(t, timestamptest.Signer{Cert: by.cert, Key: by.key},
		named.cert, text, at, certs...))
}
