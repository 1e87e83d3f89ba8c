package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/repository/catalogue"
	"quire/repository/ocfl"
	"quire/repository/register"
)

// checkRegister verifies the main register in full, and compares the registers of the copies with it. An audit
// of all also verifies those in full. Copies that only lag were away; they get the missing leaves first.
func (a *audit) checkRegister(ctx context.Context) error {
	s := a.store
	if !s.registered() {
		return nil
	}
	if err := a.checkFarRegisters(ctx); err != nil {
		return err
	}
	if err := a.checkFolderRegisters(ctx); err != nil {
		return err
	}
	if !a.options.DryRun {
		_ = s.withRegister(ctx, func(w *register.Writer) error { // the verification reports errors
			s.shareRegister(ctx, w)
			return nil
		})
		s.settleNotes(s.farPresent())
		failed := s.shareFarRegister(ctx)
		for _, name := range sortedKeys(failed) {
			a.note(failed[name])
		}
	}
	keys := s.trustedKeys()
	main, err := register.Verify(ctx, s.registerPath(), register.VerifyOptions{Keys: keys})
	if err != nil {
		return err
	}
	a.addRegister(a.mendedBy(ctx, main.Findings, nil), "", register.RegisterBehind)
	a.start = main.Head.Size
	a.report.Register = RegisterState{Leaves: main.Head.Size, Root: main.Head.Root.String(), Keys: len(main.Keys)}
	var first []string
	if len(main.Keys) > 0 {
		first = []string{main.Keys[0].Key}
	}
	for _, c := range a.there {
		check := func() error { return a.checkCopyRegister(ctx, c, first) }
		if c.isFar() {
			check = func() error { return a.readFarRegister(ctx, c) }
		}
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// RegisterState is the register at the time of an audit.
type RegisterState struct {
	Leaves int64  `json:"leaves"`
	Root   string `json:"root"` // in hex
	Keys   int    `json:"keys"` // that signed it, one after another
}

// trustedKeys returns the public key of the key file, which no copy has; none, if this account may not read it.
func (s *Store) trustedKeys() []string {
	key, err := register.PublicKey(filepath.Join(s.root, registerKey))
	if err != nil {
		return nil
	}
	return []string{key}
}

// checkCopyRegister compares the register of one copy with the main one.
func (a *audit) checkCopyRegister(ctx context.Context, c *copyFolder, keys []string) error {
	found := register.Compare([]string{a.store.registerPath(), c.register()}, keys).Findings
	found = slices.DeleteFunc(found, func(f register.Finding) bool { // of the main register, which was verified
		return f.Folder != c.register()
	})
	if len(found) == 0 && a.choice.Kind == catalogue.Full {
		report, err := register.Verify(ctx, c.register(), register.VerifyOptions{Keys: keys})
		if err != nil {
			return err
		}
		found = report.Findings
	}
	// An unlinked key is in the main register, too, and was reported there.
	a.addRegister(a.mendedBy(ctx, found, c), c.name, register.RegisterBehind, register.KeyUnlinked)
	return nil
}

// addRegister adds findings of a register, except those with some codes.
func (a *audit) addRegister(list []register.Finding, copyName string, except ...register.Code) {
	for _, f := range list {
		if slices.Contains(except, f.Code) || f.Code == register.RegisterKeyAlone {
			continue
		}
		detail := f.Detail
		if f.Index >= 0 {
			detail = fmt.Sprintf("leaf %d: %s", f.Index, detail)
		}
		if !filepath.IsAbs(f.File) { // else a receipt of an anchor
			f.File = filepath.Join(registerFolder, f.File)
		}
		a.addFinding(Finding{Code: Code(f.Code), Copy: copyName, File: f.File,
			Expected: f.Expected, Found: f.Found, Detail: detail})
	}
}

// compareObject compares a package in the copies with the register. It returns false if the catalogue itself
// differs from the register: then the results of the audit say nothing about the copies.
func (a *audit) compareObject(ctx context.Context, card catalogue.Package, results []*examination) (bool, error) {
	s := a.store
	if !s.registered() {
		return true, nil
	}
	h, found, err := s.historyOf(ctx, card.Object, card.Path)
	if err != nil {
		return false, err
	}
	if !found {
		a.addUnknown(card, results)
		return false, nil
	}
	if len(results) > 0 && !h.catalogued(results[0].expect.sums) {
		a.addFinding(Finding{Code: WrongCatalogue, Package: card.ID, Expected: versionName(int(h.Newest())),
			Found: versionName(card.Head), Detail: "the catalogue has other versions than the register; build it " +
				"again: quire init rebuild " + s.root})
		a.differing++
		return false, nil
	}
	if h.first < a.start {
		a.confirmed++
	}
	for _, e := range results {
		if e.copy.isFar() {
			a.compareFar(h, e)
			continue
		}
		if e.missing || e.behind && e.owed {
			continue
		}
		a.compareVersions(h, e)
		if err := a.compareEvents(ctx, card, h, e); err != nil {
			return false, err
		}
	}
	return true, nil
}

// findLost reports objects that the register has, and the catalogue lacks. It runs after a complete reading of
// all packages.
func (a *audit) findLost() {
	s := a.store
	if !s.registered() || a.options.Resume != "" {
		return
	}
	s.ledger.mu.Lock()
	lost := s.ledger.index.live(a.start) - a.confirmed - a.differing
	s.ledger.mu.Unlock()
	if lost > 0 {
		a.addFinding(Finding{Code: LostObject, Expected: fmt.Sprint(lost), Found: "0", Detail: "the register has " +
			"objects that the catalogue does not have, or whose salt is lost; build the catalogue again: " +
			"quire init rebuild " + s.root})
	}
}

// addUnknown reports an object without any leaf, in each copy that has it.
func (a *audit) addUnknown(card catalogue.Package, results []*examination) {
	for _, e := range results {
		if !e.missing {
			a.addFinding(Finding{Code: Code(register.VersionUnknown), Copy: e.copy.name, Package: card.ID,
				Detail: "the register does not have this object, or its salt is lost"})
		}
	}
}

// catalogued reports whether the catalogue has the versions that the register has. sums are the inventories of
// its versions.
func (h *history) catalogued(sums []string) bool {
	if h.Gone() || int(h.Newest()) != len(sums) {
		return false
	}
	for i, sum := range sums {
		digest, err := inventorySum(sum)
		if err != nil || !h.HasVersion(uint32(i+1), h.salt.Inventory(digest)) {
			return false
		}
	}
	return true
}

// confirmed returns an error if the catalogue has other versions of an object than the register. A repair would
// then replace the right version.
func (s *Store) confirmed(ctx context.Context, card catalogue.Package) error {
	if !s.registered() {
		return nil
	}
	sums, err := s.catalogue.VersionInventories(ctx, card.ID)
	if err != nil {
		return err
	}
	h, found, err := s.historyOf(ctx, card.Object, card.Path)
	if err != nil || found && h.catalogued(sums) {
		return err
	}
	var wrong problems
	wrong.add("", "the catalogue has other versions of it than the register, so a repair could replace the right one; "+
		"build the catalogue again: quire init rebuild %s", s.root)
	return wrong.err(card.ID)
}

// compareVersions compares the versions of an object in a copy. An inventory that contradicts its sidecar is
// damaged, and was reported; one that agrees with it was made on purpose.
func (a *audit) compareVersions(h history, e *examination) {
	o, err := openObject(e.copy.object(e.expect.card.Path))
	if err != nil {
		return
	}
	for n := 1; n <= max(o.head(), int(h.Newest())); n++ {
		sum := o.sum
		if n != o.head() {
			dir := filepath.Join(o.dir, versionName(n))
			_, there, err := readInventory(dir)
			stated, sidecarErr := readSidecar(dir)
			if n < o.head() && (err != nil || sidecarErr != nil || stated != there) {
				continue
			}
			sum = there
		}
		digest, err := inventorySum(sum)
		f := Finding{Copy: e.copy.name, Package: e.expect.card.ID, File: ocfl.InventoryFile}
		switch {
		case n > o.head():
			f.Code, f.Detail = Code(register.VersionRolledBack), "the copy went back to an earlier version"
			f.Expected, f.Found = versionName(int(h.Newest())), versionName(o.head())
		case n > int(h.Newest()):
			f.Code, f.Detail = Code(register.VersionUnknown), "the register does not have version "+versionName(n)
			f.Expected, f.Found = versionName(int(h.Newest())), versionName(o.head())
		case err != nil || !h.HasVersion(uint32(n), h.salt.Inventory(digest)):
			f.Code, f.Found = Code(register.VersionForged), sum
			f.Detail = "the register has another inventory of " + versionName(n)
		default:
			continue
		}
		a.addObject(f, e.status() != catalogue.Good)
		return // one finding for each copy
	}
}

// compareFar reports the version of an object in a far copy that is valid in itself, and that the catalogue and the
// register do not have.
func (a *audit) compareFar(h history, e *examination) {
	o := e.unknown
	if o == nil {
		return
	}
	f := Finding{Code: Code(register.VersionForged), Copy: e.copy.name, Package: e.expect.card.ID,
		File: ocfl.InventoryFile, Found: o.sum, Detail: "the register has another inventory of " + o.inventory.Head}
	if o.head() > int(h.Newest()) {
		f.Code, f.Detail = Code(register.VersionUnknown), "the register does not have version "+o.inventory.Head
		f.Expected, f.Found = versionName(int(h.Newest())), o.inventory.Head
	}
	a.addObject(f, e.status() != catalogue.Good)
}

// addObject adds a finding that a repair of the package mends, or not.
func (a *audit) addObject(f Finding, mended bool) {
	a.addFinding(f)
	if d := a.options.Damage; d != nil && mended {
		d.problems++
	}
}

// eventTries is the number of readings after which an event that differs is a finding. Another process may
// be recording one.
const eventTries = 3

// compareEvents compares the events of an object in a copy with the register, and mends those that the copy
// lacks. With a repair it also takes forged ones out.
func (a *audit) compareEvents(ctx context.Context, card catalogue.Package, h history, e *examination) error {
	var faults eventFaults
	for try := range eventTries {
		if try > 0 {
			a.store.wait(ctx, 50*time.Millisecond)
			var err error
			if h, _, err = a.store.historyOf(ctx, card.Object, card.Path); err != nil {
				return err
			}
		}
		faults = a.store.eventFaults(card, h, e.copy)
		if faults.none() {
			return nil
		}
	}
	repair := a.options.Repair && !a.options.DryRun
	for _, name := range faults.forged {
		a.addObject(Finding{Code: Code(register.EventForged), Copy: e.copy.name, Package: card.ID,
			File:   ocfl.LogsDir + "/" + name,
			Detail: "the register does not have this event, or has it with other bytes"}, repair)
	}
	if faults.more > 0 {
		a.addFinding(Finding{Code: Code(register.EventForged), Copy: e.copy.name, Package: card.ID, File: ocfl.LogsDir,
			Detail: fmt.Sprintf("the register does not have %d further events; repair again to take them out",
				faults.more)})
	}
	if faults.bytes > maxEventTexts {
		a.addFinding(Finding{Code: ExtraFile, Copy: e.copy.name, Package: card.ID, File: ocfl.LogsDir,
			Detail: fmt.Sprintf("its events have %d bytes; those beyond %d are not read", faults.bytes, maxEventTexts)})
	}
	for _, name := range faults.removed {
		a.addObject(Finding{Code: Code(register.EventRemoved), Copy: e.copy.name, Package: card.ID,
			File: ocfl.LogsDir + "/" + name, Detail: "the copy lacks an event that another copy and the register have"},
			!a.options.DryRun)
	}
	if faults.lost > 0 {
		a.addFinding(Finding{Code: Code(register.EventRemoved), Copy: e.copy.name, Package: card.ID, File: ocfl.LogsDir,
			Expected: fmt.Sprint(faults.lost), Found: "0", Detail: "the register has events that no present copy has"})
	}
	if faults.salt {
		a.addObject(Finding{Code: WrongSalt, Copy: e.copy.name, Package: card.ID, File: saltPath,
			Detail: "the register does not know the object by this salt"}, !a.options.DryRun)
	}
	if repair && len(faults.forged) > 0 {
		a.note(a.store.takeOut(ctx, card, e.copy, faults.forged))
	}
	return nil
}

// eventFaults are the differences between the events of an object in a copy and the register.
type eventFaults struct {
	forged  []string // files that the register does not have, at most maxForged
	more    int      // further ones
	bytes   int64    // of all event files
	removed []string // files that another copy has, and this one had
	lost    int      // events that no present copy has
	salt    bool     // the salt is another one
}

func (f *eventFaults) none() bool {
	return len(f.forged)+len(f.removed)+f.lost == 0 && !f.salt && f.bytes <= maxEventTexts
}

// maxForged is how many forged events of an object in a copy one audit lists, and a repair takes out.
const maxForged = 1000

// eventFaults compares the events of an object in a copy. An event that was recorded while the copy was away
// is no fault: the event says so.
func (s *Store) eventFaults(card catalogue.Package, h history, c *copyFolder) (f eventFaults) {
	have := map[register.Digest]bool{}
	eachEvent([]string{c.object(card.Path)}, func(name string, text []byte) bool {
		f.bytes += int64(len(text))
		switch digest := h.salt.Event(text); {
		case h.HasEvent(digest):
			have[digest] = true
		case len(f.forged) < maxForged:
			f.forged = append(f.forged, name)
		default:
			f.more++
		}
		return true
	})
	elsewhere := map[register.Digest]bool{}
	for _, other := range s.present() {
		eachEvent([]string{other.object(card.Path)}, func(name string, text []byte) bool {
			digest := h.salt.Event(text)
			if have[digest] || elsewhere[digest] || !h.HasEvent(digest) {
				return true
			}
			elsewhere[digest] = true
			if e, err := parseEvent(text); err != nil || !slices.Contains(e.Away, c.name) {
				f.removed = append(f.removed, name)
			}
			return true
		})
	}
	f.lost = max(h.Events()-len(elsewhere)-len(have), 0)
	salt, ok := saltIn(c, card.Path)
	f.salt = ok && salt != h.salt
	slices.Sort(f.forged)
	slices.Sort(f.removed)
	return f
}

// takeOut moves forged events of an object to the quarantine of the copy, below the path of the object: their
// text may name any package. A change of the package since may have taken them into the catalogue, which gets the
// events of the copies again.
func (s *Store) takeOut(ctx context.Context, card catalogue.Package, c *copyFolder, names []string) error {
	l, err := s.tryLock(objectKey(card.Object), exclusive, "package "+card.ID, "taking events out")
	if err != nil {
		return fmt.Errorf("copy %s: forged events of %s stay: %w", c.name, card.ID, err)
	}
	defer l.release()
	folder := filepath.Join(c.quarantine(newToken()), quarantinedEvents, card.Path)
	errs := []error{s.disk.mkdirAll(folder)}
	for _, name := range names {
		errs = append(errs, s.disk.rename(filepath.Join(c.object(card.Path), ocfl.LogsDir, name),
			filepath.Join(folder, strings.TrimPrefix(name, "."))))
	}
	return errors.Join(append(errs, s.recordObject(ctx, card.Path, nil))...)
}
