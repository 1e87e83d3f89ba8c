package main

import (
	"context"
	"fmt"
	"time"

	"quire/access/missed"
	"quire/holdings"
	"quire/internal/humanize"
	"quire/model"
	"quire/repository/store"
)

type missedCmd struct {
	ID      string `arg:"" help:"The package."`
	Harvest int    `default:"1" placeholder:"N" help:"Number of the harvest in the package, from 1. Default: ${default}."`
	Reason  string `enum:",network,robots,scope,quota,operator,software,server,unwritten,untried" default:"" placeholder:"REASON" help:"Only URLs with this reason: network, robots, scope, quota, operator, software, server, unwritten or untried."`
	Host    string `placeholder:"HOST" help:"Only URLs of this host."`
	For     string `enum:"public,onsite,staff" default:"staff" help:"Readers of the list: public, onsite (in the reading rooms) or staff (default). URLs that are hidden from them are omitted."`
	Config  string `type:"existingfile" env:"QUIRE_SERVE_CONFIG" placeholder:"FILE" help:"The settings file of quire serve, which names the access rules."`
	repoFlag
	jsonFlag
}

// missedRow is one line of --json.
type missedRow struct {
	Reason  model.Miss `json:"reason"`
	Host    string     `json:"host"`
	URL     string     `json:"url"`
	Time    time.Time  `json:"time"`
	Status  int        `json:"status"`
	Words   string     `json:"words"`
	Message string     `json:"message"`
	Log     string     `json:"log"`
	Line    int64      `json:"line"`
}

// Run lists the URLs that a harvest did not capture.
func (c *missedCmd) Run(ctx context.Context, t *terminal) error {
	settings, err := settingsFor(t, c.Config, c.For)
	if err != nil {
		return err
	}
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		h, err := holdings.Of(ctx, s, holdings.Options{Rules: settings.Rules,
			Unstated: holdings.Verdict(settings.Unstated), Problem: func(err error) { t.warn(err.Error()) }})
		if err != nil {
			return err
		}
		lists := missed.Open(h.Dir(), h)
		return closed(closed(c.list(ctx, t, h, lists), lists.Close()), h.Close())
	})
}

func (c *missedCmd) list(ctx context.Context, t *terminal, h *holdings.Holdings, lists *missed.Lists) error {
	names, err := h.Naming(ctx, holdings.Reader{Class: holdings.Class(c.For)}, c.ID, c.Harvest)
	if err != nil {
		return err
	}
	if !names.Open() {
		return fmt.Errorf("the logs of package %s are closed to readers of the class %s", c.ID, c.For)
	}
	all, err := lists.Of(ctx, c.ID, c.Harvest)
	if err != nil {
		return err
	}
	list := all.For(names)
	for r, err := range list.Each(missed.Query{Reason: model.Miss(c.Reason), Host: c.Host, Most: 1000}) {
		if err != nil {
			return closed(err, all.Close())
		}
		if err := c.row(ctx, t, list, &r); err != nil {
			return closed(err, all.Close())
		}
	}
	if list.Whole() {
		for _, p := range list.Problems() {
			t.warn("could not read everything: " + p)
		}
		if !c.JSON {
			t.printf("the logs list %s; %d captured nothing\n",
				humanize.Number(list.Attempts(), "attempt", "attempts"), list.Total())
		}
	}
	return all.Close()
}

func (c *missedCmd) row(ctx context.Context, t *terminal, list *missed.View, r *missed.Row) error {
	if c.JSON {
		return t.json(missedRow{r.Reason, r.Host, r.URL, r.Time, r.Status, r.Words, r.Message, list.Log(r.Log), r.Line})
	}
	when := "-"
	if !r.Time.IsZero() {
		when = r.Time.UTC().Format(time.RFC3339)
	}
	t.printf("%-9s %5d  %s  %s", r.Reason, r.Status, when, r.URL)
	if r.Words != "" {
		t.printf("  (%s)", r.Words)
	}
	if log := list.Log(r.Log); log != "" {
		t.printf("  %s, line %d", log, r.Line)
	}
	t.printf("\n")
	return ctx.Err()
}
