package holdings_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"quire/holdings"
	"quire/holdings/holdingstest"
)

// film returns a body that compresses a little, longer than the least with points of entry.
func film() string {
	random := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for b.Len() < 9<<20 {
		for range 9_000 {
			b.WriteByte(byte(random.Uint32()))
		}
		b.WriteString(strings.Repeat("black ", 500))
	}
	return b.String()
}

// spoil changes the bytes of a file in one copy, in one part of it.
func spoil(t *testing.T, dir, copyName, name string, from, to float64) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, copyName), func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) != name || err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		clear(content[int(from*float64(len(content))):int(to*float64(len(content)))])
		if err := os.Chmod(path, 0o600); err != nil {
			return err
		}
		return os.WriteFile(path, content, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPoints: a long record is entered in the middle, without the bytes before, in the first copy that has its bytes;
// after a revisit, too. A chunked body is not. Damaged or missing points never give other bytes.
func TestPoints(t *testing.T) {
	t.Parallel()
	const url, chunked = "http://a.example/film", "http://a.example/chunked"
	body := film()
	inChunks := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{
		"a.warc.gz": gzipped(t, holdingstest.Response("1", url, date1, "video/mp4", body)),
		"c.warc.gz": gzipped(t, holdingstest.Response("2", chunked, date1, "video/mp4", inChunks,
			"Transfer-Encoding: chunked")),
	}})
	r.Ingest(holdingstest.Package{ID: "q", Rights: "access: open", Containers: map[string]string{
		"b.warc": holdingstest.Revisit("3", url, date2, "video/mp4", body, url, date1)}})
	var problems atomic.Int64
	h := r.Open(holdings.Options{Problem: func(error) { problems.Add(1) }})
	from := func(url string, at int) (all []string) {
		for _, c := range r.Find(h, public, url) {
			content, err := h.Read(t.Context(), public, c.Capture)
			if err != nil {
				t.Fatal(err)
			}
			got := "none"
			if entered := content.From(t.Context(), int64(at)); entered != nil {
				text, err := io.ReadAll(io.LimitReader(entered, 300_000))
				if got = string(text); err != nil {
					got += err.Error()
				}
				_ = entered.Close()
			}
			_ = content.Body.Close()
			all = append(all, got)
		}
		return all
	}
	expect := func(name, url string, at int, want ...string) {
		t.Helper()
		if got := from(url, at); len(got) != len(want) {
			t.Errorf("%s: %d captures", name, len(got))
		} else {
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%s, capture %d: %d bytes, want %d, or others: %.20q", name, i, len(got[i]), len(want[i]),
						got[i])
				}
			}
		}
	}
	const end = 9_100_000
	last, first := body[end:end+300_000], body[1_000_000:1_300_000]
	expect("before", url, end, "none", "none")
	if err := h.MakePoints(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("at the end", url, end, last, last)
	expect("near the beginning", url, 1_000_000, first, first)
	expect("chunked", chunked, end, "none")

	spoil(t, r.Dir, "copy-1", "a.warc.gz", 0.05, 0.3)
	expect("without the bytes before", url, end, last, last)
	if problems.Load() > 0 {
		t.Error("the end was not read alone")
	}
	expect("from the other copy", url, 1_000_000, first, first)
	if problems.Load() == 0 {
		t.Error("the damaged copy was not reported")
	}
	spoil(t, r.Dir, "copy-2", "a.warc.gz", 0.05, 0.3)
	expect("no copy has it", url, 1_000_000, "none", "none")

	dir := filepath.Join(h.Dir(), holdings.PointsName)
	stray := filepath.Join(dir, "aa", "of a package that is gone")
	if err := os.MkdirAll(filepath.Dir(stray), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stray, []byte("SECRET"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := h.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stray); err == nil {
		t.Error("a purge leaves points of a package that is gone")
	}
	expect("after a purge of another package", url, end, last, last)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	expect("removed", url, end, "none", "none")
}
