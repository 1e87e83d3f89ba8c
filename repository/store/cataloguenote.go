package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quire/internal/postgres"
)

// Each copy names the database of the catalogue. If quire-repository.json is lost, a rebuild asks for the place,
// because a file beside a database in use would be a second catalogue. An address never has a password.

// noteCatalogue writes the address of the catalogue into the copies that name another one. It leaves out copies that
// are away or damaged: a later command writes it there.
func noteCatalogue(copies []*copyFolder, repository, address string) error {
	var errs []error
	for _, c := range copies {
		text, err := c.readIdentity()
		if err != nil {
			continue
		}
		id, err := parseIdentity(text)
		if err != nil || id.Repository != repository || id.Name != c.name || id.Catalogue == address {
			continue
		}
		id.Catalogue = address
		if err := c.write(id); err != nil {
			errs = append(errs, fmt.Errorf("copy %s: %s does not name the new place of the catalogue: %w", c.name,
				copyFile, err))
		}
	}
	return errors.Join(errs...)
}

// noteCatalogueIn is noteCatalogue for a repository without an open Store.
func noteCatalogueIn(root string, config repositoryConfig, d *disk) error {
	copies := make([]*copyFolder, 0, len(config.Copies))
	for _, p := range config.Copies {
		copies = append(copies, copyAt(p.Name, p.absolute(root), d, root))
	}
	return noteCatalogue(copies, config.Repository, config.Catalogue)
}

// settleNotes writes the place of the catalogue into copies that were away when it changed. It tries: no command
// depends on it, and the next one tries again.
func (s *Store) settleNotes(present []*copyFolder) {
	stale := slices.DeleteFunc(present, func(c *copyFolder) bool {
		id, err := readIdentity(c.path)
		return err != nil || id.Catalogue == s.disk.catalogue
	})
	if len(stale) == 0 {
		return
	}
	set, err := s.tryLock(copiesLock, exclusive, "the list of copies of "+s.root, "noting the catalogue")
	if err != nil {
		return
	}
	defer set.release()
	if s.sameCopies() == nil {
		_ = noteCatalogue(stale, s.id, s.disk.catalogue)
	}
}

// database returns a database that the copies name, or "".
func (f *foundCopies) database() string {
	for _, name := range sortedKeys(f.noted) {
		if address := f.noted[name]; address != "" && postgres.CheckForm(address) == nil {
			return address
		}
	}
	return ""
}

// databases returns the databases that the copies name, for messages.
func (f *foundCopies) databases() []string {
	var all []string
	for _, address := range f.noted {
		if address != "" && postgres.CheckForm(address) != nil {
			address = "a database, with a damaged address"
		}
		if address != "" {
			all = append(all, address)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// chooseCatalogue returns an error if a rebuild without quire-repository.json does not know the place of the
// catalogue. It makes a warning if a person chose another place than the copies name.
func (config *repositoryConfig) chooseCatalogue(f *foundCopies, chosen string) error {
	noted := slices.DeleteFunc(f.databases(), func(a string) bool { return a == config.Catalogue })
	if len(noted) == 0 {
		return nil
	}
	named := strings.Join(noted, " and ")
	if chosen == "" {
		return fmt.Errorf("%s is lost or damaged; the catalogue was in %s. Choose its place: --catalogue ADDRESS, or "+
			"--catalogue %s for a file", repositoryFile, named, CatalogueFile)
	}
	config.mended = append(config.mended, Recovery{Outcome: Pending, Detail: fmt.Sprintf("the copies named another "+
		"address of the catalogue, %s; other machines may use it. If none does, drop its schema there, unless it is "+
		"the same database under another name", named)})
	return nil
}
