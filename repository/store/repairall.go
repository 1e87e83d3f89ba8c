package store

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"quire/repository/catalogue"
)

// Damage collects the packages in which an audit found damage, for [Store.RepairAll]. It keeps them
// in a temporary file without a name: there may be millions.
type Damage struct {
	f        *os.File
	out      *bufio.Writer
	packages int64
	bytes    int64
	problems int64
	err      error // of the first write that failed
}

// damageLine is a line of the temporary file: a package, or an empty folder of a storage root.
type damageLine struct {
	facts
	Copy   string `json:"copy,omitempty"`
	Folder string `json:"folder,omitempty"` // below the storage root
	Purged bool   `json:"purged,omitempty"` // the folder is the object of a purged package
}

// NewDamage returns an empty collection. [Damage.Close] removes its file.
func NewDamage() (*Damage, error) {
	f, err := os.CreateTemp("", "quire-damage-")
	if err != nil {
		return nil, fmt.Errorf("collecting damaged packages: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil { // it stays open
		return nil, errors.Join(fmt.Errorf("collecting damaged packages: %w", err), f.Close())
	}
	return &Damage{f: f, out: bufio.NewWriter(f)}, nil
}

// Close removes the collection.
func (d *Damage) Close() error { return d.f.Close() }

// Clear empties the collection, for the next audit.
func (d *Damage) Clear() error {
	_, err := d.f.Seek(0, io.SeekStart)
	if err = errors.Join(err, d.f.Truncate(0)); err != nil {
		return fmt.Errorf("collecting damaged packages: %w", err)
	}
	*d = Damage{f: d.f, out: bufio.NewWriter(d.f)}
	return nil
}

// Packages returns the number of damaged packages.
func (d *Damage) Packages() int64 { return d.packages }

// Mends reports whether the repair of all these packages mends all problems of an audit.
func (d *Damage) Mends(r AuditReport) bool { return d.problems == r.Problems }

// add adds a package with the results of its copies.
func (d *Damage) add(card catalogue.Package, results []*examination) {
	if d == nil {
		return
	}
	line := damageLine{facts: facts{ID: card.ID, Inventory: card.Inventory, Bytes: card.Bytes,
		Copies: map[string]catalogue.Status{}}}
	for _, e := range results {
		if st := e.status(); st != catalogue.Good && st != catalogue.AsListed {
			line.Copies[e.copy.name] = st
			d.problems += e.found
		}
	}
	if len(line.Copies) > 0 {
		d.packages++
		d.bytes += card.Bytes
		d.write(line)
	}
}

// addEmpty adds an empty folder of a storage root.
func (d *Damage) addEmpty(copyName, path string) {
	if d != nil {
		d.write(damageLine{Copy: copyName, Folder: path})
	}
}

// addPurged adds the object of a purged package.
func (d *Damage) addPurged(copyName, path string) {
	if d != nil {
		d.packages++
		d.problems++
		d.write(damageLine{Copy: copyName, Folder: path, Purged: true})
	}
}

func (d *Damage) write(line damageLine) {
	if d.err != nil {
		return
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = d.out.Write(append(text, '\n'))
	}
	d.err = err
}

// each reads the collection.
func (d *Damage) each(visit func(damageLine) error) error {
	if d.err == nil {
		d.err = d.out.Flush()
	}
	if d.err != nil {
		return fmt.Errorf("collecting damaged packages: %w", d.err)
	}
	lines := bufio.NewScanner(io.NewSectionReader(d.f, 0, 1<<62))
	lines.Buffer(nil, maxRunLine)
	for lines.Scan() {
		var line damageLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("reading damaged packages: %w", err)
		}
		if err := visit(line); err != nil {
			return err
		}
	}
	return lines.Err()
}

// RepairSum counts the packages of a repair of many.
type RepairSum struct {
	Repaired int64 `json:"repaired"`
	Whole    int64 `json:"whole"` // no repair was needed any more
	Failed   int64 `json:"failed"`
}

// RepairAll repairs the packages in which an audit has just found damage, one after another. It does
// not read the copies again before: it writes each package from the copies that the audit found good,
// and compares every digest. It continues after a package that cannot be repaired. It calls each with
// the result of each package; an error of each, or the end of ctx, ends the run. It removes empty
// folders of the storage roots.
func (s *Store) RepairAll(ctx context.Context, d *Damage, o RepairOptions,
	each func(RepairReport, error) error) (RepairSum, error) {
	if err := s.Writable(); err != nil {
		return RepairSum{}, err
	}
	if err := s.settleRefills(ctx); err != nil {
		return RepairSum{}, err
	}
	run := &repairRun{store: s, meter: newMeter(o.Progress, Repairing, d.bytes), each: each}
	err := d.each(func(line damageLine) error {
		if line.Purged {
			report, err := s.purgeAgain(ctx, line.Copy, line.Folder)
			run.sum.add(report, err)
			return each(report, err)
		}
		if line.Folder != "" {
			s.removeEmpty(line.Copy, line.Folder)
			return nil
		}
		return run.add(ctx, &line.facts)
	})
	if err == nil {
		err = run.flush(ctx)
	}
	return run.sum, err
}

// PlanRepairAll calls each with the report that [Store.RepairAll] would give for each package, and
// writes nothing. It reads each package again, in every copy that is present.
func (s *Store) PlanRepairAll(ctx context.Context, d *Damage, o RepairOptions,
	each func(RepairReport, error) error) (RepairSum, error) {
	var sum RepairSum
	meter := newMeter(o.Progress, Auditing, d.bytes)
	err := d.each(func(line damageLine) error {
		if line.Purged {
			report, _, err := s.planPurgeAgain(ctx, line.Copy, line.Folder)
			sum.add(report, err)
			return each(report, err)
		}
		if line.Folder != "" {
			return nil
		}
		report, err := s.PlanRepair(ctx, line.ID, RepairOptions{})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		meter.add(line.Bytes)
		sum.add(report, err)
		report.ID = line.ID
		return each(report, err)
	})
	return sum, err
}

// add counts a result.
func (sum *RepairSum) add(r RepairReport, err error) {
	switch {
	case err != nil:
		sum.Failed++
	case len(r.Repaired)+len(r.Purged) == 0:
		sum.Whole++
	default:
		sum.Repaired++
	}
}

// repairRun is a repair of many packages.
type repairRun struct {
	store *Store
	meter *meter
	each  func(RepairReport, error) error
	sum   RepairSum

	waiting []*facts // for the next batch
	bytes   int64
}

// add repairs a package, alone or with the next batch.
func (run *repairRun) add(ctx context.Context, known *facts) error {
	if !run.store.batchable(known) {
		return run.one(ctx, known)
	}
	run.waiting = append(run.waiting, known)
	if run.bytes += known.Bytes; len(run.waiting) < run.store.batchObjects && run.bytes < batchBytes {
		return nil
	}
	return run.flush(ctx)
}

// flush repairs the packages that wait.
func (run *repairRun) flush(ctx context.Context) error {
	list := run.waiting
	run.waiting, run.bytes = nil, 0
	done, undone := run.store.refillBatch(ctx, list)
	for _, known := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		report, ok := done[known.ID]
		if !ok {
			if err := run.one(ctx, known); err != nil {
				return err
			}
			continue
		}
		err := undone
		if err != nil {
			err = fmt.Errorf("the package is in place, but its event is not complete; the next command on this "+
				"repository finishes that: %w", undone)
		}
		run.meter.add(known.Bytes)
		run.sum.add(report, err)
		if err := run.each(report, err); err != nil {
			return err
		}
	}
	return nil
}

func (run *repairRun) one(ctx context.Context, known *facts) error {
	s := run.store
	report, err := s.repair(ctx, known.ID, known, RepairOptions{})
	if err == nil && report.fresh {
		// A copy that was thought to be good is not. Read all, and mend that one, too.
		var again RepairReport
		again, err = s.repair(ctx, known.ID, nil, RepairOptions{})
		report = report.and(again)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	run.meter.add(known.Bytes)
	run.sum.add(report, err)
	report.ID = known.ID
	return run.each(report, err)
}

// Refill brings a copy up to date: it writes the packages that the copy lacks, as far as the catalogue
// knows. name is "" for all copies that are present. It reads each file once, from a good copy, writes
// it, and reads it back; it reads no other package. It also copies the events that a copy lacks. It
// continues after a package that cannot be written. It calls each with the result of each package; an
// error of each, or the end of ctx, ends the run.
func (s *Store) Refill(ctx context.Context, name string, o RepairOptions,
	each func(RepairReport, error) error) (RepairSum, error) {
	if err := s.Writable(); err != nil {
		return RepairSum{}, err
	}
	if name != "" && s.copyNamed(name) == nil {
		return RepairSum{}, fmt.Errorf("the repository has no copy %q", name)
	}
	if err := s.settleRefills(ctx); err != nil {
		return RepairSum{}, err
	}
	total, err := s.lackedBytes(ctx, name)
	if err != nil {
		return RepairSum{}, err
	}
	run := &repairRun{store: s, meter: newMeter(o.Progress, Repairing, total), each: each}
	for known, err := range s.lacking(ctx, name) {
		if err == nil {
			err = run.add(ctx, known)
		}
		if err != nil {
			return run.sum, err
		}
	}
	if err := run.flush(ctx); err != nil {
		return run.sum, err
	}
	return run.sum, s.refillEvents(ctx)
}

// refillEvents copies the events that a present copy lacks. For that it lists one folder of each
// package. The error is that of the first package that could not be mended.
func (s *Store) refillEvents(ctx context.Context) error {
	var failed error
	for card, err := range s.catalogue.Packages(ctx) {
		if err != nil {
			return err
		}
		l, err := s.tryRead(ctx, card.Object)
		var busy *BusyError
		if errors.As(err, &busy) {
			continue // a version moves into place
		}
		if err != nil {
			return err
		}
		err = s.mendEvents(ctx, card)
		l.release()
		failed = cmp.Or(failed, err)
	}
	return failed
}

// removeEmpty removes an empty folder of a storage root, and folders above it that are empty then.
// OCFL allows none (1.1 clause 4.3). A folder that has entries by now stays, and so does one that
// cannot be removed: it does no harm.
func (s *Store) removeEmpty(copyName, path string) {
	c := s.copyNamed(copyName)
	if c == nil || !filepath.IsLocal(filepath.FromSlash(path)) || c.check(s.id) != nil {
		return
	}
	for dir := c.object(path); inside(dir, c.root()) && dir != c.root(); dir = filepath.Dir(dir) {
		if err := s.disk.removeFolder(dir); err != nil && !notThere(err) {
			return
		}
	}
}
