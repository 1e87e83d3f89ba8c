package register

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// authority is a time stamping authority for tests, with a root of its own.
type authority struct {
	roots *x509.CertPool
	cert  *x509.Certificate
	key   *ecdsa.PrivateKey
	// changes to what it answers
	status int
	info   func(*tstInfo)
	attrs  func(map[string]any)
	token  func([]byte) []byte
}

var (
	oidSignedData    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidTSTInfo       = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
	oidContentType   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidMessageDigest = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidSigningCertV2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
)

// tstInfo is RFC 3161, 2.4.2, without the fields that these tests leave out.
type tstInfo struct {
	Version int
	Policy  asn1.ObjectIdentifier
	Imprint messageImprint
	Serial  *big.Int
	Time    time.Time `asn1:"generalized"`
	Nonce   *big.Int  `asn1:"optional"`
}

type issuerAndSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

func newAuthority(t testing.TB, usage ...x509.ExtKeyUsage) *authority {
	t.Helper()
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	root := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "root"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour)}
	a := &authority{roots: x509.NewCertPool()}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, rootKey.Public(), rootKey)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(rootDER)
	if err != nil {
		t.Fatal(err)
	}
	a.roots.AddCert(parsed)
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(2),
		Subject: pkix.Name{CommonName: "authority"}, NotBefore: root.NotBefore, NotAfter: root.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: usage}, parsed, a.key.Public(), rootKey)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return a
}

func marshal(value any) []byte {
	der, err := asn1.Marshal(value)
	if err != nil {
		panic(err) // a mistake in the test
	}
	return der
}

func wrap(class, tag int, content ...[]byte) asn1.RawValue {
	return asn1.RawValue{Class: class, Tag: tag, IsCompound: true, Bytes: bytes.Join(content, nil)}
}

// respond answers a TimeStampReq.
func (a *authority) respond(request []byte) ([]byte, error) {
	var req timeStampReq
	if _, err := asn1.Unmarshal(request, &req); err != nil {
		return nil, err
	}
	if a.status != 0 {
		return marshal(struct{ Status struct{ Status int } }{struct{ Status int }{a.status}}), nil
	}
	info := tstInfo{Version: 1, Policy: asn1.ObjectIdentifier{1, 2, 3}, Imprint: req.Imprint, Serial: big.NewInt(5),
		Time: time.Now().UTC().Truncate(time.Second), Nonce: req.Nonce}
	if a.info != nil {
		a.info(&info)
	}
	token := a.sign(marshal(info))
	if a.token != nil {
		token = a.token(token)
	}
	return marshal(struct {
		Status struct{ Status int }
		Token  asn1.RawValue
	}{Token: asn1.RawValue{FullBytes: token}}), nil
}

type certSum struct{ Sum []byte }

// named returns a SigningCertificateV2 with a digest of the default algorithm.
func named(sum []byte) any { return struct{ Certs []certSum }{[]certSum{{sum}}} }

// sign returns a ContentInfo with SignedData.
func (a *authority) sign(content []byte) []byte {
	sum := sha256.Sum256(content)
	ownSum := sha256.Sum256(a.cert.Raw)
	attrs := map[string]any{oidContentType.String(): oidTSTInfo, oidMessageDigest.String(): sum[:],
		oidSigningCertV2.String(): named(ownSum[:])}
	if a.attrs != nil {
		a.attrs(attrs)
	}
	var signed []byte
	for _, oid := range []asn1.ObjectIdentifier{oidContentType, oidMessageDigest, oidSigningCertV2} {
		if value, ok := attrs[oid.String()]; ok {
			signed = append(signed, marshal(struct {
				Type   asn1.ObjectIdentifier
				Values asn1.RawValue
			}{oid, wrap(0, asn1.TagSet, marshal(value))})...)
		}
	}
	digest := sha256.Sum256(marshal(wrap(0, asn1.TagSet, signed)))
	signature, err := a.key.Sign(rand.Reader, digest[:], crypto.SHA256)
	if err != nil {
		panic(err) // a mistake in the test
	}
	sha := pkix.AlgorithmIdentifier{Algorithm: oidSHA256}
	signer := marshal(struct {
		Version   int
		ID        issuerAndSerial
		Digest    pkix.AlgorithmIdentifier
		Signed    asn1.RawValue
		Algorithm pkix.AlgorithmIdentifier
		Signature []byte
	}{1, issuerAndSerial{asn1.RawValue{FullBytes: a.cert.RawIssuer}, a.cert.SerialNumber}, sha, wrap(2, 0, signed),
		pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}}, signature})
	type explicit struct {
		Type    asn1.ObjectIdentifier
		Content asn1.RawValue
	}
	data := marshal(struct {
		Version      int
		Digests      asn1.RawValue
		Content      explicit
		Certificates asn1.RawValue
		Signers      asn1.RawValue
	}{3, wrap(0, asn1.TagSet, marshal(sha)), explicit{oidTSTInfo, wrap(2, 0, marshal(content))}, wrap(2, 0, a.cert.Raw),
		wrap(0, asn1.TagSet, signer)})
	return marshal(explicit{oidSignedData, wrap(2, 0, data)})
}

// listen serves an authority on loopback.
func listen(t *testing.T, respond func([]byte) ([]byte, error)) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, err := io.ReadAll(r.Body)
		if err == nil && r.Header.Get("Content-Type") != "application/timestamp-query" {
			err = fmt.Errorf("the type is %q", r.Header.Get("Content-Type"))
		}
		var response []byte
		if err == nil {
			response, err = respond(request)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, _ = w.Write(response) // the client may give up
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func someCheckpoint(t testing.TB) Checkpoint {
	t.Helper()
	s, err := newSigner(origin)
	if err != nil {
		t.Fatal(err)
	}
	c, err := signCheckpoint(origin, tlog.Tree{N: 7}, s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTimestamp(t *testing.T) {
	c := someCheckpoint(t)
	stamping := x509.ExtKeyUsageTimeStamping
	other := newAuthority(t, stamping)
	for _, k := range []struct {
		name  string
		usage x509.ExtKeyUsage
		edit  func(*authority)
		want  string // part of the error; "": accepted
	}{
		{"accepted", stamping, func(*authority) {}, ""},
		{"refused", stamping, func(a *authority) { a.status = 2 }, "was refused, with status 2"},
		{"not for time stamps", x509.ExtKeyUsageServerAuth, func(*authority) {}, "key usage"},
		{"unknown root", stamping, func(a *authority) { a.roots = other.roots }, "unknown authority"},
		{"key of another", stamping, func(a *authority) { a.key = other.key }, "ECDSA verification failure"},
		{"another message", stamping, func(a *authority) {
			a.info = func(i *tstInfo) { i.Imprint.Hashed = make([]byte, 32) }
		}, "another message"},
		{"another nonce", stamping, func(a *authority) {
			a.info = func(i *tstInfo) { i.Nonce = big.NewInt(1) }
		}, "nonce"},
		{"no nonce", stamping, func(a *authority) { a.info = func(i *tstInfo) { i.Nonce = nil } }, "nonce"},
		{"expired", stamping, func(a *authority) {
			a.info = func(i *tstInfo) { i.Time = i.Time.AddDate(1, 0, 0) }
		}, "expired"},
		{"digest of other content", stamping, func(a *authority) {
			a.attrs = func(m map[string]any) { m[oidMessageDigest.String()] = make([]byte, 32) }
		}, "the content has another hash than was signed"},
		{"no certificate named", stamping, func(a *authority) {
			a.attrs = func(m map[string]any) { delete(m, oidSigningCertV2.String()) }
		}, "names the certificate"},
		{"other certificate named", stamping, func(a *authority) {
			a.attrs = func(m map[string]any) {
				m[oidSigningCertV2.String()] = named(make([]byte, 32))
			}
		}, "another certificate"},
		{"other content type", stamping, func(a *authority) {
			a.attrs = func(m map[string]any) { m[oidContentType.String()] = oidSignedData }
		}, "the kind of the content"},
		{"not signed data", stamping, func(a *authority) {
			a.token = func([]byte) []byte { return []byte{5, 0} }
		}, "token"},
	} {
		a := newAuthority(t, k.usage)
		k.edit(a)
		receipt, err := TimestampAnchor{URL: listen(t, a.respond), Roots: a.roots}.Keep(background, c)
		if k.want != "" {
			if err == nil || !strings.Contains(err.Error(), k.want) {
				t.Errorf("%s: %v", k.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
			continue
		}
		at, err := VerifyTimestamp(receipt, c, a.roots)
		if err != nil || time.Since(at) > time.Minute {
			t.Errorf("%s: %v %v", k.name, at, err)
		}
		if _, err := VerifyTimestamp(receipt, someCheckpoint(t), nil); err == nil {
			t.Error("the receipt holds for another checkpoint")
		}
		if _, err := VerifyTimestamp(append(bytes.Clone(receipt), 5, 0), c, a.roots); err == nil {
			t.Error("bytes behind the receipt are accepted")
		}
		ignored := 0 // some versions and names of algorithms are neither signed nor used
		for i := range receipt {
			damaged := bytes.Clone(receipt)
			damaged[i] ^= 0x10
			if got, err := VerifyTimestamp(damaged, c, a.roots); err == nil {
				ignored++
				if !got.Equal(at) {
					t.Errorf("byte %d of %d: the time is %v, not %v", i, len(receipt), got, at)
				}
			}
		}
		if ignored > 20 {
			t.Errorf("%d of %d bytes do not matter", ignored, len(receipt))
		}
	}
	for _, url := range []string{"http://127.0.0.1:1/", "::",
		listen(t, func([]byte) ([]byte, error) { return nil, io.EOF }),
		listen(t, func([]byte) ([]byte, error) { return make([]byte, maxToken+1), nil })} {
		if _, err := (TimestampAnchor{URL: url}).Keep(background, c); err == nil {
			t.Errorf("%s answers", url)
		}
	}
}

// TestTimestampByOpenSSL has responses of an independent authority.
func TestTimestampByOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	dir := t.TempDir()
	run := func(args ...string) error {
		cmd := exec.Command("openssl", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("openssl %v: %w: %s", args, err, out)
		}
		return nil
	}
	openssl := func(args ...string) {
		t.Helper()
		if err := run(args...); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := "[tsa]\ndefault_tsa = one\n[one]\nserial = serial\nsigner_cert = tsa.pem\nsigner_key = tsa.key\n" +
		"certs = tsa.pem\ndefault_policy = 1.2.3\ndigests = sha256\ncrypto_device = builtin\n" +
		"signer_digest = sha256\naccuracy = secs:1, millisecs:5\n" +
		"clock_precision_digits = 3\nordering = yes\ntsa_name = yes\ness_cert_id_chain = no\n"
	write("ts.cnf", []byte(config))
	write("ext", []byte("extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature\n"))
	openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca")
	openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=tsa")
	openssl("x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-out", "tsa.pem", "-extfile", "ext")
	pem, err := os.ReadFile(filepath.Join(dir, "ca.pem"))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	url := listen(t, func(request []byte) ([]byte, error) {
		if err := os.WriteFile(filepath.Join(dir, "q"), request, 0o600); err != nil {
			return nil, err
		}
		if err := run("ts", "-reply", "-config", "ts.cnf", "-queryfile", "q", "-out", "r"); err != nil {
			return nil, err
		}
		return os.ReadFile(filepath.Join(dir, "r"))
	})
	c := someCheckpoint(t)
	receipt, err := TimestampAnchor{URL: url, Roots: roots}.Keep(background, c)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := VerifyTimestamp(receipt, c, roots); err != nil || time.Since(at).Abs() > time.Minute {
		t.Error(at, err)
	}
	if _, err := VerifyTimestamp(receipt, c, newAuthority(t).roots); err == nil {
		t.Error("an unknown root is accepted")
	}
	write("c", c.Text)
	write("r", receipt)
	openssl("ts", "-verify", "-data", "c", "-in", "r", "-CAfile", "ca.pem")
}

// FuzzTimestamp checks that no response of an authority ends the program, or is accepted unless it is
// one that was signed.
func FuzzTimestamp(f *testing.F) {
	a := newAuthority(f, x509.ExtKeyUsageTimeStamping)
	c := someCheckpoint(f)
	request, err := timestampRequest(c.Text, big.NewInt(9))
	if err != nil {
		f.Fatal(err)
	}
	response, err := a.respond(request)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(response)
	other := someCheckpoint(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := VerifyTimestamp(b, other, a.roots); err == nil {
			t.Errorf("%x is accepted", b)
		}
	})
}
