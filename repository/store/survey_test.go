package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quire/model"
)

// TestIngestRefuses checks that faults of a package are reported with the file name, and that no
// part of it is stored.
func TestIngestRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, dir string)
		want   []string // in the message
	}{
		{"no METS", func(t *testing.T, dir string) { remove(t, dir+"/mets.xml") }, []string{"mets.xml"}},
		{"a METS that is none", func(t *testing.T, dir string) {
			put(t, dir+"/mets.xml", "<mets")
		}, []string{"METS cannot be used"}},
		{"no id", func(t *testing.T, dir string) { put(t, dir+"/mets.xml", "<mets/>") }, []string{"has no id"}},
		{"control characters in the id", func(t *testing.T, dir string) {
			put(t, dir+"/mets.xml", `<mets OBJID="a&#9;b"/>`)
		}, []string{"control"}},
		{"a flipped byte", func(t *testing.T, dir string) {
			put(t, dir+"/logs/crawl.log", "a line\nanOther\n")
		}, []string{"logs/crawl.log", "has SHA-512", "mets.xml says"}},
		{"a truncated file", func(t *testing.T, dir string) {
			put(t, dir+"/logs/crawl.log", "a line")
		}, []string{"logs/crawl.log", "has 6 bytes; mets.xml says 15"}},
		{"a missing file", func(t *testing.T, dir string) {
			remove(t, dir+"/twin.log")
		}, []string{"twin.log", "is missing"}},
		{"an extra file", func(t *testing.T, dir string) {
			put(t, dir+"/Thumbs.db", "x")
		}, []string{"Thumbs.db", "not in mets.xml"}},
		{"a symbolic link", func(t *testing.T, dir string) {
			if err := os.Symlink("twin.log", dir+"/link"); err != nil {
				t.Fatal(err)
			}
		}, []string{"link", "symbolic link"}},
		{"a link in place of a file", func(t *testing.T, dir string) {
			remove(t, dir+"/twin.log")
			if err := os.Symlink("logs/crawl.log", dir+"/twin.log"); err != nil {
				t.Fatal(err)
			}
		}, []string{"twin.log", "symbolic link"}},
		{"a named pipe", func(t *testing.T, dir string) {
			if err := syscall.Mkfifo(dir+"/pipe", 0o644); err != nil {
				t.Skip(err)
			}
		}, []string{"pipe", "named pipe"}},
		{"a name that is not UTF-8", func(t *testing.T, dir string) {
			put(t, dir+"/caf\xe9", "x")
		}, []string{`caf\xe9`, "not UTF-8"}},
		{"a name Windows cannot hold", func(t *testing.T, dir string) {
			put(t, dir+"/index.html?q=1", "x")
		}, []string{"index.html?q=1", "rename it"}},
		{"a device name", func(t *testing.T, dir string) {
			put(t, dir+"/logs/COM1.log", "x")
		}, []string{"COM1.log", "device"}},
		{"names that differ in case", func(t *testing.T, dir string) {
			put(t, dir+"/Twin.log", "x")
		}, []string{"twin.log", "upper and lower case"}},
		{"an empty folder", func(t *testing.T, dir string) {
			if err := os.Mkdir(dir+"/reports", 0o755); err != nil {
				t.Fatal(err)
			}
		}, []string{"reports", "empty folder"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newRepository(t)
			dir := makePackage(t, "urn:test:refused", crawl)
			c.change(t, dir)
			_, err := s.Ingest(context.Background(), dir, IngestOptions{})
			var wrong *ContentError
			if !errors.As(err, &wrong) {
				t.Fatalf("got %v, want a ContentError", err)
			}
			for _, want := range append(c.want, dir) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("message %q does not say %q", err, want)
				}
			}
			mustBeSound(t, s)
			if storedAnything(t, s) {
				t.Error("something was stored")
			}
		})
	}
}

func storedAnything(t *testing.T, s *Store) bool {
	t.Helper()
	for e, err := range s.List(context.Background()) {
		t.Logf("stored: %s, %v", e.ID, err)
		return true
	}
	return len(objectPaths(t, s.copies[0])) > 0
}

// TestIngestOfWhatIsNoFolder checks that this is a wrong call, not wrong content.
func TestIngestOfWhatIsNoFolder(t *testing.T) {
	s := newRepository(t)
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "x")
	for _, dir := range []string{file, file + "-not-there"} {
		_, err := s.Ingest(context.Background(), dir, IngestOptions{})
		var wrong *ContentError
		if err == nil || errors.As(err, &wrong) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// TestSourceChangesMeanwhile checks that any change to a file during its reading is noticed.
func TestSourceChangesMeanwhile(t *testing.T) {
	big := strings.Repeat("0123456789abcdef", 3*blockSize/16)
	for _, c := range []struct {
		name   string
		change func(t *testing.T, path string)
	}{
		{"truncated", func(t *testing.T, path string) {
			if err := os.Truncate(path, 100); err != nil {
				t.Fatal(err)
			}
		}},
		{"grown", func(t *testing.T, path string) { put(t, path, big+"x") }},
		{"rewritten", func(t *testing.T, path string) { put(t, path, strings.ToUpper(big)) }},
		{"rewritten with its old date", func(t *testing.T, path string) {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			put(t, path, strings.ToUpper(big))
			if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newRepository(t)
			dir := makePackage(t, "urn:test:changing", content{"big.warc": big})
			done := false
			_, err := s.Ingest(context.Background(), dir, IngestOptions{Progress: func(p Progress) {
				if p.Done > 0 && !done { // the first block of the file was read
					done = true
					c.change(t, dir+"/big.warc")
				}
			}})
			var wrong *ContentError
			if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "big.warc") {
				t.Errorf("got %v, want a ContentError about big.warc", err)
			}
			mustBeSound(t, s)
			if storedAnything(t, s) {
				t.Error("something was stored")
			}
		})
	}
}

// TestMETSChangesMeanwhile changes the METS during the ingest. A METS cannot state its own digest,
// so the stored package is described again.
func TestMETSChangesMeanwhile(t *testing.T) {
	s := newRepository(t)
	dir := makePackage(t, "urn:test:changing", crawl)
	asked := 0
	s.describe = func(fsys fs.FS) (model.Package, error) {
		pkg, err := testDescribe(fsys)
		if asked++; asked == 1 { // after the first description, and before the folder is listed
			text := string(read(t, dir+"/mets.xml"))
			put(t, dir+"/mets.xml", strings.Replace(text, "Title of", "Lies of", 1))
		}
		return pkg, err
	}
	_, err := s.Ingest(context.Background(), dir, IngestOptions{})
	var wrong *ContentError
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "mets.xml") {
		t.Errorf("got %v, want a ContentError about mets.xml", err)
	}
	mustBeSound(t, s)
}

// TestCancel stops at every report of progress in turn. No partial result remains; a committed
// change is finished.
func TestCancel(t *testing.T) {
	s := newRepository(t)
	dir := makePackage(t, "urn:test:cancelled", crawl)
	for at := 1; ; at++ {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		_, err := s.Ingest(ctx, dir, IngestOptions{Progress: func(Progress) {
			if calls++; calls == at {
				cancel()
			}
		}})
		cancel()
		if calls < at {
			if err != nil {
				t.Error(err)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("report %d: %v, want context.Canceled", at, err)
		}
		mustBeSound(t, s)
		if storedAnything(t, s) {
			t.Fatalf("report %d: something was stored", at)
		}
	}
	mustBeSound(t, s)
}

func TestUnportable(t *testing.T) {
	for name, want := range map[string]bool{
		"crawl.warc.gz": false, ".htaccess": false, "größe.log": false, "a b": false, "日本.warc": false,
		"console.log": false,
		"com.log":     false, "com10": false,
		"a:b": true, "a\\b": true, "a\nb": true, "nul": true, "Aux.txt": true, "lpt9": true, "end.": true, "end ": true,
		"\xff": true, "\x7f": true, strings.Repeat("x", 241): true, "a*": true,
	} {
		if got := unportable(name) != ""; got != want {
			t.Errorf("%q: unportable is %v, want %v (%s)", name, got, want, unportable(name))
		}
	}
}
