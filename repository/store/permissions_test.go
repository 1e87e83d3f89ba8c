package store

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"quire/internal/prove"
)

// modesBelow lists the modes below a folder, each once, of folders and of files.
func modesBelow(t *testing.T, root string) string {
	t.Helper()
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || strings.Contains(path, "/"+locksFolder+"/") {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		seen[info.Mode().String()] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(sortedKeys(seen), " ")
}

// TestPermissions checks that other accounts cannot read a repository under any umask, unless its
// permissions allow it.
func TestPermissions(t *testing.T) {
	prove.Serial(t)
	group := strconv.Itoa(os.Getgid())
	if os.Getuid() == 0 {
		group = "65534"
	}
	for _, c := range []struct {
		umask int
		p     Permissions
		want  string
	}{
		{0o022, Permissions{}, "-r--r----- -rw------- -rw-r----- drwxr-x---"},
		{0o000, Permissions{}, "-r--r----- -rw------- -rw-r----- drwxr-x---"},
		{0o077, Permissions{}, "-r--r----- -rw------- -rw-r----- drwxr-x---"},
		{0o077, Permissions{Mode: "0755"}, "-r--r--r-- -rw------- -rw-r--r-- drwxr-xr-x"},
		{0o022, Permissions{Mode: "0700"}, "-r-------- -rw------- drwx------"},
		{0o077, Permissions{Mode: "0770", Group: group}, "-r--r----- -rw-rw---- dgrwxrwx---"},
	} {
		t.Run(fmt.Sprintf("%03o %s %s", c.umask, c.p.Mode, c.p.Group), func(t *testing.T) {
			defer syscall.Umask(syscall.Umask(c.umask))
			s, err := Init(context.Background(), filepath.Join(fastDir(t), "repo"),
				InitOptions{Describe: testDescribe, Permissions: c.p})
			if err != nil {
				t.Fatal(err)
			}
			mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = reopen(t, s.root)
			mustIngest(t, s, makePackage(t, "urn:b", crawl), IngestOptions{})
			if got := modesBelow(t, s.root); got != c.want {
				t.Errorf("%s, and not %s", got, c.want)
			}
			info, err := os.Stat(s.copies[0].path)
			if err != nil {
				t.Fatal(err)
			}
			if gid := strconv.Itoa(int(info.Sys().(*syscall.Stat_t).Gid)); c.p.Group != "" && gid != c.p.Group {
				t.Errorf("group %s, and not %s", gid, c.p.Group)
			}
			if r := mustAudit(t, s); len(r.Wider) > 0 || !r.OK() {
				t.Errorf("the audit warns of %v", r.Wider)
			}
		})
	}
	for _, p := range []Permissions{{Mode: "640"}, {Mode: "0757"}, {Mode: "x"}, {Group: "no such group"}} {
		if _, err := Init(context.Background(), filepath.Join(t.TempDir(), "repo"),
			InitOptions{Describe: testDescribe, Permissions: p}); err == nil {
			t.Errorf("%v is taken", p)
		}
	}
}

// TestWider checks that access for more accounts is a warning of the audit, not damage: older
// repositories have it.
func TestWider(t *testing.T) {
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, "urn:a", crawl), IngestOptions{})
	if err := os.Chmod(filepath.Join(s.copies[0].root(), "0=ocfl_1.1"), 0o644); err != nil { // others cannot reach it
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(s.copies[1].root(), "0=ocfl_1.1"), s.copies[1].root(), s.copies[1].path,
		s.root} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	inside := filepath.Join(s.root, "access", "index") // in a folder closed to others
	put(t, inside, "index")
	if err := os.Chmod(filepath.Dir(inside), 0o755); err != nil {
		t.Fatal(err)
	}
	r := mustAudit(t, s)
	if !r.OK() || len(r.Wider) != 2 || r.Wider[1].Count != 3 || r.Wider[1].Place != "copy-2" {
		t.Fatalf("%+v", r.Wider)
	}
	if said := r.Wider[1].String(); !strings.Contains(said, "chmod -R g-w,o-rwx "+s.copies[1].path) {
		t.Error(said)
	}
}

// TestPermissionsRebuilt checks that permissions survive the loss of the repository's own file:
// each copy has them.
func TestPermissionsRebuilt(t *testing.T) {
	root := filepath.Join(fastDir(t), "repo")
	s, err := Init(context.Background(), root,
		InitOptions{Describe: testDescribe, Permissions: Permissions{Mode: "0700"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ asked, want string }{{"", "0700"}, {"0755", "0755"}} {
		if err := os.Remove(filepath.Join(root, repositoryFile)); err != nil {
			t.Fatal(err)
		}
		s, err := Init(context.Background(), root,
			InitOptions{Describe: testDescribe, Rebuild: true, Catalogue: defaultCatalogue,
				Permissions: Permissions{Mode: c.asked}})
		if err != nil {
			t.Fatal(err)
		}
		if config, err := readConfig(root); err != nil || config.Mode != c.want {
			t.Errorf("mode %q, %v; want %s", config.Mode, err, c.want)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
