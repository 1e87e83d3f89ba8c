package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	remote "quire/repository/place"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// A package comes to a far copy file by file: first the files that no earlier version has, then the
// inventory of the object and its sidecar. Until then, the far copy has the version before, with some
// files more. No note is needed: the copy is owed the version until all is there, and the next filling
// goes on. A version there that this repository does not know is replaced only by a repair: see unknown.

// push is one package on its way to a far copy. Its object is locked.
type push struct {
	store   *Store
	card    catalogue.Package
	copy    *copyFolder
	expect  *expectation
	have    map[string]remote.Entry
	mends   bool // the far copy had the package damaged
	advance func(int64)
	tx      string
	other   bool // the copy has an inventory that is none of the package's

	written, listed, aside int // files
}

// pushTo brings the newest version of a package to a far copy, and records that. It reads every file of the
// package that is there, and replaces those that are wrong; the wrong ones move to the quarantine of the copy.
// So the state that it records rests on no earlier reading. mends means that the copy had the package damaged.
func (s *Store) pushTo(ctx context.Context, id string, c *copyFolder, mends bool, advance func(int64)) error {
	card, err := s.card(ctx, id)
	if err != nil {
		return err
	}
	p := &push{store: s, card: card, copy: c, mends: mends, advance: advance, tx: newToken()}
	if err := p.run(ctx); err != nil {
		return fmt.Errorf("copy %s: %w", c.name, err)
	}
	return nil
}

func (p *push) run(ctx context.Context) (err error) {
	if err := p.copy.probeFar(ctx); err != nil {
		return err
	}
	if p.expect, err = p.store.expect(ctx, p.card); err != nil {
		return err
	}
	if p.expect.truth == nil {
		return fmt.Errorf("no copy has the inventory with SHA-512 %s", p.card.Inventory)
	}
	if p.have, err = p.copy.farFiles(ctx, p.card.Path); err != nil {
		return err
	}
	if err := p.unknown(ctx); err != nil {
		return err
	}
	sidecar, _ := ocfl.Sidecar(ocfl.SHA512, p.card.Inventory)
	for _, name := range sortedKeys(p.expect.digests) {
		if name == ocfl.InventoryFile || name == sidecar {
			continue
		}
		if err := p.bring(ctx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := p.events(ctx); err != nil {
		return err
	}
	if err := p.install(ctx); err != nil {
		return err
	}
	return p.record(ctx)
}

// bring brings one file, unless it is there and whole.
func (p *push) bring(ctx context.Context, name string) error {
	want := p.expect.digests[name]
	if e, there := p.have[name]; there {
		err := p.match(ctx, name, want, e)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errOther) {
			return err
		}
		if err := p.setAside(ctx, name); err != nil {
			return err
		}
	}
	var failed error
	for _, c := range p.store.present() {
		err := p.send(ctx, filepath.Join(c.object(p.card.Path), filepath.FromSlash(name)), name, want)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errSource) {
			return err
		}
		failed = errors.Join(failed, fmt.Errorf("copy %s: %w", c.name, err))
	}
	return errors.Join(errors.New("it is whole in no folder; repair the package first"), failed)
}

// unknown looks at the inventory in the far copy. A version that is valid in itself, and that the catalogue does
// not have, is an error unless this is a repair: an audit reports it first. A repair moves it to the quarantine of
// the copy, with all other files that do not belong to the package.
func (p *push) unknown(ctx context.Context) error {
	if _, there := p.have[ocfl.InventoryFile]; there {
		_, sum, err := p.copy.farInventory(ctx, p.card.Path, "")
		if err != nil && !p.mends {
			return fmt.Errorf("%s: %w", ocfl.InventoryFile, err)
		}
		p.other = err != nil || sum != p.card.Inventory && !slices.Contains(p.expect.sums, sum)
	}
	if p.other && !p.mends {
		if o, err := p.copy.farObject(ctx, p.card.Path); err == nil {
			return fmt.Errorf("it has %s of the package with another inventory than the catalogue, so nothing was "+
				"replaced there; audit the package, and look at it; quire audit --repair then moves it to %s",
				o.inventory.Head, quarantineFolder)
		}
	}
	if !p.mends {
		return nil
	}
	for _, name := range sortedKeys(p.have) {
		if p.expect.digests[name] != "" || strings.HasPrefix(name, ocfl.LogsDir+"/") {
			continue
		}
		if err := p.setAside(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// setAside moves a file of the object to the quarantine of the far copy.
func (p *push) setAside(ctx context.Context, name string) error {
	aside := quarantineFolder + "/" + p.tx + "/" + p.card.Path + "/" + name
	if err := p.copy.far.Rename(ctx, farName(p.card.Path, name), aside); err != nil {
		return fmt.Errorf("moving the wrong file to %s: %w", aside, err)
	}
	p.aside++
	return nil
}

// errOther reports a file of a far copy with other bytes. errSource reports a file that cannot be sent
// from one folder; another one may have it.
var (
	errOther  = errors.New("it has other bytes than were stored")
	errSource = errors.New("it is not whole there")
)

// match reads a file in the far copy. It compares a cold file by the checksum of the store.
func (p *push) match(ctx context.Context, name, want string, e remote.Entry) error {
	if e.Cold {
		return p.matchCold(ctx, name, want)
	}
	got, _, err := remote.ReadBack(ctx, p.copy.far, farName(p.card.Path, name), p.advance)
	if err == nil && got != want {
		err = errOther
	}
	if err == nil {
		p.written++
	}
	return err
}

// matchCold compares the checksum that the store computed for a cold file with the one of the same file
// in a folder. If no folder has the file whole, it compares the digest that was recorded beside the cold
// file.
func (p *push) matchCold(ctx context.Context, name, want string) error {
	e, err := p.copy.far.Stat(ctx, farName(p.card.Path, name))
	if err != nil {
		return err
	}
	for _, c := range p.store.present() {
		content, f, err := sumOf(ctx, filepath.Join(c.object(p.card.Path), filepath.FromSlash(name)))
		if err != nil || content.SHA512 != want {
			continue
		}
		_ = f.Close() // opened for reading only
		if !content.Matches(e) {
			return errOther
		}
		p.listed++
		return nil
	}
	if e.Checksum == "" || e.SHA512 != want {
		return errOther
	}
	p.listed++
	return nil
}

// sumOf opens a file and computes its digests.
func sumOf(ctx context.Context, path string) (c remote.Content, f *os.File, err error) {
	if f, err = openRegular(path); err != nil {
		return c, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		c, err = remote.Sum(ctx, f, info.Size())
	}
	if err != nil {
		return c, nil, errors.Join(err, f.Close())
	}
	return c, f, nil
}

// send writes a file into the far copy, and reads it back. The digest of the source is compared before,
// so wrong bytes never leave.
func (p *push) send(ctx context.Context, path, name, want string) error {
	content, f, err := sumOf(ctx, path)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errSource, err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	if content.SHA512 != want {
		return fmt.Errorf("%w: it has SHA-512 %s instead of %s", errSource, content.SHA512, want)
	}
	content.Bulk = p.expect.content[name]
	if err := p.copy.far.Write(ctx, farName(p.card.Path, name), f, content); err != nil {
		return err
	}
	e, err := p.copy.far.Stat(ctx, farName(p.card.Path, name))
	if err != nil {
		return err
	}
	if e.Cold {
		if !content.Matches(e) {
			return fmt.Errorf("after writing, %w (by the checksum of the store)", errOther)
		}
		p.listed++
		p.advance(content.Size)
		return nil
	}
	if err := p.match(ctx, name, want, e); err != nil {
		return fmt.Errorf("after writing: %w", err)
	}
	return nil
}

// events brings the events that the far copy lacks.
func (p *push) events(ctx context.Context) error {
	texts, err := p.store.farTexts(ctx, p.card.Object, p.card.Path)
	if err != nil {
		return err
	}
	return p.copy.pushEvents(ctx, p.card.Path, p.have, texts)
}

// pushEvents writes events into a far copy, unless it has them.
func (c *copyFolder) pushEvents(ctx context.Context, path string, have map[string]remote.Entry,
	texts map[string][]byte) error {
	for _, name := range sortedKeys(texts) {
		file := ocfl.LogsDir + "/" + name
		if _, there := have[file]; there {
			continue
		}
		if err := c.writeFar(ctx, farName(path, file), texts[name]); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// install replaces the inventory of the object, and then its sidecar. One that is none of the package's is kept in
// the quarantine.
func (p *push) install(ctx context.Context) error {
	if err := p.store.alive(ctx); err != nil {
		return err
	}
	name, sidecar := ocfl.Sidecar(ocfl.SHA512, p.card.Inventory)
	for _, old := range []string{ocfl.InventoryFile, name} {
		if _, there := p.have[old]; there && p.other {
			if err := p.setAside(ctx, old); err != nil {
				return err
			}
		}
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{ocfl.InventoryFile, p.expect.truth.text}, {name, sidecar}} {
		if err := p.copy.far.Replace(ctx, farName(p.card.Path, f.name), f.text); err != nil {
			return err
		}
		got, _, err := remote.ReadBack(ctx, p.copy.far, farName(p.card.Path, f.name), p.advance)
		if err == nil && got != sumBytes(f.text) {
			err = errOther
		}
		if err != nil {
			return fmt.Errorf("%s, after writing: %w", f.name, err)
		}
	}
	return nil
}

// record writes the event, and the state into the catalogue.
func (p *push) record(ctx context.Context) error {
	s, name := p.store, p.copy.name
	detail := fmt.Sprintf("%s is in %s (%s): %d files written or read there now, read back and matched",
		versionName(p.card.Head), name, p.copy.path, p.written+2)
	status := statusGood
	if p.listed > 0 {
		detail += fmt.Sprintf("; %d files in a cold storage class matched by the SHA-256 of the store, and were not "+
			"read", p.listed)
		status = catalogue.AsListed
	}
	if p.aside > 0 {
		detail += fmt.Sprintf("; %d other files are in %s/%s of the copy", p.aside, quarantineFolder, p.tx)
	}
	kind := model.Replication
	if p.mends {
		kind = model.Recovery
	}
	e := s.newEvent(kind, p.card.ID, name, detail)
	e.Status = status
	if err := s.follow(ctx, p.card.Path, &e); err != nil {
		return err
	}
	line := e.Event
	line.Copy = name
	list := []objectEvent{{p.card.Object, p.card.Path, e}}
	err := s.recordEvents(ctx, list, func() error {
		return s.catalogue.SetStatus(ctx, p.card.ID, name, status, time.Now().UTC(), line)
	})
	if err != nil {
		return err
	}
	return s.farEvents(ctx, p.copy, p.card.Object, p.card.Path)
}
