package detect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestContainerWithinAWebsite checks that a container for download does not hide the website around
// it, and is reported. A folder of containers with a page beside them is no website.
func TestContainerWithinAWebsite(t *testing.T) {
	const record = "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: " +
		"2015-01-01T00:00:00Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
	site := map[string]string{"s/index.html": "<html>", "s/a/x.html": "<html>", "s/b.css": "b{}",
		"s/dl/old.warc": record}
	for _, c := range []struct {
		name   string
		change func(files map[string]string)
		want   []string // harvests
		found  bool     // the finding
	}{
		{"in a folder", func(map[string]string) {},
			[]string{"plain-folder s: s/a/x.html s/b.css s/index.html", "bare-containers s/dl: s/dl/old.warc"}, true},
		{"beside the start page", func(f map[string]string) {
			delete(f, "s/dl/old.warc")
			f["s/old.warc"] = record
		}, []string{"bare-containers s: s/old.warc", "plain-folder s: s/a/x.html s/b.css s/index.html"}, true},
		{"none", func(f map[string]string) { delete(f, "s/dl/old.warc") },
			[]string{"plain-folder s: s/a/x.html s/b.css s/index.html"}, false},
		{"as many containers as files", func(f map[string]string) {
			f["s/dl/2.warc"], f["s/dl/3.warc"] = record, record
		}, []string{"bare-containers s/dl: s/dl/2.warc s/dl/3.warc s/dl/old.warc"}, false},
	} {
		files := map[string]string{}
		for name, content := range site {
			files[name] = content
		}
		c.change(files)
		dir := t.TempDir()
		for name, content := range files {
			p := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, line := range summary(s) {
			if !strings.HasPrefix(line, "unclaimed") {
				got = append(got, line)
			}
		}
		found := false
		for _, f := range s.Findings {
			found = found || f.Code == CodeDownload
		}
		if !slices.Equal(got, c.want) || found != c.found {
			t.Errorf("%s: %q, finding %v", c.name, got, found)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
