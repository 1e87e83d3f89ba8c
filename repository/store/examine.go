package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"quire/internal/archivefs"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// expectation has the required content of an object, file by file, independent of the copy under
// check. It comes from the inventory with the digest in the catalogue, read from any copy that
// still has it.
type expectation struct {
	card    catalogue.Package
	truth   *object           // nil if no copy has the right inventory
	digests map[string]string // path within the object → SHA-512
	folders map[string]bool
	content map[string]bool // the paths of the package's files
	sums    []string        // SHA-512 of the inventory of each version
}

// expect returns the expectation for a package. It looks for the inventory in the given copies before
// the others.
func (s *Store) expect(ctx context.Context, card catalogue.Package, first ...*copyFolder) (*expectation, error) {
	sums, err := s.catalogue.VersionInventories(ctx, card.ID)
	if err != nil {
		return nil, err
	}
	return s.expectBy(card, sums, first...), nil
}

// expectBy is expect with the inventories of the versions.
func (s *Store) expectBy(card catalogue.Package, sums []string, first ...*copyFolder) *expectation {
	x := &expectation{card: card, truth: s.truth(card, first...), digests: map[string]string{},
		folders: map[string]bool{}, content: map[string]bool{}, sums: sums}
	name, content := ocfl.ObjectDeclaration()
	x.add(name, sumBytes(content))
	x.addInventory("", card.Inventory)
	for i, sum := range sums {
		x.addInventory(versionName(i+1)+"/", sum)
	}
	if x.truth == nil {
		return x
	}
	for digest, paths := range x.truth.inventory.Manifest {
		for _, p := range paths {
			x.add(p, strings.ToLower(digest))
			x.content[p] = true
		}
	}
	return x
}

// earlier returns the number of an earlier version, if the object in a folder is that version by its
// inventory. Else it returns 0.
func (x *expectation) earlier(dir string) int {
	if len(x.sums) < 2 {
		return 0
	}
	_, sum, err := readInventory(dir)
	if err != nil || sum == x.card.Inventory {
		return 0
	}
	return 1 + slices.Index(x.sums[:len(x.sums)-1], sum)
}

func (x *expectation) addInventory(folder, sum string) {
	name, content := ocfl.Sidecar(ocfl.SHA512, sum)
	x.add(folder+ocfl.InventoryFile, sum)
	x.add(folder+name, sumBytes(content))
}

func (x *expectation) add(name, sum string) {
	x.digests[name] = sum
	for folder := path.Dir(name); folder != "." && !x.folders[folder]; folder = path.Dir(folder) {
		x.folders[folder] = true
	}
}

// truth finds the inventory with the digest in the catalogue, in any copy, far ones last.
func (s *Store) truth(card catalogue.Package, first ...*copyFolder) *object {
	if o := s.folderTruth(card, first...); o != nil {
		return o
	}
	return s.farTruth(card.Path, card.Inventory)
}

// folderTruth is truth for folders: the inventory is at the root of the object or in its newest version. Servers for
// readers never wait for a far copy.
func (s *Store) folderTruth(card catalogue.Package, first ...*copyFolder) *object {
	for _, c := range append(slices.Clone(first), s.present()...) {
		if c.isFar() {
			continue
		}
		dir := c.object(card.Path)
		for _, folder := range []string{dir, filepath.Join(dir, versionName(card.Head))} {
			text, sum, err := readInventory(folder)
			if err != nil || sum != card.Inventory {
				continue
			}
			if inv, err := ocfl.ParseInventory(text); err == nil {
				return &object{dir: dir, inventory: inv, sum: sum, text: text}
			}
		}
	}
	return nil
}

// examination reads one object in one copy, in place.
type examination struct {
	store   *Store
	copy    *copyFolder
	expect  *expectation
	report  func(Finding)
	advance func(bytes int64)
	files   int64
	bytes   int64
	found   int64           // findings
	missing bool            // the copy lacks the object
	owed    bool            // the copy was last known to lack the newest version
	lacked  bool            // the copy was last known to lack the package, or that version
	behind  bool            // the copy has an earlier version
	faults  map[string]bool // files of the object that are not whole
	unknown *object         // the version of a far copy that the catalogue does not have
	cold    bool            // some files are in a cold storage class, and were not read
}

func (e *examination) addFinding(code Code, file, expected, found, format string, args ...any) {
	e.found++
	if e.faults == nil {
		e.faults = map[string]bool{}
	}
	e.faults[file] = true
	e.report(Finding{Code: code, Copy: e.copy.name, Package: e.expect.card.ID, File: file, Expected: expected,
		Found:  found,
		Detail: fmt.Sprintf(format, args...)})
}

// status returns the resulting state of the copy.
func (e *examination) status() catalogue.Status {
	switch {
	case e.behind, e.missing && e.owed:
		return catalogue.Owed
	case e.missing:
		return catalogue.Missing
	case e.found > 0:
		return catalogue.Damaged
	case e.cold:
		return catalogue.AsListed
	}
	return catalogue.Good
}

// run reads everything. Only the end of ctx is an error; all faults of the copy are findings.
func (e *examination) run(ctx context.Context) error {
	if e.copy.isFar() {
		return e.runFar(ctx)
	}
	dir := e.copy.object(e.expect.card.Path)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		e.missing = true
		e.addFinding(MissingObject, "", "", "", "the package is not in this copy")
		return nil
	}
	if n := e.expect.earlier(dir); n > 0 {
		e.behind = true
		e.addFinding(OlderObject, "", versionName(e.expect.card.Head), versionName(n),
			"the copy has an earlier version; a repair brings the newest")
		return nil
	}
	if e.expect.truth == nil {
		e.addFinding(NoInventoryLeft, ocfl.InventoryFile, e.expect.card.Inventory, "",
			"no copy has the inventory, so the content cannot be checked")
	}
	seen := make(map[string]bool, len(e.expect.digests))
	err := filepath.WalkDir(dir, func(p string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		name := "."
		if rel, relErr := filepath.Rel(dir, p); relErr == nil {
			name = filepath.ToSlash(rel)
		}
		if err != nil {
			e.addFinding(UnreadableFile, name, "", "", "cannot be listed: %v", err)
			return nil
		}
		return e.visit(ctx, p, name, entry, seen)
	})
	if err != nil {
		return err
	}
	for _, name := range sortedKeys(e.expect.digests) {
		if !seen[name] {
			e.addFinding(MissingFile, name, e.expect.digests[name], "", "is missing")
		}
	}
	return nil
}

// visit checks one entry.
func (e *examination) visit(ctx context.Context, p, name string, entry fs.DirEntry, seen map[string]bool) error {
	want, known := e.expect.digests[name]
	switch {
	case entry.IsDir() && (name == "." || name == ocfl.LogsDir || e.expect.folders[name]):
		return nil
	case entry.IsDir() && e.expect.truth == nil && strings.Contains(name, "/"):
		return nil // possibly content; without an inventory, unknown
	case entry.IsDir():
		e.addFinding(ExtraFile, name, "", "", "unexpected folder")
		return fs.SkipDir
	case strings.HasPrefix(name, ocfl.LogsDir+"/") && entry.Type().IsRegular():
		return nil // events; they are not content
	case !known && e.expect.truth == nil && strings.Contains(name, "/"):
		return nil
	case !known:
		e.addFinding(ExtraFile, name, "", "", "unexpected file")
		return nil
	}
	seen[name] = true
	if !entry.Type().IsRegular() {
		e.addFinding(ExtraFile, name, "", "", "is %s instead of a file", archivefs.KindOf(entry.Type()))
		return nil
	}
	return e.match(ctx, p, name, want)
}

// match reads one file and compares its digest.
func (e *examination) match(ctx context.Context, p, name, want string) error {
	e.files++
	got, size, err := sumCold(ctx, p, e.advance)
	e.bytes += size
	if ctx.Err() != nil {
		return ctx.Err()
	}
	base := path.Base(name)
	content := e.expect.content[name]
	switch {
	case err != nil:
		e.addFinding(UnreadableFile, name, "", "", "cannot be read after %d bytes: %v", size, err)
	case got == want:
	case !content && base == ocfl.InventoryFile:
		e.addFinding(WrongInventory, name, want, got, "differs from the inventory that was written (%d bytes; "+
			"SHA-512)", size)
	case !content && base == ocfl.SidecarName(ocfl.SHA512):
		e.tellSidecar(p, name)
	default:
		e.tellContent(ctx, name, want, got, size)
	}
	return nil
}

// tellSidecar reports the actual and the expected digest of the sidecar.
func (e *examination) tellSidecar(p, name string) {
	want := e.expect.digests[path.Join(path.Dir(name), ocfl.InventoryFile)]
	got, err := readSidecar(filepath.Dir(p))
	if err != nil {
		e.addFinding(WrongSidecar, name, want, "", "does not contain the inventory's digest (%v)", err)
		return
	}
	e.addFinding(WrongSidecar, name, want, got, "does not contain the inventory's digest")
}

func (e *examination) tellContent(ctx context.Context, name, want, got string, size int64) {
	if right, err := e.store.catalogue.SizeOf(ctx, e.expect.card.ID, want); err == nil && right != size {
		e.addFinding(WrongSize, name, fmt.Sprintf("%d bytes", right), fmt.Sprintf("%d bytes", size), "has the wrong size")
		return
	}
	e.addFinding(WrongDigest, name, want, got, "has different bytes than were stored (SHA-512)")
}

// examine reads one package in the given copies, in parallel.
func (s *Store) examine(ctx context.Context, card catalogue.Package, copies []*copyFolder, report func(Finding),
	advance func(int64)) ([]*examination, error) {
	x, err := s.expect(ctx, card, copies...)
	if err != nil {
		return nil, err
	}
	held, err := s.catalogue.Copies(ctx, card.ID)
	if err != nil {
		return nil, err
	}
	status := map[string]catalogue.Status{}
	for _, k := range held {
		status[k.Name] = k.Status
	}
	results := make([]*examination, len(copies))
	errs := make([]error, len(copies))
	var wait sync.WaitGroup
	for i, c := range copies {
		results[i] = &examination{store: s, copy: c, expect: x, report: report, advance: advance,
			owed: status[c.name] == catalogue.Owed}
		results[i].lacked = results[i].owed || status[c.name] == catalogue.Missing
		wait.Go(func() { errs[i] = results[i].run(ctx) })
	}
	wait.Wait()
	return results, errors.Join(errs...)
}
