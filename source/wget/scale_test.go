package wget

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/prove"
)

// maxPerFile is the memory that a mirror may keep for each file, in bytes.
const maxPerFile = 1100

// TestManyFiles has mirrors of very many files. Their memory grows with the number of files only, by
// less than a limit for each. The long form has 50,000 and 200,000 files, and shows the time.
func TestManyFiles(t *testing.T) {
	counts := []int{5_000}
	if prove.Whole() {
		counts = append(counts, 50_000, 200_000)
	}
	for _, n := range counts {
		before, begin := heap(), time.Now()
		tr := manyFiles(n)
		claims, err := Reader{}.Find(t.Context(), tr)
		if err != nil || len(claims) != 1 {
			t.Fatalf("%d claims, %v", len(claims), err)
		}
		h, err := claims[0].Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		found, used := time.Since(begin), heap()-before
		whole := 0
		for r, err := range h.(*mirror).Resources(t.Context(), nil) {
			if err != nil || r.URL == "" || r.Body == nil || r.Status != 200 {
				t.Fatalf("%+v, %v", r, err)
			}
			whole++
		}
		t.Logf("%d files: found and read in %v, resources in %v, %d MB kept", n, found.Round(time.Millisecond),
			(time.Since(begin) - found).Round(time.Millisecond), used>>20)
		if whole != n || used > int64(n)*maxPerFile {
			t.Errorf("%d resources of %d files, with %d bytes for each", whole, n, used/int64(n))
		}
		runtime.KeepAlive(claims)
	}
}

// heap returns the bytes in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// content is a file in memory.
type content struct{ *strings.Reader }

func (content) Close() error { return nil }

// manyFiles returns a mirror with its log, whose files have no place on a disk.
func manyFiles(n int) *archivefs.Tree {
	at := time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)
	var log strings.Builder
	parts := make([]archivefs.Part, 0, n+1)
	text := func(name, body string, at time.Time) archivefs.Part {
		return archivefs.Part{File: archivefs.File{Path: name, Size: int64(len(body)), Modified: at},
			Open: func() (archivefs.Content, error) { return content{strings.NewReader(body)}, nil }}
	}
	for i := range n {
		name := fmt.Sprintf("www.a.test/%d/%d.html", i/200, i)
		now := at.Add(time.Duration(i) * 20 * time.Millisecond)
		parts = append(parts, text(name, "<html>", now))
		log.WriteString(strings.ReplaceAll(request("http://"+name, "text/html", name, 6), "2026-11-22 16:16:28",
			now.Add(time.Hour).Format(time.DateTime)))
	}
	parts = append(parts, text("w.log", log.String()+logEnd, at))
	return archivefs.Of(".", parts, nil)
}

var _ io.ReaderAt = content{}
