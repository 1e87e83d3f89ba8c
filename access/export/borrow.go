package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"quire/repository/store"
)

// Borrow calls do with a folder of the newest version of a package, unchanged as stored, and removes the folder
// afterwards. The folder is beside the path out, and do may write its result there. If a result is there at the end,
// the repository records the event of an export. It passes an event that was not recorded to warn.
func Borrow(ctx context.Context, st *store.Store, id, out, by string, o store.ExportOptions, warn func(error),
	do func(folder string) error) (err error) {
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	if err := st.CheckOutside(out); err != nil {
		return err
	}
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: name a new folder", out) // an earlier result is none of this package
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), ".quire-borrowed-*")
	if err != nil {
		return fmt.Errorf("room for the package %s beside %s: %w", id, out, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r, err := st.Export(ctx, id, filepath.Join(dir, "package"), o)
	if err != nil {
		return err
	}
	err = do(r.Folder)
	if entries, none := os.ReadDir(out); none == nil && len(entries) > 0 {
		r.Folder = out
		if _, unrecorded := Stored(ctx, st, r, by); unrecorded != nil {
			warn(unrecorded)
		}
	}
	return err
}
