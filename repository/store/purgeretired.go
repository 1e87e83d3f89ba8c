package store

import (
	"context"
	"fmt"
	"time"

	"quire/repository/disposal"
)

// A copy may be retired while a purge is pending there. If it can be reached, it must be cleared first. If it
// is lost, the purge stays pending for ever: nothing proves that the package is gone.

// clearOfPurges returns an error if a copy that can be reached still has a purged package. Of a copy that is
// away, the purge stays pending for ever, and says so ([PendingPlace]).
func (s *Store) clearOfPurges(ctx context.Context, c *copyFolder) error {
	if c.check(s.id) != nil {
		return nil //nolint:nilerr // it is away
	}
	all, err := s.readPurges(ctx)
	if err != nil || len(all.inForce) == 0 {
		return err
	}
	done, err := s.done(ctx)
	if err != nil {
		return err
	}
	for i := range all.all.List {
		if p := &all.all.List[i]; p.State() == disposal.Purged && done[p.ID][c.name].IsZero() {
			return fmt.Errorf("purge %s is pending there: finish it first (quire purge finish --repo %s)", p.ID, s.root)
		}
	}
	return nil
}

// retiredWith returns the copies that were retired after a purge was decided, and before it was carried out
// there.
func (s *Store) retiredWith(p *disposal.Purge, done map[string]time.Time) ([]PendingPlace, error) {
	config, err := readConfig(s.root)
	if err != nil {
		return nil, err
	}
	var list []PendingPlace
	for _, r := range config.Retired {
		if !done[r.Name].IsZero() || r.At.Before(p.Approved.At) {
			continue
		}
		list = append(list, PendingPlace{Place: r.Name, Away: true, Retired: true, Why: "the copy was retired on " +
			r.At.Format(time.DateOnly) + " and may have the package: destroy its medium, " + r.Path})
	}
	return list, nil
}
