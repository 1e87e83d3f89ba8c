package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quire/internal/humanize"
	"quire/preserve/aip"
	"quire/repository/jobs"
	"quire/repository/store"
)

var errNoRepository = errors.New("no repository named: add --repo, or set QUIRE_REPO")

func software() string { return "Quire " + version }

// open opens a repository, and prints the operations it had to finish or undo. For a dry run it is
// opened for reading only, which finishes and undoes nothing.
func (f *repoFlag) open(ctx context.Context, t *terminal, dry dryFlag) (*store.Store, error) {
	return f.openWith(ctx, t, store.Options{ReadOnly: dry.DryRun})
}

func (f *repoFlag) openWith(ctx context.Context, t *terminal, o store.Options) (*store.Store, error) {
	if f.Repo == "" {
		return nil, errNoRepository
	}
	o.Describe, o.Software = aip.Describe, software()
	if held := jobs.Here(); held != nil && held.In(f.Repo) {
		o.Job = held
	}
	s, err := store.Open(ctx, f.Repo, o)
	if err != nil {
		return nil, err
	}
	if s.ReadOnly() && !o.ReadOnly {
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

// reads is with for a command that changes nothing in the repository: it goes on while another process
// writes.
func (f *repoFlag) reads(ctx context.Context, t *terminal, dry dryFlag, work func(*store.Store) error) error {
	s, err := f.openWith(ctx, t, store.Options{ReadOnly: dry.DryRun, Reading: true})
	if err != nil {
		return err
	}
	return closed(work(s), s.Close())
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

	trust string // of a rebuild
}

// Run creates the repository.
func (c *initCmd) Run(ctx context.Context, t *terminal) error {
	s, err := store.Init(ctx, c.Repo,
		store.InitOptions{Copies: c.Copy, Rebuild: c.Rebuild, Trust: c.trust, Describe: aip.Describe,
			Software:    software(),
			Catalogue:   c.Catalogue,
			Anchors:     c.Anchor,
			Permissions: store.Permissions{Mode: c.Mode, Group: c.Group},
			Rules: store.Rules{Validation: c.RequireValidation, Require: c.Require,
				AuditSchedule: c.AuditSchedule}})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // all data is already on disk
	for _, r := range s.Recovered() {
		t.warn(fmt.Sprint("recovered: ", r))
	}
	anchors, err := c.anchored(ctx, t, s)
	if err != nil {
		return err
	}
	if c.JSON {
		return t.json(struct {
			Repository string              `json:"repository"`
			ID         string              `json:"id"`
			Copies     []store.CopyPlace   `json:"copies"`
			Anchors    []store.AnchorState `json:"anchors"`
		}{c.Repo, s.ID(), s.Copies(), anchors})
	}
	t.printf("repository %s (%s)\n", c.Repo, s.ID())
	for _, p := range s.Copies() {
		t.printf("  %s in %s\n", p.Name, p.Path)
	}
	if len(anchors) > 0 {
		printAnchors(t, anchors)
	}
	return nil
}

// anchored brings the first checkpoint to the anchors. One that fails is a warning: the repository exists, and
// the next audit tries again.
func (c *initCmd) anchored(ctx context.Context, t *terminal, s *store.Store) ([]store.AnchorState, error) {
	if len(c.Anchor) > 0 {
		owed, err := s.KeepAnchors(ctx)
		if err != nil {
			return nil, err
		}
		if len(owed) > 0 {
			t.warn("not each anchor has the newest checkpoint; the next audit tries again")
		}
	}
	return s.AnchorStates()
}

type ingestCmd struct {
	Package    []string `arg:"" help:"Package folders."`
	NewVersion bool     `help:"If the id exists with different content, store the package as the next version."`
	Message    string   `help:"Reason for storing, kept with the version."`
	Again      bool     `help:"Store a package again that was purged. Its purge must be complete in every copy."`
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
			o := store.IngestOptions{NewVersion: c.NewVersion, Message: c.Message, Progress: t.phases(),
				Validate: c.check(t, s), Again: c.Again, EndsJob: len(c.Package) == 1}
			if c.Again {
				o.By = caller()
			}
			receipt, err := ingest(ctx, p, o)
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
	printOwed(t, r.Owed)
}

// printOwed names the copies that lack a version.
func printOwed(t *terminal, copies []string) {
	for _, name := range copies {
		t.printf("  %s  owed: \"quire audit --repair --owed\" writes it there\n", name)
	}
}

// everyCopy names the copies of a receipt.
func everyCopy(r store.Receipt) string {
	return copiesWith(len(r.Copies), len(r.Owed) == 0)
}

// copiesWith names a number of copies, which may be all.
func copiesWith(n int, all bool) string {
	switch {
	case all:
		return "every copy"
	case n == 1:
		return "1 copy"
	}
	return fmt.Sprintf("each of %d copies", n)
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
	ID       string `arg:"" name:"id" help:"Identifier of the package."`
	Versions bool   `help:"List its versions: when, by whom, why, and how many files changed."`
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
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		if c.Versions {
			return c.versions(ctx, t, s)
		}
		d, err := s.Show(ctx, c.ID)
		var purged *store.PurgedError
		if errors.As(err, &purged) {
			return c.tombstone(ctx, t, s, &purged.Purge)
		}
		if err != nil {
			return err
		}
		stands := fixityOf(level, &d, time.Now())
		anchors, err := s.AnchorStates()
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(struct {
				store.Details
				Policy  *fixity             `json:"policy"`
				Anchors []store.AnchorState `json:"anchors"`
			}{d, stands, anchors})
		}
		printDetails(t, d)
		if len(anchors) > 0 {
			t.printf("  anchors of the register\n")
			printAnchors(t, anchors)
		}
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
