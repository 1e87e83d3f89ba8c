package register

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quire/internal/disk"
)

// Disk makes all changes on disk. A caller with its own rules on permissions implements it.
type Disk interface {
	// MakeFolder makes a folder and its missing parents, and syncs their names.
	MakeFolder(path string) error
	// Replace writes a file in one step: readers see the old file or the new one, and the new one
	// survives a power failure. The folder exists.
	Replace(path string, text []byte) error
	// ReplaceSecret is like Replace, for a file that only its owner may read.
	ReplaceSecret(path string, text []byte) error
	// Append adds text at the end of a file, and syncs it.
	Append(path string, text []byte) error
	// RemoveAll removes a file or folder. A missing one is no error.
	RemoveAll(path string) error
}

// osDisk is the Disk of the operating system. Tests use fault to inject faults: it is called before
// every change, and its error replaces the change.
type osDisk struct {
	fault func(op, path string) error // nil outside tests
}

func (d osDisk) allow(op, path string) error {
	if d.fault == nil {
		return nil
	}
	return d.fault(op, path)
}

func (d osDisk) MakeFolder(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if err := d.allow("mkdir", path); err != nil {
		return err
	}
	_, err := disk.MakeFolders(path)
	return err
}

func (d osDisk) Replace(path string, text []byte) error { return d.replace(path, text, 0o644) }

func (d osDisk) ReplaceSecret(path string, text []byte) error { return d.replace(path, text, 0o600) }

// replace uses one temporary name per file, so the leftover of a killed process is overwritten.
func (d osDisk) replace(path string, text []byte, mode fs.FileMode) error {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := d.allow("create", path); err != nil {
		return err
	}
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err := d.fill(f, path, text); err != nil {
		return err
	}
	if err := d.allow("rename", path); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	if err := d.allow("syncdir", path); err != nil {
		return err
	}
	return disk.SyncFolder(filepath.Dir(path))
}

// Append implements [Disk].
func (d osDisk) Append(path string, text []byte) error {
	if err := d.allow("create", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|disk.NoFollow, 0o644)
	if err != nil {
		return err
	}
	if err := d.fill(f, path, text); err != nil {
		return err
	}
	return disk.SyncFolder(filepath.Dir(path))
}

// fill writes, syncs and closes a file.
func (d osDisk) fill(f *os.File, path string, text []byte) error {
	err := d.allow("write", path)
	if err != nil {
		_, _ = f.Write(text[:len(text)/2]) // only in tests: as if killed while writing
		return errors.Join(err, f.Close())
	}
	_, err = f.Write(text)
	if err == nil {
		err = d.allow("sync", path)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func (d osDisk) RemoveAll(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := d.allow("remove", path); err != nil {
		return err
	}
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return disk.SyncFolder(filepath.Dir(path))
}

// readFile reads a regular file of at most the given size in bytes. It follows no link and waits for
// no pipe: the file may be hostile.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|disk.NoFollow, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fmt.Errorf("%s is not a regular file of at most %d bytes", path, most)
	}
	text := make([]byte, info.Size())
	n, err := f.ReadAt(text, 0)
	if n < len(text) {
		return nil, fmt.Errorf("%s changed while it was read: %w", path, err)
	}
	return text, nil
}
