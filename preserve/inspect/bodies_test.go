package inspect

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"quire/model"
)

// heard is the information that a listener received on a record.
type heard struct {
	bytes.Buffer
	whole, over bool
}

func (h *heard) End(whole bool) error {
	h.whole, h.over = whole, true
	return nil
}

// Both readings of a body, for every kind of framing, complete and broken.
func TestBodiesAsSentAndAsServed(t *testing.T) {
	coded := codedBodies(t)
	gz := coded["gzip"]
	head := func(fields string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields + "\r\n"
	}
	const chunked, gzip = "Transfer-Encoding: chunked\r\n", "Content-Encoding: gzip\r\n"
	for _, c := range []struct {
		name, record string
		body, served string // served only if complete
		whole        bool
		removed      string
	}{
		{"as it is", response(head("") + ships), ships, ships, true, "[]"},
		{"chunked", response(head(chunked) + chunkedOf(ships)), chunkedOf(ships), ships, true, "[chunked]"},
		{"coded", response(head(gzip) + gz), gz, ships, true, "[gzip]"},
		{"coded by the old name", response(head("Content-Encoding: x-gzip\r\n") + gz), gz, ships, true, "[gzip]"},
		{"both", response(head(chunked+gzip) + chunkedOf(gz)), chunkedOf(gz), ships, true, "[chunked gzip]"},
		{"two codings", response(head("Content-Encoding: br, gzip\r\n") + string(zip(t, coded["br"]))),
			string(zip(t, coded["br"])), ships, true, "[gzip br]"},
		{"said to be chunked", response(head(chunked) + ships), ships, ships, true, "[]"},
		{"said to be coded", response(head(gzip) + ships), ships, ships, true, "[]"},
		{"chunked, and said to be coded", response(head(chunked+gzip) + chunkedOf(ships)), chunkedOf(ships), ships,
			true, "[chunked]"},
		{"a coding that breaks off", response(head(gzip) + gz[:len(gz)-9]), gz[:len(gz)-9], "", false, "[]"},
		{"chunks that break off", response(head(chunked) + chunkedOf(ships)[:500]), chunkedOf(ships)[:500], "", false,
			"[]"},
		{"an unknown coding", response(head("Content-Encoding: aes128gcm\r\n") + ships), ships, "", false,
			"[]"},
		{"a part", response("HTTP/1.1 206 Partial\r\n" + gzip + "\r\n" + gz[5:]), gz[5:], "", false, "[]"},
		{"no head", response(ships), ships, ships, true, "[]"},
		{"a resource", record("resource", ships, target, "Content-Type: text/html"), ships, ships, true, "[]"},
		{"a segment", record("response", head("")+ships, target, "Content-Type: application/http;msgtype=response",
			"WARC-Segment-Number: 1"), ships, "", false, "[]"},
		{"nothing", response(head(gzip)), "", "", true, "[]"},
	} {
		listener := &heard{}
		got := told(t, []byte(warcinfo+c.record), Options{Bodies: AllBodies, Served: func(r model.Record) Served {
			if r.Order != 2 {
				return nil
			}
			return listener
		}})[1]
		b := got.Body
		if b.SHA256 != sha256.Sum256([]byte(c.body)) || got.Payload != int64(len(c.body)) || b.Whole != c.whole ||
			fmt.Sprint(b.Removed) != c.removed {
			t.Errorf("%s: %d bytes, %+v", c.name, got.Payload, b)
		}
		if at := strings.Index(c.record, c.body); c.body != "" && got.BodyAt != int64(at) ||
			got.Length != int64(len(c.record)) {
			t.Errorf("%s: body at %d, want %d; %d bytes, want %d", c.name, got.BodyAt, at, got.Length, len(c.record))
		}
		if len(b.Removed) > 0 && (b.ServedSHA256 != sha256.Sum256([]byte(c.served)) ||
			b.ServedLength != int64(len(c.served))) {
			t.Errorf("%s: served are %d bytes, want %d", c.name, b.ServedLength, len(c.served))
		}
		if c.whole && (!listener.whole || listener.String() != c.served) {
			t.Errorf("%s: whole %v, heard %.80q", c.name, listener.whole, listener.String())
		}
		if listener.whole != c.whole || listener.over == (c.name == "a segment") {
			t.Errorf("%s: whole %v, over %v", c.name, listener.whole, listener.over)
		}
	}
}

func TestBodiesOfWhatIsWanted(t *testing.T) {
	file := []byte(warcinfo + record("conversion", "x", target, "Mirror-Part: payload") +
		record("resource", "x", target))
	for wanted, want := range map[Bodies]string{NoBodies: "[false false false]", MirrorBodies: "[false true false]",
		AllBodies: "[true true true]"} {
		var got []bool
		for _, r := range told(t, file, Options{Bodies: wanted}) {
			got = append(got, r.Body != nil)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%d: %v, want %s", wanted, got, want)
		}
	}
}

// A payload digest is of one reading, and the record states which.
func TestBodiesSayOfWhichReadingTheDigestIs(t *testing.T) {
	gz := codedBodies(t)["gzip"]
	const both = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
	for digest, want := range map[string]model.Reading{
		base32SHA1(chunkedOf(gz)): model.ReadSent, base32SHA1(gz): model.ReadPayload,
		base32SHA1(ships): model.ReadServed, base32SHA1("x"): model.ReadNone,
	} {
		got := told(t, []byte(warcinfo+response(both+chunkedOf(gz), "WARC-Payload-Digest: "+digest)),
			Options{Bodies: AllBodies})[1]
		if got.Body.Stated != want {
			t.Errorf("%s is of %q, want %q", digest, got.Body.Stated, want)
		}
	}
}

// An incomplete record has no end, and a record in a shared member has no position of its own.
func TestLengthsOfRecords(t *testing.T) {
	page := response("HTTP/1.1 200 OK\r\n\r\n<p>")
	got := told(t, zip(t, warcinfo+page+page[:len(page)-6]), Options{})
	if got[1].Length != int64(len(page)) || got[1].Stored != -1 || got[1].Inflated != int64(len(warcinfo)) ||
		got[2].Length != -1 {
		t.Errorf("%+v, %+v", got[1], got[2])
	}
}

type deaf struct{ err error }

func (d deaf) Write([]byte) (int, error) { return 0, d.err }
func (d deaf) End(bool) error            { return nil }

func TestErrorOfWhoListensEndsThePass(t *testing.T) {
	full := errors.New("disk full")
	for _, r := range []string{"HTTP/1.1 200 OK\r\n\r\n<p>",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + codedBodies(t)["gzip"], "<p>"} {
		_, err := Reader(t.Context(), strings.NewReader(warcinfo+response(r)),
			Options{Served: func(model.Record) Served { return deaf{full} }})
		if !errors.Is(err, full) {
			t.Errorf("%.40q: %v", r, err)
		}
	}
}
