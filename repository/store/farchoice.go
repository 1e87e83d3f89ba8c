package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quire/repository/catalogue"
	"quire/repository/ocfl"
	"quire/repository/register"
)

// farPick is the far copy from which a rebuild takes an object.
type farPick struct {
	from    *copyFolder
	trusted bool // a person chose it; nothing confirms the object
}

// chooseFar returns the far copy of each object that the new catalogue lacks, by the path of the object. It writes
// nothing. failed has the errors of objects that folders have, and gets those of far copies. It asks each far copy
// for the inventory of each object, and keeps about 250 bytes of memory for each: 250 MB for a million packages
// that no folder has.
func (s *Store) chooseFar(ctx context.Context, far []*copyFolder, gone *purges, failed map[string]error) (
	map[string]farPick, error) {
	chosen := map[string]farPick{}
	tried := map[string]bool{}
	for _, c := range far {
		err := c.farObjects(ctx, func(path string) error {
			if chosen[path].from != nil || tried[path] || gone.byPath[path] != nil {
				return nil
			}
			if _, err := s.catalogue.AtPath(ctx, path); !errors.Is(err, catalogue.ErrNotFound) {
				return err
			}
			pick, err := s.pickFar(ctx, far, path)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil {
				chosen[path] = pick
				return nil
			}
			tried[path] = true
			failed[path] = alsoFailed(failed[path], err)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	return chosen, nil
}

// alsoFailed adds the error of an object in far copies to that of folders. Two choices become one.
func alsoFailed(folders, far error) error {
	var choice, more *unchosen
	if !errors.As(folders, &choice) || !errors.As(far, &more) {
		return errors.Join(folders, far)
	}
	choice.Copies = append(choice.Copies, more.Copies...)
	slices.Sort(choice.Copies)
	return choice
}

// openChoices returns a [*ChoiceError] with the objects that failed because a person must choose, and that no far
// copy was chosen for.
func openChoices(failed map[string]error, chosen map[string]farPick) error {
	var open ChoiceError
	for _, path := range sortedKeys(failed) {
		var choice *unchosen
		if chosen[path].from == nil && errors.As(failed[path], &choice) {
			open.add(choice.ObjectChoice)
		}
	}
	if open.Total > 0 {
		return &open
	}
	return nil
}

// pickFar chooses the far copy of an object as bestObject chooses a folder: the register decides. Without a
// register, far copies that differ are a choice, also if one has only a newer version than another: it may be
// forged. The error is an *unchosen if only a person can choose.
func (s *Store) pickFar(ctx context.Context, far []*copyFolder, path string) (farPick, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return farPick{}, fmt.Errorf("%q is not the path of an object", path)
	}
	found := map[string]*object{}
	var errs []error
	for _, c := range far {
		o, err := c.farObject(ctx, path)
		if err != nil {
			errs = append(errs, fmt.Errorf("copy %s: %w", c.name, err))
			continue
		}
		if first := found[o.sum]; first != nil {
			first.others = append(first.others, o.dir)
		} else {
			found[o.sum] = o
		}
	}
	if len(found) == 0 {
		return farPick{}, fmt.Errorf("no copy has a readable object at %s: %w", path, errors.Join(errs...))
	}
	for _, err := range errs {
		if !notThere(err) {
			s.addRecovery(Recovery{Package: path, Outcome: Pending,
				Detail: "cannot be read, and is taken from another copy: " + err.Error()})
		}
	}
	salts, err := s.saltsWith(ctx, far, path)
	if err != nil {
		return farPick{}, err
	}
	confirmed, choice, err := s.confirmedOf(ctx, salts, found)
	if err != nil {
		return farPick{}, err
	}
	for _, sum := range sortedKeys(confirmed) {
		return farPick{from: s.copyNamed(s.copyAt(confirmed[sum].dir))}, nil
	}
	if s.trustedOf(found) != nil {
		return farPick{from: s.copyNamed(s.trust), trusted: true}, nil
	}
	return farPick{}, choice
}

// farStated is farInventory that compares the inventory with its sidecar.
func (c *copyFolder) farStated(ctx context.Context, path, folder string) (text []byte, sum string, err error) {
	text, sum, err = c.farInventory(ctx, path, folder)
	if err != nil {
		return nil, "", err
	}
	sidecar, err := readFarFile(ctx, c.far, farName(path, folder+ocfl.SidecarName(ocfl.SHA512)), 1<<16)
	if err != nil {
		return nil, "", err
	}
	stated, err := ocfl.ParseSidecar(sidecar)
	if err == nil && strings.ToLower(stated) != sum {
		err = fmt.Errorf("%s has SHA-512 %s, but its sidecar states %s", folder+ocfl.InventoryFile, sum, stated)
	}
	return text, sum, err
}

// farObject is openObject for a far copy.
func (c *copyFolder) farObject(ctx context.Context, path string) (*object, error) {
	text, sum, err := c.farStated(ctx, path, "")
	if err != nil {
		return nil, err
	}
	inv, err := ocfl.ParseInventory(text)
	if err != nil {
		return nil, err
	}
	if ocfl.ObjectPath(inv.ID) != path {
		return nil, fmt.Errorf("%q is not the path of an object with the id %q", path, inv.ID)
	}
	return &object{dir: c.object(path), inventory: inv, sum: sum, text: text}, nil
}

// saltsWith returns the different salts that the folders and the far copies have of an object, as far as they
// can be read. Without a register it reads none.
func (s *Store) saltsWith(ctx context.Context, far []*copyFolder, path string) ([]register.Salt, error) {
	salts := s.saltsOf(path)
	if !s.registered() {
		return salts, nil
	}
	for _, c := range far {
		if salt, ok := c.farSalt(ctx, path); ok && !slices.Contains(salts, salt) {
			salts = append(salts, salt)
		}
	}
	return salts, ctx.Err()
}

// farSalt reads the salt of an object in a far copy.
func (c *copyFolder) farSalt(ctx context.Context, path string) (register.Salt, bool) {
	text, err := readFarFile(ctx, c.far, farName(path, saltPath), 1<<10)
	if err != nil {
		return register.Salt{}, false
	}
	salt, err := register.ParseSalt(strings.TrimSuffix(string(text), "\n"))
	return salt, err == nil
}
