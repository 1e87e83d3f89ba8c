package archive

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/holdings"
	"quire/oai/provider"
	"quire/preserve/aip"
	"quire/repository/store"
)

// written is the folder of what the quire of commit 672699b wrote (see make.py there).
const written = "testdata/672699b"

// unpack makes the repository of commit 672699b, and gives its folder.
func unpack(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Open(filepath.Join(written, "repository.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return filepath.Join(dir, "repo")
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := io.ReadAll(in)
		if err == nil {
			err = os.WriteFile(path, text, h.FileInfo().Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// openWritten opens the archive of a repository as quire oai serve does, in a folder below it. The clock shows an hour after it was made.
func openWritten(t *testing.T, repo, name string) *Archive {
	t.Helper()
	s, err := store.Open(context.Background(), repo, store.Options{Describe: aip.Describe})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	now := func() time.Time { return made(t).Add(time.Hour) }
	tell := func(err error) { t.Errorf("problem: %v", err) }
	h, err := holdings.Of(context.Background(), s, holdings.Options{
		Dir: filepath.Join(repo, "access"), Location: time.UTC, Now: now, Problem: tell, Wait: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	a, err := Open(context.Background(), s, h, Options{Dir: filepath.Join(repo, name), Location: time.UTC, Now: now, Problem: tell, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// made is the time of the newest record of the lists.
func made(t *testing.T) (newest time.Time) {
	t.Helper()
	for _, line := range wanted(t, "second.txt") {
		words := strings.Fields(line)
		at, err := time.Parse(time.RFC3339, words[1])
		if err == nil && at.After(newest) {
			newest = at
		}
	}
	return newest
}

// wanted is what the quire of commit 672699b answered: headers and sets, a line each.
func wanted(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(written, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// answeredNow is the same of an archive.
func answeredNow(t *testing.T, a *Archive) (lines []string) {
	t.Helper()
	for _, h := range list(t, a, provider.Query{}) {
		state := "shown"
		if h.Deleted {
			state = "deleted"
		}
		lines = append(lines, strings.Join(append([]string{h.Identifier, h.Datestamp.Format(time.RFC3339), state}, h.Sets...), " "))
	}
	for s, err := range a.Sets(context.Background(), "") {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, "set "+s.Spec+" "+s.Name)
	}
	slices.Sort(lines)
	return lines
}

func compare(t *testing.T, is, want []string) {
	t.Helper()
	for _, line := range is {
		if !slices.Contains(want, line) {
			t.Errorf("not answered before: %s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(is, line) {
			t.Errorf("answered before: %s", line)
		}
	}
}

// The lists of a repository that was served by commit 672699b are the same now: identifiers, datestamps, sets, deleted records. Its copies
// are not touched.
func TestWrittenBefore(t *testing.T) {
	repo := unpack(t)
	before := copiesOf(t, repo)
	a := openWritten(t, repo, "oai")
	compare(t, answeredNow(t, a), wanted(t, "second.txt"))
	for _, h := range list(t, a, provider.Query{}) {
		r, err := a.Resource(context.Background(), h.Identifier)
		if h.Deleted != errors.Is(err, provider.ErrNotFound) || !h.Deleted && err != nil {
			t.Errorf("%s: %v", h.Identifier, err)
		}
		if err != nil {
			continue
		}
		body, err := r.Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(body); err != nil || int64(len(text)) != r.Size || len(text) == 0 {
			t.Errorf("%s: %d bytes of %d, %v", h.Identifier, len(text), r.Size, err)
		}
		_ = body.Close() // it was only read
	}
	if is := copiesOf(t, repo); is != before {
		t.Error("the copies were touched")
	}
}

// An index that is made again says what one says that commit 672699b made again.
func TestWrittenBeforeMadeAgain(t *testing.T) {
	compare(t, answeredNow(t, openWritten(t, unpack(t), "again")), wanted(t, "again.txt"))
}

// Of packages whose CDXJ tells all, no container is read to open an index that was written before.
func TestWrittenBeforeUnread(t *testing.T) {
	repo := unpack(t)
	err := filepath.WalkDir(repo, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.Contains(path, "/content/containers/") || d.IsDir() || strings.Contains(path, "alpha") { // which has an undated record
			return err
		}
		return os.Remove(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, answeredNow(t, openWritten(t, repo, "oai")), wanted(t, "second.txt"))
}

// copiesOf is a digest of all that lies in the copies of a repository.
func copiesOf(t *testing.T, repo string) string {
	t.Helper()
	sum := sha256.New()
	copies, err := filepath.Glob(filepath.Join(repo, "copy-*"))
	if err != nil || len(copies) == 0 {
		t.Fatal(copies, err)
	}
	for _, dir := range copies {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			text, err := os.ReadFile(path)
			_, _ = fmt.Fprintf(sum, "%s %s %x\n", path, info.Mode(), sha256.Sum256(text)) // a hash never fails
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
