package provider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"

	"quire/oai/protocol"
)

// A resumption token is the query and the position at the end of the page, signed
// (docs/reference/580_oai.md, "Resumption tokens"):
//
//	version 1, number of the verb                               one byte each
//	metadataPrefix, set                                         length, bytes
//	from, until                                                 1 and seconds since 1970, or 0
//	datestamp and identifier of the last record of the page     seconds; length, bytes
//	cursor, completeListSize or 0
//	HMAC-SHA256 of all this by the provider's key               the first 16 bytes
//
// Numbers are varints of encoding/binary. Base64 of RFC 4648, clause 5, without padding. For
// ListSets, the identifier is the last setSpec.
const tokenVersion = 1

// maxToken is the maximum length of a token in bytes: for the longest identifier, twice the
// necessary Base64 length.
const maxToken = 2 * (protocol.MaxIdentifier + 1024)

const macSize = 16

// tokenVerbs are the verbs with resumption, by number. Their order is part of the format.
var tokenVerbs = []protocol.Verb{protocol.ListIdentifiers, protocol.ListRecords, protocol.ListSets}

// token returns the token that continues a request.
func (p *Provider) token(r *request, after Position, cursor int64) string {
	b := make([]byte, 0, 256)
	b = append(b, tokenVersion, verbNumber(r.verb))
	b = appendString(b, r.query.Prefix)
	b = appendString(b, r.query.Set)
	b = appendBound(b, r.query.From)
	b = appendBound(b, r.query.Until)
	b = appendBound(b, after.Datestamp)
	b = appendString(b, after.Identifier)
	b = binary.AppendUvarint(b, uint64(cursor))
	b = binary.AppendUvarint(b, uint64(r.size))
	b = append(b, p.mac(b)...)
	return base64.RawURLEncoding.EncodeToString(b)
}

func (p *Provider) mac(b []byte) []byte {
	h := hmac.New(sha256.New, p.opt.Key)
	h.Write([]byte("quire OAI-PMH token\n")) // the key may also sign other data
	h.Write(b)
	return h.Sum(nil)[:macSize]
}

// resume restores the request of a token.
func (p *Provider) resume(r *request, token string) []condition {
	if err := p.open(r, token); err != nil {
		return []condition{{protocol.BadResumptionToken, err.Error()}}
	}
	return nil
}

var errToken = errors.New("the resumptionToken is not from this repository, or was changed: start the " +
	"list again")

func (p *Provider) open(r *request, token string) error {
	if len(token) > maxToken {
		return errToken
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) < macSize+2 {
		return errToken
	}
	signed, mac := b[:len(b)-macSize], b[len(b)-macSize:]
	if !hmac.Equal(mac, p.mac(signed)) || signed[0] != tokenVersion {
		return errToken
	}
	if signed[1] != verbNumber(r.verb) {
		return errors.New("the resumptionToken belongs to another verb")
	}
	d := decoder{rest: signed[2:]}
	q := Query{Prefix: d.string(), Set: d.string(), From: d.bound(), Until: d.bound(),
		After: Position{d.bound(), d.string()}}
	cursor, size := d.number(), d.number()
	if d.failed || len(d.rest) > 0 {
		return errToken // our signature, so another version with the same number: it must never happen
	}
	if r.verb != protocol.ListSets && !p.format(q.Prefix) {
		return errors.New("the resumptionToken belongs to a list in the format " + quoted(q.Prefix) +
			", which is no longer available")
	}
	r.query, r.cursor, r.size = q, int64(cursor), int64(size)
	return nil
}

func verbNumber(v protocol.Verb) byte {
	for i, known := range tokenVerbs {
		if v == known {
			return byte(i)
		}
	}
	return 0xFF
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendBound(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, 0)
	}
	return binary.AppendVarint(append(b, 1), t.Unix())
}

// decoder reads the output of token. After the first missing value, all values are zero.
type decoder struct {
	rest   []byte
	failed bool
}

func (d *decoder) number() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.failed, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) string() string {
	n := d.number()
	if n > uint64(len(d.rest)) {
		d.failed, d.rest = true, nil
		return ""
	}
	s := string(d.rest[:n])
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) bound() time.Time {
	switch d.number() {
	case 0:
		return time.Time{}
	case 1:
		v, n := binary.Varint(d.rest)
		if n > 0 {
			d.rest = d.rest[n:]
			return time.Unix(v, 0).UTC()
		}
	}
	d.failed, d.rest = true, nil
	return time.Time{}
}
