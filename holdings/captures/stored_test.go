package captures

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/repotest"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/pack"
	"quire/repository/store"
)

// shelf is a repository with two copies and a package.
type shelf struct {
	t     *testing.T
	dir   string
	store *store.Store
}

const (
	aContainer = "containers/a.warc"
	itsLines   = "indexes/a.warc.cdxj.gz"
)

// newShelf stores a package with a container, after applying change to it and updating its METS.
func newShelf(t *testing.T, content string, change func(path string) []byte) *shelf {
	t.Helper()
	s := &shelf{t: t, dir: t.TempDir()}
	crawl, out := filepath.Join(s.dir, "crawl"), filepath.Join(s.dir, "package")
	must(t, os.Mkdir(crawl, 0o777))
	must(t, os.WriteFile(filepath.Join(crawl, "a.warc"), []byte(content), 0o666))
	_, err := pack.Pack(t.Context(), []string{crawl},
		pack.Options{Out: out, ID: "p", Agent: model.Agent{Name: "Quire", Version: "test"}})
	must(t, err)
	if change != nil {
		repotest.Forge(t, out, itsLines, func([]byte) []byte {
			return change(filepath.Join(out, filepath.FromSlash(itsLines)))
		})
	}
	s.store, err = store.Init(t.Context(), filepath.Join(s.dir, "repo"), store.InitOptions{
		Describe: aip.Describe, Copies: []string{filepath.Join(s.dir, "copy-1"), filepath.Join(s.dir, "copy-2")},
	})
	must(t, err)
	t.Cleanup(func() { _ = s.store.Close() })
	_, err = s.store.Ingest(t.Context(), out, store.IngestOptions{})
	must(t, err)
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inCopies changes a file in the first n copies.
func (s *shelf) inCopies(n int, name string, do func(path string) error) {
	s.t.Helper()
	done := 0
	for c := 1; c <= n; c++ {
		must(s.t, filepath.WalkDir(filepath.Join(s.dir, fmt.Sprint("copy-", c)),
			func(path string, _ fs.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(filepath.ToSlash(path), "/"+name) {
					done++
					err = do(path)
				}
				return err
			}))
	}
	if done != n {
		s.t.Fatalf("%s was found %d times", name, done)
	}
}

// spoil changes a byte.
func spoil(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[len(b)/2] ^= 1
	if err := os.Chmod(path, 0o666); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o666)
}

// lines returns the lines of the repository's Reading, and its reports.
func (s *shelf) lines() (lines []string, left map[string]int64, told []error, err error) {
	read := open(s.t, filepath.Join(s.t.TempDir(), DirName)).Stored(s.store, nil, func(err error) {
		told = append(told, err)
	})
	files, err := s.store.Contents(s.t.Context(), "p")
	must(s.t, err)
	c := Container{Package: "p", Path: aContainer}
	for _, f := range files {
		if f.Path == aContainer {
			c.SHA512 = f.SHA512
		}
	}
	err = read(s.t.Context(), &c, func(l *Line) error { lines = append(lines, fmt.Sprintf("%+v", *l)); return nil })
	slices.Sort(lines)
	return lines, c.Left, told, err
}

var aCrawl = record("response", "1", "http://a.example/X?b=1&a=2", "2020-01-02T03:04:05Z", page("hello")) +
	record("response", "3", "http://a.example/moved", "2020-01-02T03:04:06Z",
		"HTTP/1.1 302 Found\r\nLocation: ../to#x\r\n\r\n") +
	record("request", "6", "http://a.example/form", "2020-01-02T03:04:08Z",
		"POST /form HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\nq=1") +
	record("response", "7", "http://a.example/form", "2020-01-02T03:04:08Z", page("x")) +
	revisit("8", url, "2021-01-01T00:00:00Z", "WARC-Payload-Digest: "+helloSHA1,
		"WARC-Refers-To-Target-URI: http://a.example/X?b=1&a=2", "WARC-Refers-To-Date: 2020-01-02T03:04:05Z") +
	record("resource", "10", "dns:a.example", "2020-01-02T03:04:09Z", "1.2.3.4")

// ofContainer returns the lines from reading the container itself.
func ofContainer(t *testing.T) (lines []string, left map[string]int64) {
	t.Helper()
	c := Container{Path: aContainer}
	err := Read(t.Context(), strings.NewReader(aCrawl), &c, nil, func(l *Line) error {
		lines = append(lines, fmt.Sprintf("%+v", *l))
		return nil
	})
	must(t, err)
	slices.Sort(lines)
	return lines, c.Left
}

// TestNotReadAgain: a packed container is not read again: its lines are available, and equal, even
// if no copy has the container.
func TestNotReadAgain(t *testing.T) {
	want, wantLeft := ofContainer(t)
	s := newShelf(t, aCrawl, nil)
	s.inCopies(2, aContainer, os.Remove)
	got, left, told, err := s.lines()
	if err != nil || len(told) > 0 || !slices.Equal(got, want) || fmt.Sprint(left) != fmt.Sprint(wantLeft) ||
		len(got) != 5 {
		t.Errorf("%v, reported %v, left out %v\n%s\nexpected\n%s", err, told, left, strings.Join(got, "\n"),
			strings.Join(want, "\n"))
	}
}

// TestNotAlone: stored lines of records that share a member are not used, because they cannot be
// verified without reading the container. The container is read instead.
func TestNotAlone(t *testing.T) {
	want, _ := ofContainer(t)
	s := newShelf(t, string(repotest.Gzip(t, aCrawl)), nil)
	got, _, told, err := s.lines()
	if err != nil || len(told) > 0 || len(got) != len(want) {
		t.Errorf("%v, reported %v: %q", err, told, got)
	}
	s.inCopies(2, aContainer, os.Remove)
	if got, _, told, err := s.lines(); err == nil || len(told) > 0 || len(got) > 0 {
		t.Errorf("there is no container to read, reported %v: %q", told, got)
	}
}

// TestReadInstead: invalid lines are reported, and the container is read.
func TestReadInstead(t *testing.T) {
	want, wantLeft := ofContainer(t)
	other := newShelf(t, aCrawl+record("resource", "11", "http://a.example/more", "2020-01-02T03:04:09Z", "x"), nil)
	ofOther := func(string) (b []byte) {
		other.inCopies(1, itsLines, func(path string) (err error) { b, err = os.ReadFile(path); return err })
		return b
	}
	for name, c := range map[string]struct {
		forge  func(string) []byte
		copies int // damaged copies
		gone   bool
		told   string // number and text of reports
	}{
		"as it is":        {told: "0"},
		"one copy spoilt": {copies: 1, told: "1 this copy is damaged"},
		"both spoilt":     {copies: 2, told: "2 this copy is damaged"},
		"both away":       {copies: 2, gone: true, told: "1 is in no copy"},
		"of another":      {forge: ofOther, told: "2 of another container"},
		"none":            {forge: func(string) []byte { return []byte("none") }, told: "2 cannot be used"},
		"an empty one":    {forge: func(string) []byte { return nil }, told: "2 cannot be used"},
		"stored with harm": {forge: func(path string) []byte {
			must(t, spoil(path))
			b, _ := os.ReadFile(path)
			return b
		}, told: "2 cannot be used"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t, aCrawl, c.forge)
			if do := spoil; c.copies > 0 {
				if c.gone {
					do = os.Remove
				}
				s.inCopies(c.copies, itsLines, do)
			}
			got, left, told, err := s.lines()
			if err != nil || !slices.Equal(got, want) || fmt.Sprint(left) != fmt.Sprint(wantLeft) {
				t.Errorf("%v, left out %v\n%s\nand not\n%s", err, left, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
			}
			n, what, _ := strings.Cut(c.told, " ")
			if fmt.Sprint(len(told)) != n || len(told) > 0 && !strings.Contains(told[0].Error(), what) {
				t.Errorf("told %v", told)
			}
		})
	}
}

// TestStopped: a cancelled read reports an error, and does not pass as complete.
func TestStopped(t *testing.T) {
	s := newShelf(t, aCrawl, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files, err := s.store.Contents(t.Context(), "p")
	must(t, err)
	err = open(t, filepath.Join(t.TempDir(), DirName)).Stored(s.store, nil, func(err error) {
		t.Error(err)
	})(ctx, &Container{Package: "p", Path: aContainer, SHA512: files[0].SHA512}, func(*Line) error { return nil })
	if err == nil || ctx.Err() == nil {
		t.Errorf("%v", err)
	}
}
