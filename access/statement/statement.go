package statement

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Format is the format of a statement, its member "format".
const Format = "quire.statement/1"

// PayloadType is the type of a statement in its envelope.
const PayloadType = "application/vnd.quire.statement+json"

// MaxEnvelope is the maximum size of an envelope in bytes.
const MaxEnvelope = 1 << 20

// Statement is what an archive states of a capture. Members that are empty are not stated.
type Statement struct {
	Format  string `json:"format"`
	Made    string `json:"made"`              // time of the statement, RFC 3339, UTC
	Archive string `json:"archive"`           // name of the archive
	Address string `json:"address,omitempty"` // of the capture in the archive

	URL       string `json:"url"`
	Timestamp string `json:"timestamp"` // of the capture, 14 digits, UTC
	Type      string `json:"type"`      // of the record: response, resource, revisit, conversion
	MIME      string `json:"mime,omitempty"`
	Status    int    `json:"status,omitempty"`
	Digest    string `json:"digest,omitempty"` // of the payload: "sha1:BASE32"
	Length    int64  `json:"length"`           // of the payload, in bytes

	Package string `json:"package"`
	Harvest int    `json:"harvest,omitempty"` // in the package, from 1
	Record  Place  `json:"record"`
	Payload *Place `json:"payload,omitempty"` // of a revisit: the record with the content
}

// Place is the record of a capture. An archive omits the position of a record in its container for
// readers who may not see each record of the package.
type Place struct {
	Package   string `json:"package,omitempty"` // if not that of the statement
	ID        string `json:"id,omitempty"`      // WARC-Record-ID
	Container string `json:"container,omitempty"`
	Order     int64  `json:"order,omitempty"` // in the container, from 1
	Offset    *int64 `json:"offset,omitempty"`
	SHA256    string `json:"sha256,omitempty"` // of the body as sent, hex
}

// envelope is an envelope of DSSE.
type envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     []byte      `json:"payload"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

// signed returns the bytes that a signature covers (DSSE, PAE).
func signed(payload []byte) []byte {
	text := "DSSEv1 " + strconv.Itoa(len(PayloadType)) + " " + PayloadType + " " + strconv.Itoa(len(payload)) + " "
	return append([]byte(text), payload...)
}

// Sign returns a statement in its envelope.
func (k *Key) Sign(s *Statement) ([]byte, error) {
	payload, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(envelope{PayloadType, payload,
		[]signature{{k.Public().ID(), ed25519.Sign(k.private, signed(payload))}}}, "", "  ")
}

// ErrSignature reports that no signature of an envelope is by the key.
var ErrSignature = errors.New("the signature does not verify with this key: the statement was changed, or " +
	"another key signed it")

// Verify returns the statement of an envelope, if the key signed it. The error is ErrSignature if it
// did not.
func (p Public) Verify(text []byte) (*Statement, error) {
	var e envelope
	if len(text) > MaxEnvelope {
		return nil, fmt.Errorf("not a statement: longer than %d bytes", MaxEnvelope)
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("not a signed statement: %w", err)
	}
	if e.PayloadType != PayloadType {
		return nil, fmt.Errorf("not a signed statement of a capture: its type is %.80q", e.PayloadType)
	}
	for _, s := range e.Signatures {
		if !ed25519.Verify(ed25519.PublicKey(p[:]), signed(e.Payload), s.Sig) {
			continue
		}
		var out Statement
		if err := json.Unmarshal(e.Payload, &out); err != nil {
			return nil, fmt.Errorf("the statement is signed, but not readable: %w", err)
		}
		if out.Format != Format {
			return nil, fmt.Errorf("the statement is signed, but of another format: %.80q", out.Format)
		}
		return &out, nil
	}
	return nil, ErrSignature
}

// ID returns a short name of the key, for the envelope: it proves nothing.
func (p Public) ID() string { return base64.RawURLEncoding.EncodeToString(p[:])[:16] }
