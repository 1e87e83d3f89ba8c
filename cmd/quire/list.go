package main

import (
	"context"

	"quire/internal/humanize"
	"quire/repository/disposal"
	"quire/repository/store"
)

type listCmd struct {
	Owed  bool   `help:"List the packages that a copy lacks, with the copy."`
	Limit int    `placeholder:"N" help:"List at most so many packages. Default: all."`
	After string `placeholder:"ID" help:"@listAfter"`
	repoFlag
	jsonFlag
}

// Run lists the packages, one per line, each as soon as it is read.
func (c *listCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		if c.Owed {
			return c.owed(ctx, t, s)
		}
		count := 0
		for e, err := range s.ListAfter(ctx, c.After) {
			if err != nil || t.failed != nil {
				return err // a reader such as head has enough
			}
			count++
			if c.JSON {
				if err := t.json(e); err != nil {
					return err
				}
			} else {
				t.printf("%-48s  %-10s  v%d  %14s  %16s  %10s  %s  %s\n",
					e.ID, day(e.First), e.Head, humanize.Number(e.Containers, "container", "containers"),
					humanize.Number(e.Records, "record", "records"),
					humanize.Size(e.Bytes), outcome(e.Status), e.Title)
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
