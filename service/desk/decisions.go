package desk

import (
	"context"
	"fmt"
	"time"

	"quire/access/purge"
	"quire/access/withdrawal"
	"quire/holdings"
	"quire/holdings/rights"
	"quire/preserve/statements"
	"quire/repository/disposal"
	"quire/repository/store"
	"quire/service/role"
)

// opened returns the holdings, which stay open.
func (d *Desk) opened() (*holdings.Holdings, error) { return d.Holdings, nil }

func (d *Desk) readers() purge.Readers {
	return purge.Readers{Open: d.opened, Harvesters: d.Harvesters}
}

// whole returns a context that goes on when the client leaves: a decision is carried out.
func whole(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

// Lift ends a withdrawal.
func (d *Desk) Lift(ctx context.Context, who *role.Person, id string, l rights.Lifting) (*withdrawal.Certificate,
	error) {
	l.By = who.Name
	c, err := withdrawal.Lift(whole(ctx), d.Store, d.opened, id, l)
	return c, decided(err)
}

// Hold forbids the purge of a package until a day, or without end.
func (d *Desk) Hold(ctx context.Context, who *role.Person, id string, until statements.Day, because string) (
	disposal.Hold, error) {
	if err := isPackage(id); err != nil {
		return disposal.Hold{}, err
	}
	h, err := d.Store.HoldPackage(whole(ctx), disposal.Hold{Package: id, Until: until, Set: actOf(who, because)})
	return h, decided(err)
}

// LiftHold ends a hold.
func (d *Desk) LiftHold(ctx context.Context, who *role.Person, id, because string) (disposal.Hold, error) {
	h, err := d.Store.LiftHold(whole(ctx), id, actOf(who, because))
	return h, decided(err)
}

func actOf(who *role.Person, because string) disposal.Act {
	return disposal.Act{By: who.Name, At: time.Now().UTC().Truncate(time.Second), Because: because}
}

// RequestPurge asks for a purge.
func (d *Desk) RequestPurge(ctx context.Context, who *role.Person, r store.PurgeRequest) (disposal.Purge, error) {
	if err := isPackage(r.Package); err != nil {
		return disposal.Purge{}, err
	}
	r.By = who.Name
	p, err := purge.Request(whole(ctx), d.Store, d.readers(), r)
	return p, decided(err)
}

// ApprovePurge approves a request as the second person, and carries it out. The person names the package, so that
// nobody approves another request by a slip.
func (d *Desk) ApprovePurge(ctx context.Context, who *role.Person, id, pkg string) (store.PurgeStatus, error) {
	p, err := d.Store.Purge(ctx, id)
	if err != nil {
		return store.PurgeStatus{}, err
	}
	if p.Package != pkg {
		return store.PurgeStatus{}, &RefusedError{fmt.Errorf("%s is not about %.100q: name the package of the request",
			p.ID, pkg)}
	}
	status, err := purge.Approve(whole(ctx), d.Store, d.readers(), p.Token, who.Name)
	return status, decided(err)
}

// CancelPurge ends a request.
func (d *Desk) CancelPurge(ctx context.Context, who *role.Person, id, because string) (disposal.Purge, error) {
	if _, err := d.Store.Purge(ctx, id); err != nil {
		return disposal.Purge{}, err
	}
	p, err := d.Store.CancelPurge(whole(ctx), id, who.Name, because)
	return p, decided(err)
}
