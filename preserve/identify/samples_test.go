package identify_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"quire/format/http1"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/internal/testsamples"
	"quire/preserve/identify"
)

// payloads calls add for every HTTP payload of a WARC file, with its declared type.
func payloads(t testing.TB, path string, add func(identify.Payload)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := inflate.NewReader(f, inflate.Options{})
	defer in.Close()
	records := warc.NewReader(in)
	w := identify.NewWindow(0)
	var body *http1.Payload
	split := http1.NewSplitter(http1.Response, func(h *http1.Head) io.Writer {
		body = http1.NewPayload(h, w)
		return body
	})
	for {
		rec, err := records.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type() != warc.TypeResponse {
			continue
		}
		w.Reset()
		split.Reset(http1.Response)
		body = nil
		if _, err := io.Copy(split, rec); err != nil {
			t.Fatal(err)
		}
		if err := split.Close(); err != nil {
			t.Fatal(err)
		}
		if body == nil || split.Head() == nil {
			continue // no HTTP
		}
		if err := body.Close(); err != nil {
			t.Fatal(err)
		}
		p := w.Payload(rec.TargetURI(), split.Head().Get("Content-Type"))
		if split.Head().Get("Content-Encoding") == "gzip" {
			p = gunzip(t, p)
		}
		add(p)
	}
}

// gunzip removes the content coding of a small payload.
func gunzip(t testing.TB, p identify.Payload) identify.Payload {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(p.Head))
	if err != nil {
		t.Fatal(err)
	}
	if p.Head, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	p.Size = int64(len(p.Head))
	return p
}

// TestSamples checks that the payloads of a real crawl have the types that their servers state,
// except where a server is wrong.
func TestSamples(t *testing.T) {
	id := newIdentifier(t, identify.Options{})
	for _, sample := range [][]string{{"N0taN3rd_node-warc", "parseMe.warc.gz"}, {"chfoo_warcat", "at.warc.gz"},
		{"harvard-lil_js-wacz", "lil-projects.warc.gz"}, {"commoncrawl_whirlwind-python", "whirlwind.warc.gz"}} {
		path := testsamples.Path(t, append([]string{"samples"}, sample...)...)
		var refuted []string
		var known, all int64
		c := identify.NewCensus(id, func(v identify.Verdict) {
			if v.Agrees(v.Declared) {
				return
			}
			refuted = append(refuted, fmt.Sprintf("%v is %s (%s), declared %s", v.Payload, v.PUID, v.MIME, v.Declared))
		})
		payloads(t, path, func(p identify.Payload) { c.Add(p, p.Size, p.Name) })
		for _, f := range c.Formats() {
			t.Logf("%s: %4d %8d %-9s %s", sample[1], f.Count, f.Bytes, f.PUID, f.Name)
			all += f.Count
			if f.PUID != "" {
				known += f.Count
			}
		}
		if all == 0 || known*2 < all {
			t.Errorf("%s: %d of %d payloads are identified", sample[1], known, all)
		}
		for _, r := range refuted {
			t.Errorf("%s: %s", sample[1], r)
		}
	}
}
