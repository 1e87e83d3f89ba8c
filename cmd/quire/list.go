package main

import (
	"context"

	"quire/internal/humanize"
	"quire/repository/store"
)

type listCmd struct {
	Limit int    `placeholder:"N" help:"List at most so many packages. Default: all."`
	After string `placeholder:"ID" help:"${listAfter}"`
	repoFlag
	jsonFlag
}

// Run lists the packages, one per line, each as soon as it is read.
func (c *listCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
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
		if count == 0 && c.After == "" && !c.JSON {
			t.printf("no package yet; \"quire ingest PACKAGE --repo %s\" stores one\n", c.Repo)
		}
		return nil
	})
}
