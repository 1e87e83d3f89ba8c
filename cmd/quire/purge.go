package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"quire/access/purge"
	"quire/holdings/exports"
	"quire/internal/humanize"
	"quire/oai/archive"
	"quire/preserve/statements"
	"quire/repository/disposal"
	"quire/repository/store"
)

type purgeGroup struct {
	Request purgeRequestCmd `cmd:"" name:"request" default:"withargs" help:"@purge_request"`
	Approve purgeApproveCmd `cmd:"" help:"@purge_approve"`
	Cancel  purgeCancelCmd  `cmd:"" help:"End a request that is not approved."`
	List    purgeListCmd    `cmd:"" help:"@purge_list"`
	Finish  purgeFinishCmd  `cmd:"" help:"@purge_finish"`
}

type purgeRequestCmd struct {
	ID        string   `arg:"" name:"id" help:"Identifier of the package."`
	Because   string   `required:"" placeholder:"TEXT" help:"@purge_because"`
	Authority string   `required:"" placeholder:"TEXT" help:"By which authority: a court, a law, the board."`
	By        string   `placeholder:"WHO" help:"The person who requests it. Default: your account."`
	Although  []string `placeholder:"ID" help:"@purge_although"`
	repoFlag
	jsonFlag
}

// Run records the request.
func (c *purgeRequestCmd) Run(ctx context.Context, t *terminal) error {
	return c.withHoldings(ctx, t, func(s *store.Store, readers purge.Readers) error {
		p, err := purge.Request(ctx, s, readers, store.PurgeRequest{Package: c.ID, Because: c.Because,
			Authority: c.Authority, By: cmp.Or(c.By, caller()), Although: c.Although})
		if err != nil {
			return err
		}
		touched, err := exports.With(ctx, s, []string{p.Package})
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(requestedPurge{p, touched})
		}
		t.printf("requested %s, the purge of %s: %s, %s in %s. Nothing is removed yet\n", p.ID, p.Package,
			humanize.Number(int64(p.Was.Versions), "version", "versions"), humanize.Size(p.Was.Bytes),
			humanize.Number(p.Was.Files, "file", "files"))
		t.printf("  a second person approves it: quire purge approve %s --by WHO --repo %s\n", p.Token, c.Repo)
		printExports(t, touched)
		return nil
	})
}

// withHoldings opens the repository, and its holdings on demand.
func (f *repoFlag) withHoldings(ctx context.Context, t *terminal, work func(*store.Store, purge.Readers) error) error {
	return f.with(ctx, t, func(s *store.Store) error {
		open, end := f.opener(ctx, t, s, false)
		harvesters := func() error { return archive.Drop(s.Folder(oaiFolder)) }
		return closed(work(s, purge.Readers{Open: open, Harvesters: harvesters}), end())
	})
}

type purgeApproveCmd struct {
	Token string `arg:"" help:"The token that the request printed."`
	By    string `placeholder:"WHO" help:"The second person. Default: your account."`
	repoFlag
	jsonFlag
}

// Run approves the request, and purges the package.
func (c *purgeApproveCmd) Run(ctx context.Context, t *terminal) error {
	return c.withHoldings(ctx, t, func(s *store.Store, readers purge.Readers) error {
		p, err := purge.Approve(ctx, s, readers, c.Token, cmp.Or(c.By, caller()))
		if err != nil {
			return err
		}
		touched, err := exports.With(ctx, s, []string{p.Package})
		if err != nil {
			return err
		}
		return c.show(t, p, touched)
	})
}

// requestedPurge and approvedPurge are purges with the exports that have data of the package.
type requestedPurge struct {
	disposal.Purge
	Exports []exports.Touched `json:"exports"`
}

type approvedPurge struct {
	store.PurgeStatus
	Exports []exports.Touched `json:"exports"`
}

func (c *purgeApproveCmd) show(t *terminal, p store.PurgeStatus, touched []exports.Touched) error {
	if c.JSON {
		if err := t.json(approvedPurge{p, touched}); err != nil {
			return err
		}
		return failing(p)
	}
	t.clear()
	t.printf("purged %s (%s)\n", p.Package, p.ID)
	printPlaces(t, p)
	printExports(t, touched)
	return failing(p)
}

// failing returns an error if a purge is pending in a place that is not away.
func failing(p store.PurgeStatus) error {
	for _, at := range p.Pending {
		if !at.Away {
			return errContent
		}
	}
	return nil
}

func printPlaces(t *terminal, p store.PurgeStatus) {
	for _, at := range p.Done {
		t.printf("  removed  %s  %s\n", moment(at.At), at.Place)
	}
	for _, at := range p.Pending {
		t.printf("  pending  %s: %s\n", at.Place, at.Why)
	}
}

type purgeCancelCmd struct {
	Request string `arg:"" help:"The id (P1) or the token of the request."`
	Because string `placeholder:"TEXT" help:"The reason, kept with the request."`
	By      string `placeholder:"WHO" help:"The person responsible. Default: your account."`
	repoFlag
	jsonFlag
}

// Run cancels the request.
func (c *purgeCancelCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		p, err := s.CancelPurge(ctx, c.Request, cmp.Or(c.By, caller()), c.Because)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(p)
		}
		t.printf("cancelled %s, the purge of %s\n", p.ID, p.Package)
		return nil
	})
}

type purgeListCmd struct {
	repoFlag
	jsonFlag
}

// Run lists the purges.
func (c *purgeListCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		all, err := s.Purges(ctx)
		if err != nil {
			return err
		}
		return printPurges(t, all, c.JSON)
	})
}

func printPurges(t *terminal, all []store.PurgeStatus, asJSON bool) error {
	if len(all) == 0 && !asJSON {
		t.printf("no purges\n")
	}
	for _, p := range all {
		if asJSON {
			if err := t.json(p); err != nil {
				return err
			}
			continue
		}
		t.printf("%-4s %-10s  %s\n", p.ID, p.State, p.Package)
		printTombstone(t, &p.Purge)
		if p.State == disposal.Requested {
			t.printf("     token %s\n", p.Token)
		}
		printPlaces(t, p)
	}
	return nil
}

// printTombstone prints the facts of a purge.
func printTombstone(t *terminal, p *disposal.Purge) {
	w := p.Was
	t.printf("     %s: %s, %s, %s in %s, stored %s", w.Kind,
		humanize.Number(int64(w.Versions), "version", "versions"),
		humanize.Number(w.Containers, "container", "containers"), humanize.Size(w.Bytes),
		humanize.Number(w.Files, "file", "files"), day(w.Stored))
	if !w.First.IsZero() {
		t.printf(", captured %s to %s", day(w.First), day(w.Last))
	}
	t.printf("\n     requested %s by %s: %s; authority: %s\n", moment(p.Requested.At), p.Requested.By,
		p.Requested.Because, p.Authority)
	if len(p.Although) > 0 {
		t.printf("     although revisits lose their payloads in: %s\n", strings.Join(p.Although, ", "))
	}
	for _, act := range []struct {
		what string
		*disposal.Act
	}{{"approved", p.Approved}, {"cancelled", p.Cancelled}, {"readmitted", p.Again}} {
		if act.Act != nil {
			t.printf("     %s %s by %s\n", act.what, moment(act.At), act.By)
		}
	}
}

// tombstone is a purged package in the output of show and list.
type tombstone struct {
	ID     string            `json:"id"`
	Status string            `json:"status"` // purged
	Purge  store.PurgeStatus `json:"purge"`
}

// tombstone prints the tombstone of the package.
func (c *showCmd) tombstone(ctx context.Context, t *terminal, s *store.Store, p *disposal.Purge) error {
	all, err := s.Purges(ctx)
	if err != nil {
		return err
	}
	for _, status := range all {
		if status.ID != p.ID {
			continue
		}
		if c.JSON {
			return t.json(tombstone{p.Package, string(status.State), status})
		}
		t.printf("%s\n  purged by %s on %s\n", p.Package, p.ID, day(p.Approved.At))
		printTombstone(t, p)
		printPlaces(t, status)
	}
	return nil
}

type purgeFinishCmd struct {
	repoFlag
	jsonFlag
}

// Run carries out the purges that are pending.
func (c *purgeFinishCmd) Run(ctx context.Context, t *terminal) error {
	return c.withHoldings(ctx, t, func(s *store.Store, readers purge.Readers) error {
		all, err := purge.Finish(ctx, s, readers)
		if err != nil {
			return err
		}
		t.clear()
		if err := printPurges(t, all, c.JSON); err != nil {
			return err
		}
		for _, p := range all {
			if err := failing(p); err != nil {
				return err
			}
		}
		return nil
	})
}

type holdGroup struct {
	Set  holdSetCmd  `cmd:"" name:"set" default:"withargs" help:"@hold_set"`
	Lift holdLiftCmd `cmd:"" help:"End a hold."`
	List holdListCmd `cmd:"" help:"List all holds, also those that ended."`
}

type holdSetCmd struct {
	ID      string         `arg:"" name:"id" help:"Identifier of the package."`
	Until   statements.Day `placeholder:"DATE" help:"The last day of the hold (2027-01-31). Default: without end."`
	Because string         `required:"" placeholder:"TEXT" help:"The reason, kept with the hold."`
	By      string         `placeholder:"WHO" help:"The person responsible. Default: your account."`
	repoFlag
	jsonFlag
}

// Run sets the hold.
func (c *holdSetCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		h, err := s.HoldPackage(ctx, disposal.Hold{Package: c.ID, Until: c.Until, Set: actOf(c.By, c.Because)})
		if err != nil {
			return err
		}
		return printHold(t, &h, c.JSON)
	})
}

// actOf returns the act of a person now.
func actOf(by, because string) disposal.Act {
	return disposal.Act{By: cmp.Or(by, caller()), At: time.Now().UTC().Truncate(time.Second), Because: because}
}

func printHold(t *terminal, h *disposal.Hold, asJSON bool) error {
	if asJSON {
		return t.json(h)
	}
	state := "in force"
	if !h.InForce(statements.DayOf(time.Now())) {
		state = "ended"
	}
	t.printf("%-4s %-8s  %s until %s, set %s by %s: %s\n", h.ID, state, h.Package,
		cmp.Or(string(h.Until), "it is lifted"), moment(h.Set.At), h.Set.By, h.Set.Because)
	if l := h.Lifted; l != nil {
		t.printf("     lifted %s by %s: %s\n", moment(l.At), l.By, l.Because)
	}
	return nil
}

type holdLiftCmd struct {
	ID      string `arg:"" name:"id" help:"The hold (H1), as quire hold list shows it."`
	Because string `required:"" placeholder:"TEXT" help:"The reason, kept with the hold."`
	By      string `placeholder:"WHO" help:"The person responsible. Default: your account."`
	repoFlag
	jsonFlag
}

// Run ends the hold.
func (c *holdLiftCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		h, err := s.LiftHold(ctx, c.ID, actOf(c.By, c.Because))
		if err != nil {
			return err
		}
		return printHold(t, &h, c.JSON)
	})
}

type holdListCmd struct {
	repoFlag
	jsonFlag
}

// Run lists the holds.
func (c *holdListCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		all, err := s.Holds(ctx)
		if err != nil {
			return err
		}
		if len(all) == 0 && !c.JSON {
			t.printf("no holds\n")
		}
		for i := range all {
			if err := printHold(t, &all[i], c.JSON); err != nil {
				return err
			}
		}
		return nil
	})
}
