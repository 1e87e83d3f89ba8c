package inspect

import (
	"errors"
	"strings"
	"testing"
	"time"

	"quire/model"
)

// told inspects a file and gives the records that Options.Record was told of.
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
		Order: 2, Type: "response", ID: "<urn:uuid:response>", URI: "http://Example.org:80/page?q=1", Host: "example.org", Date: date,
		Offset: int64(len(first)), Stored: int64(len(second)), Sound: true, DigestsFit: true,
		ContentType: "application/http;msgtype=response", DeclaredMIME: "text/html", Status: "200", HTTPVersion: "1.1",
		PayloadDigest: base32SHA1("<p>"), Block: int64(len(page)), Payload: 3,
	}
	if len(got) != 3 || got[1] != want {
		t.Fatalf("told of %+v; the second should be %+v", got, want)
	}
	if got[0].Type != "warcinfo" || got[2].Sound || got[2].DigestsFit || got[2].Offset != int64(len(first)+len(second)) {
		t.Errorf("told of %+v, %+v", got[0], got[2])
	}
}

// What the caller thinks of severities does not change whether digests fit; a block that breaks off has none that could.
func TestRecordsSayWhetherDigestsFit(t *testing.T) {
	odd := record("resource", "x", target, "WARC-Refers-To: <urn:x:1>")
	if got := told(t, []byte(warcinfo+odd), Options{Strict: true})[1]; got.Sound || !got.DigestsFit {
		t.Errorf("a field too many under strict severities: %+v", got)
	}
	if got := told(t, []byte(warcinfo+odd[:len(odd)-5]), Options{})[1]; got.Sound || got.DigestsFit {
		t.Errorf("a block that breaks off: %+v", got)
	}
}

func TestRecordsOfARC(t *testing.T) {
	got := told(t, []byte(arcOf("1 1 Boat", "")+"http://example.org/a 192.0.2.1 20240102030405 text/plain 19\nHTTP/1.0 404 No\n\nab\n"), Options{})
	last := got[len(got)-1]
	if got[0].Type != "filedesc" || got[0].Host != "" {
		t.Errorf("the version block is told as %+v", got[0])
	}
	if len(got) != 2 || last.Type != "response" || last.ID != "" || last.URI != "http://example.org/a" || last.Status != "404" || last.Payload != 2 {
		t.Errorf("told of %+v", got)
	}
}

func TestErrorOfRecordEndsThePass(t *testing.T) {
	full := errors.New("disk full")
	n := 0
	_, err := Reader(t.Context(), strings.NewReader(warcinfo+warcinfo), Options{Record: func(model.Record) error { n++; return full }})
	if !errors.Is(err, full) || n != 1 {
		t.Errorf("told %d times, then %v", n, err)
	}
}
