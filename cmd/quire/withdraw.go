package main

import (
	"context"
	"errors"
	"time"

	"quire/access/withdrawal"
	"quire/holdings"
	"quire/holdings/rights"
	"quire/internal/disk"
	"quire/internal/humanize"
	"quire/preserve/statements"
	"quire/repository/catalogue"
	"quire/repository/store"
)

type withdrawGroup struct {
	Run         withdrawCmd            `cmd:"" name:"run" default:"withargs" help:"@withdraw_run"`
	Finish      withdrawFinishCmd      `cmd:"" help:"@withdraw_finish"`
	Lift        withdrawLiftCmd        `cmd:"" help:"End a withdrawal."`
	List        withdrawListCmd        `cmd:"" help:"List all withdrawals, also those that ended."`
	Certificate withdrawCertificateCmd `cmd:"" help:"Write the certificate of a withdrawal again."`
}

// decisionFlags are the facts of a decision.
type decisionFlags struct {
	Because     string `required:"" placeholder:"TEXT" help:"The reason, kept with the decision."`
	Authority   string `required:"" placeholder:"TEXT" help:"By which authority: a court, a law, the board."`
	By          string `placeholder:"WHO" help:"The person responsible. Default: your account."`
	Certificate string `placeholder:"FILE" help:"@withdraw_certificate"`
}

// check refuses a file that exists, before anything is done.
func (f *decisionFlags) check() error {
	if f.By == "" {
		f.By = caller()
	}
	if f.Certificate == "" {
		return nil
	}
	return disk.Absent(f.Certificate)
}

type withdrawCmd struct {
	Named   string         `arg:"" name:"url|id" help:"@withdraw_of"`
	Package string         `placeholder:"ID" help:"Only captures in this package. Default: all packages."`
	Until   statements.Day `placeholder:"DATE" help:"@withdraw_until"`
	Access  string         `enum:"blocked,restricted" default:"blocked" help:"@withdraw_access"`
	Message string         `placeholder:"TEXT" help:"@withdraw_message"`
	decisionFlags
	dryFlag `set:"depth=Counts the captures."`
	repoFlag
	jsonFlag
}

// Run withdraws.
func (c *withdrawCmd) Run(ctx context.Context, t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	request := withdrawal.Request{Named: c.Named, Package: c.Package, Access: rights.Verdict(c.Access),
		Message: c.Message, Because: c.Because, Authority: c.Authority, By: c.By, Until: c.Until}
	return c.withDry(ctx, t, c.dryFlag, func(s *store.Store) error {
		open, end := c.opener(ctx, t, s, c.DryRun)
		if c.DryRun {
			return closed(c.plan(ctx, t, s, open, request), end())
		}
		made, err := withdrawal.Withdraw(ctx, s, open, request)
		return c.issued(t, made, c.JSON, closed(err, end()))
	})
}

// opener returns a function that opens the holdings, and one that closes them.
func (f *repoFlag) opener(ctx context.Context, t *terminal, s *store.Store, dry bool) (_ withdrawal.Opener,
	end func() error) {
	var h *holdings.Holdings
	open := func() (_ *holdings.Holdings, err error) {
		w := &watch{t: t}
		h, err = holdings.Of(ctx, s, holdings.Options{Problem: w.problem, Progress: w.progress, DryRun: dry})
		return h, err
	}
	return open, func() error {
		t.clear()
		if h == nil {
			return nil
		}
		return h.Close()
	}
}

func (c *withdrawCmd) plan(ctx context.Context, t *terminal, s *store.Store, open withdrawal.Opener,
	r withdrawal.Request) error {
	h, err := open()
	if err != nil {
		return err
	}
	w, err := withdrawal.Plan(ctx, s, h, r)
	if err != nil {
		return err
	}
	t.clear()
	if c.JSON {
		return t.dryJSON(w)
	}
	t.dry()
	t.printf("would withdraw %s: ", w.Named)
	printWithin(t, &w.Counted)
	printExports(t, w.Exports)
	return nil
}

// issued prints a certificate if there is one, and returns the error of the withdrawal.
func (f *decisionFlags) issued(t *terminal, c *withdrawal.Certificate, asJSON bool, err error) error {
	if c == nil {
		return err
	}
	return errors.Join(err, f.issue(t, c, asJSON))
}

// issue prints a certificate, and writes it to its file.
func (f *decisionFlags) issue(t *terminal, c *withdrawal.Certificate, asJSON bool) error {
	if f.Certificate != "" {
		if err := c.Write(f.Certificate); err != nil {
			return err
		}
	}
	if asJSON {
		return t.json(c)
	}
	w := &c.Withdrawal
	verb := "withdrawn"
	if w.Lifted != nil {
		verb = "lifted"
	}
	t.printf("%s %s, %s: ", verb, w.ID, w.Named)
	printWithin(t, w)
	if w.Counted && w.Captures == 0 && w.Lifted == nil && w.URL != "" {
		t.warn("no capture has this URL now. The withdrawal closes later captures; quire withdraw lift ends it")
	}
	t.printf("  kept in %s: document %s, version %d\n", copiesWith(len(c.Keeping()), c.Everywhere()), c.Document.Name,
		c.Document.Version)
	printLacking(t, c.Copies)
	for _, e := range c.Events {
		t.printf("  %-13s %s  %s\n", e.Type, moment(e.Time), e.Package)
	}
	printExports(t, c.Exports)
	if f.Certificate != "" {
		t.printf("  certificate in %s\n", f.Certificate)
	}
	return nil
}

// printLacking names the copies that do not have a withdrawal now.
func printLacking(t *terminal, copies []withdrawal.Copy) {
	for _, k := range copies {
		switch k.Status {
		case catalogue.Good, catalogue.AsListed:
		case catalogue.Away:
			t.printf("  %s  away: it has the withdrawal as last known\n", k.Name)
		case catalogue.Owed, catalogue.Missing:
			printOwed(t, []string{k.Name})
		default:
			t.printf("  %s  %s: \"quire audit --repair\" mends it\n", k.Name, k.Status)
		}
	}
}

// complete returns an error if events of a withdrawal are missing.
func complete(t *terminal, c *withdrawal.Certificate) error {
	if len(c.Missing) == 0 {
		return nil
	}
	for _, m := range c.Missing {
		t.warn("no copy that can be read has the event of the " + m.Type + " in package " + m.Package)
	}
	t.warn("the certificate is incomplete. Repeat the command that made or lifted the withdrawal")
	return errContent
}

func printWithin(t *terminal, w *withdrawal.Counted) {
	if w.Counted {
		t.printf("%s in %s, %s", humanize.Number(w.Captures, "capture", "captures"),
			humanize.Number(w.Packages, "package", "packages"), w.Access)
	} else {
		t.printf("captures not counted yet, %s", w.Access)
	}
	if w.Until != "" {
		t.printf(" until %s", w.Until)
	}
	t.printf("\n")
}

type withdrawLiftCmd struct {
	ID string `arg:"" name:"id" help:"The withdrawal (W1), as quire withdraw list shows it."`
	decisionFlags
	repoFlag
	jsonFlag
}

// Run ends a withdrawal.
func (c *withdrawLiftCmd) Run(ctx context.Context, t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	return c.with(ctx, t, func(s *store.Store) error {
		open, end := c.opener(ctx, t, s, false)
		made, err := withdrawal.Lift(ctx, s, open, c.ID,
			rights.Lifting{Because: c.Because, Authority: c.Authority, By: c.By})
		if err = closed(err, end()); err != nil {
			return err
		}
		return c.issue(t, made, c.JSON)
	})
}

type withdrawFinishCmd struct {
	ID string `arg:"" name:"id" help:"The withdrawal (W1), as quire withdraw list shows it."`
	repoFlag
	jsonFlag
}

// Run completes a withdrawal.
func (c *withdrawFinishCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		open, end := c.opener(ctx, t, s, false)
		made, err := withdrawal.Finish(ctx, s, open, c.ID)
		return (&decisionFlags{}).issued(t, made, c.JSON, closed(err, end()))
	})
}

type withdrawListCmd struct {
	repoFlag
	jsonFlag
}

// Run lists the withdrawals.
func (c *withdrawListCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		all, err := withdrawal.List(ctx, s)
		if err != nil {
			return err
		}
		if len(all) == 0 && !c.JSON {
			t.printf("no withdrawals\n")
		}
		today := statements.DayOf(time.Now())
		for i := range all {
			w := &all[i]
			if c.JSON {
				if err := t.json(w); err != nil {
					return err
				}
				continue
			}
			state := "in force"
			if !w.InForce(today) {
				state = "ended"
			}
			t.printf("%-4s %-8s  %s  %s: ", w.ID, state, moment(w.At), w.Named)
			printWithin(t, w)
			t.printf("     %s; authority: %s\n", w.Because, w.Authority)
			if l := w.Lifted; l != nil {
				t.printf("     lifted %s: %s; authority: %s\n", moment(l.At), l.Because, l.Authority)
			}
		}
		return nil
	})
}

type withdrawCertificateCmd struct {
	ID  string `arg:"" name:"id" help:"The withdrawal (W1), as quire withdraw list shows it."`
	Out string `required:"" placeholder:"FILE" help:"The new file: JSON if its name ends in .json, else HTML."`
	repoFlag
	jsonFlag
}

// Run writes the certificate.
func (c *withdrawCertificateCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		made, err := withdrawal.Certify(ctx, s, c.ID)
		if err != nil {
			return err
		}
		if err := (&decisionFlags{Certificate: c.Out}).issue(t, made, c.JSON); err != nil {
			return err
		}
		return complete(t, made)
	})
}
