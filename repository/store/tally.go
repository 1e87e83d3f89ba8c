package store

import (
	"context"
	"time"

	sysdisk "quire/internal/disk"
	"quire/repository/catalogue"
)

// CopyState describes the place of a copy.
type CopyState struct {
	CopyPlace
	Problem string // why the copy cannot be read now; "" if it can
	Device  uint64 // number of its file system
	Known   bool   // whether Device is known
}

// CopyStates returns the copies with their places and whether each can be read now.
func (s *Store) CopyStates() []CopyState {
	places := s.Copies()
	all := make([]CopyState, 0, len(places))
	for i, c := range s.copies {
		state := CopyState{CopyPlace: places[i]}
		if err := c.check(s.id); err != nil {
			state.Problem = err.Error()
		} else if device, err := sysdisk.Device(c.path); err == nil {
			state.Device, state.Known = device, true
		}
		all = append(all, state)
	}
	return all
}

// Created returns the time at which the repository was created; zero if it is not recorded.
func (s *Store) Created() time.Time { return s.created }

// StateTallies counts the packages by copy and last known state: see [catalogue.Catalogue.StateTallies].
func (s *Store) StateTallies(ctx context.Context, times ...time.Time) ([]catalogue.StateTally, error) {
	return s.catalogue.StateTallies(ctx, times...)
}

// EventTallies counts the events since a time by type and outcome.
func (s *Store) EventTallies(ctx context.Context, since time.Time) ([]catalogue.EventTally, error) {
	return s.catalogue.EventTallies(ctx, since)
}

// Gaps counts the packages, and their copies, that lack the events that lead to their state.
func (s *Store) Gaps(ctx context.Context) (catalogue.Gaps, error) { return s.catalogue.Gaps(ctx) }

// Incidents returns at most limit damages and losses in copies since a time, the newest first, and
// their numbers. Those without a repair are included whatever their time.
func (s *Store) Incidents(ctx context.Context, since time.Time, limit int) ([]catalogue.Incident,
	catalogue.IncidentSum, error) {
	return s.catalogue.Incidents(ctx, since, limit)
}

// AuditRuns returns all audit runs, the newest first, and their sums for each copy, by run.
func (s *Store) AuditRuns(ctx context.Context) ([]catalogue.Run, map[string][]catalogue.Audit, error) {
	runs, err := s.catalogue.Runs(ctx)
	if err != nil {
		return nil, nil, err
	}
	rows, err := s.catalogue.Audits(ctx, allRows)
	if err != nil {
		return nil, nil, err
	}
	sums := map[string][]catalogue.Audit{}
	for _, a := range rows {
		sums[a.Run] = append(sums[a.Run], a)
	}
	return runs, sums, nil
}

// AuditLeaf is the leaf of an audit run in the register.
type AuditLeaf struct {
	Index    int64
	Root     string // digest over the lines of the run's record, in hex
	Packages int64
	Problems int64 // in copies
	Time     time.Time
}

// Proves reports whether the leaf is of a run with this end, these packages and problems, as the catalogue
// has them.
func (l AuditLeaf) Proves(r catalogue.Run, problems int64) bool {
	return l.Time.Equal(r.Finished) && l.Packages == r.Done && l.Problems == problems
}

// AuditLeaves returns the leaves of audit runs, by run. A repository without a register has none.
func (s *Store) AuditLeaves(ctx context.Context) (map[string]AuditLeaf, error) {
	entered, err := s.enteredRuns(ctx)
	if err != nil {
		return nil, err
	}
	leaves := map[string]AuditLeaf{}
	for id, l := range entered.leaves {
		leaves[runName(id)] = AuditLeaf{l.index, l.Root.String(), int64(l.Objects), int64(l.Problems), l.Time}
	}
	return leaves, nil
}

// allRows is a limit without effect: SQLite reads a negative one as none.
const allRows = -1
