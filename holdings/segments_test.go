package holdings_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
	"quire/internal/repotest"
	"quire/repository/store"
)

const (
	segmentURL  = "http://a.example/large"
	segmentBody = "<p>first part, second part, third part"
)

// inParts is a response in three segments, the head and eight bytes of the body in the first.
func inParts(fields ...string) []string {
	r := holdingstest.Response("1", segmentURL, date1, "text/html", segmentBody)
	for _, f := range fields {
		r = strings.Replace(r, "WARC-Target-URI", f+"\r\nWARC-Target-URI", 1)
	}
	head := strings.Index(r, "<p>") - strings.Index(r, "HTTP/1.1")
	return repotest.Segments(r, head+8, head+20)
}

// TestSegments: the segments of a record are one capture with the whole body, in one container or in several,
// in any order. A set that does not fit shows the parts before the fault, and says so.
func TestSegments(t *testing.T) {
	t.Parallel()
	p := inParts("WARC-Payload-Digest: " + holdingstest.Digest(segmentBody))
	other := strings.Replace(p[1], "part, s", "PART, s", 1)
	between := holdingstest.Response("9", "http://a.example/other", date1, "text/html", "other")
	for name, c := range map[string]struct {
		containers map[string]string
		body, note string
	}{
		"one container":    {map[string]string{"a.warc": p[0] + between + p[1] + p[2]}, segmentBody, ""},
		"out of order":     {map[string]string{"a.warc": p[2] + p[0] + p[1]}, segmentBody, ""},
		"three containers": {map[string]string{"a.warc": p[0], "b.warc": p[1], "c.warc": p[2]}, segmentBody, ""},
		"the first is last": {map[string]string{"a.warc": p[2], "b.warc": p[1], "c.warc": between + p[0]}, segmentBody,
			""},
		"a part twice": {map[string]string{"a.warc": p[0] + p[1] + p[2], "b.warc": p[1] + p[2]}, segmentBody, ""},
		"a gap": {map[string]string{"a.warc": p[0], "c.warc": p[2]}, segmentBody[:8],
			"segment 2 is missing"},
		"no last": {map[string]string{"a.warc": p[0] + p[1]}, segmentBody[:20], "segment 3 is missing"},
		"two different": {map[string]string{"a.warc": p[0] + p[1] + p[2], "b.warc": other}, segmentBody[:8],
			"segment 2 is there twice, with different content"},
		"a wrong total": {map[string]string{"a.warc": p[0] + p[1] + strings.Replace(p[2], "Total-Length: ",
			"Total-Length: 9", 1)}, segmentBody, "WARC-Segment-Total-Length is 9"},
		"cut by the crawler": {map[string]string{"a.warc": p[0] + p[1] + strings.Replace(p[2], "Content-Length",
			"WARC-Truncated: length\r\nContent-Length", 1)}, segmentBody,
			"the segmented record is not whole here: length"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := holdingstest.New(t)
			r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: c.containers})
			h := r.Open(holdings.Options{})
			all := r.Find(h, public, segmentURL)
			if len(all) != 1 {
				t.Fatalf("found %d captures", len(all))
			}
			got := all[0]
			if got.Truncated != (c.note != "") || got.Length != int64(len(c.body)) || got.Status != 200 ||
				got.Digest != holdingstest.Digest(c.body) {
				t.Errorf("the capture is %+v", got.Capture)
			}
			content, err := h.Read(t.Context(), public, got.Capture)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(content.Body)
			if err != nil || string(body) != c.body || content.Length != int64(len(c.body)) ||
				!strings.Contains(content.Note, c.note) || (content.Note == "") != (c.note == "") {
				t.Errorf("read %q, length %d, note %q, %v", body, content.Length, content.Note, err)
			}
		})
	}
}

// TestSegmentsWithoutFirst: later segments alone are no capture, and neither is a first one without its head.
func TestSegmentsWithoutFirst(t *testing.T) {
	t.Parallel()
	p := inParts()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open",
		Containers: map[string]string{"a.warc": p[1] + p[2]}})
	r.Ingest(holdingstest.Package{ID: "q", Rights: "access: open", Containers: map[string]string{"a.warc": p[0]}})
	early := repotest.Segments(holdingstest.Response("7", segmentURL+"r", date1, "text/html", segmentBody), 9)
	r.Ingest(holdingstest.Package{ID: "r", Rights: "access: open",
		Containers: map[string]string{"a.warc": early[0] + early[1]}})
	h := r.Open(holdings.Options{})
	all := r.Find(h, public, segmentURL) // segments are joined within one package
	if len(all) != 1 || all[0].Package != "q" || read(t, h, public, all[0]) != segmentBody[:8] {
		t.Errorf("found %+v", all)
	}
	if all := r.Find(h, public, segmentURL+"r"); len(all) != 0 {
		t.Errorf("found %+v", all)
	}
	s, err := h.Summary(t.Context())
	if err != nil || len(s.Left) != 1 || s.Left[0].Records != 1 {
		t.Errorf("left out: %+v, %v", s, err)
	}
}

// TestSegmentsChunked: chunks may cross the border of segments.
func TestSegmentsChunked(t *testing.T) {
	t.Parallel()
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"a\r\n0123456789\r\n5\r\nabcde\r\n0\r\n\r\n"
	p := repotest.Segments(holdingstest.Record("response", "1", segmentURL, date1, "application/http", block),
		strings.Index(block, "456"), strings.Index(block, "bcd"))
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{"a.warc": p[0] + p[2],
		"b.warc": p[1]}})
	h := r.Open(holdings.Options{})
	all := r.Find(h, public, segmentURL)
	if len(all) != 1 || !all[0].Chunked || all[0].Length != 15 || read(t, h, public, all[0]) != "0123456789abcde" {
		t.Errorf("found %+v", all)
	}
}

// TestSegmentsLater: a new version of a package that brings the missing segment completes the capture.
func TestSegmentsLater(t *testing.T) {
	t.Parallel()
	p := inParts()
	r := holdingstest.New(t)
	one := holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{"a.warc": p[0] + p[2]}}
	r.Ingest(one)
	h := r.Open(holdings.Options{})
	if all := r.Find(h, public, segmentURL); len(all) != 1 || read(t, h, public, all[0]) != segmentBody[:8] {
		t.Fatalf("found %+v", all)
	}
	ready := func() {
		if err := h.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	one.Containers["b.warc"] = p[1]
	r.Ingest(one)
	ready()
	if all := r.Find(h, public, segmentURL); len(all) != 1 || read(t, h, public, all[0]) != segmentBody {
		t.Errorf("found %+v", all)
	}
	delete(one.Containers, "b.warc")
	r.Ingest(one)
	ready()
	if all := r.Find(h, public, segmentURL); len(all) != 1 || read(t, h, public, all[0]) != segmentBody[:8] {
		t.Errorf("found %+v", all)
	}
}

// TestSegmentsRevisited: a revisit in another package finds the whole by its digest.
func TestSegmentsRevisited(t *testing.T) {
	t.Parallel()
	p := inParts()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{"a.warc": p[0] + p[2],
		"b.warc": p[1]}})
	r.Ingest(holdingstest.Package{ID: "q", Rights: "access: open", Containers: map[string]string{"a.warc": holdingstest.
		Revisit("5", segmentURL, date2, "text/html", segmentBody, segmentURL, date1)}})
	h := r.Open(holdings.Options{})
	all := r.Find(h, public, segmentURL)
	if len(all) != 2 || all[1].Payload == nil || len(all[1].Payload.Segments) != 3 ||
		read(t, h, public, all[1]) != segmentBody {
		t.Errorf("found %+v", all)
	}
}

// TestSegmentsClosed: a capture is closed if any of its segments is.
func TestSegmentsClosed(t *testing.T) {
	t.Parallel()
	p := inParts()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Restrict: []string{"containers/b.warc"},
		Containers: map[string]string{"a.warc": p[0] + p[2], "b.warc": p[1]}})
	virus := holdingstest.Response("8", segmentURL+"v", date1, "text/plain", "begin "+holdingstest.EICAR())
	v := repotest.Segments(virus, strings.Index(virus, "gin")-strings.Index(virus, "HTTP/1.1"))
	r.Ingest(holdingstest.Package{ID: "v", Rights: "access: open", Scan: true,
		Containers: map[string]string{"a.warc": v[0], "b.warc": v[1]}})
	r.Ingest(holdingstest.Package{ID: "w", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("9", segmentURL+"w", date1, "text/plain", "begin "+holdingstest.EICAR())}})
	h := r.Open(holdings.Options{})
	all := r.Find(h, public, segmentURL)
	if len(all) != 1 || read(t, h, public, all[0]) != "denied: restricted" || read(t, h, staff, all[0]) != segmentBody {
		t.Errorf("found %+v", all)
	}
	e, err := h.Explain(t.Context(), all[0].Capture)
	if err != nil || len(e.Of) != 2 || e.Of[1].Restricted == "" || e.Of[1].Payload {
		t.Errorf("the reasons are %+v, %v", e, err)
	}
	for _, url := range []string{segmentURL + "v", segmentURL + "w"} { // the second has the same bytes in one record
		all = r.Find(h, staff, url)
		if len(all) != 1 || !all[0].Infected || read(t, h, staff, all[0]) != "denied: blocked" {
			t.Errorf("%s: found %+v", url, all)
		}
	}
}

// TestSegmentsOfOldPackages: lines that an older quire wrote leave segments out. The containers of such a package
// are read once.
func TestSegmentsOfOldPackages(t *testing.T) {
	t.Parallel()
	p := inParts()
	r := holdingstest.New(t)
	dir := r.Pack(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{"a.warc": p[0],
		"b.warc": p[1] + p[2]}})
	for name, left := range map[string]string{"a": `,"leftOut":{"one segment of several":1}`, "b": ""} {
		repotest.Forge(t, dir, "indexes/"+name+".warc.cdxj.gz", func(old []byte) []byte {
			head, lines, _ := strings.Cut(repotest.Gunzip(t, old), "\n")
			head = regexp.MustCompile(`"version":3(.*),"lines":[12],"segments":[12]`).ReplaceAllString(head,
				`"version":2$1,"lines":0`+left)
			if !strings.HasPrefix(lines, "!segment ") || !strings.Contains(head, `"lines":0`) {
				t.Fatalf("the lines have no segments: %s, %s", head, lines)
			}
			return repotest.Gzip(t, head+"\n")
		})
	}
	if _, err := r.Store.Ingest(t.Context(), dir, store.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	h := r.Open(holdings.Options{})
	if all := r.Find(h, public, segmentURL); len(all) != 1 || read(t, h, public, all[0]) != segmentBody {
		t.Errorf("found %+v", all)
	}
}

// TestSegmentsOfDamagedCopies: each segment is read from a copy that has its bytes.
func TestSegmentsOfDamagedCopies(t *testing.T) {
	t.Parallel()
	p := inParts()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{"a.warc": p[0],
		"b.warc": p[1] + p[2]}})
	var problems atomic.Int64
	h := r.Open(holdings.Options{Problem: func(error) { problems.Add(1) }})
	spoil := func(copyOf int, name, from, to string) {
		var files []string
		err := filepath.WalkDir(r.Dir, func(path string, _ fs.DirEntry, err error) error {
			if filepath.Base(path) == name && strings.Contains(path, fmt.Sprint("copy-", copyOf)) {
				files = append(files, path)
			}
			return err
		})
		if err != nil || len(files) != 1 {
			t.Fatalf("%q, %v", files, err)
		}
		text, err := os.ReadFile(files[0])
		if err == nil {
			err = os.Chmod(files[0], 0o600)
		}
		if err == nil {
			err = os.WriteFile(files[0], []byte(strings.Replace(string(text), from, to, 1)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	spoil(1, "b.warc", "art, sec", "ART, SEC")
	spoil(2, "a.warc", "first", "FIRST")
	all := r.Find(h, public, segmentURL)
	if len(all) != 1 {
		t.Fatalf("found %+v", all)
	}
	if got := read(t, h, public, all[0]); got != segmentBody || problems.Load() == 0 {
		t.Errorf("read %q, %d problems", got, problems.Load())
	}
	content, err := h.ReadWhole(t.Context(), public, all[0].Capture)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(content.Body); err != nil || string(text) != segmentBody {
		t.Errorf("read %q, %v", text, err)
	}
	spoil(2, "b.warc", "art, sec", "ART, SEC")
	if _, err := h.Read(t.Context(), public, all[0].Capture); err == nil ||
		!strings.Contains(err.Error(), "different bytes") {
		t.Errorf("no copy has a segment: %v", err)
	}
}

// TestSegmentsOfOneID: joining costs bounded time, also if many first segments name the same others.
func TestSegmentsOfOneID(t *testing.T) {
	t.Parallel()
	p := inParts()
	r := holdingstest.New(t)
	for id, firsts := range map[string]int{"p": 16, "q": 17} {
		r.Ingest(holdingstest.Package{ID: id, Rights: "access: open",
			Containers: map[string]string{"a.warc": strings.Repeat(p[0], firsts), "b.warc": p[1] + p[2]}})
	}
	h := r.Open(holdings.Options{})
	all := r.Find(h, public, segmentURL)
	if len(all) != 33 {
		t.Fatalf("found %d captures", len(all))
	}
	for _, c := range all {
		want, why := segmentBody, ""
		if c.Package == "q" {
			want, why = segmentBody[:8], "17 first segments have this id"
		}
		if got := read(t, h, public, c); got != want || c.TruncatedBy != why || c.Truncated != (why != "") {
			t.Errorf("%s, record %d: read %q, %s", c.Package, c.Record.Order, got, c.TruncatedBy)
		}
	}
}

// TestSegmentsOfOldIndex: an index of an earlier quire that left segments out is brought up to date.
func TestSegmentsOfOldIndex(t *testing.T) {
	t.Parallel()
	p := inParts()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{"a.warc": p[0],
		"b.warc": p[1] + p[2]}})
	dir := r.Path("access")
	if err := r.Open(holdings.Options{Dir: dir}).Close(); err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(dir, captures.DirName, "index.json")
	text, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	left := regexp.MustCompile(`"captures": 1,\s*"segments": 1,(\s*"in": \d+,\s*)"version": 3`)
	old := left.ReplaceAllString(string(text), `"captures": 0, "leftOut": {"one segment of several": 1},$1"version": 2`)
	if old == string(text) {
		t.Fatalf("the index is %s", text)
	}
	if err := os.WriteFile(index, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	h := r.Open(holdings.Options{Dir: dir})
	if all := r.Find(h, public, segmentURL); len(all) != 1 || read(t, h, public, all[0]) != segmentBody {
		t.Errorf("found %+v", all)
	}
	if text, err = os.ReadFile(index); err != nil || !left.Match(text) {
		t.Errorf("the index is %s, %v", text, err)
	}
}
