package aip

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"quire/metadata/xmlstream"
)

// The cost of any parts in a METS is limited: it ends in a finding.
func TestHostileParts(t *testing.T) {
	zeros := func(n int64) string { // in a zstd frame: a few bytes per 128 KiB
		var b strings.Builder
		w, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		block := make([]byte, 1<<20)
		for range n / int64(len(block)) {
			if _, err := w.Write(block); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	of := func(content string, parts ...node) sample {
		return sample{files: map[string]string{rowPath: content}, parts: map[string][]node{rowPath: parts}}
	}
	long := func(id string, end int64, inside ...node) node {
		n := part(id, 0, "x", inside...)
		n.file.Size, n.file.End = xmlstream.Int{}, xmlstream.IntOf(end)
		return n
	}
	t.Run("a bomb", func(t *testing.T) {
		bomb := zeros(freeContent + 200<<20)
		m := part("M", 0, bomb, long("R", freeContent+100<<20),
			part("R2", freeContent+150<<20, "x")).undo(algorithmZstd)
		r := mustValidate(t, of(bomb, m).write(t), Options{})
		if len(r.Findings) != 2 || r.Findings[0].Code != CodePartLimit ||
			!strings.Contains(r.Findings[0].Message, "unpacks to too many "+
				"bytes") || r.Findings[1].Code != CodePartLimit {
			t.Errorf("%v", r.Findings)
		}
	})
	t.Run("bombs in bombs", func(t *testing.T) {
		inner := zeros(1 << 30)
		n := long("X", freeContent*7)
		content := inner
		for i := range 5 {
			n = part(fmt.Sprintf("M%d", i), 0, content, n).undo(algorithmZstd)
			content = zstdFrame(t, content)
		}
		m := part("M", 0, content, n).undo(algorithmZstd)
		r := mustValidate(t, of(content, m).write(t), Options{})
		if len(r.Findings) == 0 || r.Findings[0].Code != CodePartLimit {
			t.Errorf("%v", r.Findings)
		}
	})
	t.Run("many parts over the same bytes", func(t *testing.T) {
		const parts = 100_000
		content := strings.Repeat("0123456789abcdef", 1<<16)
		var all []node
		for i := range parts {
			all = append(all, part(fmt.Sprintf("P%d", i), 0, content))
		}
		r := mustValidate(t, of(content, all...).write(t), Options{})
		if r.FindingsTotal != parts-1 || len(r.Findings) != MaxFindings || r.Findings[0].Code != CodePartOverlap {
			t.Errorf("%d findings, %d kept, %v", r.FindingsTotal, len(r.Findings), r.Findings[0])
		}
		for _, c := range r.Checks {
			if c.Name == CheckFiles && c.Detail != fmt.Sprintf("1 file read, %d bytes", len(content)) {
				t.Errorf("%+v", c)
			}
		}
	})
	t.Run("END as far as numbers go", func(t *testing.T) {
		r := mustValidate(t, of("WARC", long("P", 1<<63-2), long("Q", 3)).write(t), Options{})
		if len(r.Findings) != 2 || r.Findings[0].Code != CodePartRange || r.Findings[1].Code != CodePartOverlap {
			t.Errorf("%v", r.Findings)
		}
	})
}

// A few containers with many valid parts are read in parallel.
func TestManyParts(t *testing.T) {
	s := sample{files: map[string]string{}, parts: map[string][]node{}}
	const containers, records = 5, 300
	for c := range containers {
		path := fmt.Sprintf("containers/%d.warc.gz", c)
		var file strings.Builder
		for n := range records {
			content := "WARC/1.1\r\nContent-Length: 0\r\nX: " +
				strings.Repeat(fmt.Sprintf("record %d of %d; ", n, c), 1+n%40) + "\r\n\r\n"
			member := gzipped(t, content)
			r := part(fmt.Sprintf("FILE-c%d-r%d", c+1, n), 0, content).summed(content)
			s.parts[path] = append(s.parts[path],
				part(fmt.Sprintf("FILE-c%d-m%d", c+1, n), file.Len(), member, r).undo(algorithmGzip))
			_, _ = io.WriteString(&file, member)
		}
		s.files[path] = file.String()
	}
	for _, wrong := range []bool{false, true} {
		if wrong {
			s.edit = edit(`ID="FILE-c4-r233"`, `CHECKSUM="`, `CHECKSUM="0`)
		}
		r := mustValidate(t, s.write(t), Options{})
		if (r.Outcome == "valid") == wrong || wrong &&
			(len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Message, "file FILE-c4-r233 has SHA-256")) {
			t.Errorf("%v", r.Findings)
		}
		if c := r.Checks[len(r.Checks)-3]; c.Name != CheckParts || !wrong &&
			c.Detail != fmt.Sprintf("%d parts read, %d records compared", 2*containers*records,
				containers*(records-1)) {
			t.Errorf("%+v", c)
		}
	}
}
