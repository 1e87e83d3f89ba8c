package store

import (
	"context"
	"errors"
	"path/filepath"

	"quire/repository/register"
)

// A sealed note is also in the staging folder of its change, in the first copy. A change enters its leaves
// before it is put in place. So if the disk damages the note in the journal, the register shows whether the
// change was decided: then it has the leaves, and the change is finished from the staged note.

// stagedNote is the name of the note in a staging folder.
const stagedNote = "note.json"

// stageNote writes a sealed note into the staging folder of its change.
func (s *Store) stageNote(j *journal) error {
	if j.Register == nil || len(j.Copies) == 0 {
		return nil
	}
	text, err := j.marshal()
	if err != nil {
		return err
	}
	folder := s.copyNamed(j.Copies[0]).staging(j.Tx)
	if err := s.disk.writeFile(filepath.Join(folder, stagedNote), text, workingFile); err != nil {
		return err
	}
	return s.disk.syncDir(folder)
}

// decidedChange returns the staged note of a change to the object of a key that was decided; nil: there is
// none.
func (s *Store) decidedChange(ctx context.Context, key string) (*journal, error) {
	if !s.registered() {
		return nil, nil
	}
	for _, c := range s.present() {
		names, err := c.stagedNames()
		if err != nil {
			return nil, err
		}
		for _, tx := range names {
			j, err := parseNote(filepath.Join(c.staging(tx), stagedNote))
			if err != nil || j.Tx != tx || objectKey(j.Object) != key || j.Register == nil {
				continue
			}
			if decided, err := s.entered(ctx, key, j); decided || err != nil {
				return j, err
			}
		}
	}
	return nil, nil
}

// parseNote reads a note from a file.
func parseNote(path string) (*journal, error) {
	text, err := readSmall(path, maxNote)
	if err != nil {
		return nil, err
	}
	return parseJournal(text)
}

// entered reports whether a note is signed, and the register has its leaves.
func (s *Store) entered(ctx context.Context, key string, j *journal) (entered bool, err error) {
	var note *noteError
	if err := s.sealed(ctx, key, j); errors.As(err, &note) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	err = s.withRegister(ctx, func(w *register.Writer) error {
		missing, err := w.Missing(ctx, j.Register.From, j.Register.Leaves)
		entered = len(missing) == 0
		return err
	})
	return entered, err
}
