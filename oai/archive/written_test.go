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

// written is the folder with the output of quire at commit 672699b (see make.py there).
const written = "testdata/672699b"

// unpack unpacks the repository of commit 672699b, and returns its folder.
func unpack(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Open(filepath.Join(written, "repository.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // read only
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

// openWritten opens the archive of a repository like quire oai serve does, in a folder below it.
// The clock is an hour after its creation.
func openWritten(t *testing.T, repo, name string) *Archive {
	t.Helper()
	return openAt(t, repo, filepath.Join(repo, name), store.Options{Describe: aip.Describe})
}

func openAt(t *testing.T, repo, state string, o store.Options) *Archive {
	t.Helper()
	s, err := store.Open(context.Background(), repo, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	now := func() time.Time { return made(t).Add(time.Hour) }
	tell := func(err error) { t.Errorf("problem: %v", err) }
	h, err := holdings.Of(context.Background(), s, holdings.Options{
		Location: time.UTC, Now: now, Problem: tell, Wait: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	a, err := Open(context.Background(), s, h,
		Options{Dir: state, Location: time.UTC, Now: now, Problem: tell, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// made returns the datestamp of the newest listed record.
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

// wanted returns the answers of quire at commit 672699b: headers and sets, a line each.
func wanted(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(written, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// answeredNow returns the same lines for an archive.
func answeredNow(t *testing.T, a *Archive) (lines []string) {
	t.Helper()
	for _, h := range list(t, a, provider.Query{}) {
		state := "shown"
		if h.Deleted {
			state = "deleted"
		}
		lines = append(lines, strings.Join(append([]string{h.Identifier, h.Datestamp.Format(time.RFC3339), state},
			h.Sets...), " "))
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

// The lists of a repository served by commit 672699b are unchanged: identifiers, datestamps, sets,
// deleted records. Its copies only get the register and salts, which that commit did not
// have.
func TestWrittenBefore(t *testing.T) {
	repo := unpack(t)
	copies := filepath.Join(repo, "copy-*")
	before := digestOf(t, copies, "register", "salt")
	a := openWritten(t, repo, "oai")
	compare(t, answeredNow(t, a), wanted(t, "second.txt"))
	readAll(t, a)
	if is := digestOf(t, copies, "register", "salt"); is != before {
		t.Error("the copies were touched")
	}
}

// A repository opened read-only gives the same lists and is not modified. The indexes are in the
// account's cache, and the provider's state in its copied folder.
func TestWrittenBeforeReadOnly(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	repo, state := unpack(t), filepath.Join(t.TempDir(), "state")
	if err := os.CopyFS(state, os.DirFS(filepath.Join(repo, "oai"))); err != nil {
		t.Fatal(err)
	}
	before := digestOf(t, repo)
	a := openAt(t, repo, state, store.Options{Describe: aip.Describe, ReadOnly: true})
	compare(t, answeredNow(t, a), wanted(t, "second.txt"))
	readAll(t, a)
	if is := digestOf(t, repo); is != before {
		t.Error("the repository was written to")
	}
}

// readAll reads the bytes of each record that is not deleted.
func readAll(t *testing.T, a *Archive) {
	t.Helper()
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
		_ = body.Close() // read only
	}
}

// A rebuilt index gives the same lists as a rebuilt index of commit 672699b.
func TestWrittenBeforeMadeAgain(t *testing.T) {
	compare(t, answeredNow(t, openWritten(t, unpack(t), "again")), wanted(t, "again.txt"))
}

// Opening an old index reads no container of a package with a complete CDXJ.
func TestWrittenBeforeUnread(t *testing.T) {
	repo := unpack(t)
	err := filepath.WalkDir(repo, func(path string, d fs.DirEntry, err error) error {
		// it has an undated record
		if err != nil || !strings.Contains(path, "/content/containers/") || d.IsDir() ||
			strings.Contains(path, "alpha") {
			return err
		}
		return os.Remove(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, answeredNow(t, openWritten(t, repo, "oai")), wanted(t, "second.txt"))
}

// digestOf returns a digest of the folders of a pattern: the names, modes, times and bytes of
// files, and the names of folders. It leaves out files and folders of some names.
func digestOf(t *testing.T, pattern string, without ...string) string {
	t.Helper()
	sum := sha256.New()
	folders, err := filepath.Glob(pattern)
	if err != nil || len(folders) == 0 {
		t.Fatal(folders, err)
	}
	for _, dir := range folders {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if slices.Contains(without, d.Name()) {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if d.IsDir() {
				_, _ = fmt.Fprintln(sum, path) // a hash never fails
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			text, err := os.ReadFile(path)
			// a hash never fails
			_, _ = fmt.Fprintf(sum, "%s %s %s %x\n", path, info.Mode(), info.ModTime(), sha256.Sum256(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
