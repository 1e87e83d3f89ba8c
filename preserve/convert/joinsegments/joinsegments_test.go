package joinsegments

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1" //nolint:gosec // the digest of WARC files
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/inspect"
)

const (
	date = "2020-01-02T03:04:05Z"
	body = "<p>first part, second part, third part"
)

// digest returns the SHA-1 of a text, as WARC files have it.
func digest(text string) string {
	sum := sha1.Sum([]byte(text)) //nolint:gosec // the digest of WARC files
	return warc.FormatDigest("sha1", sum[:])
}

// record returns a WARC record.
func record(kind, id, uri, fields, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: %s\r\n"+
		"WARC-Target-URI: %s\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, id, date, uri, fields, len(block), block)
}

// segments splits a block before each offset, and returns the records of the parts.
func segments(kind, id, uri, fields, block string, at ...int) []string {
	all := []string{record(kind, id, uri, fields+"WARC-Segment-Number: 1\r\n", block[:at[0]])}
	for i, from := range at {
		to, total := len(block), fmt.Sprintf("WARC-Segment-Total-Length: %d\r\n", len(block))
		if i+1 < len(at) {
			to, total = at[i+1], ""
		}
		all = append(all, record("continuation", fmt.Sprint(id, "-", i+2), uri, fmt.Sprintf(
			"WARC-Segment-Origin-ID: <urn:x:%s>\r\nWARC-Segment-Number: %d\r\n%s", id, i+2, total), block[from:to]))
	}
	return all
}

// inParts is a response in three segments. The first has an own block digest and a digest of the whole payload.
func inParts(fields ...string) []string {
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n", len(body))
	more := "Content-Type: application/http;msgtype=response\r\nWARC-Payload-Digest: " + digest(body) + "\r\n"
	more += "WARC-Block-Digest:\r\n " + digest(head+body[:8]) + "\r\n" // of the first block, on two lines
	for _, f := range fields {
		more += f + "\r\n"
	}
	return segments("response", "1", "http://a.example/large", more, head+body, len(head)+8, len(head)+20)
}

// other is a record that stays.
var other = record("resource", "9", "http://a.example/other", "Content-Type: text/plain\r\n", "other")

// files makes the files of a test, and joins their segments.
func files(t *testing.T, group func(name string) string, all map[string]string) (dir string, r *Result) {
	t.Helper()
	dir = t.TempDir()
	var s Set
	for _, name := range []string{"a.warc", "b.warc.gz", "c.warc", "d.warc.zst"} {
		content, ok := all[name]
		if !ok {
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		seen := 0
		o := s.Add(path, name, group(name), inspect.Options{Record: func(model.Record) error { seen++; return nil }})
		if _, err := inspect.File(t.Context(), path, o); err != nil || seen == 0 {
			t.Fatal(seen, err)
		}
	}
	r, err := s.Join(t.Context(), Options{Software: "Quire test"})
	if err != nil {
		t.Fatal(err)
	}
	return dir, r
}

func one(string) string { return "" }

// zipped returns a file with a member for each record.
func zipped(t *testing.T, c warc.Compression, records ...string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := warc.NewWriter(&b, warc.WriterOptions{Compression: c})
	if err != nil {
		t.Fatal(err)
	}
	in := warc.NewReader(strings.NewReader(strings.Join(records, "")))
	for range records {
		rec, err := in.Next()
		if err == nil {
			_, _, err = w.Copy(rec)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// oneMember returns a gzip file of one member.
func oneMember(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a buffer never fails
	_ = z.Close()
	return b.String()
}

// read returns the records of a file, and their blocks.
func read(t *testing.T, path string) (headers []*warc.Header, blocks []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := warc.NewReader(f); ; {
		rec, err := in.Next()
		if errors.Is(err, io.EOF) {
			return headers, blocks
		}
		if err != nil {
			t.Fatal(err)
		}
		block, err := io.ReadAll(rec)
		if err != nil {
			t.Fatal(err)
		}
		headers = append(headers, warc.ParseHeader(bytes.Clone(rec.Raw())))
		blocks = append(blocks, string(block))
	}
}

// TestJoin: the segments of one or several files become one record in the place of the first. All other bytes stay,
// and the segments can be restored.
func TestJoin(t *testing.T) {
	t.Parallel()
	p := inParts("X-Folded: a\r\n b", "WARC-Concurrent-To: <urn:x:9>")
	for name, all := range map[string]map[string]string{
		"one file":     {"a.warc": other + p[0] + other + p[1] + p[2]},
		"out of order": {"a.warc": p[2] + other + p[0] + p[1]},
		"several files": {"a.warc": other + p[2], "b.warc.gz": zipped(t, "gzip", other, p[0], other),
			"c.warc": p[1] + other},
		"first in plain": {"a.warc": p[0], "b.warc.gz": zipped(t, "gzip", p[2], p[1])},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, r := files(t, one, all)
			if len(r.Joined) != 1 || len(r.Findings) != 0 || r.Joined[0].Segments != 3 {
				t.Fatalf("%+v", r)
			}
			wholes, restored, grown := 0, "", int64(0)
			set := inspect.NewSet()
			for file, was := range all {
				path := filepath.Join(dir, file)
				headers, blocks := read(t, path)
				if c, err := inspect.File(t.Context(), path, inspect.Options{Set: set}); err != nil ||
					c.FindingCounts["WARC-DIGEST-BLOCK"]+c.FindingCounts["WARC-DIGEST-PAYLOAD"] > 0 ||
					c.Records.Total != int64(len(headers)) {
					t.Errorf("%s is damaged: %+v, %v", file, c, err)
				}
				info, err := os.Stat(path)
				if err != nil {
					t.Fatal(err)
				}
				grown += info.Size() - int64(len(was))
				for i, h := range headers {
					switch h.Type() {
					case "response":
						wholes++
						if !strings.HasSuffix(blocks[i], body) || h.ID() != "<urn:x:1>" ||
							h.Has(warc.FieldSegmentNumber) || h.Get("X-Folded") == "" ||
							h.Get(warc.FieldConcurrentTo) != "<urn:x:9>" ||
							h.Get(warc.FieldBlockDigest) != digest(blocks[i]) || file != r.Joined[0].File {
							t.Errorf("the whole is %s%s", h.Raw(), blocks[i])
						}
						restored = restore(t, blocks[i], blocks[i+1])
						if headers[i+1].Type() != "metadata" || headers[i+1].RefersTo() != h.ID() {
							t.Errorf("behind it is %s", headers[i+1].Raw())
						}
					case "continuation":
						t.Errorf("a segment is there: %s", h.Raw())
					case "resource":
						if string(h.Raw())+blocks[i]+"\r\n\r\n" != other {
							t.Errorf("another record has changed: %s%s", h.Raw(), blocks[i])
						}
					}
				}
			}
			if wholes != 1 || restored != p[0]+p[1]+p[2] || grown != r.Bytes {
				t.Errorf("%d wholes, grown by %d and not %d; restored\n%s\nand not\n%s", wholes, grown, r.Bytes,
					restored, strings.Join(p, ""))
			}
			for _, f := range set.Finish() {
				if strings.HasPrefix(f.Code, "REF-SEGMENT") {
					t.Errorf("%v", f)
				}
			}
		})
	}
}

// restore returns the segments of a record, from its block and the record about them.
func restore(t *testing.T, block, about string) (all string) {
	t.Helper()
	length := 0
	for line := range strings.Lines(about) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "segment-length":
			if _, err := fmt.Sscan(value, &length); err != nil {
				t.Fatal(err)
			}
		case "segment-header":
			header, err := base64.StdEncoding.DecodeString(value)
			if err != nil {
				t.Fatal(err)
			}
			all += string(header) + block[:length] + "\r\n\r\n"
			block = block[length:]
		}
	}
	return all
}

// TestStay: segments that make no whole stay as they are, byte for byte, with a finding.
func TestStay(t *testing.T) {
	t.Parallel()
	p := inParts()
	damaged := strings.Replace(p[1], "WARC-Target-URI", "WARC-Block-Digest: "+digest("x")+"\r\nWARC-Target-URI", 1)
	wrong := strings.Replace(p[0], digest(body), digest("x"), 1)
	byName := func(name string) string { return name }
	for name, c := range map[string]struct {
		group func(string) string
		all   map[string]string
		want  string
	}{
		"a gap": {one, map[string]string{"a.warc": p[0] + p[2]}, "REF-SEGMENT-MISSING segment 2 is missing"},
		"no first": {one, map[string]string{"a.warc": other + p[1] + p[2]},
			"REF-SEGMENT-MISSING segment 1 is in none of the files"},
		"two firsts": {one, map[string]string{"a.warc": strings.Join(p, ""), "c.warc": p[0]},
			"REF-SEGMENT-TWICE two first segments have this id"},
		"a segment twice": {one, map[string]string{"a.warc": strings.Join(p, "") + p[2]},
			"REF-SEGMENT-TWICE a segment is there twice"},
		"a segment with another": {one, map[string]string{"a.warc": strings.Join(p, "") +
			strings.Replace(p[1], "art", "ART", 1)},
			"REF-SEGMENT-TWICE segment 2 is there twice, with different content"},
		"a wrong total": {one, map[string]string{"a.warc": p[0] + p[1] + strings.Replace(p[2], "Total-Length: ",
			"Total-Length: 9", 1)}, "REF-SEGMENT-LENGTH they have "},
		"a damaged segment": {one, map[string]string{"a.warc": p[0] + damaged + p[2]},
			"REF-SEGMENT-MISSING segment 2 is damaged"},
		"a wrong payload digest": {one, map[string]string{"a.warc": wrong + p[1] + p[2]},
			"WARC-DIGEST-PAYLOAD the payload of the 3 segments together is " + digest(body)},
		"two harvests": {byName, map[string]string{"a.warc": p[0], "c.warc": p[1] + p[2]},
			"REF-SEGMENT-MISSING segment 2 is missing"},
		"a shared member": {one, map[string]string{"b.warc.gz": oneMember(strings.Join(p, ""))},
			"REF-SEGMENT-MISSING segment 1 is damaged, or shares its gzip member"},
		"Zstandard": {one, map[string]string{"d.warc.zst": zipped(t, "zstd", p...)},
			"REF-SEGMENT-MISSING segments in Zstandard files are not joined"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, r := files(t, c.group, c.all)
			if len(r.Joined) != 0 || len(r.Findings) == 0 || r.Bytes != 0 ||
				!strings.HasPrefix(r.Findings[0].Code+" "+r.Findings[0].Message, c.want) ||
				!strings.HasSuffix(r.Findings[0].Message, "; the segments stay as they are") {
				t.Errorf("%+v", r)
			}
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) != len(c.all) {
				t.Errorf("%v, %v", entries, err)
			}
			for file, was := range c.all {
				if now, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(now) != was {
					t.Errorf("%s has changed, %v", file, err)
				}
			}
		})
	}
}

// TestLarge: blocks are read in pieces.
func TestLarge(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("0123456789abcdef", 200_000)
	p := segments("resource", "5", "http://a.example/r", "Content-Type: text/plain\r\n", content, 1_000_000, 1_000_001)
	dir, r := files(t, one, map[string]string{"a.warc": p[0], "b.warc.gz": zipped(t, "gzip", p[1], p[2])})
	if len(r.Joined) != 1 || r.Joined[0].Length != int64(len(content)) || r.Joined[0].Digest != digest(content) {
		t.Fatalf("%+v", r)
	}
	if _, blocks := read(t, filepath.Join(dir, "a.warc")); len(blocks) != 2 || blocks[0] != content {
		t.Errorf("%d records", len(blocks))
	}
}

// TestTooMany: beyond the bound of memory, nothing is joined.
func TestTooMany(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.warc")
	was := strings.Join(inParts(), "")
	if err := os.WriteFile(path, []byte(was), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, left := range []int{0, 500} {
		s := Set{kept: mostKept - left}
		if _, err := inspect.File(t.Context(), path, s.Add(path, "a.warc", "", inspect.Options{})); err != nil {
			t.Fatal(err)
		}
		r, err := s.Join(t.Context(), Options{})
		if err != nil || len(r.Joined) != 0 || len(r.Findings) != 1 ||
			!strings.HasPrefix(r.Findings[0].Message, "3 segments are too many to be joined") {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != was {
		t.Errorf("the file has changed, %v", err)
	}
}

// TestTruncated: a record is truncated if any of its segments is. The first keeps its own reason.
func TestTruncated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ first, last, want string }{
		{"", "length", "length"}, {"time", "length", "time"}, {"time", "", "time"}, {"", "a\r\n b", "unspecified"},
		{"", strings.Repeat("x", 101), "unspecified"}, {" ", "disconnect", "disconnect"},
	} {
		var fields []string
		if c.first != "" {
			fields = append(fields, "WARC-Truncated: "+c.first)
		}
		p := inParts(fields...)
		if c.last != "" {
			p[2] = strings.Replace(p[2], "Content-Length", "WARC-Truncated: "+c.last+"\r\nContent-Length", 1)
		}
		dir, r := files(t, one, map[string]string{"a.warc": strings.Join(p, "")})
		if len(r.Joined) != 1 {
			t.Fatalf("%+v", r)
		}
		headers, blocks := read(t, filepath.Join(dir, "a.warc"))
		if got := headers[0].Truncated(); got != c.want || strings.Count(string(headers[0].Raw()), "WARC-Trunc") != 1 {
			t.Errorf("%+v: %q in %s", c, got, headers[0].Raw())
		}
		if got := restore(t, blocks[0], blocks[1]); got != strings.Join(p, "") {
			t.Errorf("%+v: restored is %s", c, got)
		}
	}
}
