package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"quire/repository/catalogue"
	"quire/repository/register"
)

// registerBegun reports whether the register exists, and has the packages that the repository had before it.
// These are one append, so a register with its key alone does not have them yet.
func (s *Store) registerBegun(ctx context.Context) (bool, error) {
	if !s.registered() {
		return false, nil
	}
	text, err := readSmall(filepath.Join(s.root, registerState), maxHead)
	if notThere(err) {
		text, err = readSmall(filepath.Join(s.registerPath(), registerHead), maxHead)
	}
	if err != nil {
		return false, err
	}
	head, err := register.ParseCheckpoint(text)
	if begun := err != nil || head.Size > 1; begun { // opening it for writing reports the error
		return true, nil
	}
	n, err := s.catalogue.Count(ctx)
	return n == 0, err
}

// createRegister makes the register of a repository with its key, or continues a call that was cut off.
func createRegister(ctx context.Context, o register.Options, repository string) (*register.Writer, error) {
	w, err := register.Create(ctx, o, register.Origin(repository), time.Now().UTC())
	if errors.Is(err, os.ErrExist) {
		return register.Open(ctx, o)
	}
	return w, err
}

// beginRegister begins a register over the versions and events that the copies have. It can be repeated
// after a kill: salts stay, and all leaves are one append.
func (s *Store) beginRegister(ctx context.Context) error {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	l, err := s.lockRegister(ctx)
	if err != nil {
		return err
	}
	defer l.release()
	if begun, err := s.registerBegun(ctx); begun || err != nil {
		return err
	}
	if !s.registered() {
		for _, c := range s.present() {
			if exists(c.register()) {
				return fmt.Errorf("the repository %s has no register, but copy %s has one; build it again from the "+
					"copies: quire init rebuild %s", s.root, c.name, s.root)
			}
		}
	}
	n, err := s.saltAll(ctx)
	if err != nil {
		return fmt.Errorf("beginning the register of %s: %w", s.root, err)
	}
	if err := s.noteLeaves(sharedFile, map[string]int64{}); err != nil { // of a register that was lost everywhere
		return fmt.Errorf("beginning the register of %s: %w", s.root, err)
	}
	w, err := createRegister(ctx, s.registerOptions(), s.id)
	if err != nil {
		return fmt.Errorf("beginning the register of %s: %w", s.root, err)
	}
	if _, err := w.Append(ctx, s.allLeaves(ctx)); err != nil {
		return fmt.Errorf("beginning the register of %s: %w", s.root, err)
	}
	s.ledger.writer = w
	failed := s.shareRegister(ctx, w)
	s.addRecovery(Recovery{Outcome: Begun, Detail: fmt.Sprintf("a register begins with the %d objects that the "+
		"repository has; %d copies lack it yet", n, len(failed))})
	return nil
}

// saltAll gives each object of the catalogue a salt. It returns their number.
func (s *Store) saltAll(ctx context.Context) (n int64, err error) {
	for p, err := range s.catalogue.Packages(ctx) {
		if err == nil {
			err = s.putSalt(p.Path, s.saltFor(p.Path))
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// allLeaves yields the leaves of all objects of the catalogue, and of the audit runs that had leaves in a register
// that was lost.
func (s *Store) allLeaves(ctx context.Context) iter.Seq2[register.Leaf, error] {
	return func(yield func(register.Leaf, error) bool) {
		for p, err := range s.catalogue.Packages(ctx) {
			var list *leaves
			if err == nil {
				list, err = s.leavesAt(ctx, p)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for _, raw := range list.list {
				leaf, err := register.Parse(raw)
				if !yield(leaf, err) || err != nil {
					return
				}
			}
		}
		s.runLeaves(yield)
	}
}

// runLeaves yields the leaves of the audit runs that the copies have.
func (s *Store) runLeaves(yield func(register.Leaf, error) bool) {
	for _, name := range s.allRuns() {
		for _, c := range s.present() {
			r, err := readRecord(filepath.Join(c.audits(), name))
			if err != nil || r.leaf.Lines == 0 {
				continue
			}
			if !yield(r.leaf, nil) {
				return
			}
			break
		}
	}
}

// leavesAt returns the leaves of an object as the catalogue and the copies have it. Without a salt, because
// no copy has the object, it has none.
func (s *Store) leavesAt(ctx context.Context, p catalogue.Package) (*leaves, error) {
	salt, ok := s.saltOf(p.Path)
	l := leavesOf(salt, p.Object)
	if !ok {
		return l, nil
	}
	r, err := s.catalogue.Get(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	for _, v := range r.Versions {
		l.version(v.Created, v.Number, v.Inventory)
	}
	l.events(objectsIn(s.present(), p.Path))
	if name, document := catalogue.DocumentName(p.Object); document {
		at := s.moment()
		if _, text, err := s.Document(ctx, name, 0); err == nil { // an audit reports a damaged one
			l.setting(at, name, text)
		}
	}
	return l, l.err
}

// initRegister makes the register of a new repository, in its folder and in each copy.
func initRegister(ctx context.Context, d *disk, root, repository string, copies []*copyFolder) error {
	w, err := createRegister(ctx, register.Options{Folder: filepath.Join(root, registerFolder),
		Key: filepath.Join(root, registerKey), Disk: registerDisk{d}}, repository)
	if err != nil {
		return err
	}
	for _, c := range copies {
		if _, err := w.CatchUp(ctx, c.register()); err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	return nil
}
