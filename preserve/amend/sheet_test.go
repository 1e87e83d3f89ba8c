package amend_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quire/internal/repotest"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/amend"
	"quire/preserve/describe/rowmatch"
	"quire/preserve/pack"
)

const (
	head   = "ID,Level,Title [fr],Description,Source of description,Language,URL (seed),Extent\n"
	oldCSV = head + "x,site,Ancien,,,fr,http://a.example/,\nq,page,Disparue,,,,http://a.example/staff/x,\n"
	newCSV = head + "all,collection,Tout,,,,,\n" +
		"x,site,Été & hiver,\"]]> <&>\",Par la bibliothèque,fr,http://A.example,trois\n" +
		"p,page,Une page,,,,http://a.example/page,\n" +
		"z,site,Autre,,,,http://z.example/,\n" +
		"y,site,Absent,,,,http://y.example/,\n"
)

// sources returns the folders of two harvests of two websites.
func sources(t *testing.T) (folders []string) {
	t.Helper()
	folders = append(folders, filepath.Dir(write(t, "a.warc",
		repotest.Response("1", "http://a.example/", date, "text/html", "<title>The old title</title>")+
			repotest.Response("2", "http://a.example/page", date, "text/html", "<title>p</title><p>page")+
			repotest.Response("3", "http://a.example/staff/x", date, "text/html", "<p>staff")+
			repotest.Response("4", "http://a.example/page", "2016-01-02T03:04:05Z", "text/html", "<p>page, later"))))
	return append(folders, filepath.Dir(write(t, "z.warc",
		repotest.Response("1", "http://z.example/", date, "text/html", "<p>z"))))
}

var (
	sections   = regexp.MustCompile(`(?s)<mets:dmdSec ID="DMD-sheet-\d+">.*?</mets:dmdSec>`)
	described  = regexp.MustCompile(`(?s)<mets:div ([^>]*(?:DMD-sheet-|TYPE="web page")[^>]*)>(\s*<mets:mptr [^>]*>)?`)
	namespaces = regexp.MustCompile(` xmlns:\w+="[^"]*"`)
	attributes = regexp.MustCompile(`\S+="[^"]*"`)
	blanks     = regexp.MustCompile(`\s+`)
)

// statedBy returns what a METS says of its sheet: the sections, the divs that name them, and all pages.
func statedBy(t *testing.T, pkg string) (all []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(pkg, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	text := namespaces.ReplaceAllString(string(b), "")
	for _, section := range sections.FindAllString(text, -1) {
		all = append(all, blanks.ReplaceAllString(section, " "))
	}
	for _, div := range described.FindAllStringSubmatch(text, -1) {
		stated := attributes.FindAllString(div[1], -1)
		slices.Sort(stated)
		all = append(all, fmt.Sprint(stated, blanks.ReplaceAllString(div[2], " ")))
	}
	return all
}

// TestSheet: a package that is amended with a sheet states the same as one that was packed with it.
func TestSheet(t *testing.T) {
	for _, c := range []struct {
		name string
		o    pack.Options
		want rowmatch.Described
	}{
		{"compact", pack.Options{}, rowmatch.Described{Websites: 2, Absent: 1, Untold: 1}},
		{"full", pack.Options{Profile: pack.Full}, rowmatch.Described{Websites: 2, Pages: 1, Absent: 1}},
		{"linked", pack.Options{Profile: pack.Linked}, rowmatch.Described{Websites: 2, Pages: 1, Absent: 1}},
		{"one METS", pack.Options{Profile: pack.Full, METS: pack.Single},
			rowmatch.Described{Websites: 2, Pages: 1, Absent: 1}},
		{"legacy", pack.Options{Profile: pack.Full, SchemaVersion: pack.Legacy},
			rowmatch.Described{Websites: 2, Pages: 1, Absent: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			harvests := sources(t)
			packed := func(sheet string) string {
				o := c.o
				o.Out, o.ID = filepath.Join(t.TempDir(), "package"), "urn:x:a"
				o.Agent = model.Agent{Name: "Quire", Version: "test"}
				if sheet != "" {
					o.Sheet = &pack.Sheet{Path: sheet}
				}
				if _, err := pack.Pack(t.Context(), harvests, o); err != nil {
					t.Fatal(err)
				}
				return o.Out
			}
			sheet := write(t, "websites.csv", newCSV)
			want := statedBy(t, packed(sheet))
			if len(want) < 4 {
				t.Fatalf("the packed sheet is stated in %q", want)
			}
			c.want.Sheet, c.want.Rows = "websites.csv", 5
			earlier := map[string]string{"none": "", "the same name": "websites.csv", "another": "b.csv"}
			for before, old := range earlier {
				t.Run(before, func(t *testing.T) {
					if old != "" {
						old = write(t, old, oldCSV)
					}
					pkg := packed(old)
					out, r := amended(t, pkg, amend.Options{Sheet: &amend.Sheet{Path: sheet}})
					valid(t, out)
					c.want.Losses = r.Described.Losses
					if *r.Described != c.want {
						t.Errorf("%+v, want %+v", r.Described, c.want)
					}
					if got := statedBy(t, out); !slices.Equal(got, want) {
						t.Errorf("amended:\n%s\npacked:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
					}
					text, err := os.ReadFile(filepath.Join(out, "documentation/websites.csv"))
					if err != nil || string(text) != newCSV {
						t.Errorf("the sheet in the package: %q, %v", text, err)
					}
				})
			}
		})
	}
}

// TestSheetEntitles: a sheet replaces a title that is from a sheet, and no other.
func TestSheetEntitles(t *testing.T) {
	for name, c := range map[string]struct {
		before, title string // of the earlier sheet and the given title
		amend         amend.Options
		want          string
	}{
		"from a sheet": {oldCSV, "", amend.Options{}, "Été & hiver"},
		"given":        {oldCSV, "", amend.Options{Title: "Given"}, "Given"},
		"from a page":  {"", "", amend.Options{}, "The old title"},
	} {
		t.Run(name, func(t *testing.T) {
			o := pack.Options{}
			if c.before != "" {
				o.Sheet = &pack.Sheet{Path: write(t, "old.csv", c.before)}
			}
			c.amend.Sheet = &amend.Sheet{Path: write(t, "new.csv", newCSV)}
			out, _ := amended(t, made(t, o), c.amend)
			valid(t, out)
			d, err := aip.Describe(os.DirFS(out))
			if err != nil || d.Title != c.want {
				t.Errorf("the title is %q, want %q; %v", d.Title, c.want, err)
			}
		})
	}
}

// TestSheetIsRefused: a sheet with a problem, or without a row about the package, changes nothing.
func TestSheetIsRefused(t *testing.T) {
	pkg := made(t, pack.Options{})
	for rows, want := range map[string]error{
		"x,site,X,,,,nowhere,\n":           rowmatch.ErrSheet,
		"x,site,X,,,,http://y.example/,\n": amend.ErrNoRow,
	} {
		o := amend.Options{Sheet: &amend.Sheet{Path: write(t, "a.csv", head+rows)}, Because: "why", Out: t.TempDir()}
		if _, err := amend.Run(t.Context(), pkg, o); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", rows, err, want)
		}
	}
}

// TestSheetReadsLines: the captures come from the CDXJ lines of a package. Only a container without usable lines is
// read.
func TestSheetReadsLines(t *testing.T) {
	sheet := &amend.Sheet{Path: write(t, "a.csv", newCSV)}
	lines, records := made(t, pack.Options{Profile: pack.Full}), made(t, pack.Options{Profile: pack.Full})
	garble(t, lines, "containers/*")
	garble(t, records, "indexes/*")
	var said [][]string
	for _, pkg := range []string{lines, records} {
		out, r := amended(t, pkg, amend.Options{Sheet: sheet})
		if r.Described.Websites != 1 || r.Described.Pages != 1 {
			t.Errorf("%+v", r.Described)
		}
		said = append(said, statedBy(t, out))
	}
	if !slices.Equal(said[0], said[1]) {
		t.Errorf("by the lines:\n%s\nby the records:\n%s", strings.Join(said[0], "\n"), strings.Join(said[1], "\n"))
	}
}

// garble replaces the content of files of a package.
func garble(t *testing.T, pkg, pattern string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pkg, pattern))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if err := os.WriteFile(file, []byte("garbage"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSheetKeepsRights: a mapping with the name of the rights file, in the package or new, does not replace that.
func TestSheetKeepsRights(t *testing.T) {
	rights := write(t, "a.yaml", oldRights)
	for _, c := range []struct {
		name  string
		pack  pack.Options
		amend amend.Options
	}{
		{"in the package", pack.Options{Rights: rights}, amend.Options{}},
		{"new", pack.Options{}, amend.Options{Rights: rights}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.amend.Sheet = &amend.Sheet{Path: write(t, "s.csv", newCSV), Mapping: write(t, "a.yaml", "columns: {}\n")}
			out, _ := amended(t, made(t, c.pack), c.amend)
			valid(t, out)
			for name, want := range map[string]string{"a.yaml": oldRights, "a-2.yaml": "columns: {}\n"} {
				got, err := os.ReadFile(filepath.Join(out, "documentation", name))
				if err != nil || string(got) != want {
					t.Errorf("%s: %q, %v", name, got, err)
				}
			}
			decided(t, out, map[string]model.Zone{"http://a.example/staff/x": model.Restricted})
		})
	}
}
