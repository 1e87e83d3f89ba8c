package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"quire/repository/catalogue"
)

// MoveCatalogue moves the catalogue of the repository in a folder to another place: a database, or
// [CatalogueFile]. No process may have the repository open. If it is interrupted, the repository has the one
// catalogue or the other, whole. done, if not nil, receives the number of packages written.
func MoveCatalogue(ctx context.Context, repo, to string, done func(packages int64)) (Moved, error) {
	return moveCatalogue(ctx, repo, to, done, &disk{})
}

// Moved is the result of [MoveCatalogue].
type Moved struct {
	catalogue.Transferred
	// Warnings say what remains to be done; the repository has its catalogue in the other place.
	Warnings []string `json:"warnings,omitempty"`
}

func moveCatalogue(ctx context.Context, repo, to string, done func(packages int64), d *disk) (n Moved, err error) {
	root, err := filepath.Abs(repo)
	if err != nil {
		return n, err
	}
	was, err := readConfig(root)
	if err != nil {
		return n, err
	}
	now := was
	if err := now.setCatalogue(to); err != nil {
		return n, err
	}
	if now.Catalogue == was.Catalogue {
		return n, fmt.Errorf("the catalogue of %s is there already", repo)
	}
	a, err := aloneIn(root, repo, was)
	if err != nil {
		return n, err
	}
	defer a.release()
	if err := a.also(root, now); err != nil {
		return n, err
	}
	if err := a.still(ctx, root, was); err != nil {
		return n, err
	}
	if was, err = readConfig(root); err != nil { // what changed before the locks were taken
		return n, err
	}
	now = was
	if err := now.setCatalogue(to); err != nil {
		return n, err
	}
	if err := d.permit(was.Permissions); err != nil {
		return n, err
	}
	n.Transferred, err = transfer(ctx, d, root, was, now, done)
	if err == nil {
		err = a.still(ctx, root, was)
	}
	if err != nil {
		return n, errors.Join(fmt.Errorf("moving the catalogue of %s: %w", repo, err),
			dropCatalogueBeside(ctx, d, root, now))
	}
	// The repository has the earlier catalogue until the file names the other one.
	if err := takeCatalogue(ctx, d, root, now); err != nil {
		return n, err
	}
	if err := d.writeConfig(root, now); err != nil {
		return n, err
	}
	for _, err := range []error{noteCatalogueIn(root, now, d), leaveCatalogue(ctx, d, root, was, now)} {
		if err != nil {
			n.Warnings = append(n.Warnings, err.Error())
		}
	}
	return n, nil
}

// transfer writes the catalogue into a new one beside its later place.
func transfer(ctx context.Context, d *disk, root string, was, now repositoryConfig, done func(int64)) (
	n catalogue.Transferred, err error) {
	s := makeStore(root, was, Options{}, d)
	if err := s.checkCatalogue(ctx, root); err != nil {
		return n, err
	}
	from, err := s.openCatalogue(ctx)
	if err != nil {
		return n, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := newCatalogueBeside(ctx, d, root, now)
	if err != nil {
		return n, err
	}
	n, err = catalogue.Transfer(ctx, from, to, done)
	return n, errors.Join(err, to.Close())
}
