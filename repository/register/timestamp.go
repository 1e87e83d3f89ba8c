package register

import (
	"bytes"
	"context"
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
	"time"
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

// timeStampResp is RFC 3161, 2.4.2.
type timeStampResp struct {
	Status statusInfo
	Token  asn1.RawValue `asn1:"optional"`
}

type statusInfo struct {
	Status int
	Text   []asn1.RawValue `asn1:"optional"`
	Fail   asn1.BitString  `asn1:"optional"`
}

// tstInfo is RFC 3161, 2.4.2.
type tstInfo struct {
	Version    int
	Policy     asn1.ObjectIdentifier
	Imprint    messageImprint
	Serial     *big.Int
	Time       time.Time     `asn1:"generalized"`
	Accuracy   accuracy      `asn1:"optional"`
	Ordering   bool          `asn1:"optional"`
	Nonce      *big.Int      `asn1:"optional"`
	TSA        asn1.RawValue `asn1:"optional,tag:0"`
	Extensions asn1.RawValue `asn1:"optional,tag:1"`
}

// accuracy is in seconds, milliseconds and microseconds.
type accuracy struct {
	Seconds int `asn1:"optional"`
	Millis  int `asn1:"optional,tag:0"`
	Micros  int `asn1:"optional,tag:1"`
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
	var resp timeStampResp
	if err := unmarshal(response, &resp); err != nil {
		return time.Time{}, fmt.Errorf("the response is not a TimeStampResp: %w", err)
	}
	if s := resp.Status.Status; s != 0 && s != 1 { // granted, grantedWithMods
		return time.Time{}, fmt.Errorf("the authority refuses: status %d %s", s, statusText(resp.Status.Text))
	}
	token, err := parseSigned(resp.Token.FullBytes)
	if err != nil {
		return time.Time{}, fmt.Errorf("the time stamp token: %w", err)
	}
	var info tstInfo
	if err := unmarshal(token.content, &info); err != nil {
		return time.Time{}, fmt.Errorf("the token has no TSTInfo: %w", err)
	}
	sum := sha256.Sum256(message)
	if !info.Imprint.Algorithm.Algorithm.Equal(oidSHA256) || !bytes.Equal(info.Imprint.Hashed, sum[:]) {
		return time.Time{}, errors.New("the token is for another message")
	}
	if nonce != nil && (info.Nonce == nil || info.Nonce.Cmp(nonce) != 0) {
		return time.Time{}, errors.New("the token answers another request: its nonce differs")
	}
	if err := token.verify(info.Time, roots); err != nil {
		return time.Time{}, fmt.Errorf("the time stamp token: %w", err)
	}
	return info.Time.UTC(), nil
}

// statusText returns the first text of a refusal, in quotes.
func statusText(texts []asn1.RawValue) string {
	if len(texts) == 0 {
		return ""
	}
	return fmt.Sprintf("%q", texts[0].Bytes)
}

// unmarshal parses DER, and refuses bytes behind it.
func unmarshal(der []byte, value any) error {
	rest, err := asn1.Unmarshal(der, value)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow it", len(rest))
	}
	return err
}
