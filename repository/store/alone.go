package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
)

// alone keeps all other processes out of a repository, while its catalogue is made again or moved.
type alone struct {
	subject string
	locks   []locker
	held    []*lock
}

// aloneIn takes the lock of the file in a folder, which excludes the processes of this machine, and that of the
// database of the repository, if it has one.
func aloneIn(root, repo string, config repositoryConfig) (*alone, error) {
	a := &alone{subject: "repository " + repo}
	if err := a.take(lockFiles(filepath.Join(root, locksFolder))); err != nil {
		return nil, err
	}
	if err := a.also(root, config); err != nil {
		a.release()
		return nil, err
	}
	return a, nil
}

// also takes the lock of the database of a repository, if it has one.
func (a *alone) also(root string, config repositoryConfig) error {
	if _, ok := config.database(); !ok {
		return nil
	}
	return a.take(newLocker(root, config))
}

func (a *alone) take(l locker) error {
	held, err := l.try(usersLock, exclusive, a.subject, "rebuild")
	if err != nil {
		return errors.Join(err, l.close())
	}
	a.locks, a.held = append(a.locks, l), append(a.held, held)
	return nil
}

// still returns an error if a lock was lost, or the settings of the repository name another catalogue than before.
func (a *alone) still(ctx context.Context, root string, was repositoryConfig) error {
	for _, l := range a.locks {
		if err := l.alive(ctx); err != nil {
			return fmt.Errorf("%s: %w", a.subject, err)
		}
	}
	if now, err := readConfig(root); err == nil && now.Catalogue != was.Catalogue {
		return fmt.Errorf("%s: another process moved its catalogue meanwhile; try again", a.subject)
	}
	return nil
}

// release releases all locks; it may be called again.
func (a *alone) release() {
	for i, l := range a.locks {
		a.held[i].release()
		_ = l.close() // the lock was released before
	}
	a.locks, a.held = nil, nil
}
