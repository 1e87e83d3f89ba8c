package register

import (
	"context"
)

// Restore writes the register of another folder into an empty or missing one. It verifies each leaf and the
// signature of the head by the key that the leaves name. The caller has chosen the folder: see [Compare].
func Restore(ctx context.Context, d Disk, from, to string) (Checkpoint, error) {
	f := folder(from)
	m, finding := inspect(f, nil)
	if finding != nil {
		return Checkpoint{}, &FindingError{*finding}
	}
	if err := d.MakeFolder(to); err != nil {
		return Checkpoint{}, err
	}
	return m.head, catchUp(ctx, d, f, m.head, folder(to), m.head)
}
