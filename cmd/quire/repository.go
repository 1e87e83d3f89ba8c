package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quire/internal/humanize"
	"quire/preserve/aip"
	"quire/repository/store"
)

func software() string { return "Quire " + version }

// open opens a repository, and prints the operations it had to finish or undo. For a dry run it is
// opened for reading only, which finishes and undoes nothing.
func (f *repoFlag) open(ctx context.Context, t *terminal, dry dryFlag) (*store.Store, error) {
	if f.Repo == "" {
		return nil, errors.New("no repository named: add --repo, or set QUIRE_REPO")
	}
	s, err := store.Open(ctx, f.Repo,
		store.Options{Describe: aip.Describe, Software: software(), ReadOnly: dry.DryRun})
	if err != nil {
		return nil, err
	}
	if s.ReadOnly() && !dry.DryRun {
		t.warn(fmt.Sprintf("no write access to %s: it is open for reading only, and indexes are in your "+
			"cache folder", f.Repo))
	}
	for _, r := range s.Recovered() {
		t.warn(fmt.Sprint("recovered: ", r))
	}
	return s, nil
}

// with opens the repository, runs work, and closes the repository.
func (f *repoFlag) with(ctx context.Context, t *terminal, work func(*store.Store) error) error {
	return f.withDry(ctx, t, dryFlag{}, work)
}

// withDry opens the repository for one piece of work, which may be a dry run.
func (f *repoFlag) withDry(ctx context.Context, t *terminal, dry dryFlag, work func(*store.Store) error) error {
	s, err := f.open(ctx, t, dry)
	if err != nil {
		return err
	}
	return closed(work(s), s.Close())
}

// phases shows a progress bar for each phase of the store.
func (t *terminal) phases() func(store.Progress) {
	var phase store.Phase
	var done int64
	return func(p store.Progress) {
		if p.Phase != phase {
			phase, done = p.Phase, 0
			t.begin(string(p.Phase), p.Total)
		}
		t.progress(p.Done - done)
		done = p.Done
	}
}

type initCmd struct {
	Repo    string   `arg:"" help:"The folder of the new repository."`
	Copy    []string `sep:"none" placeholder:"PATH" help:"The place of a copy; repeat for several. Default: three copies below REPO."`
	Rebuild bool     `hidden:"" help:"Do as quire init rebuild."`
	initFlags
}

// Run creates the repository.
func (c *initCmd) Run(ctx context.Context, t *terminal) error {
	s, err := store.Init(ctx, c.Repo,
		store.InitOptions{Copies: c.Copy, Rebuild: c.Rebuild, Describe: aip.Describe, Software: software(),
			Permissions: store.Permissions{Mode: c.Mode, Group: c.Group},
			Rules:       store.Rules{Validation: c.RequireValidation, Require: c.Require}})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // all data is already on disk
	for _, r := range s.Recovered() {
		t.warn(fmt.Sprint("recovered: ", r))
	}
	if c.JSON {
		return t.json(struct {
			Repository string            `json:"repository"`
			ID         string            `json:"id"`
			Copies     []store.CopyPlace `json:"copies"`
		}{c.Repo, s.ID(), s.Copies()})
	}
	t.printf("repository %s (%s)\n", c.Repo, s.ID())
	for _, p := range s.Copies() {
		t.printf("  %s in %s\n", p.Name, p.Path)
	}
	return nil
}

type ingestCmd struct {
	Package    []string `arg:"" help:"Package folders."`
	NewVersion bool     `help:"If the id exists with different content, store the package as the next version."`
	Message    string   `help:"Reason for storing, kept with the version."`
	dryFlag    `set:"depth=Reads the packages as an ingest does, and checks every digest."`
	validateFlags
	policyFlag
	repoFlag
	jsonFlag
}

// Run stores the packages one after another, and confirms each.
func (c *ingestCmd) Run(ctx context.Context, t *terminal) error {
	level, err := c.judging(t)
	if err != nil {
		return err
	}
	return c.withDry(ctx, t, c.dryFlag, func(s *store.Store) error {
		ingest, show := s.Ingest, printReceipt
		if c.DryRun {
			ingest, show = s.PlanIngests().Add, printReceiptPlan
			if !c.JSON {
				t.dry()
			}
		}
		for _, p := range c.Package {
			if err := c.admit(ctx, t, s, level, p); err != nil {
				return fmt.Errorf("not storing %s: %w", p, err)
			}
			receipt, err := ingest(ctx, p,
				store.IngestOptions{NewVersion: c.NewVersion, Message: c.Message, Progress: t.phases(),
					Validate: c.check(t, s)})
			t.clear()
			if err != nil {
				return fmt.Errorf("storing %s: %w", p, err)
			}
			if c.JSON {
				if err := c.result(t, receipt); err != nil {
					return err
				}
				continue
			}
			show(t, receipt)
		}
		return nil
	})
}

func printReceipt(t *terminal, r store.Receipt) {
	if r.AlreadyStored {
		t.printf("already stored %s, version %d: %s was read and matches\n", r.ID, r.Version,
			everyCopy(r))
	} else {
		t.printf("stored %s, version %d: %s, %s, verified in %s\n", r.ID, r.Version,
			humanize.Number(r.Files, "file", "files"), humanize.Size(r.Bytes), everyCopy(r))
	}
	for _, p := range r.Copies {
		t.printf("  %s  %s\n", p.Name, p.Path)
	}
	for _, name := range r.Owed {
		t.printf("  %s  owed: \"quire audit --repair --owed\" writes it there\n", name)
	}
}

// everyCopy names the copies of a receipt.
func everyCopy(r store.Receipt) string {
	if len(r.Owed) == 0 {
		return "every copy"
	}
	return fmt.Sprintf("each of %d copies", len(r.Copies))
}

type listCmd struct {
	Owed bool `help:"List the packages that a copy lacks, with the copy."`
	repoFlag
	jsonFlag
}

// Run lists the packages, one per line.
func (c *listCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		if c.Owed {
			return c.owed(ctx, t, s)
		}
		count := 0
		for e, err := range s.List(ctx) {
			if err != nil {
				return err
			}
			count++
			if c.JSON {
				if err := t.json(e); err != nil {
					return err
				}
				continue
			}
			t.printf("%-48s  %-10s  v%d  %14s  %16s  %10s  %s  %s\n",
				e.ID, day(e.First), e.Head, humanize.Number(e.Containers, "container", "containers"),
				humanize.Number(e.Records, "record", "records"),
				humanize.Size(e.Bytes), outcome(e.Status), e.Title)
		}
		if count > 0 {
			return nil
		}
		if err := s.CheckEmpty(ctx); err != nil {
			return err
		}
		if !c.JSON {
			t.printf("no package yet; \"quire ingest PACKAGE --repo %s\" stores one\n", c.Repo)
		}
		return nil
	})
}

// owed lists the packages that a copy lacks.
func (c *listCmd) owed(ctx context.Context, t *terminal, s *store.Store) error {
	count := 0
	for d, err := range s.Owed(ctx, "") {
		if err != nil {
			return err
		}
		count++
		if !c.JSON {
			t.printf("%-48s  %-10s  %s\n", d.Package, d.Copy, outcome(d.Status))
		} else if err := t.json(d); err != nil {
			return err
		}
	}
	if count == 0 && !c.JSON {
		t.printf("no copy lacks a package\n")
	}
	return nil
}

func day(when time.Time) string {
	if when.IsZero() {
		return "-"
	}
	return when.Format("2006-01-02")
}

func moment(when time.Time) string {
	if when.IsZero() {
		return "never"
	}
	return when.UTC().Format(time.RFC3339)
}

type showCmd struct {
	ID string `arg:"" name:"id" help:"Identifier of the package."`
	policyFlag
	repoFlag
	jsonFlag
}

// Run prints the known facts of the package; with a policy, also the date of the next audit.
func (c *showCmd) Run(ctx context.Context, t *terminal) error {
	level, err := c.policy()
	if err != nil {
		return err
	}
	return c.with(ctx, t, func(s *store.Store) error {
		d, err := s.Show(ctx, c.ID)
		if err != nil {
			return err
		}
		stands := fixityOf(level, &d, time.Now())
		if c.JSON {
			return t.json(struct {
				store.Details
				Policy *fixity `json:"policy"`
			}{d, stands})
		}
		printDetails(t, d)
		if stands != nil {
			stands.print(t)
		}
		return nil
	})
}

func printDetails(t *terminal, d store.Details) {
	p := d.Package
	t.printf("%s\n  title       %s\n  profile     %s\n", p.ID, p.Title, p.Profile)
	t.printf("  containers  %d, with %s\n", p.Containers, humanize.Number(p.Records, "record", "records"))
	t.printf("  size        %s in %s\n", humanize.Size(p.Bytes), humanize.Number(p.Files, "file", "files"))
	if !p.First.IsZero() {
		t.printf("  captured    %s to %s\n", p.First.Format("2006-01-02 15:04:05"),
			p.Last.Format("2006-01-02 15:04:05 MST"))
	}
	t.printf("  versions\n")
	for _, v := range d.Versions {
		t.printf("    v%d  %s  %s\n", v.Number, moment(v.Created), v.Message)
	}
	t.printf("  copies\n")
	for i, copied := range d.Copies {
		where := ""
		if i < len(d.Places) {
			where = d.Places[i].Path
		}
		if copied.Last != "" {
			where += " (last known: " + string(copied.Last) + ")"
		}
		t.printf("    %-8s  %-8s  read %s  %s\n", copied.Name, outcome(copied.Status), moment(copied.Checked), where)
	}
	if len(d.Versions) > 0 {
		t.printf("  files\n")
		for _, f := range d.Versions[len(d.Versions)-1].Files {
			t.printf("    %12d  %s\n", f.Size, f.Path)
		}
	}
	t.printf("  events\n")
	for _, e := range d.Events {
		t.printf("    %s  %-12s  %-8s  %s\n", moment(e.Time), e.Type, outcome(e.Outcome), e.Detail)
	}
}

type auditCmd struct {
	ID      []string `arg:"" optional:"" name:"id" help:"Packages to read. Default: all."`
	Repair  bool     `help:"Replace damaged packages. Each file comes from a copy that has it whole."`
	Owed    bool     `help:"With --repair: write only the packages that a copy lacks, and read no others."`
	dryFlag `set:"depth=Reads every copy as an audit does, and does not record the audit. With --repair it says what would be repaired from which copy."`
	repoFlag
	jsonFlag
}

// Run reads the copies again and reports damage.
func (c *auditCmd) Run(ctx context.Context, t *terminal) error {
	return c.withDry(ctx, t, c.dryFlag, func(s *store.Store) error {
		if c.Owed {
			return c.refill(ctx, t, s)
		}
		damage, err := store.NewDamage()
		if err != nil {
			return err
		}
		defer func() { _ = damage.Close() }() // a temporary file
		report, err := s.Audit(ctx, c.ID, store.AuditOptions{Progress: t.phases(), DryRun: c.DryRun, Damage: damage})
		t.clear()
		if err != nil {
			return err
		}
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
	})
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
	if r.OK() {
		t.printf("audit of %s: all copies are whole\n", humanize.Number(r.Packages, "package", "packages"))
	} else {
		t.printf("audit of %s: %s; \"quire audit --repair\" replaces each damaged file from a "+
			"copy that has it whole\n",
			humanize.Number(r.Packages, "package", "packages"), humanize.Number(r.Problems, "problem", "problems"))
	}
}
