package store

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestOpenTwice checks that a process keeps its locks on the catalogue when it opens the repository
// again. Without them, another process would remove the log of SQLite, with packages in it.
func TestOpenTwice(t *testing.T) {
	needsFile(t, "traces the file")
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
	if !isLocked(t, s.cataloguePath()) {
		t.Fatal("an open catalogue has no lock")
	}
	again, err := Open(context.Background(), s.root, Options{Describe: testDescribe})
	if err != nil {
		t.Fatal(err)
	}
	if !isLocked(t, s.cataloguePath()) {
		t.Error("the second open released the locks of the first")
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if !isLocked(t, s.cataloguePath()) {
		t.Error("the second close released the locks of the first")
	}
}

// isLocked reports whether this process has a lock on a file.
func isLocked(t *testing.T, path string) bool {
	t.Helper()
	var stat syscall.Stat_t
	if err := syscall.Stat(path, &stat); err != nil {
		t.Fatal(err)
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Skip(err)
	}
	process, file := fmt.Sprint(os.Getpid()), fmt.Sprintf(":%d", stat.Ino)
	for line := range strings.Lines(string(locks)) {
		f := strings.Fields(line)
		if len(f) > 5 && f[1] == "POSIX" && f[4] == process && strings.HasSuffix(f[5], file) {
			return true
		}
	}
	return false
}
