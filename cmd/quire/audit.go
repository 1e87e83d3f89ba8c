package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"quire/internal/humanize"
	"quire/repository/catalogue"
	"quire/repository/store"
)

type auditCmd struct {
	ID      []string `arg:"" optional:"" name:"id" help:"Packages to read. Default: all."`
	Repair  bool     `help:"Replace damaged packages. Each file comes from a copy that has it whole."`
	Owed    bool     `help:"With --repair: write only the packages that a copy lacks, and read no others."`
	dryFlag `set:"depth=Reads every copy as an audit does, and does not record the audit. With --repair it says what would be repaired from which copy. With --due it only lists what is due."`
	auditChoice
	Due      bool            `help:"@auditDue"`
	Schedule *store.Schedule `placeholder:"TEXT" help:"@auditSchedule"`
	Compact  bool            `help:"@auditCompact"`
	repoFlag
	jsonFlag
}

// auditChoice chooses the packages and copies to read, and how fast.
type auditChoice struct {
	Sample    store.Share `placeholder:"SHARE" help:"@auditSample"`
	Seed      uint64      `placeholder:"N" help:"@auditSeed"`
	OlderThan store.Span  `placeholder:"SPAN" help:"@auditOlderThan"`
	Copy      []string    `sep:"none" placeholder:"NAME" help:"@auditCopy"`
	For       store.Span  `placeholder:"SPAN" help:"@auditFor"`
	Rate      store.Rate  `placeholder:"RATE" help:"@auditRate"`
	Resume    runFlag     `help:"@auditResume"`
}

// runFlag is a flag with an optional value: the id of an audit run.
type runFlag string

// IsBool implements kong.BoolMapperValue: the value is optional.
func (*runFlag) IsBool() bool { return true }

// Decode implements kong.MapperValue.
func (r *runFlag) Decode(ctx *kong.DecodeContext) error {
	*r = store.Newest
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	token, err := ctx.Scan.PopValue("run")
	if err != nil {
		return err
	}
	switch v := token.Value.(type) {
	case string:
		*r = runFlag(v)
	case bool: // from the file of defaults
		if !v {
			*r = ""
		}
	}
	return nil
}

// options returns the options of the store.
func (c *auditCmd) options(t *terminal, damage *store.Damage) store.AuditOptions {
	return store.AuditOptions{Progress: t.phases(), DryRun: c.DryRun, Damage: damage, Repair: c.Repair,
		Sample: c.Sample, Seed: c.Seed, OlderThan: c.OlderThan, Copies: c.Copy, For: c.For, Rate: c.Rate,
		Resume: string(c.Resume)}
}

// check refuses flags that exclude each other.
func (c *auditCmd) check() error {
	ways := 0
	for _, given := range []bool{c.Due, c.Schedule != nil, c.Compact, c.Owed,
		len(c.ID) > 0 || c.Sample > 0 || c.OlderThan > 0 || c.Resume != ""} {
		if given {
			ways++
		}
	}
	if ways > 1 || c.Due && len(c.Copy) > 0 {
		return errors.New("--due, --schedule, --compact, --owed and the choice of packages are five uses of " +
			"quire audit: give one")
	}
	if c.DryRun && (c.Schedule != nil || c.Compact) {
		return errors.New("--dry-run: --schedule and --compact have no dry run")
	}
	return nil
}

// Run reads the copies again and reports damage.
func (c *auditCmd) Run(ctx context.Context, t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	return c.withDry(ctx, t, c.dryFlag, func(s *store.Store) error {
		switch {
		case c.Schedule != nil:
			return c.schedule(ctx, t, s)
		case c.Compact:
			return c.compact(ctx, t, s)
		case c.Owed:
			return c.refill(ctx, t, s)
		}
		damage, err := store.NewDamage()
		if err != nil {
			return err
		}
		defer func() { _ = damage.Close() }() // a temporary file
		if c.Due {
			return c.due(ctx, t, s, damage)
		}
		return c.audit(ctx, t, s, damage)
	})
}

// audit reads the packages that the flags choose.
func (c *auditCmd) audit(ctx context.Context, t *terminal, s *store.Store, damage *store.Damage) error {
	report, err := s.Audit(ctx, c.ID, c.options(t, damage))
	t.clear()
	if err != nil {
		if report.Scope.Rest && report.Run != "" {
			t.warn("the results so far are recorded; quire audit --resume=" + report.Run + " reads the rest")
		}
		return err
	}
	return c.show(ctx, t, s, report, damage)
}

// show prints a report, and repairs if asked to.
func (c *auditCmd) show(ctx context.Context, t *terminal, s *store.Store, report store.AuditReport,
	damage *store.Damage) (err error) {
	if c.JSON {
		err = c.result(t, report)
	} else {
		if c.DryRun {
			t.dry()
		}
		printAudit(t, report)
	}
	if err != nil || report.OK() {
		return err
	}
	if c.Repair {
		return c.repair(ctx, t, s, report, damage)
	}
	return errContent
}

// schedule sets the schedule.
func (c *auditCmd) schedule(ctx context.Context, t *terminal, s *store.Store) error {
	if err := s.SetSchedule(ctx, *c.Schedule); err != nil {
		return err
	}
	if c.JSON {
		return t.json(struct {
			Schedule store.Schedule `json:"schedule"`
		}{s.Schedule()})
	}
	t.printf("schedule of audits: %s\n", s.Schedule())
	return nil
}

// compact makes the records of audits smaller.
func (c *auditCmd) compact(ctx context.Context, t *terminal, s *store.Store) error {
	done, err := s.CompactAudits(ctx, true)
	if c.JSON {
		return errors.Join(t.json(done), err)
	}
	t.printf("records of audits: %s left out of %s, %s freed\n", humanize.Number(done.Lines, "line", "lines"),
		humanize.Number(int64(done.Files), "file", "files"), humanize.Size(done.Bytes))
	return err
}

// due does the audits that are due. A dry run only lists the schedule.
func (c *auditCmd) due(ctx context.Context, t *terminal, s *store.Store, damage *store.Damage) error {
	all, err := s.DueAudits(ctx)
	if err != nil {
		return err
	}
	if c.JSON && c.DryRun {
		return c.result(t, struct {
			Due []store.DueAudit `json:"due"`
		}{all})
	}
	if !c.JSON {
		if c.DryRun {
			t.dry()
		}
		printDue(t, all)
	}
	if c.DryRun {
		return nil
	}
	var damaged error
	err = s.AuditDue(ctx, c.options(t, damage), func(_ store.DueAudit, report store.AuditReport) error {
		t.clear()
		err := c.show(ctx, t, s, report, damage)
		if errors.Is(err, errContent) {
			damaged, err = err, nil
		}
		return errors.Join(err, damage.Clear())
	})
	return errors.Join(err, damaged)
}

func printDue(t *terminal, all []store.DueAudit) {
	if len(all) == 0 {
		t.printf("this repository has no schedule of audits; quire audit --schedule sets one\n")
	}
	for _, d := range all {
		state := "due on " + moment(d.Due)
		if d.Is {
			state = "due since " + moment(d.Due)
			if d.Over > 0 {
				state += fmt.Sprintf(", overdue by %s", d.Over)
			}
		}
		if d.Resume != "" {
			state += "; goes on with run " + d.Resume
		}
		t.printf("%s: last %s, %s\n", d.Entry, moment(d.Last), state)
	}
}

func printAudit(t *terminal, r store.AuditReport) {
	for _, f := range r.Findings {
		t.printf("%s\n", f)
	}
	if more := r.Problems - int64(len(r.Findings)); more > 0 {
		t.printf("and %d more\n", more)
	}
	for _, note := range r.Notes {
		t.printf("note: %s\n", note)
	}
	for _, w := range r.Wider {
		t.printf("warning: %s\n", w)
	}
	for _, c := range r.Copies {
		t.printf("%s: %s, %s, %s read, %s\n", c.Name, humanize.Number(c.Objects, "package", "packages"),
			humanize.Number(c.Files, "file", "files"), humanize.Size(c.Bytes),
			humanize.Number(c.Problems, "problem", "problems"))
	}
	printScope(t, r)
	if r.OK() {
		t.printf("audit of %s: %s\n", humanize.Number(r.Packages, "package", "packages"), whole(r.Scope))
	} else {
		t.printf("audit of %s: %s; \"quire audit --repair\" replaces each damaged file from a "+
			"copy that has it whole\n",
			humanize.Number(r.Packages, "package", "packages"), humanize.Number(r.Problems, "problem", "problems"))
	}
}

// printScope prints which part of the repository was read, if that is not all.
func printScope(t *terminal, r store.AuditReport) {
	s := r.Scope
	if !s.Full || s.Resumes != "" {
		t.printf("this audit is not of everything: %s\n", s)
	}
	if s.Before > 0 {
		t.printf("the runs before found %s; \"quire list\" shows which packages are damaged now\n",
			humanize.Number(s.Before, "problem", "problems"))
	}
	if s.Rest && r.Run != "" {
		t.printf("quire audit --resume=%s reads the rest\n", r.Run)
	}
}

// whole says which copies are whole: of all packages, or of those that were read.
func whole(s store.AuditScope) string {
	if s.Resumes == "" && len(s.Only) == 0 && (s.Full || s.Kind == catalogue.Named && len(s.Absent) == 0) {
		return "all copies are whole"
	}
	return "the copies that were read are whole"
}
