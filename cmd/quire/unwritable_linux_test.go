package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"quire/internal/prove"
)

// asNobody makes the file operations of this goroutine run as an account that owns none of the
// files.
func asNobody(t *testing.T) {
	t.Helper()
	t.Setenv("QUIRE_CONFIG", "")                            // the settings of this account are private
	for dir, err := os.Getwd(); ; dir = filepath.Dir(dir) { // test folders are private to their owner
		if err != nil {
			t.Fatal(err)
		}
		if dir == "/dev/shm" || dir == filepath.Clean(os.TempDir()) || dir == "/tmp" || dir == "/" {
			break
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
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

// openAll lets every account read what is below the current folder.
func openAll(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Type()&os.ModeSymlink != 0 {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o444)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A dry run finds a folder that the account may not write, as the real run does.
func TestDryRunUnwritable(t *testing.T) {
	prove.Serial(t)
	dryWorkplace(t)
	temp := t.TempDir()
	for _, dir := range []string{"ro/empty", temp} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	openAll(t)
	for dir := temp; dir != "/tmp" && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", temp)
	asNobody(t)
	for _, args := range []string{
		"pack crawl --out ro/x", "pack crawl --out ro/side/x", "pack crawl --out ro/empty",
		"pack --collection all.yaml --out ro/x",
		"convert arcs --out ro/x", "convert arcs --out " + temp + "/x --report ro/report.jsonl",
		"convert restore warcs/a.warc.gz --out ro/x", "convert restore warcs/a.warc.gz --out ro/none/x",
		"dedup new.warc --within --out ro/x", "dedup new.warc --within --out " + temp + "/x --report ro/report",
		"describe old.warc --sheet good.csv --out ro/x", "describe old.warc --sheet good.csv --out ro/empty",
		"describe old.warc --sheet good.csv --in-place",
		"describe export --sheet good.csv --format mods --out ro/x", "migrate p2 --using xbm-to-png --out ro/x",
		"export one --repo r --out ro/x", "export one --repo r --as warc --out ro/x",
		"export one --repo r --as wacz --for staff --out ro/x.wacz",
		"export one --repo r --as warc --out " + temp + "/y", // the event cannot be recorded
		"ingest p2 --repo r", "audit --repo r",
	} {
		for _, dry := range []string{" -n", ""} {
			status, out, errs := call(t, strings.Fields(args+dry)...)
			if status != exitCall {
				t.Errorf("quire %s%s: status %d: %s%s", args, dry, status, out, errs)
			}
			if strings.Contains(errs, "rebuild") {
				t.Errorf("quire %s%s advises to rebuild: %s", args, dry, errs)
			}
		}
	}
}

// An account without write access to the repository folder alone reads the repository.
func TestReadOnlyFolder(t *testing.T) {
	prove.Serial(t)
	dryWorkplace(t)
	openAll(t)
	if err := os.Chmod("r/locks", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("out", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod("out", 0o777); err != nil {
		t.Fatal(err)
	}
	asNobody(t)
	for _, args := range []string{"list --repo r", "show one --repo r", "export one --repo r --out out/x"} {
		status, out, errs := call(t, strings.Fields(args)...)
		if status != exitGood || strings.Contains(errs, "rebuild") || !strings.Contains(errs, "for reading only") {
			t.Errorf("quire %s: status %d: %s%s", args, status, out, errs)
		}
	}
}

// A copy that cannot be written refuses an ingest before anything is staged.
func TestIngestUnwritableCopy(t *testing.T) {
	prove.Serial(t)
	dryWorkplace(t)
	openAll(t)
	err := filepath.WalkDir("r", func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o777)
	})
	if err == nil {
		err = os.Chmod("r/copy-2/ocfl", 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	asNobody(t)
	for _, dry := range []string{" -n", ""} {
		status, out, errs := call(t, strings.Fields("ingest p2 --repo r"+dry)...)
		if status != exitCall || !strings.Contains(errs, "copy copy-2") || strings.Contains(errs, "staging") {
			t.Errorf("%s: status %d: %s%s", dry, status, out, errs)
		}
	}
}
