package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"quire/repository/register"
)

// The register is a signed log of all versions and events (docs/reference/370_register.md). Its main
// folder is in the repository; each copy has a copy of it.
const (
	registerFolder   = "register"             // in the repository, and in each copy
	registerHead     = "checkpoint"           // in that folder
	registerKeysFile = "keys"                 // in that folder
	registerKey      = "register.key"         // in the repository only
	registerState    = registerKey + ".state" // the last head that the key signed
)

func (s *Store) registerPath() string { return filepath.Join(s.root, registerFolder) }

func (c *copyFolder) register() string { return filepath.Join(c.path, registerFolder) }

// ledger is the register of an open repository.
type ledger struct {
	mu       sync.Mutex
	writer   *register.Writer // nil before the first use
	unshared int              // leaves that this process appended, and that the copies lack
	index    leafIndex
}

// shareEvery is the number of leaves after which the copies get those that they lack. They also get them
// when the repository is closed, and when it is next opened for writing.
const shareEvery = 256

// registered reports whether the repository has a register. One that an earlier version of Quire made has
// none until it is opened for writing. A key alone is left from a beginning that was cut off.
func (s *Store) registered() bool {
	return exists(filepath.Join(s.root, registerState)) || exists(filepath.Join(s.registerPath(), registerHead))
}

// registerDisk makes the changes of the register, by the permissions of the repository.
type registerDisk struct{ disk *disk }

func (d registerDisk) MakeFolder(path string) error { return d.disk.mkdirAll(path) }

func (d registerDisk) Replace(path string, text []byte) error {
	return d.disk.replaceFile(path, text, workingFile)
}

func (d registerDisk) ReplaceSecret(path string, text []byte) error {
	return d.disk.replaceFile(path, text, d.disk.secret())
}

// Append is for anchors, which have a disk of their own.
func (d registerDisk) Append(string, []byte) error { return errors.ErrUnsupported }

func (d registerDisk) RemoveAll(path string) error {
	if !exists(path) {
		return nil
	}
	return d.disk.removeAll(path)
}

func (s *Store) registerOptions() register.Options {
	o := register.Options{Folder: s.registerPath(), Key: filepath.Join(s.root, registerKey), Disk: registerDisk{s.disk}}
	for _, c := range s.present() {
		o.Copies = append(o.Copies, c.register())
	}
	return o
}

// withRegister runs do with the register, while no other process appends to it.
func (s *Store) withRegister(ctx context.Context, do func(*register.Writer) error) error {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	l, err := s.lockRegister(ctx)
	if err != nil {
		return err
	}
	defer l.release()
	if err := s.alive(ctx); err != nil {
		return err
	}
	if err := s.openRegister(ctx); err != nil {
		return err
	}
	return do(s.ledger.writer)
}

func (s *Store) lockRegister(ctx context.Context) (*lock, error) {
	return s.waitLock(ctx, "register", exclusive, "register of "+s.root, "append")
}

// openRegister opens the register, unless it is open and current. The caller holds its lock.
func (s *Store) openRegister(ctx context.Context) (err error) {
	if w := s.ledger.writer; w != nil && w.Current() {
		return nil
	}
	if s.ledger.writer, err = register.Open(ctx, s.registerOptions()); err != nil {
		s.ledger.writer = nil
		if errors.Is(err, register.ErrNoKey) || errors.Is(err, register.ErrNoRegister) {
			err = fmt.Errorf("%w; restore it from a backup, or go on with a new key: quire init rebuild %s", err,
				s.root)
		}
		return fmt.Errorf("the register of %s: %w", s.root, err)
	}
	return nil
}

// enter appends the leaves of a decided change, except those that an earlier attempt appended.
func (s *Store) enter(ctx context.Context, list *noteLeaves) error {
	if list == nil || len(list.Leaves) == 0 {
		return nil
	}
	shared := false
	err := s.withRegister(ctx, func(w *register.Writer) error {
		missing, err := w.Missing(ctx, list.From, list.Leaves)
		if err != nil || len(missing) == 0 {
			return err
		}
		if _, err := w.AppendLeaves(ctx, missing...); err != nil {
			return err
		}
		if s.ledger.unshared += len(missing); s.ledger.unshared >= shareEvery {
			s.shareRegister(ctx, w) // a copy that fails gets the leaves later
			shared = true
		}
		return nil
	})
	if shared {
		s.shareFarRegister(ctx)
	}
	return err
}

// closeRegister brings the copies up to date. Copies that fail get the leaves when the repository is next
// opened.
func (s *Store) closeRegister() {
	s.ledger.mu.Lock()
	behind := s.ledger.unshared > 0
	s.ledger.mu.Unlock()
	if !behind {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_ = s.withRegister(ctx, func(w *register.Writer) error {
		s.shareRegister(ctx, w)
		return nil
	})
	s.shareFarRegister(ctx)
}

// maxHead is the maximum size of a checkpoint file, in bytes. Quire's have less than 1,000.
const maxHead = 64 << 10

// settleRegister begins the register of a repository that has none, and brings the copies up to date after
// a kill.
func (s *Store) settleRegister(ctx context.Context) error {
	begun, err := s.registerBegun(ctx)
	if err != nil {
		return err
	}
	if !begun {
		return s.beginRegister(ctx)
	}
	main, err := readSmall(filepath.Join(s.registerPath(), registerHead), maxHead)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	behind := err != nil
	for _, c := range s.present() {
		text, err := readSmall(filepath.Join(c.register(), registerHead), maxHead)
		behind = behind || err != nil || string(text) != string(main)
	}
	if !behind {
		return nil
	}
	return s.withRegister(ctx, func(w *register.Writer) error {
		failed := s.shareRegister(ctx, w)
		for _, name := range sortedKeys(failed) {
			s.addRecovery(Recovery{Outcome: Pending, Detail: fmt.Sprintf("the register in copy %s cannot be brought "+
				"up to date: %v", name, failed[name])})
		}
		return ctx.Err()
	})
}
