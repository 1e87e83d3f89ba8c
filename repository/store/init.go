package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/repository/catalogue"
)

// defaultCopies is how many copies a repository has when nothing is said: three, as NDSA level 2 and up ask.
const defaultCopies = 3

// InitOptions say how a repository is made.
type InitOptions struct {
	Copies   []string     // folders of the copies, each empty or new; none: three below the repository
	Rebuild  bool         // build the catalogue from copies that exist already; see [Init]
	Describe DescribeFunc // required
	Software string       // name and version of the program, for events
}

// Init makes a repository in a new or empty folder.
//
// With Rebuild it makes the catalogue again from the copies alone, and the repository folder too where it is lost. The
// copies are those given, or those the repository lists, or those below it. A copy that was given and is empty becomes a
// new copy, to be filled by a repair; at least one must exist.
func Init(ctx context.Context, repo string, o InitOptions) (*Store, error) {
	if o.Describe == nil {
		return nil, errors.New("store.Init: InitOptions.Describe is required")
	}
	if o.Rebuild {
		return rebuild(ctx, repo, o, &disk{})
	}
	return initWith(ctx, repo, o, &disk{})
}

func initWith(ctx context.Context, repo string, o InitOptions, d *disk) (_ *Store, err error) {
	root, err := filepath.Abs(repo)
	if err != nil {
		return nil, err
	}
	paths, err := copyPaths(root, o.Copies)
	if err != nil {
		return nil, err
	}
	if err := checkEmpty(root); err != nil {
		return nil, fmt.Errorf("repository: %w", err)
	}
	config := repositoryConfig{Format: 1, Repository: newUUID(), Created: time.Now().UTC().Truncate(time.Second)}
	copies := make([]*copyFolder, 0, len(paths))
	for i, path := range paths {
		if err := checkEmpty(path); err != nil {
			return nil, fmt.Errorf("copy: %w", err)
		}
		name := fmt.Sprintf("copy-%d", i+1)
		config.Copies = append(config.Copies, CopyPlace{Name: name, Path: placePath(root, path)})
		copies = append(copies, &copyFolder{name: name, path: path, disk: d})
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, emptyFolders(d, append(paths, root)))
		}
	}()
	if err := makeRepository(ctx, d, root, config, copies); err != nil {
		return nil, fmt.Errorf("making the repository %s: %w", repo, err)
	}
	return openWith(ctx, repo, Options{Describe: o.Describe, Software: o.Software}, d)
}

// makeRepository writes everything; quire-repository.json comes last, so that what has one is complete.
func makeRepository(ctx context.Context, d *disk, root string, config repositoryConfig, copies []*copyFolder) error {
	if err := makeFolders(d, root); err != nil {
		return err
	}
	var names []string
	for _, c := range copies {
		names = append(names, c.name)
	}
	for _, c := range copies {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.make(config.Repository, names); err != nil {
			return err
		}
	}
	cat, err := catalogue.Open(ctx, filepath.Join(root, catalogueFile))
	if err != nil {
		return err
	}
	if err := cat.Close(); err != nil {
		return err
	}
	return d.writeConfig(root, config)
}

func makeFolders(d *disk, root string) error {
	for _, name := range []string{journalFolder, locksFolder} {
		if err := d.mkdirAll(filepath.Join(root, name)); err != nil {
			return err
		}
	}
	return nil
}

// copyPaths gives the absolute folders of the copies. No two may be the same or one inside the other.
func copyPaths(root string, given []string) ([]string, error) {
	var paths []string
	for i := range defaultCopies {
		paths = append(paths, filepath.Join(root, fmt.Sprintf("copy-%d", i+1)))
	}
	if len(given) > 0 {
		paths = nil
		for _, g := range given {
			path, err := filepath.Abs(g)
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
	}
	for i, a := range paths {
		if inside(root, a) {
			return nil, fmt.Errorf("the repository %s cannot lie in its own copy %s", root, a)
		}
		for _, b := range paths[:i] {
			if inside(a, b) || inside(b, a) {
				return nil, fmt.Errorf("copies %s and %s are not separate folders", b, a)
			}
		}
	}
	return paths, nil
}

// inside reports whether path is folder or lies below it.
func inside(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// placePath writes the path of a copy as the repository keeps it: relative for copies below the repository, so that the
// whole can be moved.
func placePath(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// checkEmpty refuses a folder with something in it.
func checkEmpty(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%s is not empty (it has %s); give a new folder, or build the catalogue of an existing repository again: quire init --rebuild", path, entries[0].Name())
}

// emptyFolders empties folders that were empty before and were only half filled.
func emptyFolders(d *disk, paths []string) error {
	var errs []error
	for _, path := range paths {
		entries, err := os.ReadDir(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		errs = append(errs, err)
		for _, e := range entries {
			errs = append(errs, d.removeAll(filepath.Join(path, e.Name())))
		}
	}
	return errors.Join(errs...)
}
