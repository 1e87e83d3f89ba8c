package ocflgo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ocflgo "github.com/srerickson/ocfl-go"
	"github.com/srerickson/ocfl-go/fs/local"

	"quire/repository/ocfl"
)

// damages are typical damages of files in fifty years, and incomplete updates. Note states where
// ocfl-go is known to differ.
var damages = []struct {
	name string
	do   func(t *testing.T, object string)
	note string
}{
	{name: "a flipped byte", do: edit("v1/content/mets.xml", func(s string) string { return "?" + s[1:] })},
	{name: "a truncated file", do: edit("v1/content/mets.xml", func(s string) string { return s[:3] })},
	{name: "a missing file", do: removeFile("v2/content/mets.xml")},
	{name: "an extra file", do: addFile("v2/content/extra")},
	{name: "an extra file in the object's folder", do: addFile("extra")},
	{name: "an extra file in a version", do: addFile("v1/extra")},
	{name: "no declaration", do: removeFile("0=ocfl_object_1.1")},
	{name: "no inventory", do: removeFile("inventory.json")},
	{name: "no sidecar", do: removeFile("inventory.json.sha512")},
	{name: "a swapped sidecar", do: copyFile("v1/inventory.json.sha512", "inventory.json.sha512")},
	{name: "a changed inventory", do: edit("inventory.json", func(s string) string {
		return strings.Replace(s, "harvest v1", "Harvest v1", 1)
	})},
	{name: "a truncated inventory", do: edit("inventory.json", func(s string) string { return s[:len(s)/2] })},
	{name: "an empty inventory", do: edit("inventory.json", func(string) string { return "" })},
	{name: "a changed inventory in v1", do: edit("v1/inventory.json", func(s string) string { return s + "\n" })},
	{name: "the previous inventory at the root", do: func(t *testing.T, object string) {
		copyFile("v1/inventory.json", "inventory.json")(t, object)
		copyFile("v1/inventory.json.sha512", "inventory.json.sha512")(t, object)
	}, note: "panics: it meets a version that the root inventory does not have"},
}

// TestVerdictsAgree damages an object in all these ways: neither validator may accept it.
func TestVerdictsAgree(t *testing.T) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			root := t.TempDir()
			buildObject(t, root, "urn:example:1")
			dir := ocfl.ObjectPath("urn:example:1")
			d.do(t, filepath.Join(root, filepath.FromSlash(dir)))
			if r := ocfl.ValidateObject(t.Context(), os.DirFS(root), dir, ocfl.Options{}); r.Valid() {
				t.Error("Quire finds it valid")
			}
			err := theirVerdict(t, root, dir)
			if err == nil {
				t.Error("ocfl-go finds it valid")
			}
			if panicked := err != nil && strings.HasPrefix(err.Error(), "panic"); panicked != (d.note != "") {
				t.Errorf("ocfl-go: %v; known: %q", err, d.note)
			}
		})
	}
}

// theirVerdict returns ocfl-go's error, or its panic.
func theirVerdict(t *testing.T, root, dir string) (err error) {
	t.Helper()
	theirs, err := local.NewFS(root)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return ocflgo.ValidateObject(t.Context(), theirs, dir).Err()
}

func edit(name string, change func(string) string) func(*testing.T, string) {
	return func(t *testing.T, object string) {
		t.Helper()
		file := filepath.Join(object, name)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, file, []byte(change(string(b))))
	}
}

func addFile(name string) func(*testing.T, string) {
	return func(t *testing.T, object string) {
		t.Helper()
		write(t, filepath.Join(object, name), []byte("extra"))
	}
}

func removeFile(name string) func(*testing.T, string) {
	return func(t *testing.T, object string) {
		t.Helper()
		if err := os.Remove(filepath.Join(object, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func copyFile(from, to string) func(*testing.T, string) {
	return func(t *testing.T, object string) {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(object, from))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(object, to), b)
	}
}
