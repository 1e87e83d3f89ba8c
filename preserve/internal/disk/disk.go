// Package disk makes what was written last.
package disk

import (
	"errors"
	"os"
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
