package inspect

import (
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

// An unreadable file does not hide the others.
func TestFindListsWhatCannotBeOpened(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, mode := range map[string]os.FileMode{"a.warc": 0o644, "locked": 0} {
		if err := os.WriteFile(name, []byte(warcinfo), mode); err != nil {
			t.Fatal(err)
		}
	}
	type answer struct {
		files  []string
		opened bool
		err    error
	}
	found := make(chan answer)
	go func() {
		runtime.LockOSThread() // permanent: the unprivileged thread ends with the goroutine
		if os.Geteuid() == 0 { // root may open every file
			const nobody = 65534
			if err := syscall.Setfsuid(nobody); err != nil {
				found <- answer{err: err}
				return
			}
		}
		f, err := os.Open("locked")
		if err == nil {
			err = f.Close()
		}
		files, findErr := Find([]string{"."})
		found <- answer{files, f != nil && err == nil, findErr}
	}()
	got := <-found
	if got.opened {
		t.Fatal("the file can be opened: the test shows nothing")
	}
	if got.err != nil || !slices.Equal(got.files, []string{"a.warc", "locked"}) {
		t.Errorf("%q, %v", got.files, got.err)
	}
}
