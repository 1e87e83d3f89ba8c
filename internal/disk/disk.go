// Package disk syncs files and folders to stable storage, and has the differences between systems.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// SyncFolders syncs a folder and all folders in it.
func SyncFolders(root string) error {
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return SyncFolder(p)
	})
}

// MakeFolders makes a folder and its missing parents, and returns the folders it made, the
// outermost first. Their names are synced.
func MakeFolders(path string) (made []string, err error) {
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		_, err := os.Stat(p)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		made = append([]string{p}, made...)
	}
	if err := os.MkdirAll(path, 0o777); err != nil { // less the caller's umask
		return nil, err
	}
	for _, p := range made {
		if err := SyncFolder(filepath.Dir(p)); err != nil {
			return made, err
		}
	}
	return made, nil
}
