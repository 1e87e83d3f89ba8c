package page

import (
	"fmt"
	"time"

	"quire/internal/humanize"
	"quire/repository/disposal"
	"quire/repository/jobs"
	"quire/repository/store"
	"quire/service/desk"
)

// today is the first page. A part that the roles do not include is absent.
type today struct {
	Figures []figure
	Alarms  []alarm

	Jobs    bool
	Retry   bool
	Running []jobs.Job
	Failed  []jobs.Job
	Came    []jobs.Job

	Storage bool
	Copies  []store.ListedCopy
	Overdue []store.DueAudit
	Last    *desk.AuditRun

	Decisions bool
	Purges    []store.PurgeStatus
}

// figure is a number with its label.
type figure struct{ Label, Value, URL string }

// alarm is something that needs a person.
type alarm struct {
	Bad             bool
	Text, URL, Link string
}

const (
	fewJobs = 8
	lowDisk = 10 << 30
)

// overview shows what needs attention today.
func (q *request) today() (*today, error) {
	v := &today{}
	for _, part := range []struct {
		operation string
		gather    func(*today) error
	}{{"jobs-list", q.todayJobs}, {"copies-list", q.todayStorage}, {"purges-list", q.todayDecisions}} {
		if q.who.May(part.operation) {
			if err := part.gather(v); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func (p *Pages) overview(q *request) error {
	v, err := q.today()
	if err != nil {
		return err
	}
	q.show(200, "today.html", "Today", v)
	return nil
}

// failedStates are those of jobs that a person looks at.
var failedStates = []jobs.State{jobs.Failed, jobs.Problems}

func (q *request) todayJobs(v *today) (err error) {
	ctx, queue := q.Context(), q.p.o.Desk.Queue
	v.Jobs, v.Retry = true, q.who.May("job-retry")
	if v.Running, err = queue.List(ctx, jobs.Query{States: []jobs.State{jobs.Running}, Limit: fewJobs}); err != nil {
		return err
	}
	if v.Failed, err = queue.List(ctx, jobs.Query{States: failedStates, Limit: fewJobs}); err != nil {
		return err
	}
	came := jobs.Query{Queues: []string{"ingest"}, States: []jobs.State{jobs.Done}, Limit: fewJobs}
	if v.Came, err = queue.List(ctx, came); err != nil {
		return err
	}
	counts, err := queue.Counts(ctx)
	if err != nil {
		return err
	}
	workers, err := queue.Workers(ctx)
	if err != nil {
		return err
	}
	waiting := counts[jobs.Waiting] + counts[jobs.Later]
	v.Figures = append(v.Figures, figure{"jobs wait", humanize.Grouped(waiting), "/jobs?state=waiting&state=later"},
		figure{"jobs run", humanize.Grouped(counts[jobs.Running]), "/jobs?state=running"},
		figure{"workers", humanize.Grouped(int64(len(workers))), "/jobs"})
	if waiting > 0 && len(workers) == 0 {
		v.Alarms = append(v.Alarms, alarm{true, "Jobs wait, and no worker runs. Start one with quire work.", "/jobs",
			"Jobs"})
	}
	if n := counts[jobs.Failed]; n > 0 {
		v.Alarms = append(v.Alarms, alarm{true, humanize.Number(n, "job", "jobs") + " failed.", "/jobs?state=failed",
			"Failed jobs"})
	}
	return nil
}

func (q *request) todayStorage(v *today) (err error) {
	ctx, d := q.Context(), q.p.o.Desk
	v.Storage = true
	if v.Copies, err = d.Store.ListCopies(ctx); err != nil {
		return err
	}
	if v.Overdue, err = d.Overdue(ctx); err != nil {
		return err
	}
	runs, err := d.Audits(ctx, 1)
	if err != nil {
		return err
	}
	if len(runs) > 0 {
		v.Last = &runs[0]
	}
	for i := range v.Copies {
		c := &v.Copies[i]
		if c.State == store.CopyRetired {
			continue
		}
		v.Alarms = append(v.Alarms, copyAlarms(c)...)
	}
	packages, err := d.Count(ctx)
	if err != nil {
		return err
	}
	v.Figures = append(v.Figures, figure{"packages", humanize.Grouped(packages), "/packages"},
		figure{"copies", humanize.Grouped(int64(len(v.Copies))), "/copies"})
	for _, due := range v.Overdue {
		late := time.Duration(due.Over)
		v.Alarms = append(v.Alarms, alarm{late > 7*24*time.Hour, fmt.Sprintf("The audit %q is due since %s.", due.Entry,
			date(due.Due)), "/copies", "Audits"})
	}
	return nil
}

func copyAlarms(c *store.ListedCopy) (all []alarm) {
	add := func(bad bool, format string, values ...any) {
		all = append(all, alarm{bad, c.Name + ": " + fmt.Sprintf(format, values...), "/copies", "Copies"})
	}
	if c.State != store.CopyPresent {
		add(true, "it is away. %s", c.Detail)
	}
	if c.Damaged+c.Missing > 0 {
		add(true, "%s damaged or missing.", humanize.Number(c.Damaged+c.Missing, "package is", "packages are"))
	}
	if c.Owed > 0 {
		add(false, "it lacks %s that arrived while it was away.", humanize.Number(c.Owed, "package", "packages"))
	}
	if c.Free > 0 && c.Free < lowDisk {
		add(true, "only %s are free.", humanize.Size(c.Free))
	}
	return all
}

func (q *request) todayDecisions(v *today) error {
	v.Decisions = true
	all, err := q.p.o.Desk.Store.Purges(q.Context())
	if err != nil {
		return err
	}
	for _, p := range all {
		if p.State == disposal.Requested {
			v.Purges = append(v.Purges, p)
		}
	}
	if n := len(v.Purges); n > 0 && q.who.May("purge-approve") {
		v.Alarms = append(v.Alarms, alarm{false, humanize.Number(int64(n), "request", "requests") +
			" for a purge needs your decision.", "/decisions", "Decisions"})
	}
	return nil
}
