package detect

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
)

// zipOf creates a zip of those files; each contains its name, or the value in contents.
func zipOf(t testing.TB, to string, contents map[string][]byte, names ...string) {
	t.Helper()
	f, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for _, name := range names {
		e, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		content, ok := contents[name]
		if !ok {
			content = []byte(name)
		}
		if _, err := e.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestArchivesAreOpenedForTheHarvestsInThem(t *testing.T) {
	dir := folderOf(t, "note", "mirror/hts")
	inner := filepath.Join(t.TempDir(), "inner")
	zipOf(t, inner, nil, "job/log", "odd")
	content, err := os.ReadFile(inner)
	if err != nil {
		t.Fatal(err)
	}
	zipOf(t, filepath.Join(dir, "jobs.dat"), map[string][]byte{"b.bin": content}, "b.bin", "a/nas")
	zipOf(t, filepath.Join(dir, "nothing.zip"), nil, "picture")
	zipOf(t, filepath.Join(dir, "mirror/new.zip"), nil, "log") // part of the mirror: not opened

	s, err := Options{readers: greedy}.Open(t.Context(), dir, filepath.Join(dir, "note"), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []string{
		"netarchivesuite jobs.dat/a: a/nas", "heritrix jobs.dat/b.bin/job: job/log",
		"httrack mirror: mirror/hts mirror/new.zip",
		"unclaimed odd", "unclaimed note", "unclaimed nothing.zip",
	}
	if got := summary(s); !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	var opened []string
	for _, a := range s.Opened {
		opened = append(opened, a.Path)
	}
	if want := []string{"b.bin", "jobs.dat"}; !slices.Equal(opened, want) {
		t.Errorf("opened %q, want %q", opened, want)
	}
	if c, err := s.Found[1].Tree.Open("job/log"); err != nil {
		t.Error(err)
	} else if b := make([]byte, 7); true {
		if _, err := c.Read(b); err != nil || string(b) != "job/log" {
			t.Errorf("the file in the archive in the archive holds %q, %v", b, err)
		}
	}
}

const page = "<html><body>"

func TestWebsitesAreWhatNobodyElseKnows(t *testing.T) {
	site := func(names ...string) string { // pages contain HTML
		dir := folderOf(t, names...)
		for _, name := range names {
			if strings.HasSuffix(name, ".html") {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		return dir
	}
	zipped := t.TempDir()
	zipOf(t, filepath.Join(zipped, "site.zip"), map[string][]byte{"w/index.html": []byte(page)}, "w/index.html",
		"w/a.gif")
	zipOf(t, filepath.Join(zipped, "job.zip"), nil, "log")
	around := site("index.html", "a.html")
	zipOf(t, filepath.Join(around, "download.zip"), map[string][]byte{"index.html": []byte(page)}, "index.html")
	zipOf(t, filepath.Join(around, "job.zip"), nil, "log")
	tests := []struct {
		name, source, prefix string
		want                 []string
	}{
		{"a folder with a start page", site("w/index.html", "w/a.gif", "note"), "",
			[]string{"plain-folder w: w/a.gif w/index.html", "unclaimed note"}},
		{"a page alone is no website", site("about.html", "note"), "",
			[]string{"unclaimed about.html", "unclaimed note"}},
		{"three pages are", site("a.html", "b/b.html", "b/c.html"), "",
			[]string{"plain-folder .: a.html b/b.html b/c.html"}},
		{"not around a harvest", site("index.html", "job/log", "w/index.html"), "",
			[]string{"heritrix job: job/log", "plain-folder w: w/index.html", "unclaimed index.html"}},
		{"where the user says so, everything that is left", site("job/log", "note"), "http://a.example",
			[]string{"plain-folder .: note", "heritrix job: job/log"}},
		{"an archive of a website is one of its files", site("index.html", "sub/a.html"), "",
			[]string{"plain-folder .: download.zip index.html sub/a.html"}},
		{"in an archive", zipped, "", []string{"heritrix job.zip: log",
			"plain-folder site.zip/w: w/a.gif w/index.html"}},
		{"a folder with a harvest is none, an archive in it may be", around, "",
			[]string{"plain-folder download.zip: index.html", "heritrix job.zip: log", "unclaimed a.html",
				"unclaimed index.html"}},
	}
	zipOf(t, filepath.Join(tests[5].source, "download.zip"), map[string][]byte{"index.html": []byte(page)},
		"index.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Options{readers: greedy, URLPrefix: tt.prefix}.Open(t.Context(), tt.source)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := summary(s); !slices.Equal(got, tt.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
			}
		})
	}
	if _, err := (Options{URLPrefix: "example.org"}).Open(t.Context(), zipped); err == nil {
		t.Error("a prefix that is no URL was taken")
	}
}

func TestFilesOfOneFolderAreOneSource(t *testing.T) {
	dir := folderOf(t, "log", "a.cfg", "else", "x/nas")
	s, err := Options{readers: greedy}.Open(t.Context(), filepath.Join(dir, "log"), filepath.Join(dir, "x/nas"),
		filepath.Join(dir, "a.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []string{"heritrix .: a.cfg log", "netarchivesuite .: nas"}
	if got := summary(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestACacheOfHTTrackIsNoArchiveOfFiles(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "kept.zip")
	zipOf(t, cache, nil, "http://a.example/x", "http://a.example/y")
	for _, source := range []string{cache, dir} {
		s, err := Open(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if got := summary(s); !slices.Equal(got, []string{"httrack .: kept.zip"}) || len(s.Opened) != 0 {
			t.Errorf("%s: %q", source, got)
		}
	}
}

func TestWhatIsNotThereIsAnError(t *testing.T) {
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestSamplesAreRead(t *testing.T) {
	tests := []struct{ path, reader, start string }{
		{"nla_httrack2warc/httrack/testcrawl-3.49-2.zip", "httrack", "2018-02-02"},
		{"WebCuratorTool_webcurator/webcurator-submit-to-rosetta/WctFiles", "web-curator-tool", "2007-08-13"},
	}
	for _, tt := range tests {
		s, err := Open(t.Context(), testsamples.Path(t, "samples", tt.path))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for h, err := range s.Harvests(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; h.Found.Reader != tt.reader || h.About().Start.Format("2006-01-02") != tt.start {
				t.Errorf("%s: %s %v", tt.path, h.Found.Reader, h.About().Start)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d harvests", tt.path, n)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
