package detect

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/archivefs"
	"quire/source"
)

// byMark claims each folder with a file of the name mark as a harvest, with all files below: the
// greediest reader possible.
type byMark struct{ name, mark string }

func (r byMark) Name() string { return r.name }

func (r byMark) Find(_ context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	var all []source.Claim
	for _, f := range t.Files() {
		if path.Base(f.Path) != r.mark {
			continue
		}
		c := source.Claim{Reader: r.name, Root: path.Dir(f.Path), Why: []string{f.Path}}
		for _, g := range t.Files() {
			if within(path.Dir(g.Path), c.Root) {
				c.Files = append(c.Files, g.Path)
			}
		}
		all = append(all, c)
	}
	return all, nil
}

var greedy = []source.Reader{
	byMark{"httrack", "hts"}, byMark{"heritrix", "log"}, byMark{"netarchivesuite", "nas"}, byMark{"pandas", "pan"},
	byMark{"web-curator-tool", "mets"},
}

// folderOf creates a folder with those files; each contains its own name.
func folderOf(t testing.TB, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// summary returns a Source as lines: "reader root: files", and "unclaimed: files".
func summary(s *Source) []string {
	var lines []string
	for _, f := range s.Found {
		line := fmt.Sprintf("%s %s: %s", f.Reader, path.Join(f.Archive, f.Root), strings.Join(f.Files, " "))
		if len(f.Shared) > 0 {
			line += "; shares " + strings.Join(f.Shared, " ")
		}
		for _, o := range f.Overridden {
			line += fmt.Sprintf("; over %s %s for %d, kept %v", o.Reader, o.Root, o.Lost, o.Kept)
		}
		lines = append(lines, line)
	}
	for _, u := range s.Unclaimed {
		lines = append(lines, "unclaimed "+u.Path)
	}
	return lines
}

func TestWhoGetsAFileThatSeveralRecognise(t *testing.T) {
	tests := []struct {
		name  string
		files string
		want  []string
	}{
		{"in one folder the first of the precedence", "log nas",
			[]string{"netarchivesuite .: log nas; over heritrix . for 2, kept false"}},
		{"a system explains the output of its crawler, at any depth", "mets a/b/log",
			[]string{"web-curator-tool .: a/b/log mets; over heritrix a/b for 1, kept false"}},
		{"of two that know nothing of each other, the deeper folder", "mets x/hts x/page",
			[]string{"web-curator-tool .: mets", "httrack x: x/hts x/page; over web-curator-tool . for 2, kept true"}},
		{"a mirror around a job keeps the rest", "hts job/log page",
			[]string{"httrack .: hts page", "heritrix job: job/log; over httrack . for 1, kept true"}},
		{"content that a mirror saved was on the web",
			"m/hts m/www.a.org/x/log m/www.a.org/page m/b.org_8080/log m/jobs/log",
			[]string{"httrack m: m/b.org_8080/log m/hts m/www.a.org/page m/www.a.org/x/log; over heritrix " +
				"m/www.a.org/x for 1, kept false; over heritrix m/b.org_8080 for 1, kept false",
				"heritrix m/jobs: m/jobs/log; over httrack m for 1, kept true"}},
		{"titles side by side", "1/pan 1/hts 2/hts note",
			[]string{"pandas 1: 1/hts 1/pan; over httrack 1 for 2, kept false", "httrack 2: 2/hts", "unclaimed note"}},
		{"one reader, one folder in the other: the file is counted once", "log sub/log",
			[]string{"heritrix .: log sub/log; shares sub/log", "heritrix sub: sub/log"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Options{readers: greedy}.Open(t.Context(), folderOf(t, strings.Fields(tt.files)...))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := summary(s); !slices.Equal(got, tt.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
			}
		})
	}
}

// FuzzEachFileIsInOnePlace checks any names: each file is in exactly one place, and a second
// detection gives the same result.
func FuzzEachFileIsInOnePlace(f *testing.F) {
	f.Add("hts job/log page job/nas")
	f.Add("1/pan 1/hts 1/a/log 1/a/b/nas mets 2/log 2/x/log")
	f.Add("a/b/c/nas a/b/hts a/pan mets log a/log")
	f.Fuzz(func(t *testing.T, names string) {
		var parts []archivefs.Part
		for i, name := range strings.Fields(names) {
			if i == 40 {
				break
			}
			open := func() (archivefs.Content, error) { return nil, os.ErrInvalid }
			parts = append(parts, archivefs.Part{File: archivefs.File{Path: name}, Open: open})
		}
		tr := archivefs.Of("source", parts, nil)
		a, err := arbitrate(t.Context(), tr, greedy, nil)
		if err != nil {
			t.Fatal(err)
		}
		places := map[string]int{}
		for _, found := range a.found {
			for _, p := range found.Files {
				if tr.Find(p) == nil {
					t.Errorf("%q is no file of the source", p)
				}
				if !slices.Contains(found.Shared, p) {
					places[p]++
				}
			}
		}
		for _, file := range tr.Files() {
			if _, taken := a.taken[file.Path]; taken != (places[file.Path] == 1) || places[file.Path] > 1 {
				t.Errorf("%q is in %d harvests, and taken: %v", file.Path, places[file.Path], taken)
			}
		}
		again, err := arbitrate(t.Context(), tr, greedy, nil)
		if err != nil {
			t.Fatal(err)
		}
		if one, two := summary(&Source{Found: a.found}), summary(&Source{Found: again.found}); !slices.Equal(one, two) {
			t.Errorf("first\n%s\nthen\n%s", strings.Join(one, "\n"), strings.Join(two, "\n"))
		}
	})
}

// inRoot claims lists of files in one folder, as far as they exist.
type inRoot struct {
	name  string
	lists []string
}

func (r inRoot) Name() string { return r.name }

func (r inRoot) Find(_ context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	var all []source.Claim
	for _, list := range r.lists {
		c := source.Claim{Reader: r.name, Root: "."}
		for _, p := range strings.Fields(list) {
			if t.Find(p) != nil {
				c.Files = append(c.Files, p)
			}
		}
		if len(c.Files) > 0 {
			all = append(all, c)
		}
	}
	return all, nil
}

// TestClaimsInOneFolderAreToldApart checks that among several claims in one folder, the one that
// lost a file runs again.
func TestClaimsInOneFolderAreToldApart(t *testing.T) {
	readers := []source.Reader{inRoot{"wget", []string{"a1 a2", "b1 b2", "c1"}},
		inRoot{"netarchivesuite", []string{"b2 c1"}}}
	s, err := Options{readers: readers}.Open(t.Context(), folderOf(t, "a1", "a2", "b1", "b2", "c1"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []string{"netarchivesuite .: b2 c1; over wget . for 1, kept true; over wget . for 1, kept false",
		"wget .: a1 a2", "wget .: b1"}
	if got := summary(s); !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
