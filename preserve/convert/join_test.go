package convert

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/model"
	"quire/source/detect"
)

// TestJoinSegments: with JoinSegments, a record whose segments lie in two files becomes one record. Without, and where
// they make no whole, the files are copied byte for byte.
func TestJoinSegments(t *testing.T) {
	t.Parallel()
	rec := func(kind, id, fields, block string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: "+
			"2012-12-19T19:48:39Z\r\nWARC-Target-URI: http://a.example/x\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n",
			kind, id, fields, len(block), block)
	}
	first := rec("resource", "1", "Content-Type: text/plain\r\nWARC-Segment-Number: 1\r\n", "one ")
	second := rec("continuation", "2", "WARC-Segment-Origin-ID: <urn:x:1>\r\nWARC-Segment-Number: 2\r\n"+
		"WARC-Segment-Total-Length: 7\r\n", "two")
	for name, c := range map[string]struct {
		files  map[string]string
		join   bool
		joined int64
		valid  bool
	}{
		"joined":     {map[string]string{"a.warc": warcFile + first, "b.warc": second + warcFile}, true, 1, true},
		"not wanted": {map[string]string{"a.warc": warcFile + first, "b.warc": second + warcFile}, false, 0, true},
		"a gap":      {map[string]string{"a.warc": warcFile + first, "b.warc": warcFile}, true, 0, false},
		"none":       {map[string]string{"a.warc": warcFile}, true, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := detect.Open(t.Context(), folder(t, c.files))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var lines bytes.Buffer
			out := filepath.Join(t.TempDir(), "out")
			r, err := Run(t.Context(), s, Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "1"},
				Report: &lines, JoinSegments: c.join})
			if err != nil {
				t.Fatal(err)
			}
			if r.JoinedTotal != c.joined || int64(len(r.Joined)) != c.joined || (r.Outcome == model.Valid) != c.valid ||
				strings.Contains(fmt.Sprint(r.Findings), "REF-SEGMENT-MISSING") == c.valid ||
				strings.Contains(lines.String(), `"action":"joined","bytes":7`) != (c.joined > 0) {
				t.Errorf("%+v, %s", r, lines.String())
			}
			size := int64(0)
			for file, was := range c.files {
				now, err := os.ReadFile(filepath.Join(out, file))
				if err != nil {
					t.Fatal(err)
				}
				size += int64(len(now))
				switch {
				case c.joined == 0 && string(now) != was, file == "b.warc" && c.joined > 0 && string(now) != warcFile:
					t.Errorf("%s is\n%s", file, now)
				case file == "a.warc" && c.joined > 0 && (!strings.HasPrefix(string(now), warcFile) ||
					!strings.Contains(string(now), "\r\nContent-Length: 7\r\n\r\none two\r\n\r\nWARC/")):
					t.Errorf("%s is\n%s", file, now)
				}
			}
			if size != r.Bytes {
				t.Errorf("%d bytes, and not %d", r.Bytes, size)
			}
		})
	}
}
