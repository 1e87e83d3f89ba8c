package dedup

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/format/inflate"
	"quire/format/warc"
	"quire/model"
)

// rec is a record to make. Missing values get valid defaults.
type rec struct {
	kind, id, uri, date string
	body                string
	head                string // "" means a default
	bare                bool   // without HTTP
	more                string // fields, each with its newline
	digest              string // of the payload; "" computes it, "-" omits it
	version             string
	length              int // replaces the real length, if not 0
}

func (r rec) String() string {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	block := r.body
	kind, contentType := or(r.kind, "response"), "application/http; msgtype=response"
	if r.bare {
		contentType = "text/plain"
	} else {
		block = or(r.head, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n",
			len(r.body))) + r.body
	}
	digest := ""
	if r.digest != "-" {
		digest = "WARC-Payload-Digest: " + or(r.digest, sum(r.body)) + "\r\n"
	}
	length := len(block)
	if r.length != 0 {
		length = r.length
	}
	return fmt.Sprintf("WARC/%s\r\nWARC-Type: %s\r\nWARC-Record-ID: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\n"+
		"%s%sWARC-Block-Digest: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		or(r.version, "1.0"), kind, or(r.id, "<urn:uuid:"+r.date+r.uri+">"), or(r.uri, "http://a.org/"),
		or(r.date, "2020-01-01T00:00:00Z"),
		digest, r.more, sum(block), contentType, length, block)
}

func sum(s string) string {
	h := sha1.Sum([]byte(s))
	return warc.FormatDigest("sha1", h[:])
}

const info = "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:info>\r\nWARC-Date: " +
	"2020-01-01T00:00:00Z\r\nContent-Type: application/warc-fields\r\nContent-Length: 15\r\n\r\nsoftware: Boat\n\r\n" +
	"\r\n"

// file writes a container of records, with a member for each if the name ends in .gz.
func file(t *testing.T, path string, records ...fmt.Stringer) string {
	t.Helper()
	var b bytes.Buffer
	for _, r := range append([]fmt.Stringer{text(info)}, records...) {
		if strings.HasSuffix(path, ".gz") {
			b.Write(member(r.String()))
		} else {
			b.WriteString(r.String())
		}
	}
	write(t, path, b.Bytes())
	return path
}

type text string

func (t text) String() string { return string(t) }

func member(s string) []byte {
	var b bytes.Buffer
	r, _ := newRewriter(nil, &b, inflate.Gzip)
	if err := r.member(strings.NewReader(s)); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// inflated returns the inflated content of a container. It continues after damage like the reader
// of records.
func inflated(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := inflate.NewReader(f, inflate.Options{})
	defer in.Close()
	var b bytes.Buffer
	for {
		_, err := io.Copy(&b, struct{ io.Reader }{in})
		if err == nil {
			return b.Bytes()
		}
		if in.Resume() != nil {
			return b.Bytes()
		}
		if _, again := in.Peek(1); again != nil && again.Error() == err.Error() {
			return b.Bytes()
		}
	}
}

func options(t *testing.T, against ...string) Options {
	t.Helper()
	o := Options{
		Out: filepath.Join(t.TempDir(), "out"), Agent: model.Agent{Name: "Quire", Version: "test"},
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	}
	for _, path := range against {
		f, err := OpenFolder(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		o.Against = append(o.Against, f)
	}
	return o
}

func run(t *testing.T, source string, o Options) *Report {
	t.Helper()
	r, err := Run(context.Background(), source, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func undo(t *testing.T, source string, o Options) *Report {
	t.Helper()
	r, err := Undo(context.Background(), source, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
