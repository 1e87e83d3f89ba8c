package detect

import (
	"archive/tar"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const logLine = "2024-01-02T03:04:05.000Z   200  7 http://a.test/ - - text/html #001 20240102030405000+3 - - -\n"

// TestFilesBeside: a log or a list that is named alone joins the only other folder of the call.
func TestFilesBeside(t *testing.T) {
	dir := t.TempDir()
	tarball := tarOf(t, &tar.Header{Name: "x.warc", Size: 3, Mode: 0o600, Typeflag: tar.TypeReg})
	for name, content := range map[string]string{
		"site/index.html": "<html>", "tars/x.tar": string(tarball), "tars/y.warc": "WARC/1.0\r\n",
		"crawl/warcs/a.warc": "WARC/1.0\r\n", "crawl/warcs/b.warc": "WARC/1.0\r\n", "logs/crawl.log": logLine,
		"lists/a.warc.md5": "00  a.warc\n", "two/x.warc": "WARC/1.0\r\n", "two/crawl.log": logLine,
		"mets/mets.xml":   "\n<?xml version=\"1.0\"?><x/>",
		"spread/1/x.warc": "WARC/1.0\r\n", "spread/2/y.warc": "WARC/1.0\r\n",
	} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		paths  []string
		want   []string
		beside int
	}{
		{[]string{"crawl", "logs/crawl.log", "lists/a.warc.md5"},
			[]string{"heritrix warcs: warcs/a.warc warcs/a.warc.md5 warcs/b.warc warcs/crawl.log"}, 2},
		{[]string{"logs/crawl.log", "crawl/warcs/a.warc"}, []string{"heritrix .: a.warc crawl.log"}, 1},
		{[]string{"spread", "logs/crawl.log"},
			[]string{"bare-containers 1: 1/x.warc", "bare-containers 2: 2/y.warc", "heritrix .: crawl.log"}, 1},
		{[]string{"site", "lists/a.warc.md5"}, []string{"plain-folder .: index.html", "unclaimed a.warc.md5"}, 0},
		{[]string{"tars", "logs/crawl.log"},
			[]string{"bare-containers .: y.warc", "bare-containers x.tar: x.warc", "heritrix .: crawl.log",
				"heritrix x.tar/job: job/crawl.log"}, 0},
		{[]string{"crawl", "mets/mets.xml"},
			[]string{"bare-containers warcs: warcs/a.warc warcs/b.warc", "unclaimed mets.xml"}, 0},
		{[]string{"two", "logs/crawl.log"}, []string{"heritrix .: crawl.log", "heritrix .: crawl.log x.warc"}, 0},
		{[]string{"crawl", "two", "lists/a.warc.md5"},
			[]string{"bare-containers warcs: warcs/a.warc warcs/b.warc", "heritrix .: crawl.log x.warc",
				"unclaimed a.warc.md5"}, 0},
		{[]string{"crawl/warcs/a.warc", "two/x.warc"},
			[]string{"bare-containers .: a.warc", "bare-containers .: x.warc"}, 0},
	} {
		var paths []string
		for _, p := range c.paths {
			paths = append(paths, filepath.Join(dir, p))
		}
		s, err := Open(t.Context(), paths...)
		if err != nil {
			t.Fatal(err)
		}
		beside := 0
		for _, f := range s.Findings {
			if f.Code == CodeBeside {
				beside++
			}
		}
		got := summary(s)
		if slices.Sort(got); !slices.Equal(got, c.want) || beside != c.beside {
			t.Errorf("%q: %d findings and %q, want %d and %q", c.paths, beside, got, c.beside, c.want)
		}
		for i := range s.Found {
			if _, err := s.Found[i].Read(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
