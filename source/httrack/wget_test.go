package httrack

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path"
	"slices"
	"testing"

	"quire/format/warc"
	"quire/internal/archivefs"
	"quire/internal/testsamples"
)

// TestBodiesAreThoseOfWget compares a mirror with a wget download of the same site. A body in
// HTTrack's cache equals wget's. So does a file on disk that HTTrack does not rewrite: all except
// HTML, CSS and scripts.
func TestBodiesAreThoseOfWget(t *testing.T) {
	wget := wgetBodies(t)
	tr, err := archivefs.Open(testsamples.Path(t, "samples", "_made", "crawls", "httrack", "devref.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tr.Close() }()
	m := onlyHarvest(t, tr).Mirror
	content := contentOf(t, m)
	cached, onDisk := 0, 0
	for _, c := range m.Captures {
		want, both := wget[c.URL]
		if !both || c.Status() != 200 {
			continue
		}
		var in io.Reader
		switch {
		case c.Entry != nil && c.Entry.InCache:
			cached++
			in, err = content.Body(c.Entry)
		case !slices.Contains([]string{".html", ".css", ".js"}, path.Ext(c.File)):
			onDisk++
			in, err = tr.Open(c.File)
		default:
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, and wget's are %d, %v", c.URL, len(got), len(want), err)
		}
	}
	t.Logf("%d URLs of wget, of which %d are in the cache and %d as a file", len(wget), cached, onDisk)
	if cached < 50 || onDisk < 20 {
		t.Errorf("only %d and %d compared", cached, onDisk)
	}
}

// wgetBodies returns the body of each response with status 200.
func wgetBodies(t *testing.T) map[string][]byte {
	f, err := os.Open(testsamples.Path(t, "samples", "_made", "crawls", "wget", "wget-devref.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := warc.NewReader(f)
	bodies := map[string][]byte{}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return bodies
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type() == warc.TypeResponse {
			if answer, err := http.ReadResponse(bufio.NewReader(rec), nil); err == nil &&
				answer.StatusCode == http.StatusOK {
				if b, err := io.ReadAll(answer.Body); err == nil && answer.Header.Get("Content-Encoding") == "" {
					bodies[rec.TargetURI()] = b
				}
				_ = answer.Body.Close()
			}
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
