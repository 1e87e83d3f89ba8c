package detect

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/shared"
)

// zipOf makes a zip of those files, each of which holds its name, or what contents says.
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
	zipOf(t, filepath.Join(dir, "mirror/new.zip"), nil, "log") // the mirror's own: not opened

	s, err := Options{readers: greedy}.Open(t.Context(), dir, filepath.Join(dir, "note"), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []string{
		"httrack mirror: mirror/hts mirror/new.zip", "netarchivesuite jobs.dat/a: a/nas", "heritrix jobs.dat/b.bin/job: job/log",
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
	if c, err := s.Found[2].Tree.Open("job/log"); err != nil {
		t.Error(err)
	} else if b := make([]byte, 7); true {
		if _, err := c.Read(b); err != nil || string(b) != "job/log" {
			t.Errorf("the file in the archive in the archive holds %q, %v", b, err)
		}
	}
}

func TestFilesOfOneFolderAreOneSource(t *testing.T) {
	dir := folderOf(t, "log", "a.cfg", "else", "x/nas")
	s, err := Options{readers: greedy}.Open(t.Context(), filepath.Join(dir, "log"), filepath.Join(dir, "x/nas"), filepath.Join(dir, "a.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []string{"heritrix .: a.cfg log", "netarchivesuite .: nas"}
	if got := summary(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
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
		{"WebCuratorTool_webcurator/webcurator-submit-to-rosetta/WctFiles", "heritrix", "2007-08-13"},
	}
	for _, tt := range tests {
		s, err := Open(t.Context(), shared.Path(t, "samples", tt.path))
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
