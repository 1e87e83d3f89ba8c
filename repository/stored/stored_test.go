package stored

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/model"
	"quire/preserve/inspect"
)

// record returns a WARC record.
func record(kind, fields, contentType, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: "+
		"2015-01-02T03:04:05Z\r\nWARC-Target-URI: http://a.example/\r\n%sContent-Type: %s\r\nContent-Length: %d\r\n"+
		"\r\n%s\r\n\r\n",
		kind, len(block), fields, contentType, len(block), block)
}

func zipped(t *testing.T, parts ...string) string {
	t.Helper()
	var out bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&out)
		if _, err := io.WriteString(w, p); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// The records, with their bodies without transfer coding.
var recorded = []struct{ text, body string }{
	{record("response", "", "application/http;msgtype=response",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one"), "<p>one"},
	{record("response", "", "application/http",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"), "abc"},
	{record("response", "", "application/http", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot chunked"),
		"not chunked"},
	{record("resource", "X-Folded: a\r\n b\r\n", "text/plain", "folded"), "folded"},
	{record("resource", "X-Long: "+strings.Repeat("x", 20_000)+"\r\n", "text/plain", "long"), "long"},
	{record("conversion", "content-type: text/x\r\n", "text/plain", "twice"), "twice"},
	{record("resource", "", "text/plain", strings.Repeat("much ", 100_000)), strings.Repeat("much ", 100_000)},
	{record("resource", "", "text/plain", ""), ""},
}

// TestOpen checks that a record is read as stored, with any compression of its container, and by
// either of the two readers.
func TestOpen(t *testing.T) {
	var all []string
	for _, r := range recorded {
		all = append(all, r.text)
	}
	for name, content := range map[string]string{
		"plain": strings.Join(all, ""), "gzip": zipped(t, all...), "whole": zipped(t, strings.Join(all, "")),
	} {
		path := filepath.Join(t.TempDir(), "a.warc")
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		places := placesIn(t, path)
		if len(places) != len(recorded) {
			t.Fatalf("%s: %d records", name, len(places))
		}
		quick := 0
		for i, p := range places {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Open(context.Background(), f, &p)
			if err != nil {
				t.Errorf("%s, record %d: %v", name, i, err)
				continue
			}
			if r.member != nil {
				quick++
			}
			if body, err := io.ReadAll(r); err != nil || string(body) != recorded[i].body {
				t.Errorf("%s, record %d: %.100q, %v", name, i, body, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if n, err := r.Read(make([]byte, 1)); n > 0 || err == nil {
				t.Errorf("%s, record %d is read after it was closed", name, i)
			}
		}
		if want := map[string]int{"plain": 5, "gzip": 5, "whole": 0}[name]; quick != want {
			t.Errorf("%s: %d of the records were read the short way, want %d", name, quick, want)
		}
	}
}

// TestDamagedHeader: a member whose header is damaged can be read at its place, and at no other.
func TestDamagedHeader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	whole := []byte(zipped(t, recorded[0].text, recorded[7].text))
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	for i, p := range placesIn(t, path) {
		damaged := slices.Clone(whole)
		clear(damaged[p.Offset : p.Offset+3])
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, moved := range []int64{0, 3} {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			at := p
			at.Offset += moved
			r, err := Open(context.Background(), f, &at)
			var body []byte
			if err == nil {
				body, err = io.ReadAll(r)
			}
			if good := err == nil && string(body) == recorded[7*i].body; good != (moved == 0) {
				t.Errorf("record %d, moved by %d: %.40q, %v", i, moved, body, err)
			}
			_ = f.Close()
		}
	}
}

// TestOther checks that a record that differs from the pass is an error, and never read as another
// one.
func TestOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, []byte(zipped(t, recorded[0].text, recorded[7].text)), 0o666); err != nil {
		t.Fatal(err)
	}
	good := placesIn(t, path)[0]
	for name, change := range map[string]func(*Place){
		"digest": func(p *Place) { p.SHA256 = make([]byte, 32) },
		"type":   func(p *Place) { p.Type = "resource" },
		"head":   func(p *Place) { p.Head--; p.Body++ },
		"length": func(p *Place) { p.Body++ },
		"short":  func(p *Place) { p.Stored = 30 },
		"offset": func(p *Place) { p.Offset += 3 },
	} {
		p := good
		change(&p)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(context.Background(), f, &p)
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if err == nil {
			t.Errorf("%s: nothing is said to be wrong", name)
		}
		_ = f.Close()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Open(ctx, f, &good); !errors.Is(err, context.Canceled) {
		t.Errorf("reading continues after the caller stopped: %v", err)
	}
}

// placesIn returns the places of the records in a file.
func placesIn(t *testing.T, path string) (all []Place) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = inspect.Reader(context.Background(), f,
		inspect.Options{Name: filepath.Base(path), MaxFindings: -1, Contents: true, Bodies: inspect.AllBodies,
			Record: func(r model.Record) error {
				sum := sha256.Sum256(nil)
				if r.Body != nil {
					sum = r.Body.SHA256
				}
				all = append(all, Place{Type: r.Type, Offset: r.Offset, Inflated: r.Inflated, Stored: r.Stored,
					Head: r.Block - r.Payload, Body: r.Payload, SHA256: sum[:]})
				return nil
			}})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
