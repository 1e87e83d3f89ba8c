package register

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"slices"
	"time"

	"quire/format/timestamp"
)

// TimestampAnchor asks a time stamping authority (RFC 3161) to sign the SHA-256 of each checkpoint
// with the time. The receipt is its TimeStampResp. The authority sees the digest only.
type TimestampAnchor struct {
	URL    string
	Roots  *x509.CertPool // certificates of authorities that are trusted; nil: the chain is not verified
	Client *http.Client   // nil: a client that gives up after 30 s
}

// maxToken is the maximum size in bytes of a response of an authority.
const maxToken = 256 << 10

// timestampName begins the name of a [TimestampAnchor].
const timestampName = "timestamp "

// Name implements [Anchor].
func (a TimestampAnchor) Name() string { return timestampName + a.URL }

// Keep implements [Anchor].
func (a TimestampAnchor) Keep(ctx context.Context, c Checkpoint) ([]byte, error) {
	nonce, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 64))
	if err != nil {
		return nil, err
	}
	request, err := timestampRequest(c.Text, nonce)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL, bytes.NewReader(request))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/timestamp-query") // RFC 3161, 3.4
	client := a.Client
	if client == nil {
		client = &http.Client{Timeout: 30 * time.Second}
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }() // read to its end, or given up
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", a.URL, answer.Status)
	}
	response, err := io.ReadAll(io.LimitReader(answer.Body, maxToken+1))
	if err != nil {
		return nil, err
	}
	if _, err := verifyTimestamp(response, c.Text, nonce, a.Roots); err != nil {
		return nil, fmt.Errorf("%s: %w", a.URL, err)
	}
	return response, nil
}

// VerifyTimestamp verifies a stored receipt for a checkpoint, and returns the time that the authority
// signed. Without roots, it verifies the signature by the certificate in the receipt only: then
// nothing shows who the authority is.
func VerifyTimestamp(receipt []byte, c Checkpoint, roots *x509.CertPool) (time.Time, error) {
	return verifyTimestamp(receipt, c.Text, nil, roots)
}

// messageImprint is RFC 3161, 2.4.1.
type messageImprint struct {
	Algorithm pkix.AlgorithmIdentifier
	Hashed    []byte
}

// timeStampReq is RFC 3161, 2.4.1, without the fields that are not used.
type timeStampReq struct {
	Version int
	Imprint messageImprint
	Nonce   *big.Int
	CertReq bool
}

var oidSHA256 = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}

// timestampRequest returns a TimeStampReq for the SHA-256 of a message.
func timestampRequest(message []byte, nonce *big.Int) ([]byte, error) {
	sum := sha256.Sum256(message)
	return asn1.Marshal(timeStampReq{Version: 1, Nonce: nonce, CertReq: true, Imprint: messageImprint{
		Algorithm: pkix.AlgorithmIdentifier{Algorithm: oidSHA256, Parameters: asn1.NullRawValue}, Hashed: sum[:]}})
}

// verifyTimestamp verifies a TimeStampResp: status, signature, message imprint and nonce. A nil nonce
// is not compared.
func verifyTimestamp(response, message []byte, nonce *big.Int, roots *x509.CertPool) (time.Time, error) {
	if len(response) > maxToken {
		return time.Time{}, fmt.Errorf("the response has more than %d bytes", maxToken)
	}
	if rest, err := asn1.Unmarshal(response, &asn1.RawValue{}); err == nil && len(rest) > 0 {
		return time.Time{}, fmt.Errorf("%d bytes follow the response", len(rest))
	}
	s, err := timestamp.Parse(response)
	if err != nil {
		return time.Time{}, fmt.Errorf("the time stamp token: %w", err)
	}
	if s.Hash != crypto.SHA256 || !s.Of(message) {
		return time.Time{}, errors.New("the token is for another message")
	}
	if nonce != nil && (s.Nonce == nil || s.Nonce.Cmp(nonce) != 0) {
		return time.Time{}, errors.New("the token answers another request: its nonce differs")
	}
	if err := verifySigner(s, roots); err != nil {
		return time.Time{}, fmt.Errorf("the time stamp token: %w", err)
	}
	return s.Time.UTC(), nil
}

// verifySigner verifies the signature, and with roots the chain of certificates at the time of the
// stamp.
func verifySigner(s *timestamp.Stamp, roots *x509.CertPool) error {
	i := slices.IndexFunc(s.Certificates, s.IsSigner)
	if i < 0 {
		return errors.New("the certificate of its signer is missing")
	}
	signer := s.Certificates[i]
	if err := errors.Join(s.Strict(), s.Verify(signer)); err != nil {
		return err
	}
	if roots == nil {
		return nil
	}
	between := x509.NewCertPool()
	for _, c := range s.Certificates {
		between.AddCert(c)
	}
	_, err := signer.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, CurrentTime: s.Time,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
	return err
}
