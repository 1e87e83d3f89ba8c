package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bytesRead returns the bytes that this process has read by system calls.
func bytesRead(t *testing.T) int64 {
	t.Helper()
	var n int64
	text := string(read(t, "/proc/self/io"))
	if _, err := fmt.Sscanf(text, "rchar: %d", &n); err != nil {
		t.Skipf("/proc/self/io: %v in %q", err, text)
	}
	return n
}

// TestRefillReadsOnce checks that a new copy costs one read of a good copy and one read back.
func TestRefillReadsOnce(t *testing.T) {
	ctx := context.Background()
	const size = 32 << 20
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, content{"big.warc": strings.Repeat("x", size)}), IngestOptions{})
	_ = s.Close()
	remove(t, s.copies[1].path)
	for _, way := range []string{"audit", "refill"} {
		fresh := filepath.Join(fastDir(t), "new")
		again := mustRebuild(t, s.root, s.copies[0].path, s.copies[2].path, fresh)
		damage := mustDamage(t)
		if _, err := again.Audit(ctx, nil, AuditOptions{Damage: damage}); err != nil {
			t.Fatal(err)
		}
		before := bytesRead(t)
		var done RepairSum
		var err error
		if way == "audit" {
			done, err = again.RepairAll(ctx, damage, RepairOptions{}, justErr)
		} else {
			done, err = again.Refill(ctx, "", RepairOptions{}, justErr)
		}
		if got := bytesRead(t) - before; err != nil || done.Repaired != 1 || got < 2*size || got > 2*size+size/8 {
			t.Errorf("%s: %+v, %v; it read %d MB for %d MB, want one read of a copy and one read back", way, done, err,
				got>>20, size>>20)
		}
		mustBeSound(t, again)
		_ = again.Close()
		_ = os.RemoveAll(fresh)
	}
}
