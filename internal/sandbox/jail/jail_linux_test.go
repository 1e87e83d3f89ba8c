//go:build amd64 || arm64

package jail

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"quire/internal/sandbox/jail/enter"
)

// TestOlderKernels checks that no unknown right is requested from an older kernel, which would
// refuse it.
func TestOlderKernels(t *testing.T) {
	for version, want := range map[int][3]uint64{
		1: {1<<13 - 1, 0, 0}, 2: {1<<14 - 1, 0, 0}, 3: {1<<15 - 1, 0, 0}, 4: {1<<15 - 1, 3, 0}, 5: {1<<16 - 1, 3, 0},
		6: {1<<16 - 1, 3, 3}, 9: {1<<16 - 1, 3, 3},
	} {
		c := Cell{Dir: "/own", Program: "/usr/bin/x", Read: []string{"/srv/signatures"}}
		taken, rules := c.landlock(version)
		if taken != want {
			t.Errorf("version %d: %x, want %x", version, taken, want)
		}
		given := map[string]enter.Rule{}
		for _, r := range rules {
			if given[r.Path] = r; r.Rights&^taken[0] != 0 || r.FileRights&^r.Rights != 0 ||
				r.FileRights&^fileRights != 0 {
				t.Errorf("version %d: %+v is more than was taken away", version, r)
			}
			if r.Rights&unix.LANDLOCK_ACCESS_FS_WRITE_FILE != 0 && r.Path != "/own" &&
				!strings.HasPrefix(r.Path, "/dev/") {
				t.Errorf("version %d: %s may be written", version, r.Path)
			}
		}
		for _, p := range []string{"/own", "/usr/bin/x", "/srv/signatures", "/usr"} {
			if given[p].Rights&unix.LANDLOCK_ACCESS_FS_READ_FILE == 0 {
				t.Errorf("version %d: %s cannot be read", version, p)
			}
		}
	}
}

// TestFilter checks that every jump of the filter stays within it, and that every path through it
// ends: the kernel refuses others, on both machines.
func TestFilter(t *testing.T) {
	for _, listens := range []bool{false, true} {
		f := writeFilter(listens)
		for i, s := range f {
			if s.Code&7 == unix.BPF_JMP && i+1+int(max(s.Jt, s.Jf)) >= len(f) {
				t.Errorf("step %d jumps out", i)
			}
		}
		if last := f[len(f)-1]; last.Code&7 != unix.BPF_RET || last.K != unix.SECCOMP_RET_ALLOW ||
			len(kernelForm(f)) != 8*len(f) {
			t.Errorf("it ends with %+v", last)
		}
	}
}
