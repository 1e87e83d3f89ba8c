package ocflgo

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ocflgo "github.com/srerickson/ocfl-go"
	"github.com/srerickson/ocfl-go/fs/local"

	"quire/repository/ocfl"
)

// TestStorageRoot has ocfl-go validate every object of the storage root in QUIRE_OCFL_ROOT: one
// copy of a repository.
func TestStorageRoot(t *testing.T) {
	root := os.Getenv("QUIRE_OCFL_ROOT")
	if root == "" {
		t.Skip("set QUIRE_OCFL_ROOT to the OCFL storage root whose objects ocfl-go is to validate")
	}
	objects := 0
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(e.Name(), "0=ocfl_object_") {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		objects++
		verdict(t, root, filepath.ToSlash(dir))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if objects == 0 {
		t.Errorf("no object below %s", root)
	}
	t.Logf("%d objects", objects)
}

// verdict compares ocfl-go's verdict on an object with ours: both must find it valid.
func verdict(t *testing.T, root, dir string) {
	t.Helper()
	if r := ocfl.ValidateObject(t.Context(), os.DirFS(root), dir, ocfl.Options{}); !r.Valid() {
		t.Errorf("Quire: %s: %v", dir, r.Errors)
	}
	theirs, err := local.NewFS(root)
	if err != nil {
		t.Fatal(err)
	}
	v := ocflgo.ValidateObject(context.Background(), theirs, dir)
	if err := v.Err(); err != nil {
		t.Errorf("ocfl-go: %s: %v", dir, err)
	}
	for _, w := range v.WarnErrors() {
		t.Logf("ocfl-go: %s: %v", dir, w)
	}
}

// TestOurObject builds an object of two versions with Quire's inventories, sidecars and layout, and
// has ocfl-go validate it.
func TestOurObject(t *testing.T) {
	root := t.TempDir()
	buildRoot(t, root)
	for _, id := range []string{"urn:example:harvest:1", "ark:/12345/a b?c%d", strings.Repeat("very-long/", 40)} {
		buildObject(t, root, id)
		verdict(t, root, ocfl.ObjectPath(id))
	}
	theirs, err := local.NewFS(root)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ocflgo.NewRoot(t.Context(), theirs, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"urn:example:harvest:1", "ark:/12345/a b?c%d", strings.Repeat("very-long/", 40)} {
		if where, err := r.ResolveID(id); err != nil || where != ocfl.ObjectPath(id) {
			t.Errorf("%s: ocfl-go looks at %s (%v), we at %s", id, where, err, ocfl.ObjectPath(id))
		}
	}
	result, err := ocfl.ValidateRoot(t.Context(), os.DirFS(root), ocfl.Options{})
	if err != nil || !result.Valid() || result.Objects != 3 {
		t.Errorf("our own verdict on the root: %+v, %v", result, err)
	}
}

func buildRoot(t *testing.T, root string) {
	t.Helper()
	name, content := ocfl.RootDeclaration()
	write(t, filepath.Join(root, name), content)
	for name, content := range ocfl.LayoutFiles() {
		write(t, filepath.Join(root, name), content)
	}
}

// buildObject writes v1 with two files and a log, and v2 with a change to one of the files.
func buildObject(t *testing.T, root, id string) {
	t.Helper()
	dir := filepath.Join(root, filepath.FromSlash(ocfl.ObjectPath(id)))
	name, declaration := ocfl.ObjectDeclaration()
	write(t, filepath.Join(dir, name), declaration)
	write(t, filepath.Join(dir, ocfl.LogsDir, "event-1.xml"), []byte("<event/>\n"))
	inv := &ocfl.Inventory{
		ID: id, Type: ocfl.InventoryType, DigestAlgorithm: ocfl.SHA512,
		Manifest: map[string][]string{}, Versions: map[string]*ocfl.Version{},
		Fixity: map[string]map[string][]string{"md5": {}, "sha256": {}},
	}
	addVersion(t, dir, inv, "v1", map[string]string{"mets.xml": "<mets/>", "containers/ü & 1.warc.gz": "WARC/1.1"})
	addVersion(t, dir, inv, "v2", map[string]string{"mets.xml": "<mets>2</mets>",
		"containers/ü & 1.warc.gz": "WARC/1.1"})
}

func addVersion(t *testing.T, dir string, inv *ocfl.Inventory, version string, files map[string]string) {
	t.Helper()
	state := map[string][]string{}
	for name, text := range files {
		digest := sha512.Sum512([]byte(text))
		key := hex.EncodeToString(digest[:])
		state[key] = append(state[key], name)
		if inv.Manifest[key] != nil {
			continue // stored by an earlier version
		}
		content := path.Join(version, inv.ContentDir(), name)
		write(t, filepath.Join(dir, filepath.FromSlash(content)), []byte(text))
		inv.Manifest[key] = []string{content}
		md5sum, sha256sum := md5.Sum([]byte(text)), sha256.Sum256([]byte(text))
		inv.Fixity["md5"][hex.EncodeToString(md5sum[:])] = []string{content}
		inv.Fixity["sha256"][hex.EncodeToString(sha256sum[:])] = []string{content}
	}
	inv.Head = version
	inv.Versions[version] = &ocfl.Version{
		Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Message: "harvest " + version,
		User: &ocfl.User{Name: "Quire", Address: "mailto:quire@example.org"}, State: state,
	}
	b, err := inv.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	digest := sha512.Sum512(b)
	sidecar, line := ocfl.Sidecar(ocfl.SHA512, hex.EncodeToString(digest[:]))
	for _, folder := range []string{"", version} {
		write(t, filepath.Join(dir, folder, ocfl.InventoryFile), b)
		write(t, filepath.Join(dir, folder, sidecar), line)
	}
}

func write(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
}
