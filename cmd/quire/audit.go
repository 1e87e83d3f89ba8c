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
	Repair  bool     `help:"Replace damaged files from a good copy. Good copies are never written to."`
	dryFlag `set:"depth=Reads every copy as an audit does, and does not record the audit. With --repair it says what would be repaired from which copy. With --due it only lists what is due."`
	auditChoice
	Due      bool            `help:"${auditDue}"`
	Schedule *store.Schedule `placeholder:"TEXT" help:"${auditSchedule}"`
	Compact  bool            `help:"${auditCompact}"`
	repoFlag
	jsonFlag
}

// auditChoice chooses the packages and copies to read, and how fast.
type auditChoice struct {
	Sample    store.Share `placeholder:"SHARE" help:"${auditSample}"`
	Seed      uint64      `placeholder:"N" help:"${auditSeed}"`
	OlderThan store.Span  `placeholder:"SPAN" help:"${auditOlderThan}"`
	Copy      []string    `sep:"none" placeholder:"NAME" help:"${auditCopy}"`
	For       store.Span  `placeholder:"SPAN" help:"${auditFor}"`
	Rate      store.Rate  `placeholder:"RATE" help:"${auditRate}"`
	Resume    runFlag     `help:"${auditResume}"`
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
func (c *auditCmd) options(t *terminal) store.AuditOptions {
	return store.AuditOptions{Progress: t.phases(), DryRun: c.DryRun, Sample: c.Sample, Seed: c.Seed,
		OlderThan: c.OlderThan, Copies: c.Copy, For: c.For, Rate: c.Rate, Resume: string(c.Resume)}
}

// check refuses flags that exclude each other.
func (c *auditCmd) check() error {
	ways := 0
	for _, given := range []bool{c.Due, c.Schedule != nil, c.Compact,
		len(c.ID) > 0 || c.Sample > 0 || c.OlderThan > 0 || c.Resume != ""} {
		if given {
			ways++
		}
	}
	if ways > 1 || c.Due && len(c.Copy) > 0 {
		return errors.New("--due, --schedule, --compact and the choice of packages are four uses of quire audit: " +
			"give one")
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
			return c.schedule(t, s)
		case c.Compact:
			return c.compact(ctx, t, s)
		case c.Due:
			return c.due(ctx, t, s)
		}
		report, err := s.Audit(ctx, c.ID, c.options(t))
		t.clear()
		if err != nil {
			if report.Scope.Rest && report.Run != "" {
				t.warn("the results so far are recorded; quire audit --resume=" + report.Run + " reads the rest")
			}
			return err
		}
		return c.show(ctx, t, s, report)
	})
}

// show prints a report, and repairs if asked to.
func (c *auditCmd) show(ctx context.Context, t *terminal, s *store.Store, report store.AuditReport) (err error) {
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
		return c.repair(ctx, t, s, report)
	}
	return errContent
}

// schedule sets the schedule.
func (c *auditCmd) schedule(t *terminal, s *store.Store) error {
	if err := s.SetSchedule(*c.Schedule); err != nil {
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
func (c *auditCmd) due(ctx context.Context, t *terminal, s *store.Store) error {
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
	err = s.AuditDue(ctx, c.options(t), func(_ store.DueAudit, report store.AuditReport) error {
		t.clear()
		err := c.show(ctx, t, s, report)
		if errors.Is(err, errContent) {
			damaged, err = err, nil
		}
		return err
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
		t.printf("audit of %s: %s; \"quire audit --repair\" replaces damaged files with files from an "+
			"undamaged copy\n",
			humanize.Number(r.Packages, "package", "packages"), humanize.Number(r.Problems, "problem", "problems"))
	}
}

// printScope prints which part of the repository was read, if that is not all.
func printScope(t *terminal, r store.AuditReport) {
	s := r.Scope
	if !s.Full || s.Resumes != "" {
		t.printf("this audit is not of everything: %s\n", s)
	}
	if s.Rest && r.Run != "" {
		t.printf("quire audit --resume=%s reads the rest\n", r.Run)
	}
}

// whole says which copies are whole: of all packages, or of those that were read.
func whole(s store.AuditScope) string {
	if s.Full || s.Kind == catalogue.Named && len(s.Absent) == 0 {
		return "all copies are whole"
	}
	return "the copies that were read are whole"
}

// repair repairs the packages that the audit found damaged.
func (c *auditCmd) repair(ctx context.Context, t *terminal, s *store.Store, report store.AuditReport) error {
	var failed error
	repair, done := s.Repair, "repaired"
	if c.DryRun {
		repair, done = s.PlanRepair, "would repair"
	}
	for _, id := range report.Damaged() {
		mended, err := repair(ctx, id, store.RepairOptions{Progress: t.phases()})
		t.clear()
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("repairing %s: %w", id, err))
			continue
		}
		if c.JSON {
			failed = errors.Join(failed, c.result(t, mended))
			continue
		}
		t.printf("%s %s in %v from %s\n", done, mended.ID, mended.Repaired, mended.From)
	}
	if failed == nil && beyondRepair(report) {
		t.warn("some damage cannot be repaired: see the findings above, and run the audit again")
		return errContent
	}
	return failed
}

// beyondRepair reports whether the audit found problems outside packages, or more than it lists.
func beyondRepair(r store.AuditReport) bool {
	if r.Problems > int64(len(r.Findings)) {
		return true
	}
	for _, f := range r.Findings {
		if f.Package == "" || f.Code == store.UnknownObject {
			return true
		}
	}
	return false
}
