package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quire/internal/postgres"
	"quire/internal/sqlite"
	"quire/repository/catalogue"
)

// CatalogueFile asks [InitOptions.Catalogue] for a file of SQLite, beside quire-repository.json.
const CatalogueFile = "sqlite"

// defaultCatalogue is the default place of a new catalogue; tests set a database.
var defaultCatalogue string

// setCatalogue sets the place of the catalogue; "" leaves it.
func (config *repositoryConfig) setCatalogue(value string) error {
	switch value {
	case "":
		return nil
	case CatalogueFile:
		config.Catalogue = ""
		return nil
	}
	config.Catalogue = value
	return postgres.Check(value)
}

// database returns the place of the catalogue, if it is in a database. Each repository has a schema of its own
// there, with its UUID as name.
func (config *repositoryConfig) database() (postgres.Place, bool) {
	if config.Catalogue == "" {
		return postgres.Place{}, false
	}
	return postgres.Place{Address: config.Catalogue,
		Schema: "quire_" + strings.ReplaceAll(config.Repository, "-", "_")}, true
}

// newSuffix marks a catalogue that is being made, and takes the place of another one when it is complete.
const newSuffix = "new"

// beside returns the schema of a catalogue that is being made.
func beside(p postgres.Place) postgres.Place {
	return postgres.Place{Address: p.Address, Schema: p.Schema + "_" + newSuffix}
}

// newCatalogue makes an empty catalogue for the repository in a folder, in its place.
func newCatalogue(ctx context.Context, d *disk, root string, config repositoryConfig) (*catalogue.Catalogue, error) {
	if p, ok := config.database(); ok {
		return createDatabase(ctx, p)
	}
	return newCatalogueFile(ctx, d, filepath.Join(root, catalogueFile))
}

// newCatalogueBeside is newCatalogue for a catalogue that [takeCatalogue] puts in its place later.
func newCatalogueBeside(ctx context.Context, d *disk, root string, config repositoryConfig) (*catalogue.Catalogue,
	error) {
	if p, ok := config.database(); ok {
		return createDatabase(ctx, beside(p))
	}
	temp := fileBeside(root)
	if err := removeCatalogue(d, temp); err != nil {
		return nil, err
	}
	return newCatalogueFile(ctx, d, temp)
}

func createDatabase(ctx context.Context, p postgres.Place) (*catalogue.Catalogue, error) {
	c, err := catalogue.CreateDatabase(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("making the catalogue: %w", err)
	}
	return c, nil
}

func fileBeside(root string) string { return filepath.Join(root, catalogueFile+"."+newSuffix) }

// newCatalogueFile creates the file before SQLite does, because SQLite gives its log the same
// permissions.
func newCatalogueFile(ctx context.Context, d *disk, path string) (*catalogue.Catalogue, error) {
	if err := d.writeFile(path, nil, workingFile); err != nil {
		return nil, err
	}
	return catalogue.Open(ctx, path)
}

// takeCatalogue puts a complete catalogue that was made beside in its place.
func takeCatalogue(ctx context.Context, d *disk, root string, config repositoryConfig) error {
	if p, ok := config.database(); ok {
		return catalogue.ReplaceDatabase(ctx, p, beside(p).Schema)
	}
	// The old catalogue is removed first, with its log: SQLite would apply an old log to a new
	// database. If interrupted between the two, no catalogue remains, and Open asks for a rebuild.
	final := filepath.Join(root, catalogueFile)
	if err := removeCatalogue(d, final); err != nil {
		return err
	}
	return d.rename(fileBeside(root), final)
}

// dropCatalogueBeside removes a catalogue that was made beside, and is not complete.
func dropCatalogueBeside(ctx context.Context, d *disk, root string, config repositoryConfig) error {
	if p, ok := config.database(); ok {
		return catalogue.DropDatabase(context.WithoutCancel(ctx), beside(p))
	}
	return removeCatalogue(d, fileBeside(root))
}

// dropCatalogue removes the catalogue of a repository that was not made, from its database. A file goes with the
// folder.
func dropCatalogue(ctx context.Context, config repositoryConfig) error {
	p, ok := config.database()
	if !ok {
		return nil
	}
	err := catalogue.DropDatabase(context.WithoutCancel(ctx), p)
	if postgres.Unreachable(err) {
		return nil // the first error says so
	}
	return err
}

// leaveCatalogue removes the catalogue of a repository that has another one now.
func leaveCatalogue(ctx context.Context, d *disk, root string, was, now repositoryConfig) error {
	if was.Catalogue == now.Catalogue {
		return nil
	}
	p, ok := was.database()
	if !ok {
		return removeCatalogue(d, filepath.Join(root, catalogueFile))
	}
	if err := catalogue.DropDatabase(ctx, p); err != nil {
		return fmt.Errorf("the earlier catalogue remains in %s; drop its schema there, unless it is the same database "+
			"under another name: %w", p, err)
	}
	return nil
}

func removeCatalogue(d *disk, path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := d.allow("remove", path+suffix); err != nil {
			return err
		}
		if err := os.Remove(path + suffix); err != nil && !notThere(err) {
			return err
		}
	}
	return d.syncDir(filepath.Dir(path))
}

// openCatalogue opens the catalogue. Its error advises a rebuild only if the catalogue is damaged or missing.
func (s *Store) openCatalogue(ctx context.Context) (*catalogue.Catalogue, error) {
	if s.database != nil {
		return s.openDatabase(ctx)
	}
	open := catalogue.Open
	if s.onlyReads {
		open = catalogue.OpenForReading
	}
	if s.readOnly {
		open = catalogue.OpenReadOnly
	}
	c, err := open(ctx, s.cataloguePath())
	switch {
	case sqlite.Denied(err):
		err = fmt.Errorf("%w: %w", fs.ErrPermission, err)
	case sqlite.Damaged(err):
		err = fmt.Errorf("%w; it is damaged: build it again from the copies: quire init rebuild %s", err, s.root)
	}
	return c, err
}

func (s *Store) openDatabase(ctx context.Context) (*catalogue.Catalogue, error) {
	mode := catalogue.ForWriting
	if s.onlyReads {
		mode = catalogue.ForReading
	}
	if s.readOnly {
		mode = catalogue.ReadOnly
	}
	c, err := catalogue.OpenDatabase(ctx, *s.database, mode)
	if errors.Is(err, catalogue.ErrMayNotWrite) {
		s.readOnly = true
		c, err = catalogue.OpenDatabase(ctx, *s.database, catalogue.ReadOnly)
	}
	switch {
	case postgres.Denied(err):
		err = fmt.Errorf("%w: %w", fs.ErrPermission, err)
	case errors.Is(err, catalogue.ErrNoSchema):
		err = fmt.Errorf("its catalogue is not in %s; build it again from the copies: quire init rebuild %s",
			s.database, s.root)
	}
	return c, err
}

// checkCatalogue returns an error for a file of a catalogue that is missing, empty or cut off. The error names
// the command that mends it.
func (s *Store) checkCatalogue(ctx context.Context, repo string) error {
	if s.database != nil {
		return nil // opening it reports that it is missing
	}
	err := checkCatalogue(ctx, s.cataloguePath())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("repository %s has no %s; build it again from the copies: quire init rebuild %s", repo,
			catalogueFile, repo)
	case errors.Is(err, errCatalogue):
		return fmt.Errorf("%s: %w; build it again from the copies: quire init rebuild %s", s.cataloguePath(), err, repo)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("repository %s: %w", repo, err)
	}
	return err
}
