package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	remote "quire/repository/place"
)

// The copies of a repository can change while it is in use. A change needs copies.lock exclusively,
// and every writer of an object shares that lock: so no ingest or repair is under way while the list
// of copies changes. Readers take no such lock. They read from the copies that they know.

// RetiredCopy is a copy that the repository no longer writes or reads. Its files stay.
type RetiredCopy struct {
	CopyPlace
	At      time.Time `json:"at"`
	Because string    `json:"because"`
}

// ErrCopiesChanged reports that another command changed the copies of the repository after this program
// had opened it.
var ErrCopiesChanged = errors.New("another command changed the copies of the repository: try again")

// copiesLock and copiesTurn are the locks of the list of copies. A change holds the second
// while it waits for the first, so writers that come later wait.
const (
	copiesLock = "copies"
	copiesTurn = "copies-turn"
)

// lockWriter takes the lock of an object for a writer, and its share in the lock of the copies.
func (s *Store) lockWriter(ctx context.Context, key, subject, doing string) (*lock, error) {
	set, err := s.shareCopies(ctx)
	if err != nil {
		return nil, err
	}
	l, err := s.tryWriter(ctx, key, subject, doing)
	if err != nil {
		set.release()
		return nil, err
	}
	l.also = set
	return l, nil
}

// shareCopies keeps the list of copies as it is until the lock is released.
func (s *Store) shareCopies(ctx context.Context) (*lock, error) {
	subject := "the list of copies of " + s.root
	turn, err := s.waitLock(ctx, copiesTurn, shared, subject, "")
	if err != nil {
		return nil, err
	}
	defer turn.release()
	set, err := s.waitLock(ctx, copiesLock, shared, subject, "")
	if err != nil {
		return nil, err
	}
	if err := s.sameCopies(); err != nil {
		set.release()
		return nil, err
	}
	return set, nil
}

// sameCopies returns [ErrCopiesChanged] if the repository has other copies than this Store knows.
func (s *Store) sameCopies() error {
	config, err := readConfig(s.root)
	if err != nil {
		return err
	}
	if !slices.Equal(config.Copies, s.places) {
		return fmt.Errorf("repository %s: %w", s.root, ErrCopiesChanged)
	}
	return nil
}

// changeSettings changes quire-repository.json, which has the list of copies, while no writer is at work. A
// change that returns an error leaves it as it was. rows then writes to the catalogue, before a writer can
// begin; nil writes nothing.
func (s *Store) changeSettings(ctx context.Context, doing string, change func(*repositoryConfig) error,
	rows func() error) error {
	if err := s.Writable(); err != nil {
		return err
	}
	subject := "the list of copies of " + s.root
	turn, err := s.tryLock(copiesTurn, exclusive, subject, doing)
	if err != nil {
		return err
	}
	defer turn.release()
	set, err := s.waitLock(ctx, copiesLock, exclusive, subject, doing)
	if err != nil {
		return err
	}
	defer set.release()
	if err := errors.Join(s.alive(ctx), s.sameCopies()); err != nil {
		return err
	}
	config, err := readConfig(s.root)
	if err != nil {
		return err
	}
	if err := change(&config); err != nil {
		return err
	}
	if err := s.disk.writeConfig(s.root, config); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(s.root, repositoryFile), err)
	}
	s.setCopies(config.Copies)
	if rows == nil {
		return nil
	}
	return rows()
}

// setCopies makes the copies of the Store. Those that it has already stay the same values.
func (s *Store) setCopies(places []CopyPlace) {
	var copies []*copyFolder
	for _, p := range places {
		c := s.copyNamed(p.Name)
		if path := p.absolute(s.root); c == nil || c.path != path {
			c = copyAt(p.Name, path, s.disk, s.root)
		}
		copies = append(copies, c)
	}
	s.copies, s.places, s.disk.copies = copies, slices.Clone(places), copies
}

// AddCopy makes a new or empty folder a copy of the repository. The copy lacks every package:
// [Store.Refill] brings them. A folder that an interrupted AddCopy left, or that is a copy of the
// repository already, is no error. The caller uses the Store for nothing else meanwhile.
func (s *Store) AddCopy(ctx context.Context, path string) (CopyPlace, error) {
	path, err := absolutePlace(path)
	if err != nil {
		return CopyPlace{}, err
	}
	place := CopyPlace{Path: path}
	err = s.changeSettings(ctx, "adding a copy", func(config *repositoryConfig) error {
		for _, c := range s.copies {
			if c.path == path {
				place.Name = c.name
				return c.check(s.id)
			}
		}
		place.Name, err = s.newCopy(ctx, config, path)
		if err == nil {
			config.Copies = append(config.Copies, CopyPlace{Name: place.Name, Path: placePath(s.root, path)})
		}
		return err
	}, func() error { return s.catalogue.AddCopy(ctx, place.Name, s.moment()) })
	if err != nil {
		return CopyPlace{}, fmt.Errorf("adding a copy: %w", err)
	}
	return place, nil
}

// settleCopies gives each package its state in a copy that a killed process had added to the list.
func (s *Store) settleCopies(ctx context.Context) error {
	for _, c := range s.copies {
		has, err := s.catalogue.HasCopy(ctx, c.name)
		if err != nil {
			return err
		}
		if has {
			continue
		}
		l, err := s.tryLock(copiesLock, shared, "the list of copies of "+s.root, "recovery")
		var busy *BusyError
		if errors.As(err, &busy) {
			return nil // the process that adds it is alive
		}
		if err != nil {
			return err
		}
		if err = s.sameCopies(); err == nil {
			err = s.catalogue.AddCopy(ctx, c.name, s.moment())
		}
		l.release()
		if err != nil {
			return err
		}
		s.addRecovery(Recovery{Outcome: Finished, Detail: "the adding of " + c.name + " was cut off; it lacks " +
			"packages, and quire list --owed lists them"})
	}
	return nil
}

// newCopy writes a new copy into a folder, and returns its name.
func (s *Store) newCopy(ctx context.Context, config *repositoryConfig, path string) (string, error) {
	others := []string{path}
	for _, c := range s.copies {
		others = append(others, c.path)
	}
	if _, err := copyPaths(s.root, others); err != nil {
		return "", err
	}
	used := s.usedNames(config)
	id, err := readIdentity(path)
	if err == nil {
		return id.Name, s.adopt(config, id, path)
	}
	c := copyAt(freeName(used), path, s.disk, s.root)
	used[c.name] = true
	if c.isFar() {
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return c.name, errors.Join(c.makeFar(ctx, s.id, sortedKeys(used)), s.signAll(sortedKeys(used)))
	}
	if err := s.clearMark(path); err != nil {
		return "", err
	}
	if err := checkEmpty(path); err != nil {
		return "", err
	}
	if err := s.makeCopy(ctx, c, sortedKeys(used)); err != nil {
		return "", errors.Join(err, emptyFolders(s.disk, []string{path}))
	}
	return c.name, nil
}

// makeCopy writes the files of a new copy, and its name into the other copies.
func (s *Store) makeCopy(ctx context.Context, c *copyFolder, used []string) error {
	if err := s.disk.mkdirAll(c.path); err != nil {
		return err
	}
	mark := filepath.Join(c.path, initMark)
	if err := s.disk.replaceFile(mark, []byte(s.id), workingFile); err != nil {
		return err
	}
	need, err := s.catalogue.Bytes(ctx)
	if err != nil {
		return err
	}
	if err := checkSpace([]*copyFolder{c}, need); err != nil {
		return err
	}
	if err := s.signAll(used); err != nil {
		return err
	}
	if err := c.make(s.id, used); err != nil {
		return err
	}
	return s.disk.removeAll(mark)
}

// signAll writes the names of all copies into the copies that are present.
func (s *Store) signAll(used []string) error {
	for _, c := range append(s.present(), s.farPresent()...) {
		if err := c.sign(s.id, used); err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	return nil
}

// clearMark empties a folder in which a process of this repository died while it made a copy. The
// caller holds the lock of the copies.
func (s *Store) clearMark(path string) error {
	half := "." + initMark + ".tmp" // of replaceFile
	if there, err := namesIn(path); err == nil && slices.Equal(there, []string{half}) {
		return s.disk.removeAll(filepath.Join(path, half))
	}
	if text, err := readSmall(filepath.Join(path, initMark), maxIdentity); err == nil && string(text) == s.id {
		return emptyFolders(s.disk, []string{path})
	}
	return nil
}

// adopt checks that a folder with an identity is a copy that an interrupted AddCopy made.
func (s *Store) adopt(config *repositoryConfig, id copyIdentity, path string) error {
	switch {
	case id.Repository != s.id:
		return fmt.Errorf("%s is copy %q of repository %s, not of %s", path, id.Name, id.Repository, s.id)
	case id.Retired != nil, slices.ContainsFunc(config.Retired, func(r RetiredCopy) bool { return r.Name == id.Name }):
		return fmt.Errorf("%s is %s, which was retired: give a new folder", path, id.Name)
	}
	if c := s.copyNamed(id.Name); c != nil {
		return fmt.Errorf("%s is %s, whose place is %s: record a new place with quire copy move %s %s", path, id.Name,
			c.path, id.Name, path)
	}
	if remote.IsURL(path) {
		return nil
	}
	return s.clearInit(path)
}

// clearInit removes the mark of the process that made a copy.
func (s *Store) clearInit(path string) error {
	if mark := filepath.Join(path, initMark); exists(mark) {
		return s.disk.removeAll(mark)
	}
	return nil
}

// usedNames returns the names of all copies that the repository ever had.
func (s *Store) usedNames(config *repositoryConfig) map[string]bool {
	used := map[string]bool{}
	for _, c := range s.copies {
		used[c.name] = true
		if id, err := readIdentity(c.path); err == nil {
			for _, name := range id.Names {
				used[name] = true
			}
		}
	}
	for _, r := range config.Retired {
		used[r.Name] = true
	}
	return used
}

// RetireCopy takes a copy out of use. It marks the copy, and keeps its files. It refuses if the others
// could not hold the repository: too few for an acknowledgement, or without some package. The list of copies
// omits the copy first: a copy in use is never marked. If a call was cut off, the next one marks it.
func (s *Store) RetireCopy(ctx context.Context, name, because string) (RetiredCopy, error) {
	var retired RetiredCopy
	c := s.copyNamed(name)
	err := s.changeSettings(ctx, "retiring a copy", func(config *repositoryConfig) (err error) {
		retired, err = s.retire(ctx, config, name, because)
		return err
	}, func() error {
		retired.Path = retired.absolute(s.root)
		if c == nil {
			c = copyAt(name, retired.Path, s.disk, s.root)
		}
		if err := s.markRetired(c, retired); err != nil {
			return err
		}
		return s.catalogue.DropCopy(ctx, name)
	})
	if err != nil {
		return RetiredCopy{}, fmt.Errorf("retiring %s: %w", name, err)
	}
	return retired, nil
}

func (s *Store) retire(ctx context.Context, config *repositoryConfig, name, because string) (RetiredCopy, error) {
	for _, r := range config.Retired {
		if r.Name == name {
			return r, nil
		}
	}
	c := s.copyNamed(name)
	if c == nil {
		return RetiredCopy{}, s.noCopy(name)
	}
	if err := s.dispensable(ctx, config, c); err != nil {
		return RetiredCopy{}, err
	}
	r := RetiredCopy{CopyPlace{name, placePath(s.root, c.path)}, s.moment(), because}
	config.Copies = slices.DeleteFunc(config.Copies, func(p CopyPlace) bool { return p.Name == name })
	config.Retired = append(config.Retired, r)
	return r, nil
}

// markRetired writes the time of its retirement into a copy that can be reached.
func (s *Store) markRetired(c *copyFolder, r RetiredCopy) error {
	if c.check(s.id) != nil {
		return nil //nolint:nilerr // it is away
	}
	id, err := readIdentity(c.path)
	if err != nil || id.Retired != nil {
		return err
	}
	id.Retired = &r.At
	return c.write(id)
}

// dispensable returns an error if the repository needs a copy.
func (s *Store) dispensable(ctx context.Context, config *repositoryConfig, c *copyFolder) error {
	left := len(s.copies) - 1
	if left == 0 {
		return errors.New("it is the only copy of the repository")
	}
	if folders := s.folders(); len(folders) == 1 && folders[0] == c {
		return errors.New("it is the only copy that is a folder, and a repository needs one")
	}
	if config.Require > left {
		return fmt.Errorf("the repository requires %d copies, and would have %d: add another one first (quire copy "+
			"add), or require fewer: quire init rebuild %s --require %d", config.Require, left, s.root, left)
	}
	if err := s.clearOfPurges(ctx, c); err != nil {
		return err
	}
	others := names(append(s.present(), s.farPresent()...))
	others = slices.DeleteFunc(others, func(n string) bool { return n == c.name })
	n, first, err := s.catalogue.OnlyIn(ctx, c.name, others)
	if err != nil {
		return err
	}
	if n > 0 {
		return fmt.Errorf("%d packages are known to be good only there, such as %s: bring them to the other copies "+
			"first: quire audit --repair --repo %s", n, first, s.root)
	}
	return nil
}

func (s *Store) noCopy(name string) error {
	return fmt.Errorf("the repository has no copy %q; its copies are %s", name, strings.Join(names(s.copies), ", "))
}

// MoveCopy records the new place of a copy, whose folder was moved or mounted there.
func (s *Store) MoveCopy(ctx context.Context, name, path string) (CopyPlace, error) {
	path, err := absolutePlace(path)
	if err != nil {
		return CopyPlace{}, err
	}
	err = s.changeSettings(ctx, "moving a copy", func(config *repositoryConfig) error {
		c := s.copyNamed(name)
		if c == nil {
			return s.noCopy(name)
		}
		others := []string{path}
		for _, other := range s.copies {
			if other != c {
				others = append(others, other.path)
			}
		}
		if _, err := copyPaths(s.root, others); err != nil {
			return err
		}
		moved := copyAt(name, path, s.disk, s.root)
		if err := moved.check(s.id); err != nil {
			return fmt.Errorf("move the folder %s there first, or fill a new one: quire copy replace %s %s: %w", c.path,
				name, path, err)
		}
		for i, p := range config.Copies {
			if p.Name == name {
				config.Copies[i].Path = placePath(s.root, path)
			}
		}
		return nil
	}, nil)
	if err != nil {
		return CopyPlace{}, fmt.Errorf("moving %s: %w", name, err)
	}
	return CopyPlace{Name: name, Path: path}, nil
}

// Replacement is the result of [Store.ReplaceCopy].
type Replacement struct {
	New     CopyPlace   `json:"new"`
	Filled  RepairSum   `json:"filled"`
	Retired RetiredCopy `json:"retired"` // empty while the old copy is still needed
}

// ReplaceCopy adds a copy at a path, fills it, and retires another copy. A copy that is away, and that
// no package needs, is retired before the filling, so that ingests can go on. After an interruption,
// the same call goes on.
func (s *Store) ReplaceCopy(ctx context.Context, name, path string, o RepairOptions,
	each func(RepairReport, error) error) (Replacement, error) {
	var r Replacement
	config, err := readConfig(s.root)
	if err != nil {
		return r, err
	}
	old := s.copyNamed(name)
	isOld := func(c RetiredCopy) bool { return c.Name == name }
	if old == nil && !slices.ContainsFunc(config.Retired, isOld) {
		return r, s.noCopy(name)
	}
	if old != nil {
		if err := s.clearOfPurges(ctx, old); err != nil {
			return r, fmt.Errorf("replacing %s: %w", name, err)
		}
	}
	if r.New, err = s.AddCopy(ctx, path); err != nil {
		return r, err
	}
	if r.New.Name == name {
		return r, fmt.Errorf("%s is at %s: give a new folder", name, path)
	}
	because := "replaced by " + r.New.Name
	if old == nil || old.check(s.id) != nil && s.dispensable(ctx, &config, old) == nil {
		if r.Retired, err = s.RetireCopy(ctx, name, because); err != nil {
			return r, err
		}
	}
	if r.Filled, err = s.Refill(ctx, r.New.Name, o, each); err != nil || r.Filled.Failed > 0 || r.Retired.Name != "" {
		return r, err
	}
	r.Retired, err = s.RetireCopy(ctx, name, because)
	return r, err
}
