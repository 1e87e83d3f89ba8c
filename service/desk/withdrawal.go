package desk

import (
	"context"
	"errors"

	"quire/access/withdrawal"
	"quire/service/role"
)

// Withdrawn is a withdrawal that is in force.
type Withdrawn struct {
	*withdrawal.Certificate
	Left *Left // nil if nothing is left to do
}

// Left is the content that a search engine still has after a withdrawal: it did not answer. Quire shows it to no
// reader.
type Left struct {
	Job int64 // that deletes it; 0 if none could be made
	Err error // from the engine, and from the queue
}

// deletions is how often a job tries to delete content from a search engine: for weeks.
const deletions = 25

// Withdraw closes content at once. If a search engine does not answer, a job deletes the content there: the
// withdrawal is in force.
func (d *Desk) Withdraw(ctx context.Context, who *role.Person, r withdrawal.Request) (*Withdrawn, error) {
	r.By = who.Name
	c, err := withdrawal.Withdraw(whole(ctx), d.Store, d.opened, r)
	var held *withdrawal.HeldError
	if c == nil || !errors.As(err, &held) {
		return &Withdrawn{Certificate: c}, decided(err)
	}
	left := &Left{Err: held}
	made, err := d.Submit(whole(ctx), Commanded{Words: []string{"withdraw", "finish", c.Withdrawal.ID},
		Directory: d.directory(), By: who.Name, Attempts: deletions})
	if err != nil {
		left.Err = errors.Join(held, err)
	} else if len(made) > 0 {
		left.Job = made[0].Job
	}
	return &Withdrawn{c, left}, nil
}
