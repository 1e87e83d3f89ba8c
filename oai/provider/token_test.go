package provider

import (
	"bytes"
	"encoding/base64"
	"testing"
	"time"

	"quire/oai/protocol"
)

// formats is a Backend with one format only.
type formats struct{ Backend }

func (formats) Formats() []protocol.Format {
	return []protocol.Format{{Prefix: "oai_dc", Schema: "urn:x", Namespace: "urn:x"}}
}

func signer() *Provider {
	return &Provider{backend: formats{}, opt: Options{Key: bytes.Repeat([]byte{7}, 32)}}
}

func TestTokenKeepsAll(t *testing.T) {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	before := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC) // the zero time of Go is also a date, but means no date
	for _, want := range []request{
		{verb: protocol.ListRecords, query: Query{Prefix: "oai_dc"}},
		{verb: protocol.ListIdentifiers, cursor: 1 << 40, size: 1 << 50,
			query: Query{Prefix: "oai_dc", Set: "a:b", From: at.AddDate(-1000, 0, 0), Until: at,
				After: Position{at, "urn:x:é"}}},
		{verb: protocol.ListSets, cursor: 1, query: Query{From: before, After: Position{Identifier: "a:b"}}},
	} {
		p := signer()
		token := p.token(&want, want.query.After, want.cursor)
		got := request{verb: want.verb}
		if err := p.open(&got, token); err != nil || got.query != want.query || got.cursor != want.cursor ||
			got.size != want.size {
			t.Errorf("%+v comes back as %+v, %v", want, got, err)
		}
		for _, verb := range []protocol.Verb{protocol.ListRecords, protocol.ListIdentifiers, protocol.ListSets,
			protocol.GetRecord} {
			if err := p.open(&request{verb: verb}, token); (err == nil) != (verb == want.verb) {
				t.Errorf("a token of %s, used with %s: %v", want.verb, verb, err)
			}
		}
	}
	p := signer()
	gone := p.token(&request{verb: protocol.ListRecords, query: Query{Prefix: "marc21"}}, Position{}, 0)
	if err := p.open(&request{verb: protocol.ListRecords}, gone); err == nil {
		t.Error("a token of a format that is no longer had is taken")
	}
}

// FuzzToken decodes possible tokens, and signed data with any content, as from another version.
func FuzzToken(f *testing.F) {
	p := signer()
	good := p.token(&request{verb: protocol.ListRecords, query: Query{Prefix: "oai_dc"}},
		Position{time.Unix(1, 0), "urn:x:1"}, 1)
	f.Add(good, []byte{})
	f.Add("", []byte{1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Add("AAAA", []byte{1, 1, 6, 'o', 'a', 'i', '_', 'd', 'c', 0, 2, 0})
	if raw, err := base64.RawURLEncoding.DecodeString(good); err == nil {
		f.Add(good[1:], raw[:len(raw)-macSize])
	}
	f.Fuzz(func(t *testing.T, token string, signed []byte) {
		if err := p.open(&request{verb: protocol.ListRecords}, token); err == nil && token != good {
			t.Errorf("%q is accepted as a token", token)
		}
		forged := base64.RawURLEncoding.EncodeToString(append(bytes.Clone(signed), p.mac(signed)...))
		r := request{verb: protocol.ListRecords}
		if err := p.open(&r, forged); err != nil {
			return
		}
		again := p.token(&r, r.query.After, r.cursor)
		back := request{verb: protocol.ListRecords}
		if err := p.open(&back, again); err != nil || back.query != r.query || back.cursor != r.cursor ||
			back.size != r.size {
			t.Errorf("%x is decoded as %+v, and again as %+v, %v", signed, r, back, err)
		}
	})
}
