package store

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"quire/repository/catalogue"
)

// A refill writes small packages in batches: one note, one append to the register and one transaction for
// all, and few syncs. A batch has these steps.
//
//  1. Write a note of the refill. Recovery removes the staging folder that it names.
//  2. Stage the complete objects. Compare each digest of a source, sync, and read everything back.
//  3. Move the objects into place, and sync. Each is complete, with the events of before.
//  4. Write a record with a line for each object, enter its leaf, and record the states.
//
// A kill between 3 and 4 leaves complete objects that the catalogue does not know. The next repair reads
// them, and records that they are good (see [Store.confirmGood]). A kill in 4 leaves a complete record, signed: the
// next open enters it and imports it, or none, as between 3 and 4.

// Bounds of a batch. A package of more bytes is written alone: the batch holds each file in memory.
const (
	batchObjects = 128
	batchBytes   = 32 << 20
	smallPackage = 4 << 20
)

// refillBatch is a batch of packages. Their objects are locked.
type refillBatch struct {
	store   *Store
	tx      string
	key     string // of the note
	present []*copyFolder
	disks   map[*copyFolder]*diskBatch
	away    []string
	items   []*refillItem
	buffer  []byte
	copied  []*copied
	decided bool // the record may be complete
}

// refillItem is one package of a batch.
type refillItem struct {
	card   catalogue.Package
	key    string
	lock   *lock
	gate   *lock
	bad    []*copyFolder // they lack the object
	from   []*copyFolder // they have it
	expect *expectation
	known  known
	logs   map[string][]byte // events, and the salt
	files  []string          // staged files with a digest, by path within the object
	report RepairReport
}

// errAlone reports a package that a batch cannot write. It is repaired alone, which gives the reason.
var errAlone = errors.New("not in a batch")

// batchable reports whether a batch may write a package.
func (s *Store) batchable(known *facts) bool {
	return known.Bytes <= smallPackage && len(known.Copies) > 0 && s.registered()
}

// refillBatch writes packages into copies that lack them. It returns the reports of those that it wrote, by
// id. The others must be repaired alone; then any error recurs, with its place. An error concerns those that
// are returned: their record is complete, and not entered.
func (s *Store) refillBatch(ctx context.Context, list []*facts) (map[string]RepairReport, error) {
	b := &refillBatch{store: s, tx: newToken(), present: s.present(), disks: map[*copyFolder]*diskBatch{}}
	b.key = eventsPrefix + b.tx
	set, err := s.shareCopies(ctx)
	if err != nil {
		return nil, nil
	}
	defer set.release()
	release, err := s.hold(b.present)
	if err != nil {
		return nil, nil
	}
	defer release()
	b.away = s.away()
	for _, c := range b.present {
		b.disks[c] = newDiskBatch(s.disk, c)
	}
	l, err := s.tryLock(b.key, exclusive, "refill", "refill")
	if err != nil {
		return nil, nil
	}
	defer l.release()
	defer b.release()
	for _, known := range list {
		if item, err := b.lock(ctx, known); err == nil {
			b.items = append(b.items, item)
		}
	}
	if len(b.items) == 0 {
		return nil, nil
	}
	if err = b.run(ctx); err != nil && !b.decided {
		return nil, nil
	}
	done := make(map[string]RepairReport, len(b.items))
	for _, item := range b.items {
		done[item.card.ID] = item.report
	}
	return done, err
}

// run carries the batch out. If it fails before the record is complete, no package counts as written.
func (b *refillBatch) run(ctx context.Context) error {
	s := b.store
	j := &journal{Format: 1, Kind: kindRefill, State: begun, Tx: b.tx, Started: time.Now().UTC(),
		By: newHolder("refill")}
	if err := s.writeJournal(b.key, j); err != nil {
		return err
	}
	err := b.stage(ctx)
	if err == nil {
		err = b.match(ctx)
	}
	if err == nil {
		err = b.install(ctx)
	}
	if err == nil && len(b.items) == 0 {
		err = errAlone
	}
	if err == nil {
		err = b.record(ctx)
	}
	return errors.Join(err, s.drop(b.key, j))
}

// lock locks a package and prepares it.
func (b *refillBatch) lock(ctx context.Context, known *facts) (item *refillItem, err error) {
	s := b.store
	object := known.object
	if object == "" {
		card, err := s.card(ctx, known.ID)
		if err != nil {
			return nil, err
		}
		object = card.Object
	}
	item = &refillItem{key: objectKey(object)}
	if item.lock, err = s.tryLock(item.key, exclusive, "package "+known.ID, "repair"); err != nil {
		return nil, err
	}
	if err = s.settle(ctx, item.key); err == nil {
		err = item.prepare(ctx, b, known)
	}
	if err != nil {
		item.release()
		return nil, err
	}
	return item, nil
}

func (item *refillItem) release() {
	for _, l := range []*lock{item.gate, item.lock} {
		if l != nil {
			l.release()
		}
	}
}

func (b *refillBatch) release() {
	for _, item := range b.items {
		item.release()
	}
}

// prepare finds the copies that lack the object, and reads the events from the others.
func (item *refillItem) prepare(ctx context.Context, b *refillBatch, known *facts) (err error) {
	s := b.store
	if item.card, err = s.card(ctx, known.ID); err != nil || item.card.Inventory != known.Inventory {
		return errors.Join(err, errAlone)
	}
	held, err := s.catalogue.Copies(ctx, known.ID)
	if err != nil {
		return err
	}
	for _, k := range held {
		c := s.copyNamed(k.Name)
		lacks := known.Copies[k.Name] != "" && k.Status != catalogue.Good && k.Status != catalogue.AsListed
		switch {
		case c == nil, !slices.Contains(b.present, c) && !(lacks && c.isFar()):
		case !lacks:
			item.from = append(item.from, c)
		case c.isFar() || exists(c.object(item.card.Path)):
			return errAlone
		default:
			item.bad = append(item.bad, c)
		}
	}
	if len(item.bad) == 0 || len(item.from) == 0 {
		return errAlone
	}
	item.report = RepairReport{ID: item.card.ID, From: item.from[0].name, Sources: []string{item.from[0].name},
		Repaired: names(item.bad), Findings: []Finding{}, Away: b.away}
	return item.readLogs(ctx, s)
}

// readLogs judges the object and its events by the register.
func (item *refillItem) readLogs(ctx context.Context, s *Store) error {
	sums, err := s.catalogue.VersionInventories(ctx, item.card.ID)
	if err != nil {
		return err
	}
	h, found, err := s.historyOf(ctx, item.card.Object, item.card.Path)
	if err != nil || !found || !h.catalogued(sums) {
		return errors.Join(err, errAlone)
	}
	item.known = known{h.salt, h.History}
	if item.expect = s.expectBy(item.card, sums, item.from...); item.expect.truth == nil {
		return errAlone
	}
	item.logs = item.known.events(objectsIn(item.from, item.card.Path))
	item.logs[saltFile] = saltText(h.salt)
	return nil
}

// stagedObject is the staged folder of an object of the batch.
func (b *refillBatch) stagedObject(c *copyFolder, item *refillItem) string {
	return filepath.Join(c.staging(b.tx), item.key)
}
