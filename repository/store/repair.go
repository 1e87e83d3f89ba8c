package store

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// RepairOptions set the output of a repair.
type RepairOptions struct {
	Progress func(Progress) // called now and then, never concurrently
}

// RepairReport has the result of a repair.
type RepairReport struct {
	ID       string   `json:"id"`
	From     string   `json:"from"`     // the first of Sources; "" if no repair was needed
	Sources  []string `json:"sources"`  // the copies that the bytes came from
	Repaired []string `json:"repaired"` // the copies that were replaced
	Away     []string `json:"away"`     // the copies that could not be read or mended now
	// Purged has the copies from which a purged package that came back was removed again.
	Purged   []string  `json:"purged,omitempty"`
	Findings []Finding `json:"findings"` // the faults of the copies, the first thousand

	fresh bool // the repair found a fault that was not known before
	card  catalogue.Package
	good  []string // the copies that were read in full, without a fault
}

// and adds a second repair of the same package.
func (r RepairReport) and(o RepairReport) RepairReport {
	r.Sources = union(r.Sources, o.Sources)
	r.Repaired = union(r.Repaired, o.Repaired)
	r.Findings = append(r.Findings, o.Findings...)
	return r
}

func union(a, b []string) []string {
	for _, name := range b {
		if !slices.Contains(a, name) {
			a = append(a, name)
		}
	}
	return a
}

// Repair reads a package in every copy that is present, and replaces damaged or missing objects. It
// takes each file from any copy that has it whole. It writes the new object to staging, reads it
// back, and moves it into place under the same protocol as an ingest. The damaged object moves to the
// quarantine folder of its copy. A good copy is never written to, except for the event. If a file is
// whole in no copy, nothing changes, and the error is a [*ContentError].
func (s *Store) Repair(ctx context.Context, id string, o RepairOptions) (RepairReport, error) {
	return s.repair(ctx, id, nil, o)
}

// repair is Repair; with facts, it does not read the copies first.
func (s *Store) repair(ctx context.Context, id string, known *facts, o RepairOptions) (RepairReport, error) {
	report, err := s.repairLocked(ctx, id, known, o)
	if err == nil && len(report.good) > 0 {
		err = s.confirmGood(ctx, report.card, report.good)
	}
	return report, err
}

// repairLocked is repair under the lock of the object.
func (s *Store) repairLocked(ctx context.Context, id string, known *facts, o RepairOptions) (RepairReport, error) {
	if err := s.Writable(); err != nil {
		return RepairReport{}, err
	}
	card, err := s.card(ctx, id)
	if err != nil {
		return RepairReport{}, err
	}
	key := objectKey(card.Object)
	l, err := s.lockWriter(ctx, key, "package "+id, "repair")
	if err != nil {
		return RepairReport{}, err
	}
	defer l.release()
	if err := s.settle(ctx, key); err != nil {
		return RepairReport{}, err
	}
	if card, err = s.card(ctx, id); err != nil {
		return RepairReport{}, err
	}
	if err := s.confirmed(ctx, card); err != nil {
		return RepairReport{}, err
	}
	r := s.newRepair(card)
	release, err := s.hold(r.present)
	if err != nil {
		return RepairReport{}, err
	}
	defer release()
	if err := r.find(ctx, known, o.Progress); err != nil {
		return r.result(), err
	}
	if len(r.bad) == 0 {
		return r.withFar(ctx, o.Progress)
	}
	r.journal = journal{Format: 1, Kind: kindRepair, State: begun, Tx: newToken(), Package: id, Object: card.Object,
		Path: card.Path, Version: card.Head, Inventory: card.Inventory, Copies: names(r.bad),
		Started: time.Now().UTC(), By: newHolder("repair")}
	if err := r.prepare(ctx, o.Progress); err != nil {
		return r.result(), s.undo(key, &r.journal, err)
	}
	r.report.Repaired = names(r.bad)
	if err := s.rollForward(context.WithoutCancel(ctx), key, &r.journal); err != nil {
		return r.result(), err
	}
	return r.withFar(ctx, o.Progress)
}

// withFar brings the package to far copies, after the folders are mended, and returns the result.
func (r *repair) withFar(ctx context.Context, progress func(Progress)) (RepairReport, error) {
	err := r.pushFar(ctx, progress)
	return r.result(), err
}

// PlanRepair returns the report that [Store.Repair] would return, and writes nothing. Like Repair,
// it reads the package in every copy that is present.
func (s *Store) PlanRepair(ctx context.Context, id string, o RepairOptions) (RepairReport, error) {
	card, err := s.card(ctx, id)
	if err != nil {
		return RepairReport{}, err
	}
	l, err := s.waitRead(ctx, card.Object)
	if err != nil {
		return RepairReport{}, err
	}
	defer l.release()
	if err := s.WouldWrite(); err != nil {
		return RepairReport{}, err
	}
	if card, err = s.card(ctx, id); err != nil {
		return RepairReport{}, err
	}
	r := s.newRepair(card)
	if err := r.find(ctx, nil, o.Progress); err != nil || len(r.bad)+len(r.farBad) == 0 {
		return r.result(), err
	}
	if err := r.list(ctx); err != nil {
		return r.result(), err
	}
	for _, f := range r.files {
		if f.far != nil {
			r.use(f.far)
		} else {
			r.use(f.sources[0])
		}
	}
	r.report.Repaired = names(append(r.bad, r.farBad...))
	return r.result(), nil
}

func (s *Store) newRepair(card catalogue.Package) *repair {
	return &repair{store: s, card: card, key: objectKey(card.Object), present: s.present(), far: s.farPresent(),
		faults: map[*copyFolder]map[string]bool{}, farMends: map[*copyFolder]bool{},
		report: RepairReport{ID: card.ID, card: card, Sources: []string{}, Repaired: []string{}, Findings: []Finding{},
			Away: s.away()}}
}

// repair is one package during its repair. Its object is locked.
type repair struct {
	store   *Store
	card    catalogue.Package
	key     string
	present []*copyFolder
	expect  *expectation
	bad     []*copyFolder                   // to be replaced
	faults  map[*copyFolder]map[string]bool // files known to be wrong, by copy
	files   []repairFile
	journal journal
	leaves  *leaves
	report  RepairReport

	far      []*copyFolder        // that answer
	farBad   []*copyFolder        // of these, those to be brought up to date
	farMends map[*copyFolder]bool // of these, those that were damaged
	farFiles map[*copyFolder]map[string]int64
}

// result completes the report.
func (r *repair) result() RepairReport {
	slices.SortStableFunc(r.report.Findings, compareFindings) // the copies were read in parallel
	if len(r.report.Sources) > 0 {
		r.report.From = r.report.Sources[0]
	}
	return r.report
}

// use notes that bytes came from a copy.
func (r *repair) use(c *copyFolder) {
	if !slices.Contains(r.report.Sources, c.name) {
		r.report.Sources = append(r.report.Sources, c.name)
	}
}

func (r *repair) addFinding(f Finding) {
	if len(r.report.Findings) < r.store.maxFindings {
		r.report.Findings = append(r.report.Findings, f)
	}
}

// find finds the copies to replace: those that the facts name, or those with a fault.
func (r *repair) find(ctx context.Context, known *facts, progress func(Progress)) error {
	if len(r.present) == 0 {
		return fmt.Errorf("package %s cannot be repaired: every copy is away", r.card.ID)
	}
	if known != nil && known.Inventory == r.card.Inventory && !r.cameBack(known) {
		return r.trust(ctx, known)
	}
	meter := newMeter(progress, Auditing, r.card.Bytes*int64(len(r.present)))
	found := newCollector(r.store.maxFindings, meter)
	results, err := r.store.examine(ctx, r.card, append(slices.Clone(r.present), r.far...), found.add, found.advance)
	if err != nil {
		return err
	}
	r.report.Findings = found.list
	for _, e := range results {
		r.expect = e.expect
		r.faults[e.copy] = e.faults
		switch st := e.status(); {
		case st == catalogue.Good:
			r.report.good = append(r.report.good, e.copy.name)
		case st == catalogue.AsListed:
		case e.copy.isFar():
			r.farBad = append(r.farBad, e.copy)
			r.farMends[e.copy] = true
		default:
			r.bad = append(r.bad, e.copy)
		}
	}
	return nil
}

// trust takes the copies to replace from facts. It omits a copy that was mended since.
func (r *repair) trust(ctx context.Context, known *facts) error {
	held, err := r.store.catalogue.Copies(ctx, r.card.ID)
	if err != nil {
		return err
	}
	for _, k := range held {
		c := r.store.copyNamed(k.Name)
		if known.Copies[k.Name] == "" || k.Status == catalogue.Good || k.Status == catalogue.AsListed {
			continue
		}
		if slices.Contains(r.present, c) {
			r.bad = append(r.bad, c)
		} else if slices.Contains(r.far, c) {
			r.farBad = append(r.farBad, c)
			if k.Status == catalogue.Damaged {
				r.farMends[c] = true
			}
		}
	}
	r.expect, err = r.store.expect(ctx, r.card)
	return err
}

// prepare stages the complete object in every copy to replace, and commits.
func (r *repair) prepare(ctx context.Context, progress func(Progress)) error {
	s := r.store
	if err := r.list(ctx); err != nil {
		return err
	}
	if err := checkSpace(r.bad, r.bytes()+int64(len(r.files))*4096); err != nil {
		return err
	}
	if err := s.writeJournal(r.key, &r.journal); err != nil {
		return err
	}
	if err := r.stage(ctx, progress); err != nil {
		return err
	}
	if err := r.match(ctx, progress); err != nil {
		return err
	}
	if err := r.writeEvents(ctx); err != nil {
		return err
	}
	for _, c := range r.bad {
		if err := s.syncTree(c.staging(r.journal.Tx)); err != nil {
			return fmt.Errorf("syncing copy %s: %w", c.name, err)
		}
	}
	return s.commit(ctx, r.key, &r.journal, r.leaves)
}

// match reads the staged files back from every copy.
func (r *repair) match(ctx context.Context, progress func(Progress)) error {
	sizes := map[string]int64{}
	for _, f := range r.files {
		sizes[f.path] = f.size
	}
	meter := newMeter(progress, ReadingBack, r.bytes())
	for _, name := range sortedKeys(r.expect.digests) {
		var paths []string
		for _, c := range r.bad {
			paths = append(paths, filepath.Join(c.stagedObject(r.journal.Tx), filepath.FromSlash(name)))
		}
		if err := readBack(ctx, paths, r.expect.digests[name]); err != nil {
			return err
		}
		meter.add(sizes[name])
	}
	return nil
}

// writeEvents stages the events of all copies in each repaired copy, and one new event for each of
// these.
func (r *repair) writeEvents(ctx context.Context) error {
	s := r.store
	k, err := s.known(ctx, r.card.Object, r.card.Path)
	if err != nil {
		return err
	}
	texts := k.events(objectsIn(r.present, r.card.Path))
	texts[saltFile], r.leaves = saltText(k.salt), leavesOf(k.salt, r.card.Object)
	for _, c := range r.bad {
		was := "the object in %s was damaged and was replaced from %s; written, synced, read back and matched; the " +
			"earlier object is in " + quarantineFolder + "/" + r.journal.Tx
		switch {
		case !exists(c.object(r.card.Path)):
			was = "%s did not have the package; it was written there from %s, synced, read back and matched"
		case r.expect.earlier(c.object(r.card.Path)) > 0:
			was = "%s had an earlier version; the newest was written there from %s, synced, read back and matched; " +
				"the earlier object is in " + quarantineFolder + "/" + r.journal.Tx
		}
		e := s.newEvent(model.Recovery, r.card.ID, c.name,
			fmt.Sprintf(was, c.name, strings.Join(r.report.Sources, " and ")))
		e.Status, e.Away = statusGood, s.away()
		if err := s.follow(ctx, r.card.Path, &e); err != nil {
			return err
		}
		text, err := e.marshal()
		if err != nil {
			return err
		}
		texts[e.File] = text
		r.leaves.event(e.Event, text)
	}
	for _, to := range r.bad {
		folder := filepath.Join(to.stagedObject(r.journal.Tx), ocfl.LogsDir)
		if err := s.disk.mkdirAll(folder); err != nil {
			return err
		}
		for _, name := range sortedKeys(texts) {
			if err := s.disk.writeFile(filepath.Join(folder, name), texts[name], storedFile); err != nil {
				return err
			}
		}
	}
	return nil
}
