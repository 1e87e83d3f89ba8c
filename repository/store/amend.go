package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/repository/catalogue"
)

// Amendment describes a new version of a package in which most files stay as they are.
type Amendment struct {
	Message  string         // the reason, kept with the version
	By       string         // the person responsible; "" for none
	Progress func(Progress) // called now and then, never concurrently

	// Edit makes the changes. It reads the package in a folder and writes the files that change into
	// another, empty one. It must not write into the first: its files are those of the copy.
	Edit func(ctx context.Context, pkg, changed string) error
	// Validate checks the new version in its folder before it is stored; its error ends the amendment.
	Validate func(ctx context.Context, pkg string) error
}

// amendFolder holds the folders of amendments, on the file system of a copy, so that the stored files
// can be linked there.
const amendFolder = "amend"

// Amend stores a new version of a package that shares all files with the newest one, except those that
// Edit writes. The others are neither copied nor written: a version refers to earlier content (OCFL 1.1
// clause 3.5.2). It fails if another program stores a version meanwhile.
func (s *Store) Amend(ctx context.Context, id string, a Amendment) (_ Receipt, err error) {
	if err := s.Writable(); err != nil {
		return Receipt{}, err
	}
	if s.rules.Validation && a.Validate == nil {
		return Receipt{}, fmt.Errorf("repository %s: %w", s.root, ErrNotValidated)
	}
	card, err := s.card(ctx, id)
	if err != nil {
		return Receipt{}, err
	}
	if card.IsDocument() {
		return Receipt{}, fmt.Errorf("%s is a document of the repository: store a new version of it", id)
	}
	if err := s.enoughPresent(); err != nil {
		return Receipt{}, err
	}
	laid, err := s.layAny(ctx, card)
	if err != nil {
		return Receipt{}, fmt.Errorf("amending %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, laid.remove()) }()
	pkg, changed, links := laid.pkg, laid.changed, laid.links
	if err := a.Edit(ctx, pkg, changed); err != nil {
		return Receipt{}, err
	}
	if err := replaceFiles(changed, pkg); err != nil {
		return Receipt{}, fmt.Errorf("amending %s: %w", id, err)
	}
	if a.Validate != nil {
		if err := a.Validate(ctx, pkg); err != nil {
			return Receipt{}, err
		}
	}
	v, err := s.newSurvey(ctx, pkg)
	if err != nil {
		return Receipt{}, err
	}
	if v.pkg.ID != id {
		return Receipt{}, fmt.Errorf("amending %s: the new version has the id %s", id, v.pkg.ID)
	}
	if err := v.keep(links); err != nil {
		return Receipt{}, err
	}
	return s.ingestLocked(ctx, s.newIngest(v, IngestOptions{NewVersion: true, Message: a.Message, By: a.By,
		Progress: a.Progress, base: &card.Head}))
}

// laidOut is a version laid out for an amendment.
type laidOut struct {
	dir          string            // with both folders
	pkg, changed string            // the files of the version, and an empty folder
	links        map[string]string // the path of each stored file
	lock         *lock             // held until the folder is removed
}

func (l *laidOut) remove() error {
	err := os.RemoveAll(l.dir)
	l.lock.release()
	_ = os.Remove(filepath.Dir(l.dir)) // other amendments may still use it
	return err
}

// amendLock names the lock of an amendment. A process that can take it finds a folder whose
// program is dead.
func amendLock(tx string) string { return "amend-" + tx }

// clearAmendments removes the folders of amendments whose programs are dead. Their files are links to
// stored files, or copies of them.
func (s *Store) clearAmendments() error {
	for _, c := range s.present() {
		home := filepath.Join(c.path, amendFolder)
		entries, err := os.ReadDir(home)
		if err != nil {
			continue // no amendment
		}
		for _, entry := range entries {
			if !isToken(entry.Name()) {
				continue
			}
			l, err := s.tryLock(amendLock(entry.Name()), exclusive, "amendment", "recovery")
			var busy *BusyError
			if errors.As(err, &busy) {
				continue
			}
			if err != nil {
				return err
			}
			err = s.disk.removeAll(filepath.Join(home, entry.Name()))
			l.release()
			if err != nil {
				return fmt.Errorf("copy %s: %w", c.name, err)
			}
			s.addRecovery(Recovery{Outcome: Dropped,
				Detail: fmt.Sprintf("copy %s: removed leftovers in %s/%s", c.name, amendFolder, entry.Name())})
		}
		_ = os.Remove(home) // unless another amendment uses it
	}
	return nil
}

// layAny lays out the newest version of a package in the first copy in which that succeeds. It omits the
// copies that are not good as far as known.
func (s *Store) layAny(ctx context.Context, card catalogue.Package) (*laidOut, error) {
	l, err := s.waitRead(ctx, card.Object)
	if err != nil {
		return nil, err
	}
	defer l.release()
	e, err := s.reading(ctx, card.ID, card.Head)
	if err != nil {
		return nil, err
	}
	held, err := s.catalogue.Copies(ctx, card.ID)
	if err != nil {
		return nil, err
	}
	failed := errors.New("no present copy is known to be good; audit the package, and repair it")
	for _, c := range e.copies {
		known := func(k catalogue.Copy) bool { return k.Name == c.name && k.Status == catalogue.Good }
		if !slices.ContainsFunc(held, known) {
			continue
		}
		tx := newToken()
		home := filepath.Join(c.path, amendFolder, tx)
		held, err := s.tryLock(amendLock(tx), exclusive, "package "+card.ID, "amendment")
		if err != nil {
			return nil, err
		}
		laid := &laidOut{dir: home, pkg: filepath.Join(home, "package"), changed: filepath.Join(home, "changed"),
			lock: held}
		err = errors.Join(s.disk.mkdirAll(laid.pkg), s.disk.mkdirAll(laid.changed))
		if err == nil {
			laid.links, err = s.lay(ctx, e, c, laid.pkg)
		}
		if err == nil {
			return laid, nil
		}
		failed = errors.Join(failed, fmt.Errorf("copy %s: %w", c.name, err), laid.remove())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, failed
}

// lay lays out a version as a folder of hard links to the files of a copy. It returns the path of each
// stored file; where the file system has no links, it copies, and the file has no such path. The METS
// documents must have the digests of the inventory: an amendment writes them anew, with new digests.
func (s *Store) lay(ctx context.Context, e *export, c *copyFolder, pkg string) (map[string]string, error) {
	links := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(e.state)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		stored := filepath.Join(c.object(e.card.Path), filepath.FromSlash(e.content[e.state[name]]))
		if isDocument(e.card, name) {
			if sum, err := sumFile(stored); err != nil || sum != e.state[name] {
				return nil, cmp.Or(err, fmt.Errorf("%s has SHA-512 %s instead of %s", name, sum, e.state[name]))
			}
		}
		target := filepath.Join(pkg, filepath.FromSlash(name))
		if err := s.disk.mkdirAll(filepath.Dir(target)); err != nil {
			return nil, err
		}
		if os.Link(stored, target) == nil {
			links[name] = stored
		} else if err := duplicate(stored, target); err != nil {
			return nil, err
		}
	}
	return links, nil
}

// isDocument reports whether a file may be a METS document, which may be compressed.
func isDocument(card catalogue.Package, name string) bool {
	return name == card.METS || strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".xml")
}

// duplicate copies a file.
func duplicate(from, to string) error {
	in, err := openRegular(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // opened for reading only
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// replaceFiles moves files into a folder. A rename replaces the name and not the file behind it, which
// may be a stored one.
func replaceFiles(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o750); err != nil {
			return err
		}
		return os.Rename(path, target)
	})
}

// keep marks the files that are the stored ones themselves. They need no reading: the ingest compares
// their digests with the inventory.
func (v *survey) keep(links map[string]string) error {
	for i := range v.files {
		f := &v.files[i]
		stored, ok := links[f.path]
		if !ok || f.stated == "" {
			continue
		}
		a, err := os.Lstat(stored)
		if err != nil {
			return err
		}
		b, err := os.Lstat(v.diskPath(*f))
		if err != nil {
			return err
		}
		if f.same = os.SameFile(a, b); f.same {
			f.found = f.stated
		}
	}
	return nil
}
