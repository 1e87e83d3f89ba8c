package mirror

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/format/warc"
	"quire/internal/archivefs"
	"quire/internal/testsamples"
	"quire/source"
	"quire/source/httrack"
)

// plain has the options of a conversion that restores links in the default way.
var plain = Options{Name: options.Name, Software: options.Software, Date: options.Date}

// openMirror reads the one HTTrack mirror at a path.
func openMirror(t testing.TB, path string) source.Mirror {
	t.Helper()
	tr, err := archivefs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	claims, err := httrack.Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 {
		t.Fatalf("%d mirrors, %v", len(claims), err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return h.(source.Mirror)
}

// Each mirror among the samples becomes a valid WARC, the same each time. Each file is reported,
// and each URL is graded.
func TestSampleMirrors(t *testing.T) {
	for _, c := range []struct {
		path   string
		grades map[source.Grade]int64
		heads  map[Head]int64
		files  map[Fate]int64
	}{
		{"_made/crawls/httrack/devref.tar.gz",
			map[source.Grade]int64{source.OriginalEntity: 74, source.OriginalFile: 41, source.Lost: 7},
			map[Head]int64{Reconstructed: 12},
			map[Fate]int64{Artefact: 9, Converted: 41, Empty: 1, Same: 5, Superseded: 67}},
		{"_made/crawls/httrack/devref-updated.tar.gz",
			map[source.Grade]int64{source.OriginalEntity: 75, source.OriginalFile: 41, source.Lost: 6},
			map[Head]int64{Reconstructed: 12},
			map[Fate]int64{Artefact: 13, Converted: 41, Same: 6, Superseded: 67}},
		{"_made/crawls/httrack/pandas.tar.gz",
			map[source.Grade]int64{source.OriginalEntity: 73, source.OriginalFile: 40, source.Lost: 8},
			map[Head]int64{Reconstructed: 11},
			map[Fate]int64{Artefact: 9, Converted: 40, Empty: 2, Same: 5, Superseded: 68}},
		{"nla_httrack2warc/httrack/testcrawl-3.49-2.zip",
			map[source.Grade]int64{source.OriginalEntity: 8, source.OriginalFile: 1}, map[Head]int64{LineEnds: 9},
			map[Fate]int64{Artefact: 9, Converted: 1, Same: 5, Superseded: 1}},
		{"0yukikaze0_hyperledger-fabric.docs/mirror",
			map[source.Grade]int64{source.OriginalEntity: 54, source.OriginalFile: 42, source.Lost: 3},
			map[Head]int64{Reconstructed: 10},
			map[Fate]int64{Artefact: 9, Converted: 42, Same: 7, Superseded: 43}},
	} {
		t.Run(c.path, func(t *testing.T) {
			r := converted(t, openMirror(t, testsamples.Path(t, "samples", filepath.FromSlash(c.path))), plain)
			if fmt.Sprint(r.report.Grades, r.report.Heads, r.report.Files) != fmt.Sprint(c.grades, c.heads, c.files) ||
				len(r.found) > 0 || r.report.Undated > 0 {
				t.Errorf("%+v %v", r.report, r.found)
			}
		})
	}
}

// answer is the answer for a URL, in wget's WARC or in ours.
type answer struct {
	status   int
	location string
	body     []byte
	grade    string
}

// wget fetched the same site. URLs in both are restored from HTTrack's mirror under the right URL,
// including redirects and errors. Each payload graded original is equal to wget's, byte for byte.
func TestMirrorAgainstWget(t *testing.T) {
	wget := answersOf(t, readSample(t, "_made/crawls/wget/wget-devref.warc.gz"))
	for _, name := range []string{"devref", "devref-updated", "pandas"} {
		t.Run(name, func(t *testing.T) {
			m := openMirror(t, testsamples.Path(t, "samples", "_made", "crawls", "httrack", name+".tar.gz"))
			ours := answersOf(t, converted(t, m, plain).file)
			both, back, original, equal := 0, 0, 0, 0
			for fetch, err := range m.Fetches(context.Background(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				theirs, ok := wget[normal(fetch.URI)]
				if !ok || fetch.Status != theirs.status || wget[normal(fetch.URI)].grade == "seen" {
					continue
				}
				theirs.grade = "seen" // a URL can have several rows
				wget[normal(fetch.URI)] = theirs
				both++
				our, ok := ours[normal(fetch.URI)]
				if !ok || our.status != theirs.status || our.location != theirs.location {
					t.Logf("%s: %d %q, wget has %d %q", fetch.URI, our.status, our.location, theirs.status,
						theirs.location)
					continue
				}
				back++
				if strings.HasPrefix(our.grade, "original") {
					original++
					switch {
					case bytes.Equal(our.body, theirs.body):
						equal++
					case name == "devref-updated" && changed[fetch.URI]:
					default:
						t.Errorf("%s, %s: %d bytes, and wget's are %d", fetch.URI, our.grade, len(our.body),
							len(theirs.body))
					}
				}
			}
			t.Logf("both fetched %d URLs; %d are back, %d of them original, %d byte for byte", both, back, original,
				equal)
			if both < 100 || back*100 < both*95 || original < 100 {
				t.Error("that is too few")
			}
			for url, theirs := range wget {
				theirs.grade = ""
				wget[url] = theirs
			}
		})
	}
}

// changed are the pages that changed when the mirror was updated.
var changed = map[string]bool{"http://www.devref.test/": true, "http://www.devref.test/ref/index.html": true}

// normal normalizes a URL, which HTTrack's log escapes but its cache does not.
func normal(url string) string {
	var b strings.Builder
	for i := range len(url) {
		if c := url[i]; c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func readSample(t *testing.T, name string) []byte {
	b, err := os.ReadFile(testsamples.Path(t, "samples", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// answersOf reads the content of a WARC for each URL. A payload without a head gets status 200.
func answersOf(t *testing.T, file []byte) map[string]answer {
	t.Helper()
	all := map[string]answer{}
	r := warc.NewReader(bytes.NewReader(file))
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		a := answer{status: 200, grade: rec.Get(FieldGrade)}
		switch rec.Type() {
		case warc.TypeResponse:
			got, err := http.ReadResponse(bufio.NewReader(rec), nil)
			if err != nil {
				continue // wget's record of another protocol
			}
			a.status, a.location = got.StatusCode, got.Header.Get("Location")
			if a.body, err = io.ReadAll(got.Body); errors.Join(err, got.Body.Close()) != nil {
				t.Errorf("%s: %v", rec.TargetURI(), err)
			}
			if got.Header.Get("Content-Encoding") != "" {
				continue // HTTrack stored it decoded
			}
		case warc.TypeResource, warc.TypeConversion:
			if a.body, err = io.ReadAll(rec); err != nil {
				t.Fatal(err)
			}
		default:
			continue
		}
		all[normal(rec.TargetURI())] = a
	}
}

// unpacked unpacks the mirror of the samples with its file times. The function change may change
// files; files for which it returns nil are omitted.
func unpacked(t *testing.T, change func(name string, b []byte) []byte) source.Mirror {
	t.Helper()
	dir := t.TempDir()
	tr, err := archivefs.Open(testsamples.Path(t, "samples", "_made", "crawls", "httrack", "devref.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tr.Close() }()
	for _, f := range tr.Files() {
		c, err := tr.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		if b = change(filepath.Base(f.Path), b); b == nil {
			continue
		}
		p := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := errors.Join(c.Close(), os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, b, 0o666),
			os.Chtimes(p, f.Modified, f.Modified)); err != nil {
			t.Fatal(err)
		}
	}
	return openMirror(t, dir)
}

// An interrupted mirror has a cache without a directory, and incomplete logs. A mirror without a
// cache has its log, and its pages with their content. Content graded original must be original in
// both cases.
func TestMirrorsThatLackSomething(t *testing.T) {
	wget := answersOf(t, readSample(t, "_made/crawls/wget/wget-devref.warc.gz"))
	half := func(b []byte) []byte { return b[:len(b)/2] }
	for _, c := range []struct {
		name   string
		change func(name string, b []byte) []byte
		right  int                    // URLs with the same answer as wget's
		want   map[source.Grade]int64 // at least
	}{
		{"interrupted", func(name string, b []byte) []byte {
			switch name {
			case "new.zip", "new.txt", "hts-log.txt":
				return half(b)
			}
			return b
		}, 105, map[source.Grade]int64{source.OriginalEntity: 30, source.OriginalFile: 25,
			source.Differing: 10, source.LinksReconstructed: 30}}, // no source shows that the last files are complete
		{"without the cache", func(name string, b []byte) []byte {
			if name == "new.zip" {
				return nil
			}
			return b
		}, 110, map[source.Grade]int64{source.OriginalFile: 35, source.LinksReconstructed: 60}},
		{"without cache and logs", func(name string, b []byte) []byte {
			switch name {
			case "new.zip", "new.txt", "new.lst", "doit.log":
				return nil
			}
			return b
		}, 95, map[source.Grade]int64{source.OriginalFile: 25, source.LinksReconstructed: 60}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := converted(t, unpacked(t, c.change), plain)
			for g, least := range c.want {
				if r.report.Grades[g] < least {
					t.Errorf("%d %s", r.report.Grades[g], g)
				}
			}
			right, original := 0, 0
			for url, our := range answersOf(t, r.file) {
				theirs, ok := wget[url]
				if !ok || our.status != theirs.status {
					continue
				}
				right++
				if strings.HasPrefix(our.grade, "original") {
					if original++; !bytes.Equal(our.body, theirs.body) {
						t.Errorf("%s, %s: %d bytes, and wget's are %d", url, our.grade, len(our.body), len(theirs.body))
					}
				}
			}
			t.Logf("%v, %v; %d URLs are right, %d of them original", r.report.Grades, r.report.Files, right, original)
			if right < c.right || r.report.Undated > 0 {
				t.Errorf("%+v", r.report)
			}
		})
	}
}
