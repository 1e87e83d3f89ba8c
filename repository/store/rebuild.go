package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"quire/internal/postgres"
)

// rebuild builds a new catalogue from the copies, beside the old catalogue. It replaces the old
// catalogue when the new catalogue is complete.
func rebuild(ctx context.Context, repo string, o InitOptions, d *disk) (*Store, error) {
	root, err := filepath.Abs(repo)
	if err != nil {
		return nil, err
	}
	if err := permitRebuild(root, o, d); err != nil {
		return nil, fmt.Errorf("repository: %w", err)
	}
	if err := makeFolders(d, root); err != nil {
		return nil, fmt.Errorf("repository: %w", err)
	}
	was, _ := readConfig(root) // a repository file that is lost or damaged is made again
	a, warning, err := aloneForRebuild(root, repo, was, o)
	if err != nil {
		return nil, err
	}
	defer a.release()
	config, err := findCopies(ctx, root, o, d)
	if err == nil {
		err = o.checkRequire(len(config.Copies))
	}
	if err == nil && config.Catalogue != was.Catalogue {
		err = a.also(root, config)
	}
	if err == nil {
		err = a.still(ctx, root, was)
	}
	if err != nil {
		return nil, err
	}
	if err := d.keepDamaged(root); err != nil {
		return nil, fmt.Errorf("repository: %w", err)
	}
	// The settings name the earlier catalogue until the other one is complete. If they were lost, they name the one
	// that a person chose, also after a kill.
	before := config
	if was.Repository != "" {
		before.Catalogue = was.Catalogue
	}
	if err := d.writeConfig(root, before); err != nil {
		return nil, fmt.Errorf("repository: %w", err)
	}
	recovered, err := rebuildCatalogue(ctx, root, config, o, d)
	if err == nil {
		err = a.still(ctx, root, before)
	}
	if err == nil {
		err = takeCatalogue(ctx, d, root, config)
	}
	if err != nil {
		return nil, fmt.Errorf("rebuilding %s: %w", repo, err)
	}
	if err := d.writeConfig(root, config); err != nil {
		return nil, fmt.Errorf("repository: %w", err)
	}
	if err := leaveCatalogue(ctx, d, root, was, config); err != nil {
		warning = append(warning, Recovery{Outcome: Pending, Detail: err.Error()})
	}
	if err := noteCatalogueIn(root, config, d); err != nil {
		warning = append(warning, Recovery{Outcome: Pending, Detail: err.Error()})
	}
	a.release()
	s, err := openWith(ctx, repo, Options{Describe: o.Describe, Software: o.Software}, d)
	if err != nil {
		return nil, err
	}
	s.recovered = slices.Concat(config.mended, warning, recovered, s.recovered)
	return s, nil
}

// aloneForRebuild takes the locks for a rebuild. A database that is gone for ever must not prevent a rebuild into
// another place.
func aloneForRebuild(root, repo string, was repositoryConfig, o InitOptions) (*alone, []Recovery, error) {
	a, err := aloneIn(root, repo, was)
	if err == nil || o.Catalogue == "" || o.Catalogue == was.Catalogue || !postgres.Unreachable(err) {
		return a, nil, err
	}
	warning := Recovery{Outcome: Pending, Detail: fmt.Sprintf("the earlier catalogue is out of reach, so other "+
		"machines may use the repository now: %v", err)}
	was.Catalogue = ""
	a, err = aloneIn(root, repo, was)
	return a, []Recovery{warning}, err
}

// findCopies returns the configuration: from the given folders, or those the repository lists, or
// those below it.
func findCopies(ctx context.Context, root string, o InitOptions, d *disk) (repositoryConfig, error) {
	given := o.Copies
	config := repositoryConfig{Format: 1, Created: time.Now().UTC().Truncate(time.Second)}
	old, err := readConfig(root)
	if err == nil {
		config = old
	} else if !errors.Is(err, ErrNotRepository) && !errors.Is(err, errGarbled) {
		return config, err
	}
	if err := config.setCatalogue(o.Catalogue); err != nil {
		return config, err
	}
	paths, invalid := copyPaths(root, given)
	if invalid != nil {
		return config, invalid
	}
	if len(given) == 0 && len(config.Copies) > 0 {
		paths = nil
		for _, c := range config.Copies {
			paths = append(paths, c.absolute(root))
		}
	} else if below := copiesBelow(root); len(given) == 0 && len(below) > 0 {
		paths = below
	}
	found, unfit := config.readCopies(root, paths, len(given) > 0)
	if unfit != nil {
		return config, unfit
	}
	// Until the catalogue is complete, each copy names its earlier place: the rebuild may fail, or be killed.
	d.catalogue = old.Catalogue
	if err != nil { // the settings are lost or damaged
		if err := config.chooseCatalogue(&found, o.Catalogue); err != nil {
			return config, err
		}
		d.catalogue = found.database()
	}
	config.Permissions, config.Rules = d.asked, d.rules
	return config, config.fill(ctx, root, paths, len(given) > 0, &found, d)
}

// damagedSuffix is added to the name of a damaged quire-repository.json, which a person may read.
const damagedSuffix = ".damaged"

// keepDamaged renames a damaged quire-repository.json.
func (d *disk) keepDamaged(root string) error {
	if _, err := readConfig(root); !errors.Is(err, errGarbled) {
		return nil // writing the file reports other errors
	}
	path := filepath.Join(root, repositoryFile)
	return d.rename(path, path+damagedSuffix)
}

// permitRebuild sets the permissions for new files, and the rules: the requested ones, or else those
// stored in the repository or in one of its copies.
func permitRebuild(root string, o InitOptions, d *disk) error {
	paths, err := copyPaths(root, o.Copies)
	if err != nil {
		return err
	}
	var p Permissions
	var r Rules
	for _, path := range append(paths, copiesBelow(root)...) {
		if id, err := readIdentity(path); err == nil {
			p, r = id.Permissions, id.Rules
			break
		}
	}
	if old, err := readConfig(root); err == nil {
		p, r = old.Permissions, old.Rules
	}
	d.rules = Rules{Validation: o.Validation || r.Validation, Require: cmp.Or(o.Require, r.Require),
		AuditSchedule: r.AuditSchedule}
	if o.AuditSchedule != nil {
		d.rules.AuditSchedule = o.AuditSchedule
	}
	return d.permit(Permissions{Mode: cmp.Or(o.Mode, p.Mode), Group: cmp.Or(o.Group, p.Group)})
}

// foundCopies is what a rebuild found in the places of the copies.
type foundCopies struct {
	known []CopyPlace       // of the settings
	used  map[string]bool   // the names that copies ever had
	noted map[string]string // name of a copy with an identity → the database that it names, "" for none
	empty []string          // places that can become new copies
	lost  []string          // copies without an identity
}

// readCopies reads the identities of the copies, each once. Empty folders can become new copies only if the caller
// named them: an empty folder in a known place is most likely an unmounted disk.
func (config *repositoryConfig) readCopies(root string, paths []string, given bool) (foundCopies, error) {
	f := foundCopies{known: config.Copies, used: map[string]bool{}, noted: map[string]string{}}
	config.Copies = nil
	for _, k := range f.known {
		f.used[k.Name] = true
	}
	for _, path := range paths {
		id, err := readIdentity(path)
		if err != nil && given && emptyPlace(path, err) {
			f.empty = append(f.empty, path)
			continue
		}
		if unsigned(path, err) {
			f.lost = append(f.lost, path)
			continue
		}
		if err != nil {
			return f, fmt.Errorf("%w; name the folders of the copies with --copy", err)
		}
		if config.Repository == "" {
			config.Repository = id.Repository
		}
		if id.Retired != nil {
			if f.used[id.Name] = true; given {
				return f, fmt.Errorf("%s is %s, which was retired at %s; leave it out", path, id.Name,
					id.Retired.UTC().Format(time.RFC3339))
			}
			continue
		}
		_, seen := f.noted[id.Name]
		if id.Repository != config.Repository || seen || !validName(id.Name) || !isToken(id.Repository) {
			return f, fmt.Errorf("%s is copy %q of repository %s, which does not fit with the others (repository %s)",
				path, id.Name, id.Repository, config.Repository)
		}
		f.used[id.Name], f.noted[id.Name] = true, id.Catalogue
		for _, name := range id.Names {
			f.used[name] = true
		}
		config.Copies = append(config.Copies, CopyPlace{Name: id.Name, Path: placePath(root, path)})
	}
	return f, nil
}

// fill lists the copies that were found, and writes the identities of lost and new ones.
func (config *repositoryConfig) fill(ctx context.Context, root string, paths []string, given bool, f *foundCopies,
	d *disk) error {
	if err := config.recognize(ctx, root, f.lost, paths, f.known, f.used, d); err != nil {
		return fmt.Errorf("%w; name the folders of the copies with --copy, and leave this one out", err)
	}
	if err := config.complete(f.known, f.used, given); err != nil {
		return err
	}
	slices.SortStableFunc(config.Copies, func(a, b CopyPlace) int {
		return cmp.Compare(slices.Index(paths, a.absolute(root)), slices.Index(paths, b.absolute(root)))
	})
	if len(config.Copies) == 0 {
		return errors.New("none of the folders is a copy of a repository, so there is nothing to rebuild from")
	}
	return config.addCopies(root, f, d)
}

// complete refuses to forget a copy. Without quire-repository.json, only the copies know of each
// other.
func (config *repositoryConfig) complete(known []CopyPlace, used map[string]bool, given bool) error {
	if given || len(known) > 0 {
		return nil
	}
	for _, name := range sortedKeys(used) {
		if !slices.ContainsFunc(config.Copies, func(p CopyPlace) bool { return p.Name == name }) {
			return fmt.Errorf("the repository also had %s, which is not here; name the folders of all copies with "+
				"--copy", name)
		}
	}
	return nil
}

// addCopies creates new copies, and adds their names to the identities of the old copies.
func (config *repositoryConfig) addCopies(root string, f *foundCopies, d *disk) error {
	if len(f.empty) == 0 {
		return nil
	}
	var added []*copyFolder
	for _, path := range f.empty {
		name := freeName(f.used)
		f.used[name] = true
		added = append(added, copyAt(name, path, d, root))
	}
	names := sortedKeys(f.used)
	for _, place := range config.Copies {
		old := copyAt(place.Name, place.absolute(root), d, root)
		id := old.identity(config.Repository, names)
		if noted, ok := f.noted[old.name]; ok { // else it was lost, and is signed now
			id.Catalogue = noted
		}
		if err := old.write(id); err != nil {
			return fmt.Errorf("copy %s: %w", old.name, err)
		}
	}
	for _, c := range added {
		if err := c.makeAny(config.Repository, names); err != nil {
			return err
		}
		config.Copies = append(config.Copies, CopyPlace{Name: c.name, Path: placePath(root, c.path)})
	}
	return nil
}

// freeName returns a name that no copy of this repository ever had.
func freeName(used map[string]bool) string {
	for n := 1; ; n++ {
		if name := fmt.Sprintf("copy-%d", n); !used[name] {
			return name
		}
	}
}

// rebuildCatalogue fills a new catalogue, beside the place of the repository's. It returns the changes that were
// finished, undone or unreadable.
func rebuildCatalogue(ctx context.Context, root string, config repositoryConfig, o InitOptions, d *disk) ([]Recovery,
	error) {
	s := makeStore(root, config, Options{Describe: o.Describe, Software: o.Software}, d)
	cat, err := newCatalogueBeside(ctx, d, root, config)
	if err != nil {
		return nil, err
	}
	s.catalogue, s.rebuilding, s.trust = cat, true, o.Trust
	err = s.fillCatalogue(ctx)
	err = errors.Join(err, cat.Close(), s.locks.close())
	if err != nil {
		return nil, errors.Join(err, dropCatalogueBeside(ctx, d, root, config))
	}
	return s.Recovered(), nil
}

// fillCatalogue finishes or undoes interrupted changes, and registers every object of every copy.
func (s *Store) fillCatalogue(ctx context.Context) error {
	if s.trust != "" && s.copyNamed(s.trust) == nil {
		return fmt.Errorf("the repository has no copy %q to trust", s.trust)
	}
	if err := errors.Join(s.mendRegister(ctx), s.restoreRegister(ctx)); err != nil {
		return err
	}
	far := s.farPresent()
	if err := s.stageCopyings(ctx, far); err != nil {
		return err
	}
	if err := s.recover(ctx); err != nil {
		return err
	}
	gone, err := s.purgesFirst(ctx, far)
	if err != nil {
		return err
	}
	failed := map[string]error{} // of objects in folders
	for _, c := range s.present() {
		err := c.eachObject(ctx, func(path string) error {
			if gone.byPath[path] != nil {
				_, err := s.purgeAgain(ctx, c.name, path)
				return err
			}
			if _, before := failed[path]; before {
				return nil
			}
			if _, err := s.catalogue.AtPath(ctx, path); err == nil {
				return nil
			}
			if err := s.recordObject(ctx, path, nil); err != nil {
				failed[path] = err
			}
			return ctx.Err()
		}, func(string, error) {}) // unexpected files are reported by the audit
		if err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	if err := s.fillFromFar(ctx, far, gone, failed); err != nil {
		return err
	}
	if err := s.catalogue.EndCopying(ctx, s.stagedRuns...); err != nil {
		return err
	}
	return s.importAudits(ctx)
}
