package main

import (
	"context"
	"errors"
	"fmt"

	"quire/holdings/numbers"
	"quire/internal/humanize"
	"quire/preserve/policy"
	"quire/repository/disposal"
	"quire/repository/store"
)

type listCmd struct {
	Owed   bool   `help:"List the packages that a copy lacks, with the copy."`
	Limit  int    `placeholder:"N" help:"List at most so many packages. Default: all."`
	After  string `placeholder:"ID" help:"@listAfter"`
	Select string `placeholder:"CEL" help:"@listSelect"`
	repoFlag
	jsonFlag
}

// Run lists the packages, one per line, each as soon as it is read.
func (c *listCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		if c.Select != "" {
			return c.selected(ctx, t, s)
		}
		if c.Owed {
			return c.owed(ctx, t, s)
		}
		count := 0
		for e, err := range s.ListAfter(ctx, c.After) {
			if err != nil || t.failed != nil {
				return err // a reader such as head has enough
			}
			count++
			if err := c.print(t, &e); err != nil {
				return err
			}
			if count == c.Limit {
				break
			}
		}
		if count == 0 || count != c.Limit {
			n, err := c.purged(ctx, t, s)
			if count += n; err != nil {
				return err
			}
		}
		if count > 0 || c.After != "" {
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

// print prints one package.
func (c *listCmd) print(t *terminal, e *store.Entry) error {
	if c.JSON {
		return t.json(e)
	}
	t.printf("%-48s  %-10s  v%d  %14s  %16s  %10s  %s  %s\n",
		e.ID, day(e.First), e.Head, humanize.Number(e.Containers, "container", "containers"),
		humanize.Number(e.Records, "record", "records"), humanize.Size(e.Bytes), outcome(e.Status), e.Title)
	return nil
}

// selected lists the packages that an expression chooses, and warns of those on which it cannot decide.
func (c *listCmd) selected(ctx context.Context, t *terminal, s *store.Store) error {
	if c.Owed {
		return errors.New("--owed and --select exclude each other")
	}
	sel, err := policy.Select(c.Select)
	if err != nil {
		return err
	}
	count := 0
	var undecided int64
	var first error
	for e, err := range numbers.Select(ctx, s, sel, c.After) {
		if err != nil || t.failed != nil {
			return err
		}
		if e.Why != nil {
			if undecided++; first == nil {
				first = e.Why
			}
			continue
		}
		if err := c.print(t, &e.Entry); err != nil {
			return err
		}
		if count++; count == c.Limit {
			break
		}
	}
	if undecided > 0 {
		t.warn(fmt.Sprintf("the selection does not decide on %s; the first: %v",
			humanize.Number(undecided, "package", "packages"), first))
	}
	return nil
}

// purged lists the purged packages, after the last of the others.
func (c *listCmd) purged(ctx context.Context, t *terminal, s *store.Store) (count int, err error) {
	all, err := s.Purges(ctx)
	for i := range all {
		p := &all[i]
		if p.State != disposal.Purged {
			continue
		}
		count++
		if !c.JSON {
			t.printf("%-48s  purged %s (%s)\n", p.Package, day(p.Approved.At), p.ID)
		} else if err := t.json(tombstone{p.Package, string(p.State), *p}); err != nil {
			return count, err
		}
	}
	return count, err
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
