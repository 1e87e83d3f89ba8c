package detect

import (
	"fmt"
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
		found  []string // containers with the finding, sorted
	}{
		{"in a folder", func(map[string]string) {},
			[]string{"plain-folder s: s/a/x.html s/b.css s/index.html", "bare-containers s/dl: s/dl/old.warc"},
			[]string{"old.warc"}},
		{"beside the start page", func(f map[string]string) {
			delete(f, "s/dl/old.warc")
			f["s/old.warc"] = record
		}, []string{"bare-containers s: s/old.warc", "plain-folder s: s/a/x.html s/b.css s/index.html"},
			[]string{"old.warc"}},
		{"none", func(f map[string]string) { delete(f, "s/dl/old.warc") },
			[]string{"plain-folder s: s/a/x.html s/b.css s/index.html"}, nil},
		{"as many containers as files", func(f map[string]string) {
			f["s/dl/2.warc"], f["s/dl/3.warc"] = record, record
		}, []string{"bare-containers s/dl: s/dl/2.warc s/dl/3.warc s/dl/old.warc"}, nil},
		{"several", func(f map[string]string) {
			for _, name := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
				f["s/dl/"+name+".warc"], f["s/"+name+".html"] = record, "<html>"
			}
		}, []string{"plain-folder s: s/1.html s/2.html s/3.html s/4.html s/5.html s/6.html s/7.html s/8.html " +
			"s/a/x.html s/b.css s/index.html", "bare-containers s/dl: s/dl/1.warc s/dl/2.warc s/dl/3.warc " +
			"s/dl/4.warc s/dl/5.warc s/dl/6.warc s/dl/7.warc s/dl/8.warc s/dl/old.warc"},
			[]string{"1.warc", "2.warc", "3.warc", "4.warc", "5.warc", "6.warc", "7.warc", "8.warc", "old.warc"}},
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
		var found []string
		for _, f := range s.Findings {
			if f.Code == CodeDownload {
				found = append(found, filepath.Base(f.Path))
			}
		}
		if !slices.Equal(got, c.want) || !slices.Equal(found, c.found) {
			t.Errorf("%s: %q, findings about %q", c.name, got, found)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDownloadsAreBounded checks that a website with very many containers has a bounded number of
// findings, the last of which has the number of the others.
func TestDownloadsAreBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range maxDownloads + 20 {
		for ending, content := range map[string]string{"warc": "WARC/1.0\r\n", "html": "<html>", "txt": "x"} {
			name := fmt.Sprintf("%d.%s", i, ending)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	n, last := 0, ""
	for _, f := range s.Findings {
		if f.Code == CodeDownload {
			n, last = n+1, f.Message
		}
	}
	if n != maxDownloads+1 || !strings.HasPrefix(last, "20 more ") {
		t.Errorf("%d findings, %q", n, last)
	}
}
