package server

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
)

// TestRangesOfLongRecords: a range of a long record comes without the bytes before it, which are damaged here; of one
// that is compressed in the container, and of one that is not. Bodies with a content coding are sent whole.
func TestRangesOfLongRecords(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 9<<20)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	body := string(noise)
	zip := func(text string) string {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	film := func(id, url, body string, fields ...string) string {
		return holdingstest.Response(id, url, "2015-01-02T03:04:05Z", "video/mp4", body, fields...)
	}
	const packed, plain, coded = "http://a.example/gz", "http://a.example/plain", "http://a.example/coded"
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{
		"a.warc.gz": zip(film("1", packed, body)), "b.warc": film("2", plain, body),
		"c.warc": film("3", coded, zip(body), "Content-Encoding: gzip")}})
	var problem bytes.Buffer
	s := open(t, r, Options{Config: config(t), Problem: func(err error) { problem.WriteString(err.Error()) }})
	await(t, s.Holdings(), packed, plain)
	for _, name := range []string{"a.warc.gz", "b.warc"} {
		damage(t, r.Dir, name)
	}
	at, in := address.Replay(archived), address.In{Collection: address.All}
	end := len(body)
	for _, c := range []struct {
		url, asked string
		status     int
		want       string
	}{
		{packed, "bytes=8800000-8800009", 206, body[8_800_000:8_800_010]},
		{packed, "bytes=-100000", 206, body[end-100_000:]},
		{plain, "bytes=8800000-8800009", 206, body[8_800_000:8_800_010]},
		{plain, "bytes=3000000-", 206, body[3_000_000:]},
		{plain, "bytes=" + strconv.Itoa(end) + "-", 416, ""},
		{coded, "bytes=8800000-8800009", 200, body},
	} {
		a := ask(t, s, "GET", at.Capture(in, capture, address.Image, c.url), abroad, "Range: "+c.asked)
		if a.status != c.status || c.status != 416 && a.body != c.want {
			t.Errorf("%s, %s: %d, %d bytes", c.url, c.asked, a.status, len(a.body))
		}
	}
	if problem.Len() > 0 {
		t.Errorf("the damaged bytes were read: %s", problem.String())
	}
}

// TestNoPoints: a server whose configuration has "points: false" makes no points of entry. One with "true" does.
func TestNoPoints(t *testing.T) {
	t.Parallel()
	for text, none := range map[string]bool{"points: false\n": true, "points: true\n": false} {
		c, err := Read(strings.NewReader(text), "x")
		if err != nil || c.NoPoints != none {
			t.Errorf("%q: %v, %v", text, c.NoPoints, err)
		}
	}
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "video/mp4",
			strings.Repeat("a film ", 1<<20))}})
	o := Options{Config: config(t)}
	o.NoPoints = true
	s := open(t, r, o)
	dir := filepath.Join(s.Holdings().Dir(), holdings.PointsName)
	s.stop()
	s.behind.Wait()
	if _, err := os.Stat(dir); err == nil {
		t.Error("there is a folder of points")
	}
}

// await waits until the records can be entered.
func await(t *testing.T, h *holdings.Holdings, urls ...string) {
	t.Helper()
	for _, url := range urls {
		c := holdingstest.Captures(t, h, holdings.Reader{}, captures.Query{URL: url})[0]
		for tries := 0; ; tries++ {
			content, err := h.Read(t.Context(), holdings.Reader{}, c.Capture)
			if err != nil {
				t.Fatal(err)
			}
			body := content.From(t.Context(), 1)
			_ = content.Body.Close()
			if body != nil {
				_ = body.Close()
				break
			}
			if time.Sleep(10 * time.Millisecond); tries > 6000 {
				t.Fatal("the server makes no points of entry")
			}
		}
	}
}

// damage clears a part of a container in all copies.
func damage(t *testing.T, dir, name string) {
	t.Helper()
	found := 0
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Base(path) != name || !strings.Contains(path, "copy-") {
			return err
		}
		found++
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		clear(content[1<<20 : 2<<20])
		if err := os.Chmod(path, 0o600); err != nil {
			return err
		}
		return os.WriteFile(path, content, 0o600)
	})
	if err != nil || found != 2 {
		t.Fatalf("%s: %d copies, %v", name, found, err)
	}
}
