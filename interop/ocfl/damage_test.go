//go:build interop

package ocfl

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// damages are typical damages of files in fifty years, to an object of several versions.
var damages = []struct {
	name string
	do   func(t *testing.T, object string)
}{
	{"a flipped byte", func(t *testing.T, object string) { flip(t, content(t, object, ".warc.gz")) }},
	{"a missing file", func(t *testing.T, object string) { remove(t, content(t, object, "mets.xml")) }},
	{"an extra file", func(t *testing.T, object string) {
		write(t, filepath.Join(object, "v1", "content", "extra"), "extra")
	}},
	{"no declaration", func(t *testing.T, object string) { remove(t, filepath.Join(object, "0=ocfl_object_1.1")) }},
	{"no sidecar", func(t *testing.T, object string) { remove(t, filepath.Join(object, "inventory.json.sha512")) }},
	{"a changed inventory", func(t *testing.T, object string) { flip(t, filepath.Join(object, "inventory.json")) }},
	{"the inventory of an earlier version", func(t *testing.T, object string) {
		for _, name := range []string{"inventory.json", "inventory.json.sha512"} {
			write(t, filepath.Join(object, name), read(t, filepath.Join(object, "v1", name)))
		}
	}},
}

// newest returns the folder of an object with at least two versions, and makes the tree writable.
func newest(t *testing.T, root string) string {
	t.Helper()
	var object string
	walk(t, root, func(name string, e fs.DirEntry) {
		if e.IsDir() && e.Name() == "v2" && strings.Contains(name, "quire%3awarc") {
			object = filepath.Dir(name)
		}
	})
	if object == "" {
		t.Fatalf("no object of two versions below %s", root)
	}
	return object
}

// content returns the first file below dir whose name ends so.
func content(t *testing.T, dir, end string) string {
	t.Helper()
	var found string
	walk(t, dir, func(name string, e fs.DirEntry) {
		if found == "" && !e.IsDir() && strings.HasSuffix(name, end) {
			found = name
		}
	})
	if found == "" {
		t.Fatalf("no file *%s below %s", end, dir)
	}
	return found
}

func countObjects(t *testing.T, root string) int {
	t.Helper()
	objects := 0
	walk(t, root, func(_ string, e fs.DirEntry) {
		if strings.HasPrefix(e.Name(), "0=ocfl_object_") {
			objects++
		}
	})
	if objects < 4 {
		t.Fatalf("%d objects below %s, want at least 4", objects, root)
	}
	return objects
}

func walk(t *testing.T, dir string, do func(name string, e fs.DirEntry)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil {
			do(name, e)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// flip changes the byte in the middle of a file.
func flip(t *testing.T, name string) {
	t.Helper()
	data := []byte(read(t, name))
	data[len(data)/2] ^= 1
	write(t, name, string(data))
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// write replaces a file. Quire's files in a copy are read-only.
func write(t *testing.T, name, data string) {
	t.Helper()
	open(t, name)
	if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	open(t, name)
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// open makes a file and its folder writable.
func open(t *testing.T, name string) {
	t.Helper()
	if err := os.Chmod(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o600); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}
