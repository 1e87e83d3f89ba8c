package store

import (
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"quire/internal/archivefs"
	"quire/repository/ocfl"
)

// object is one OCFL object in one copy, as its inventory describes it.
type object struct {
	dir       string // on disk
	inventory *ocfl.Inventory
	sum       string   // SHA-512 of inventory.json, as read
	text      []byte   // of inventory.json, for a repair; else nil
	others    []string // folders of the object in other copies with the same inventory
}

// inAny calls read with the object's folder in one copy after another, until it succeeds. A file may
// be missing in one of them.
func (o *object) inAny(read func(dir string) error) error {
	err := read(o.dir)
	for _, dir := range o.others {
		if err == nil || read(dir) == nil {
			return nil
		}
	}
	return err
}

// openObject reads the inventory of an object and checks it against its sidecar.
func openObject(dir string) (*object, error) {
	text, sum, err := readInventory(dir)
	if err != nil {
		return nil, err
	}
	stated, err := readSidecar(dir)
	if err != nil {
		return nil, err
	}
	if stated != sum {
		return nil, fmt.Errorf("%s has SHA-512 %s, but its sidecar states %s", filepath.Join(dir, ocfl.InventoryFile), sum,
			stated)
	}
	inv, err := ocfl.ParseInventory(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return &object{dir: dir, inventory: inv, sum: sum}, nil
}

// readInventory reads an inventory.json and computes its digest.
func readInventory(dir string) (text []byte, sum string, err error) {
	text, err = readSmall(filepath.Join(dir, ocfl.InventoryFile), ocfl.MaxInventorySize)
	if err != nil {
		return nil, "", err
	}
	return text, sumBytes(text), nil
}

// readSidecar reads the digest in the sidecar of an inventory.
func readSidecar(dir string) (string, error) {
	path := filepath.Join(dir, ocfl.SidecarName(ocfl.SHA512))
	text, err := readSmall(path, 1<<16)
	if err != nil {
		return "", err
	}
	stated, err := ocfl.ParseSidecar(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return strings.ToLower(stated), nil
}

// readSmall reads a regular file completely, up to a bound in bytes, because a copy may contain
// foreign files.
func readSmall(path string, limit int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %s, not a file", path, archivefs.KindOf(info.Mode()))
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes; the limit is %d", path, info.Size(), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	return io.ReadAll(io.LimitReader(f, limit))
}

// head returns the number of the newest version.
func (o *object) head() int {
	n, err := versionNumber(o.inventory.Head)
	if err != nil {
		return 0 // impossible: ParseInventory checks Head
	}
	return n
}

func versionNumber(name string) (int, error) {
	digits, ok := strings.CutPrefix(name, "v")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a version", name)
	}
	return n, nil
}

func versionName(n int) string { return "v" + strconv.Itoa(n) }

// state returns the digest of every file of a version.
func (o *object) state(version string) map[string]string {
	v := o.inventory.Versions[version]
	if v == nil {
		return nil
	}
	files := make(map[string]string, len(v.State))
	for digest, paths := range v.State {
		for _, path := range paths {
			files[path] = strings.ToLower(digest)
		}
	}
	return files
}

// content returns the path of the bytes of each digest, below the object.
func (o *object) content() map[string]string {
	where := make(map[string]string, len(o.inventory.Manifest))
	for digest, paths := range o.inventory.Manifest {
		if len(paths) > 0 {
			where[strings.ToLower(digest)] = paths[0]
		}
	}
	return where
}

func sumBytes(b []byte) string {
	sum := sha512.Sum512(b)
	return hex.EncodeToString(sum[:])
}

// notThere reports whether an error means that a file does not exist.
func notThere(err error) bool { return errors.Is(err, fs.ErrNotExist) }
