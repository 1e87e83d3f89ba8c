package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	remote "quire/repository/place"
)

// defaultCopies is the default number of copies: three, as NDSA level 2 and above require.
const defaultCopies = 3

// InitOptions control how a repository is created.
type InitOptions struct {
	Copies   []string     // folders of the copies, each empty or new; default: three below the repository
	Trust    string       // with Rebuild: the copy to believe where copies and register disagree; see [ChoiceError]
	Rebuild  bool         // build the catalogue from existing copies; see [Init]
	Describe DescribeFunc // required
	Software string       // name and version of the program, for events
	Anchors  []string     // see [Store.SetAnchors]; with Rebuild, beside those of the repository
	// Catalogue is the place of the catalogue: postgres://USER@HOST/DATABASE, or CatalogueFile. The default is a
	// file, with Rebuild the place of before.
	Catalogue   string
	Permissions // of the repository; with Rebuild, set values replace stored values
	Rules       // likewise
}

// Init creates a repository in a new or empty folder.
//
// With Rebuild it rebuilds the catalogue from the copies alone, and also the repository folder if
// it is lost. The copies are the given ones, or those the repository lists, or those below it. A
// given copy that is empty becomes a new copy, which a repair fills; at least one copy must exist.
func Init(ctx context.Context, repo string, o InitOptions) (*Store, error) {
	if !supported {
		return nil, ErrUnsupported
	}
	if o.Describe == nil {
		return nil, errors.New("store.Init: InitOptions.Describe is required")
	}
	if !o.Rebuild {
		return initWith(ctx, repo, o, &disk{})
	}
	anchors, err := anchorSettings(o.Anchors) // before anything is written
	if err != nil {
		return nil, err
	}
	s, err := rebuild(ctx, repo, o, &disk{})
	if err != nil || len(anchors) == 0 {
		return s, err
	}
	if err := s.SetAnchors(ctx, append(s.Anchors(), anchors...)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
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
	if err := o.checkRequire(len(places)); err != nil {
		return nil, err
	}
	anchors, err := anchorSettings(o.Anchors)
	if err != nil {
		return nil, err
	}
	var far []string
	places, far = foldersFirst(places)
	if len(places) == 0 {
		return nil, errors.New("a repository needs a copy that is a folder: add --copy FOLDER")
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
	d.rules = o.Rules
	config := repositoryConfig{Format: 1, Repository: newUUID(), Created: time.Now().UTC().Truncate(time.Second),
		Permissions: o.Permissions, Rules: o.Rules, Anchors: anchors}
	if err := config.setCatalogue(cmp.Or(o.Catalogue, defaultCatalogue)); err != nil {
		return nil, err
	}
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
			return nil, fmt.Errorf("creating the repository %s: %w", repo, err)
		}
		ours = append(ours, path)
	}
	if err := makeRepository(ctx, d, root, config, copies); err != nil {
		return nil, errors.Join(fmt.Errorf("creating the repository %s: %w", repo, err), dropCatalogue(ctx, config))
	}
	ours = nil // from now on, it is a repository
	s, err := openWith(ctx, repo, Options{Describe: o.Describe, Software: o.Software}, d)
	if err != nil {
		return nil, err
	}
	for _, address := range far {
		if _, err := s.AddCopy(ctx, address); err != nil {
			return nil, errors.Join(fmt.Errorf("the repository was made without %s; go on with quire copy add %s "+
				"--repo %s: %w", address, address, repo, err), s.Close())
		}
	}
	return s, nil
}

// foldersFirst separates the paths of folders from addresses.
func foldersFirst(places []string) (folders, far []string) {
	for _, p := range places {
		if remote.IsURL(p) {
			far = append(far, p)
		} else {
			folders = append(folders, p)
		}
	}
	return folders, far
}

// makeRepository writes all files. It writes quire-repository.json last: a folder that has it is
// complete.
func makeRepository(ctx context.Context, d *disk, root string, config repositoryConfig, copies []*copyFolder) error {
	d.catalogue = config.Catalogue
	if err := errors.Join(d.ownFolder(root), makeFolders(d, root)); err != nil {
		return err
	}
	for _, c := range copies {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.make(config.Repository, names(copies)); err != nil {
			return err
		}
	}
	if err := initRegister(ctx, d, root, config.Repository, copies); err != nil {
		return err
	}
	cat, err := newCatalogue(ctx, d, root, config)
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

func paths(copies []*copyFolder) []string {
	list := make([]string, 0, len(copies))
	for _, c := range copies {
		list = append(list, c.path)
	}
	return list
}

// initMark is in every folder of a repository during its creation. Only one process can create a
// mark, so only that process cleans up.
const initMark = "quire-init"

// claim marks a new or empty folder as used by this init.
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
	// Another init may have run between the first check and the mark.
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

// copyPaths returns the absolute folders of the copies. No two may be the same or one inside the
// other.
func copyPaths(root string, given []string) ([]string, error) {
	var paths []string
	for i := range defaultCopies {
		paths = append(paths, filepath.Join(root, fmt.Sprintf("copy-%d", i+1)))
	}
	if len(given) > 0 {
		paths = nil
		for _, g := range given {
			path, err := absolutePlace(g)
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

// absolutePlace returns the absolute path of a folder, or an address in its usual form.
func absolutePlace(path string) (string, error) {
	if remote.IsURL(path) {
		return remote.Clean(path)
	}
	return filepath.Abs(path)
}

// inside reports whether path is folder or is below it. It compares addresses, too.
func inside(path, folder string) bool {
	if remote.IsURL(path) || remote.IsURL(folder) {
		return path == folder || strings.HasPrefix(path, folder+"/")
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// placePath returns the stored form of a copy's path: relative for copies below the repository, to
// allow moving the whole.
func placePath(root, path string) string {
	if remote.IsURL(path) {
		return path
	}
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// notOurs is a folder that file systems create in their root.
const notOurs = "lost+found"

// checkEmpty refuses a folder that is not empty.
func checkEmpty(path string) error {
	names, err := namesIn(path)
	if err != nil || len(names) == 0 {
		return err
	}
	return fmt.Errorf("%s is not empty (it has %s); give a new folder, or build the catalogue of an existing "+
		"repository again: quire init rebuild", path, names[0])
}

// namesIn lists the entries of a folder, or none if it does not exist.
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

// emptyFolders empties folders that a failed init partly filled. It removes the marks last.
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
