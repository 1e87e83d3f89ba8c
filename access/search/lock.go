package search

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"quire/internal/filelock"
)

// ErrBusy reports that another process is writing the index.
var ErrBusy = errors.New("another process is writing it: wait for it, or stop it")

// lock gets the exclusive right to write: in this process, and on this machine.
func (s *source) lock() (unlock func(), err error) {
	s.updating.Lock()
	f, err := os.OpenFile(filepath.Join(s.dir, "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		s.updating.Unlock()
		return nil, err
	}
	if err := filelock.Try(f); err != nil {
		_ = f.Close() // nothing was written
		s.updating.Unlock()
		if errors.Is(err, filelock.ErrHeld) {
			return nil, fmt.Errorf("the text index %s: %w", s.dir, ErrBusy)
		}
		return nil, err
	}
	return func() {
		_ = f.Close() // this also releases the lock
		s.updating.Unlock()
	}, nil
}
