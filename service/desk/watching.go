package desk

import (
	"context"
	"quire/holdings/numbers"
	"quire/preserve/report"
	"slices"
	"time"

	"quire/repository/catalogue"
	"quire/repository/store"
)

// AuditRun is an audit with its sums in each copy.
type AuditRun struct {
	catalogue.Run
	Copies []catalogue.Audit
}

// Audits returns the newest audits, at most limit.
func (d *Desk) Audits(ctx context.Context, limit int) ([]AuditRun, error) {
	runs, sums, err := d.Store.AuditRuns(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]AuditRun, 0, min(limit, len(runs)))
	for _, r := range runs[:min(limit, len(runs))] {
		all = append(all, AuditRun{r, sums[r.Run]})
	}
	return all, nil
}

// Overdue returns the entries of the schedule whose time has passed, that longest ago first.
func (d *Desk) Overdue(ctx context.Context) ([]store.DueAudit, error) {
	all, err := d.Store.DueAudits(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(a store.DueAudit) bool { return !a.Is })
	slices.SortFunc(all, func(a, b store.DueAudit) int { return a.Due.Compare(b.Due) })
	return all, nil
}

// Incidents returns damage and losses since a time, the newest first, at most limit.
func (d *Desk) Incidents(ctx context.Context, since time.Time, limit int) ([]catalogue.Incident, catalogue.IncidentSum,
	error) {
	return d.Store.Incidents(ctx, since, limit)
}

// Numbers counts by a criterion.
func (d *Desk) Numbers(ctx context.Context, q numbers.Query) (*report.Table, error) {
	t, err := numbers.Table(ctx, d.Store, q)
	return t, decided(err)
}

// everyQueue stands for all queues.
const everyQueue = "*"

// Pause lets workers take no more jobs of a queue, or with "*" of any.
func (d *Desk) Pause(ctx context.Context, queue string) error {
	if queue == everyQueue {
		queue = ""
	}
	return decided(d.Queue.Pause(ctx, queue))
}

// Resume ends a pause.
func (d *Desk) Resume(ctx context.Context, queue string) error {
	if queue == everyQueue {
		queue = ""
	}
	return decided(d.Queue.Resume(ctx, queue))
}
