package page

import (
	"time"

	"quire/access/withdrawal"
	"quire/repository/catalogue"
	"quire/repository/disposal"
	"quire/repository/store"
	"quire/service/desk"
)

// copiesPage shows copies, disk, audits and damage.
type copiesPage struct {
	Copies    []store.ListedCopy
	Due       []store.DueAudit
	Runs      []desk.AuditRun
	Incidents []catalogue.Incident
	Sum       catalogue.IncidentSum
	Submit    bool
	Form      string
}

const (
	pageRuns      = 20
	pageIncidents = 30
	lookBack      = 90 * 24 * time.Hour
)

func (p *Pages) copies(q *request) (err error) {
	d, ctx := p.o.Desk, q.Context()
	v := copiesPage{Submit: q.who.May("job-submit"), Form: q.form}
	if v.Copies, err = d.Store.ListCopies(ctx); err != nil {
		return err
	}
	if v.Due, err = d.Store.DueAudits(ctx); err != nil {
		return err
	}
	if v.Runs, err = d.Audits(ctx, pageRuns); err != nil {
		return err
	}
	if v.Incidents, v.Sum, err = d.Incidents(ctx, time.Now().Add(-lookBack), pageIncidents); err != nil {
		return err
	}
	q.show(200, "copies.html", "Copies and audits", v)
	return nil
}

// decisionsPage shows purges, withdrawals and holds.
type decisionsPage struct {
	Purges          []store.PurgeStatus // requests first
	Withdrawals     []withdrawal.Counted
	Holds           []disposal.Hold
	Approve, Cancel bool
	Who             string
	Form            string
}

func (p *Pages) decisions(q *request) (err error) {
	d, ctx := p.o.Desk, q.Context()
	v := decisionsPage{Approve: q.who.May("purge-approve"), Cancel: q.who.May("purge-cancel"), Who: q.who.Name,
		Form: q.form}
	all, err := d.Store.Purges(ctx)
	if err != nil {
		return err
	}
	for _, open := range []bool{true, false} {
		for i := len(all) - 1; i >= 0; i-- {
			if (all[i].State == disposal.Requested) == open {
				v.Purges = append(v.Purges, all[i])
			}
		}
	}
	if v.Withdrawals, err = withdrawal.List(ctx, d.Store); err != nil {
		return err
	}
	if v.Holds, err = d.Store.Holds(ctx); err != nil {
		return err
	}
	q.show(200, "decisions.html", "Decisions", v)
	return nil
}

func (p *Pages) approve(q *request) error {
	if _, err := p.o.Desk.ApprovePurge(q.Context(), q.who, q.PathValue("id"), q.PostFormValue("package")); err != nil {
		return err
	}
	return q.back("/decisions")
}

func (p *Pages) endPurge(q *request) error {
	because := q.PostFormValue("because")
	if _, err := p.o.Desk.CancelPurge(q.Context(), q.who, q.PathValue("id"), because); err != nil {
		return err
	}
	return q.back("/decisions")
}
