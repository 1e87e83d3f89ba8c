package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteNew writes a new file and syncs it. If it fails, there is no file. It does not overwrite an
// existing file: the error is then fs.ErrExist.
func WriteNew(path string, write func(io.Writer) error) error {
	if err := Absent(path); err != nil {
		return err
	}
	return Write(path, write)
}

// Write makes a file, complete and synced, and replaces an existing one. After an error the
// existing file is unchanged.
func Write(path string, write func(io.Writer) error) error { return writeAs(path, 0o644, write) }

// WriteSecret is like Write, for a file that only its owner may read.
func WriteSecret(path string, write func(io.Writer) error) error { return writeAs(path, 0o600, write) }

func writeAs(path string, mode fs.FileMode, write func(io.Writer) error) error {
	out, err := os.CreateTemp(filepath.Dir(path), ".quire-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(out), out.Chmod(mode), out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return SyncFolder(filepath.Dir(path))
}

// CheckNew returns the error that [WriteNew] would return before it writes: the file exists, or its
// folder is missing or not writable.
func CheckNew(path string) error {
	if err := Absent(path); err != nil {
		return err
	}
	return Writable(filepath.Dir(path))
}

// Absent returns fs.ErrExist if the path exists.
func Absent(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return fmt.Errorf("writing %s: %w", path, fs.ErrExist)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}
