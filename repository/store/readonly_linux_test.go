package store

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// asNobody makes the file operations of this goroutine run as an account that owns none of the
// files.
func asNobody(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return // permissions hold already
	}
	runtime.LockOSThread()
	if err := unix.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Setfsuid(0); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
}

// TestReadOnly checks an account without write access: it can list and read packages and files.
// Writing is refused with a clear message, and creates no files.
func TestReadOnly(t *testing.T) {
	needsFile(t, "another account cannot reach the socket")
	ctx := context.Background()
	s := newRepository(t)
	p := makePackage(t, "urn:a", content{"data/a.txt": "content"})
	mustIngest(t, s, p, IngestOptions{})
	root := s.root
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := namesBelow(t, root)
	// test folders are private to their owner
	for dir := filepath.Dir(root); dir != "/dev/shm" && dir != filepath.Clean(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	closeFolders(t, root)
	asNobody(t)
	r, err := Open(ctx, root, Options{Describe: testDescribe})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	if !r.ReadOnly() {
		t.Error("it is open for writing")
	}
	if first, err := r.Changes(ctx); err != nil || first != 0 {
		t.Errorf("changed %d times, %v", first, err)
	}
	for e, err := range r.List(ctx) {
		if err != nil || e.ID != "urn:a" {
			t.Errorf("%q, %v", e.ID, err)
		}
	}
	f, err := r.OpenContent(ctx, "urn:a", "data/a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(f); err != nil || string(text) != "content" {
		t.Errorf("%q, %v", text, err)
	}
	_ = f.Close() // opened for reading only
	_, ingestErr := r.Ingest(ctx, p, IngestOptions{})
	_, repairErr := r.Repair(ctx, "urn:a", RepairOptions{})
	_, recordErr := r.Record(ctx, "urn:a", Action{Type: "dissemination"})
	_, auditErr := r.Audit(ctx, nil, AuditOptions{})
	for what, err := range map[string]error{"ingest": ingestErr, "repair": repairErr, "record": recordErr,
		"audit": auditErr} {
		if !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "as an account that may write") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if is := namesBelow(t, root); is != before {
		t.Errorf("there is now %s\nand was %s", is, before)
	}
}

// TestReadOnlySeesWriters checks that a read-only process sees the changes of a writer.
func TestReadOnlySeesWriters(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, "urn:a", content{"data/a.txt": "content"}), IngestOptions{})
	for _, open := range []bool{true, false} { // whether the writer's log exists when the catalogue is opened
		if !open {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Open(ctx, s.root, Options{Describe: testDescribe, ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		was, first := count(t, r), changes(t, r)
		if !open {
			s = reopen(t, s.root)
		}
		mustIngest(t, s, makePackage(t, "urn:b"+strings.Repeat("b", was), content{"data/a.txt": "content"}),
			IngestOptions{})
		if then := changes(t, r); then == first || count(t, r) != was+1 {
			t.Errorf("writer open %t: %d packages after %d, changes %d after %d", open, count(t, r), was, then, first)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func changes(t *testing.T, s *Store) int64 {
	t.Helper()
	n, err := s.Changes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func count(t *testing.T, s *Store) (n int) {
	t.Helper()
	for _, err := range s.List(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// closeFolders removes write access from the folders below a folder, until the test ends.
func closeFolders(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o755) })
		return os.Chmod(path, 0o555)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// namesBelow lists the entries below a folder.
func namesBelow(t *testing.T, root string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, "\n")
}
