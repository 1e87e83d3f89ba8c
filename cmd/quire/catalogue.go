package main

import (
	"context"

	"quire/internal/humanize"
	"quire/repository/store"
)

type catalogueGroup struct {
	Copy catalogueCopyCmd `cmd:"" help:"Copy the catalogue to another place, which the repository uses from then on."`
}

type catalogueCopyCmd struct {
	To string `required:"" placeholder:"ADDRESS" help:"@catalogueTo"`
	repoFlag
	jsonFlag
}

// Run moves the catalogue. It reports the number of its rows.
func (c *catalogueCopyCmd) Run(ctx context.Context, t *terminal) error {
	if c.Repo == "" {
		return errNoRepository
	}
	var last int64
	t.begin("packages", 0)
	n, err := store.MoveCatalogue(ctx, c.Repo, c.To, func(packages int64) {
		t.progress(packages - last)
		last = packages
	})
	t.clear()
	if err != nil {
		return err
	}
	return c.report(t, n)
}

// report prints the result. A catalogue that moved is no failure: what remains to be done is a warning.
func (c *catalogueCopyCmd) report(t *terminal, n store.Moved) error {
	for _, w := range n.Warnings {
		t.warn(w)
	}
	if c.JSON {
		return t.json(struct {
			Repository string `json:"repository"`
			Catalogue  string `json:"catalogue"`
			store.Moved
		}{c.Repo, c.To, n})
	}
	t.printf("the catalogue of %s is in %s: %s, %s, %s\n", c.Repo, c.To,
		humanize.Number(n.Packages, "package", "packages"), humanize.Number(n.Events, "event", "events"),
		humanize.Number(n.Runs, "audit run", "audit runs"))
	return nil
}
