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

// defaultCopies is how many copies a repository has when nothing is said: three, as NDSA level 2
// and up ask.
const defaultCopies = 3

// InitOptions say how a repository is made.
type InitOptions struct {
	Copies      []string     // folders of the copies, each empty or new; none: three below the repository
	Rebuild     bool         // build the catalogue from copies that exist already; see [Init]
	Describe    DescribeFunc // required
	Software    string       // name and version of the program, for events
	Permissions              // of the repository; with Rebuild, those that are not empty replace the stored ones
}

// Init makes a repository in a new or empty folder.
//
// With Rebuild it makes the catalogue again from the copies alone, and the repository folder too
// where it is lost. The copies are those given, or those the repository lists, or those below it. A
// copy that was given and is empty becomes a new copy, to be filled by a repair; at least one must
// exist.
func Init(ctx context.Context, repo string, o InitOptions) (*Store, error) {
	if !supported {
		return nil, ErrUnsupported
	}
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
	places, err := copyPaths(root, o.Copies)
	if err != nil {
		return nil, err
	}
	if exists(filepath.Join(root, initMark)) && !exists(filepath.Join(root, repositoryFile)) {
		return nil,
			fmt.Errorf("repository: an init of %s is under way or was cut off (%s); if none is under way, remove the "+
				"folder, and the copies if they are elsewhere, and try again", root, initMark)
	}
	if err := checkEmpty(root); err != nil {
		return nil, fmt.Errorf("repository: %w", err)
	}
	if err := d.permit(o.Permissions); err != nil {
		return nil, fmt.Errorf("repository: %w", err)
	}
	config := repositoryConfig{Format: 1, Repository: newUUID(), Created: time.Now().UTC().Truncate(time.Second),
		Permissions: o.Permissions}
	copies := make([]*copyFolder, 0, len(places))
	for i, path := range places {
		if err := checkEmpty(path); err != nil {
			return nil, fmt.Errorf("copy: %w", err)
		}
		name := fmt.Sprintf("copy-%d", i+1)
		config.Copies = append(config.Copies, CopyPlace{Name: name, Path: placePath(root, path)})
		copies = append(copies, &copyFolder{name: name, path: path, disk: d})
	}
	var ours []string
	defer func() {
		if err != nil {
			err = errors.Join(err, emptyFolders(d, ours))
		}
	}()
	for _, path := range append([]string{root}, places...) {
		if err := claim(d, path); err != nil {
			return nil, fmt.Errorf("making the repository %s: %w", repo, err)
		}
		ours = append(ours, path)
	}
	if err := makeRepository(ctx, d, root, config, copies); err != nil {
		return nil, fmt.Errorf("making the repository %s: %w", repo, err)
	}
	return openWith(ctx, repo, Options{Describe: o.Describe, Software: o.Software}, d)
}

// makeRepository writes everything; quire-repository.json comes last, so that what has one is
// complete.
func makeRepository(ctx context.Context, d *disk, root string, config repositoryConfig, copies []*copyFolder) error {
	if err := errors.Join(d.ownFolder(root), makeFolders(d, root)); err != nil {
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
	cat, err := newCatalogue(ctx, d, filepath.Join(root, catalogueFile))
	if err != nil {
		return err
	}
	if err := cat.Close(); err != nil {
		return err
	}
	if err := d.writeConfig(root, config); err != nil {
		return err
	}
	for _, path := range append([]string{root}, paths(copies)...) {
		if err := d.removeAll(filepath.Join(path, initMark)); err != nil {
			return err
		}
	}
	return nil
}

// newCatalogue makes the file before SQLite does, which gives its log the same permissions.
func newCatalogue(ctx context.Context, d *disk, path string) (*catalogue.Catalogue, error) {
	if err := d.writeFile(path, nil, workingFile); err != nil {
		return nil, err
	}
	return catalogue.Open(ctx, path)
}

func paths(copies []*copyFolder) []string {
	list := make([]string, 0, len(copies))
	for _, c := range copies {
		list = append(list, c.path)
	}
	return list
}

// initMark is in every folder of a repository while it is made. Only one process can make a mark,
// so only the one that made it cleans up.
const initMark = "quire-init"

// claim marks a new or empty folder as ours.
func claim(d *disk, path string) error {
	if err := d.mkdirAll(path); err != nil {
		return err
	}
	mark, err := d.create(filepath.Join(path, initMark), workingFile)
	if err != nil {
		return err
	}
	if err := mark.finish(); err != nil {
		return errors.Join(err, d.removeAll(mark.path))
	}
	// Another init may have come and gone between the first look and the mark.
	if err := checkEmpty(path); err != nil {
		return errors.Join(err, d.removeAll(mark.path))
	}
	return nil
}

func makeFolders(d *disk, root string) error {
	for _, name := range []string{journalFolder, locksFolder} {
		if err := d.mkdirAll(filepath.Join(root, name)); err != nil {
			return err
		}
	}
	return nil
}

// copyPaths gives the absolute folders of the copies. No two may be the same or one inside the
// other.
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

// placePath writes the path of a copy as the repository keeps it: relative for copies below the
// repository, so that the whole can be moved.
func placePath(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// notOurs is what a file system puts into its root by itself.
const notOurs = "lost+found"

// checkEmpty refuses a folder with something in it.
func checkEmpty(path string) error {
	names, err := namesIn(path)
	if err != nil || len(names) == 0 {
		return err
	}
	return fmt.Errorf("%s is not empty (it has %s); give a new folder, or build the catalogue of an existing "+
		"repository again: quire init --rebuild", path, names[0])
}

// namesIn lists what is in a folder; nothing, where there is none.
func namesIn(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Name() != notOurs && e.Name() != initMark {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// emptyFolders empties folders that were empty before and were only half filled. The marks go last.
func emptyFolders(d *disk, paths []string) error {
	var errs []error
	for _, path := range paths {
		names, err := namesIn(path)
		errs = append(errs, err)
		for _, name := range names {
			errs = append(errs, d.removeAll(filepath.Join(path, name)))
		}
		if exists(filepath.Join(path, initMark)) {
			errs = append(errs, d.removeAll(filepath.Join(path, initMark)))
		}
	}
	return errors.Join(errs...)
}
