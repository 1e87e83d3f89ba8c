package inspect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/model"
)

// told inspects a file and returns the records passed to Options.Record.
func told(t *testing.T, file []byte, o Options) []model.Record {
	t.Helper()
	var all []model.Record
	o.Record = func(r model.Record) error { all = append(all, r); return nil }
	inspectBytes(t, file, o)
	return all
}

func TestRecordsAreTold(t *testing.T) {
	const page = "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=utf-8\r\n\r\n<p>"
	date := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	good := response(page, "WARC-Payload-Digest: "+base32SHA1("<p>"))
	wrong := response(page, "WARC-Payload-Digest: "+base32SHA1("<b>"))
	first, second, third := zip(t, warcinfo), zip(t, good), zip(t, wrong)
	got := told(t, join(first, second, third), Options{})
	want := model.Record{
		Order: 2, Type: "response", ID: "<urn:uuid:response>", URI: "http://Example.org:80/page?q=1",
		Host: "example.org", Date: date, Dated: "2024-01-02T03:04:05Z",
		Offset: int64(len(first)), Inflated: int64(len(warcinfo)), Stored: int64(len(second)), Length: int64(len(good)),
		BodyAt: int64(strings.Index(good, "<p>")), Sound: true, DigestsFit: true,
		ContentType: "application/http;msgtype=response", DeclaredMIME: "text/html",
		ServedType: "Text/HTML; charset=utf-8", Status: "200", HTTPVersion: "1.1",
		PayloadDigest: base32SHA1("<p>"), Block: int64(len(page)), Payload: 3,
	}
	if len(got) != 3 || got[1] != want {
		t.Fatalf("got %+v; the second should be %+v", got, want)
	}
	if got[0].Type != "warcinfo" || got[2].Sound || got[2].DigestsFit ||
		got[2].Offset != int64(len(first)+len(second)) {
		t.Errorf("got %+v, %+v", got[0], got[2])
	}
}

// The caller's severities do not affect whether digests match. An incomplete block has no digest to
// match.
func TestRecordsSayWhetherDigestsFit(t *testing.T) {
	odd := record("resource", "x", target, "WARC-Refers-To: <urn:x:1>")
	if got := told(t, []byte(warcinfo+odd), Options{Strict: true})[1]; got.Sound || !got.DigestsFit {
		t.Errorf("a field too many under strict severities: %+v", got)
	}
	if got := told(t, []byte(warcinfo+odd[:len(odd)-5]), Options{})[1]; got.Sound || got.DigestsFit {
		t.Errorf("a block that breaks off: %+v", got)
	}
}

// An error belongs to the record it concerns, whenever it was found: with the header, or earlier,
// when the member was read.
func TestRecordsKnowTheirErrors(t *testing.T) {
	page := response("HTTP/1.1 200 OK\r\n\r\n<p>")
	sum := zip(t, page)
	sum[len(sum)-8] ^= 1 // the CRC32
	for _, c := range []struct {
		name string
		file []byte
		want []bool
	}{
		{"the sum of a member", join(zip(t, warcinfo), zip(t, page), sum, zip(t, page)),
			[]bool{true, true, false, true}},
		{"a Content-Length", []byte(warcinfo + page +
			strings.Replace(page, "Content-Length: ", "Content-Length: x", 1) + page), []bool{true, true, false, true}},
		{"one of a shared member", zip(t,
			warcinfo+record("resource", "x", target, "WARC-Block-Digest: "+base32SHA1("y"))+page),
			[]bool{true, false, true}},
		{"a member after a shared one", join(zip(t, warcinfo+page), sum, zip(t, page+page)),
			[]bool{true, true, false, true, true}},
	} {
		var got []bool
		for _, r := range told(t, c.file, Options{}) {
			got = append(got, r.Sound)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: sound are %v, want %v", c.name, got, c.want)
		}
	}
}

func TestRecordsOfARC(t *testing.T) {
	got := told(t, []byte(arcOf("1 1 Boat", "")+
		"http://example.org/a 192.0.2.1 20240102030405 text/plain 19\nHTTP/1.0 404 No\n\nab\n"), Options{})
	last := got[len(got)-1]
	if got[0].Type != "filedesc" || got[0].Host != "" {
		t.Errorf("the version block is reported as %+v", got[0])
	}
	if len(got) != 2 || last.Type != "response" || last.ID != "" || last.URI != "http://example.org/a" ||
		last.Status != "404" || last.Payload != 2 {
		t.Errorf("told of %+v", got)
	}
}

func TestErrorOfRecordEndsThePass(t *testing.T) {
	full := errors.New("disk full")
	n := 0
	_, err := Reader(t.Context(), strings.NewReader(warcinfo+warcinfo),
		Options{Record: func(model.Record) error { n++; return full }})
	if !errors.Is(err, full) || n != 1 {
		t.Errorf("reported %d times, then %v", n, err)
	}
}

// A record waits until its format is identified, and the following records wait for it. No record
// is lost.
func TestRecordsAreToldInOrderWithTheirFormats(t *testing.T) {
	file := warcinfo
	for range 3 * mostUntold / 2 {
		file += record("resource", png, target, "Content-Type: image/png") +
			record("request", "x", target, "Content-Type: text/plain")
	}
	file += record("resource", png, "WARC-Target-URI: http://example.org/"+strings.Repeat("a", untoldText),
		"Content-Type: image/png")
	got := told(t, []byte(file), Options{Identify: identifier(t)})
	if len(got) != 3*mostUntold+2 {
		t.Fatalf("%d records were reported", len(got))
	}
	for i, r := range got {
		want := model.Format{}
		if r.Type == "resource" {
			want = model.Format{Name: "Portable Network Graphics", Version: "1.0", PUID: "fmt/11", MIME: "image/png"}
		}
		if r.Order != int64(i+1) || r.Format != want {
			t.Fatalf("the record in place %d is %+v", i+1, r)
		}
	}
}

func TestFormatsAreCountedByType(t *testing.T) {
	file := warcinfo + record("resource", png, target, "Content-Type: image/png") +
		record("conversion", png, target, "Content-Type: image/png") +
		record("resource", "hello, hello", target, "Content-Type: text/plain") +
		record("resource", png, target, "Content-Type: image/png")
	c := inspectBytes(t, []byte(file), Options{Identify: identifier(t)})
	for _, s := range c.Types {
		want := map[string]string{
			"conversion": "[{Portable Network Graphics 1.0 fmt/11 image/png  1 45 45 250}]",
			"resource": "[{Portable Network Graphics 1.0 fmt/11 image/png  2 90 90 492} " +
				"{Plain Text File  x-fmt/111 text/plain  1 12 12 214}]", // payloads, blocks, records as stored
			"warcinfo": "[]"}[s.Type]
		if got := fmt.Sprint(s.Formats); got != want {
			t.Errorf("%s: %s, want %s", s.Type, got, want)
		}
	}
}
