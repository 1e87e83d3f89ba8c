package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// mountSmall mounts a file system of a few megabytes, for one copy.
func mountSmall(t *testing.T, megabytes int) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a small tmpfs needs root")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		t.Skipf("mounting a small tmpfs: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// withCopies creates a repository with its last copy at the given path.
func withCopies(t *testing.T, last string) *Store {
	t.Helper()
	root := filepath.Join(fastDir(t), "repo")
	s, err := Init(context.Background(), root, InitOptions{Describe: testDescribe,
		Copies: []string{root + "/copy-1", root + "/copy-2", last}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestTooLittleSpace(t *testing.T) {
	s := withCopies(t, filepath.Join(mountSmall(t, 4), "copy"))
	dir := makePackage(t, "urn:test:large", content{"big.warc": strings.Repeat("x", 8<<20)})
	_, err := s.Ingest(context.Background(), dir, IngestOptions{})
	var space *SpaceError
	if !errors.As(err, &space) || len(space.Copies) != 1 || space.Copies[0] != "copy-3" || space.Need < 8<<20 ||
		space.Has > 4<<20 {
		t.Errorf("got %v, want a SpaceError about copy-3", err)
	}
	mustBeSound(t, s)
}

// TestDiskFillsMeanwhile fills the disk during the ingest.
func TestDiskFillsMeanwhile(t *testing.T) {
	mount := mountSmall(t, 8)
	s := withCopies(t, filepath.Join(mount, "copy"))
	dir := makePackage(t, "urn:test:large", content{"big.warc": strings.Repeat("x", 4<<20), "z.log": "z"})
	filler := filepath.Join(mount, "filler")
	_, err := s.Ingest(context.Background(), dir, IngestOptions{Progress: func(p Progress) {
		if p.Done == 0 {
			fill(t, filler)
		}
	}})
	if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), mount) {
		t.Errorf("got %v, want that there is no space on %s", err, mount)
	}
	remove(t, filler)
	mustBeSound(t, s)
	mustIngest(t, s, dir, IngestOptions{}) // now there is room again
	mustBeSound(t, s)
}

func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 64<<10))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestReadOnlyCopy checks that one read-only copy prevents storing, but audits and exports still
// work.
func TestReadOnlyCopy(t *testing.T) {
	ctx := context.Background()
	mount := mountSmall(t, 8)
	s := withCopies(t, filepath.Join(mount, "copy"))
	r := mustIngest(t, s, makePackage(t, "urn:test:before", crawl), IngestOptions{})
	if err := unix.Mount("tmpfs", mount, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("remounting read-only: %v", err)
	}
	_, err := s.Ingest(ctx, makePackage(t, "urn:test:after", crawl), IngestOptions{})
	if !errors.Is(err, unix.EROFS) || !strings.Contains(err.Error(), "copy-3") {
		t.Errorf("got %v, want that copy-3 is read-only", err)
	}
	report := mustAudit(t, s)
	if !report.OK() || len(report.Notes) == 0 {
		t.Errorf("audit: %+v, want no findings and a note that copy-3 takes no record", report)
	}
	if _, err := s.Export(ctx, r.ID, filepath.Join(t.TempDir(), "out"), ExportOptions{}); err != nil {
		t.Error(err)
	}
	for e, err := range s.List(ctx) {
		if err != nil || e.ID != r.ID {
			t.Errorf("stored: %s, %v", e.ID, err)
		}
	}
}
