package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
)

// takeAway moves a copy elsewhere, as an unmounted disk does. It returns a function that brings it
// back.
func takeAway(t *testing.T, c *copyFolder) func() {
	t.Helper()
	away := c.path + "-away"
	if err := os.Rename(c.path, away); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.Rename(away, c.path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMountPointIsNotWritten moves a copy away at every step of a change. Its folder then remains
// missing, or empty, as the mount point of a disk does.
func TestMountPointIsNotWritten(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	for _, empty := range []bool{false, true} {
		for _, change := range []string{"ingest", "repair", "refill", "audit", "record"} {
			for at := 1; ; at += stride() {
				s := newRepository(t)
				r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
				remove(t, r.Copies[1].Path+"/v1/content/logs")
				if change == "refill" {
					remove(t, r.Copies[1].Path)
					mustAudit(t, s)
				}
				dir := makePackage(t, otherID, crawl)
				c, count := s.copies[1], 0
				away := c.path + "-away"
				var moved error
				s.disk.fault = (&hook{at: at, count: &count, do: func() {
					if moved = os.Rename(c.path, away); moved == nil && empty {
						moved = os.Mkdir(c.path, 0o755)
					}
				}}).fault
				var err error
				switch change {
				case "ingest":
					_, err = s.Ingest(ctx, dir, IngestOptions{})
				case "repair":
					_, err = s.Repair(ctx, damagedID, RepairOptions{})
				case "refill":
					_, err = s.Refill(ctx, "", RepairOptions{}, justErr)
				case "audit":
					_, _ = s.Audit(ctx, nil, AuditOptions{}) // it reports the copy, and goes on
				case "record":
					_, err = s.Record(ctx, damagedID, Action{Type: "dissemination"})
				}
				s.disk.fault = nil
				if count < at {
					break
				}
				if moved != nil {
					t.Fatal(moved)
				}
				if left, _ := os.ReadDir(c.path); len(left) > 0 || !empty && exists(c.path) {
					t.Fatalf("%s, step %d: %s has %v (%v)", change, at, c.path, left, err)
				}
				_ = os.RemoveAll(c.path)
				if err := os.Rename(away, c.path); err != nil {
					t.Fatal(err)
				}
				if err == nil && change == "ingest" && at < count-20 {
					t.Errorf("ingest, step %d of %d: acknowledged without %s", at, count, c.name)
				}
				root := s.root
				_ = s.Close()
				s = reopen(t, root)
				if _, err := s.Repair(ctx, damagedID, RepairOptions{}); err != nil {
					t.Fatalf("%s, step %d: %v", change, at, err)
				}
				mustBeSound(t, s)
				if t.Failed() {
					t.Fatalf("%s, step %d", change, at)
				}
				_ = s.Close()
				remove(t, filepath.Dir(root))
			}
		}
	}
}

// hook calls do before one of the changes on disk.
type hook struct {
	at    int
	count *int
	do    func()
	door  door // its mutex
}

func (h *hook) fault(string, string) error {
	h.door.mu.Lock()
	defer h.door.mu.Unlock()
	if *h.count++; *h.count == h.at {
		h.do()
	}
	return nil
}

// TestFolderOfACopyIsNeverMade checks the folder of a missing copy, and the folders above it.
func TestFolderOfACopyIsNeverMade(t *testing.T) {
	mount := filepath.Join(fastDir(t), "mnt")
	s, err := Init(context.Background(), filepath.Join(fastDir(t), "repo"),
		InitOptions{Describe: testDescribe, Copies: []string{mount + "/disk/copy"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	remove(t, mount)
	c := s.copies[0]
	for _, path := range []string{c.path, c.path + "/staging", c.path + "/ocfl/a/b/c"} {
		if err := s.disk.mkdirAll(path); err == nil || !strings.Contains(err.Error(), "copy-1") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if exists(mount) {
		t.Error("a folder above the copy was made")
	}
}
