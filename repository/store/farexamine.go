package store

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	remote "quire/repository/place"

	"quire/repository/ocfl"
)

// runFar is run for a far copy. It reads every file that is not cold. Cold files are compared by size,
// and by the checksum of the store where a folder has the same file whole.
func (e *examination) runFar(ctx context.Context) error {
	c, ctx := e.copy, remote.KeepCold(ctx)
	files, err := c.farFiles(ctx, e.expect.card.Path)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		e.addFinding(UnreadableFile, "", "", "", "cannot be listed: %v", err)
		return nil
	}
	if len(files) == 0 {
		e.missing = true
		e.addFinding(MissingObject, "", "", "", "the package is not in this copy")
		return nil
	}
	if n := e.farEarlier(ctx); n > 0 {
		e.behind = true
		e.addFinding(OlderObject, "", versionName(e.expect.card.Head), versionName(n),
			"the copy has an earlier version; a repair brings the newest")
		return nil
	}
	if e.farHalf(ctx, files) {
		e.missing = true
		e.addFinding(MissingObject, "", "", "", "the package is not complete in this copy; the next filling goes on")
		return nil
	}
	for _, name := range sortedKeys(files) {
		want, known := e.expect.digests[name]
		switch {
		case known:
			if err := e.matchFar(ctx, name, want, files[name]); err != nil {
				return err
			}
		case strings.HasPrefix(name, ocfl.LogsDir+"/"), e.expect.truth == nil && strings.Contains(name, "/"):
		default:
			e.addFinding(ExtraFile, name, "", "", "unexpected file")
		}
	}
	for _, name := range sortedKeys(e.expect.digests) {
		if _, there := files[name]; !there {
			e.addFinding(MissingFile, name, e.expect.digests[name], "", "is missing")
		}
	}
	return nil
}

// farHalf reports whether the copy lacked the package, and a process was cut off while it brought it: the inventory or
// its sidecar, which come last, are not there.
func (e *examination) farHalf(ctx context.Context, files map[string]remote.Entry) bool {
	if !e.lacked {
		return false
	}
	if _, there := files[ocfl.InventoryFile]; !there {
		return true
	}
	name, want := ocfl.Sidecar(ocfl.SHA512, e.expect.card.Inventory)
	_, sum, err := e.copy.farInventory(ctx, e.expect.card.Path, "")
	if err != nil || sum != e.expect.card.Inventory {
		return false
	}
	if _, there := files[name]; !there {
		return true
	}
	text, err := readFarFile(ctx, e.copy.far, farName(e.expect.card.Path, name), 1<<20)
	return err == nil && string(text) != string(want)
}

// farEarlier is expectation.earlier for a far copy. It also finds a version there that is valid in itself, and that
// the catalogue does not have.
func (e *examination) farEarlier(ctx context.Context) int {
	_, sum, err := e.copy.farInventory(ctx, e.expect.card.Path, "")
	if err != nil || sum == e.expect.card.Inventory {
		return 0
	}
	if n := 1 + slices.Index(e.expect.sums, sum); n > 0 {
		if n == len(e.expect.sums) {
			return 0
		}
		return n
	}
	if o, err := e.copy.farObject(ctx, e.expect.card.Path); err == nil {
		e.unknown = o
	}
	return 0
}

// matchFar reads one file of a far copy.
func (e *examination) matchFar(ctx context.Context, name, want string, entry remote.Entry) error {
	e.files++
	if entry.Cold {
		p := &push{store: e.store, card: e.expect.card, copy: e.copy, expect: e.expect, advance: e.advance}
		if err := p.matchCold(ctx, name, want); err != nil {
			e.addFinding(UnreadableFile, name, want, "", "is in a cold storage class, and not confirmed: %v", err)
		}
		e.cold = true
		return ctx.Err()
	}
	got, size, err := remote.ReadBack(ctx, e.copy.far, farName(e.expect.card.Path, name), e.advance)
	e.bytes += size
	if ctx.Err() != nil {
		return ctx.Err()
	}
	base := path.Base(name)
	switch {
	case err != nil:
		e.addFinding(UnreadableFile, name, "", "", "cannot be read after %d bytes: %v", size, err)
	case got == want:
	case !e.expect.content[name] && base == ocfl.InventoryFile:
		e.addFinding(WrongInventory, name, want, got, "differs from the inventory that was written (%d bytes; "+
			"SHA-512)", size)
	case !e.expect.content[name] && base == ocfl.SidecarName(ocfl.SHA512):
		e.addFinding(WrongSidecar, name, want, got, "does not contain the inventory's digest")
	default:
		e.tellContent(ctx, name, want, got, size)
	}
	return nil
}

// farRootFaults is rootFaults for a far copy.
func (c *copyFolder) farRootFaults(report func(Finding)) {
	ctx, cancel := context.WithTimeout(remote.KeepCold(context.Background()), farPatience)
	defer cancel()
	files := rootFiles()
	for _, name := range sortedKeys(files) {
		text, err := readFarFile(ctx, c.far, rootFolder+"/"+name, 1<<20)
		switch {
		case err != nil:
			report(Finding{Code: WrongRoot, Copy: c.name, File: name, Detail: "cannot be read: " + err.Error()})
		case string(text) != string(files[name]):
			report(Finding{Code: WrongRoot, Copy: c.name, File: name, Expected: sumBytes(files[name]),
				Found: sumBytes(text), Detail: "differs from the file that was written (SHA-512)"})
		}
	}
}

// mendFarEvents brings the events of a package that far copies with the package lack.
func (s *Store) mendFarEvents(ctx context.Context, results []*examination) error {
	for _, e := range results {
		if !e.copy.isFar() || e.missing {
			continue
		}
		if err := s.farEvents(ctx, e.copy, e.expect.card.Object, e.expect.card.Path); err != nil {
			return fmt.Errorf("copy %s: %w", e.copy.name, err)
		}
	}
	return nil
}

// farEvents brings the events that an object in a far copy lacks. A copy without the object gets none.
func (s *Store) farEvents(ctx context.Context, c *copyFolder, object, path string) error {
	have, err := c.farFiles(ctx, path)
	if err != nil || len(have) == 0 {
		return err
	}
	texts, err := s.farTexts(ctx, object, path)
	if err != nil {
		return err
	}
	return c.pushEvents(ctx, path, have, texts)
}

// farTexts returns the files in the logs of an object that a far copy gets: the events, and the salt of
// the register.
func (s *Store) farTexts(ctx context.Context, object, path string) (map[string][]byte, error) {
	texts := eventTexts(objectsIn(s.present(), path))
	salt, ok, err := s.knownSalt(ctx, object, path)
	if ok {
		texts[saltFile] = saltText(salt)
	}
	return texts, err
}
