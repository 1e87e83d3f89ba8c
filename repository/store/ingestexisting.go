package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// findPrevious finds the existing object of a package with this id, and chooses the copies that get
// the package. The present copies must agree on the object: a new version on top of a difference would
// hide it. A copy that is owed the newest version is owed the next one, too.
func (in *ingest) findPrevious(ctx context.Context) error {
	s := in.store
	card, err := s.catalogue.Package(ctx, in.survey.pkg.ID)
	switch {
	case errors.Is(err, catalogue.ErrNotFound):
		in.targets = in.present
		err = in.nothingThere()
	case err == nil:
		err = in.agree(ctx, card)
	}
	if err != nil {
		return err
	}
	in.owed = s.without(in.targets)
	if len(in.targets)+len(in.far) < in.required() || len(in.targets) == 0 {
		return fmt.Errorf("package %s has its newest version in %d copies; the repository requires %d. Bring the "+
			"others up to date first: quire audit --repair", card.ID, len(in.targets), in.required())
	}
	if in.previous != nil {
		in.journal.Previous = in.previous.sum
		in.journal.Version = in.previous.head() + 1
	}
	return nil
}

// required returns the number of copies that must be written.
func (in *ingest) required() int {
	if in.options.present {
		return 1
	}
	return in.store.Required()
}

// nothingThere checks that no copy has an object of a new package.
func (in *ingest) nothingThere() error {
	for _, c := range in.present {
		if exists(c.object(in.path)) {
			return fmt.Errorf("copy %s has an object for %s that the catalogue does not know (%s); build the "+
				"catalogue again: quire init rebuild", c.name, in.survey.pkg.ID, c.object(in.path))
		}
	}
	return nil
}

// agree compares the present copies of a stored package by their inventories and last known states.
func (in *ingest) agree(ctx context.Context, card catalogue.Package) error {
	s := in.store
	held, err := s.catalogue.Copies(ctx, card.ID)
	if err != nil {
		return err
	}
	known := map[string]catalogue.Copy{}
	for _, k := range held {
		known[k.Name] = k
	}
	var wrong problems
	for _, c := range in.present {
		k := known[c.name]
		lacks := k.Status == catalogue.Owed || k.Status == catalogue.Missing
		if lacks && in.required() < len(s.copies) {
			continue
		}
		o, err := openObject(c.object(in.path))
		switch {
		case err != nil && lacks:
			wrong.add("copy "+c.name, "lacks the package: quire audit --repair --owed brings it")
			continue
		case err != nil:
			wrong.add("copy "+c.name, "%v", err)
		case o.sum != card.Inventory:
			wrong.add("copy "+c.name, "its inventory has SHA-512 %s, but the catalogue has %s", o.sum, card.Inventory)
		case in.previous == nil:
			in.previous = o
		}
		if k.Status != catalogue.Good && k.Name != "" {
			wrong.add("copy "+k.Name, "was found %s at %s", k.Status, k.Since.Format(time.RFC3339))
		}
		in.targets = append(in.targets, c)
	}
	return wrong.err(fmt.Sprintf("package %s is stored, but damaged (audit it, and repair it from a good "+
		"copy)", in.survey.pkg.ID))
}

// based checks that the object has the version that the change is made from.
func (in *ingest) based() error {
	base, head := in.options.base, 0
	if in.previous != nil {
		head = in.previous.head()
	}
	if base == nil || *base < 0 || *base == head {
		return nil
	}
	return fmt.Errorf("%s has version %d, not %d: %w", in.survey.pkg.ID, head, *base, ErrChanged)
}

// differs names a file that differs from the newest version, or returns "". It compares the digests
// that the package states with state, which it uses up; only the METS, which has no stated digest,
// is read.
func (in *ingest) differs(state map[string]string) string {
	for _, f := range in.survey.files {
		digest := f.stated
		if digest == "" {
			digest, _ = sumFile(in.survey.diskPath(f)) // an unreadable file differs
		}
		if state[f.path] != digest {
			return f.path
		}
		delete(state, f.path)
	}
	for _, path := range sortedKeys(state) {
		return path
	}
	return ""
}

// alreadyStored confirms a package without writing it. It reads the package and compares it with
// its stated digests. It also reads every copy and compares it with the inventory.
func (in *ingest) alreadyStored(ctx context.Context) (Receipt, error) {
	in.keep = make([]bool, len(in.survey.files))
	if err := in.stage(ctx, nil); err != nil {
		return Receipt{}, err
	}
	card, err := in.store.card(ctx, in.survey.pkg.ID)
	if err != nil {
		return Receipt{}, err
	}
	found := newCollector(in.store.maxFindings,
		newMeter(in.options.Progress, Auditing, card.Bytes*int64(len(in.targets))))
	have, lack, err := in.farStates(ctx)
	if err != nil {
		return Receipt{}, err
	}
	in.targets = append(in.targets, have...)
	if _, err := in.store.examine(ctx, card, in.targets, found.add, found.advance); err != nil {
		return Receipt{}, err
	}
	if len(found.list) > 0 {
		var wrong problems
		for _, f := range found.list {
			wrong.add(f.where(), "%s", f.what())
		}
		return Receipt{}, wrong.err(fmt.Sprintf("package %s is stored, but damaged (repair it from a "+
			"good copy)",
			in.survey.pkg.ID))
	}
	if in.far = lack; !in.dry {
		if _, err := in.bringFar(ctx); err != nil {
			return Receipt{}, err
		}
	}
	r := in.receipt()
	r.AlreadyStored, r.Version, r.Inventory, r.NewBytes = true, in.previous.head(), in.previous.sum, 0
	return r, nil
}

// matchCopies reads the staged files back from every copy.
func (in *ingest) matchCopies(ctx context.Context) error {
	meter := newMeter(in.options.Progress, ReadingBack, in.newBytes)
	for i, f := range in.survey.files {
		if !in.keep[i] {
			continue
		}
		if err := readBack(ctx, in.inCopies(in.versionPath("content/"+f.path)), f.found); err != nil {
			return err
		}
		meter.add(f.size)
	}
	sum := sumBytes(in.text)
	name, sidecar := ocfl.Sidecar(ocfl.SHA512, sum)
	for _, folder := range []string{"", versionName(in.journal.Version) + "/"} {
		if err := readBack(ctx, in.inCopies(folder+ocfl.InventoryFile), sum); err != nil {
			return err
		}
		if err := readBack(ctx, in.inCopies(folder+name), sumBytes(sidecar)); err != nil {
			return err
		}
	}
	return nil
}

// checkStagedMETS reads the staged METS again and compares the result. The METS at the start of the
// ingest determined the checks. This check confirms that the same METS is stored, and not one
// written meanwhile.
func (in *ingest) checkStagedMETS() error {
	was := in.survey.pkg
	is, err := in.store.describeObject(in.journal.Object, in.stagedView())
	if is.METS == "" {
		is.METS = was.METS
	}
	if err == nil && reflect.DeepEqual(was, is) {
		return nil
	}
	var wrong problems
	wrong.add(was.METS, "changed while the package was read; try again when no program writes to the package")
	return wrong.err(in.survey.dir)
}

// samePrevious checks again, just before the commit, that the object is still the one that the new
// version was made for.
func (in *ingest) samePrevious() error {
	for _, c := range in.targets {
		dir := c.object(in.path)
		if in.previous == nil {
			if exists(dir) {
				return fmt.Errorf("copy %s: %s appeared while the package was read; something else than Quire writes "+
					"there", c.name, dir)
			}
			continue
		}
		_, sum, err := readInventory(dir)
		if err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
		if sum != in.journal.Previous {
			return fmt.Errorf("copy %s: %s changed while the package was read; something else than Quire writes there",
				c.name, dir)
		}
		if name := versionName(in.journal.Version); exists(dir + "/" + name) {
			return fmt.Errorf("copy %s: %s has a folder %s that is not in its inventory; audit the package", c.name,
				dir, name)
		}
	}
	return nil
}

// describeVersion returns the description of a stored version.
func (s *Store) describeVersion(o *object, version string) (model.Package, error) {
	var pkg model.Package
	err := o.inAny(func(dir string) (err error) {
		there := *o
		there.dir = dir
		pkg, err = s.describeObject(o.inventory.ID, viewOf(&there, version))
		return err
	})
	if err != nil {
		return pkg, fmt.Errorf("describing %s of %s: %w", version, o.dir, err)
	}
	if pkg.METS == "" {
		pkg.METS = "mets.xml"
	}
	return pkg, nil
}
