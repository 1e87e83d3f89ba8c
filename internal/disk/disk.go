// Package disk makes what was written last, and says what kind of file something is.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// SyncFolder makes sure that the names of the files in a folder are on the disk, not only their content: a rename that was not
// synced may be undone when the power fails.
func SyncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// SyncFolders does so for a folder and all folders in it.
func SyncFolders(root string) error {
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return SyncFolder(p)
	})
}
