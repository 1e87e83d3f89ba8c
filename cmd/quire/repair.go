package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"quire/internal/humanize"
	"quire/repository/store"
)

// errOwedAlone reports --owed without --repair.
var errOwedAlone = errors.New("--owed needs --repair; quire list --owed lists the packages that a copy lacks")

// errOwedDry reports --owed with --dry-run.
var errOwedDry = errors.New("--owed has no dry run; quire list --owed lists the packages that a copy lacks")

// refill writes the packages that copies lack.
func (c *auditCmd) refill(ctx context.Context, t *terminal, s *store.Store) error {
	if !c.Repair {
		return errOwedAlone
	}
	if c.DryRun {
		return errOwedDry
	}
	var failed error
	sum, err := s.Refill(ctx, "", store.RepairOptions{Progress: t.phases()}, c.mended(t, "repaired", &failed))
	t.clear()
	if err != nil {
		return err
	}
	return cmp.Or(failed, c.summary(t, sum, sum.Failed == 0))
}

// repair repairs the packages that the audit found damaged.
func (c *auditCmd) repair(ctx context.Context, t *terminal, s *store.Store, report store.AuditReport,
	damage *store.Damage) error {
	repair, done := s.RepairAll, "repaired"
	if c.DryRun {
		repair, done = s.PlanRepairAll, "would repair"
	}
	var failed error
	sum, err := repair(ctx, damage, store.RepairOptions{Progress: t.phases()}, c.mended(t, done, &failed))
	t.clear()
	if err != nil {
		return err
	}
	return cmp.Or(failed, c.summary(t, sum, sum.Failed == 0 && damage.Mends(report)))
}

func (c *auditCmd) summary(t *terminal, sum store.RepairSum, whole bool) error {
	if !c.JSON && !c.DryRun {
		t.printf("repair: %s mended, %d whole before, %d not mended\n",
			humanize.Number(sum.Repaired, "package", "packages"), sum.Whole, sum.Failed)
	}
	if whole {
		return nil
	}
	t.warn("some damage remains: see the messages above, and run the audit again")
	return errContent
}

// failures prints the packages that could not be written. It keeps the first failure that is not about
// content.
func (c *auditCmd) failures(t *terminal, failed *error) func(store.RepairReport, error) error {
	show := c.mended(t, "", failed)
	return func(r store.RepairReport, err error) error {
		if err == nil {
			return nil
		}
		return show(r, err)
	}
}

// mended prints the result of each package. It keeps the first failure that is not about content.
func (c *auditCmd) mended(t *terminal, done string, failed *error) func(store.RepairReport, error) error {
	purged := "purged"
	if c.DryRun {
		purged = "would purge"
	}
	return func(r store.RepairReport, err error) error {
		var content *store.ContentError
		switch {
		case err != nil:
			err = fmt.Errorf("repairing %s: %w", r.ID, err)
			if *failed == nil && !errors.As(err, &content) {
				*failed = err
				return nil // the next package may be mended
			}
			t.printError(err)
		case c.JSON:
			return c.result(t, r)
		case len(r.Purged) > 0:
			t.clear()
			t.printf("%s %s in %v again\n", purged, r.ID, r.Purged)
		case len(r.Repaired) > 0:
			t.clear()
			t.printf("%s %s in %v from %s\n", done, r.ID, r.Repaired, strings.Join(r.Sources, ", "))
		}
		return nil
	}
}
