package main

import (
	"context"
	"quire/preserve/report"
	"quire/source/survey"
)

type identifySourceCmd struct {
	Source  []string `arg:"" help:"Source: folders, archives, single files."`
	Fetches bool     `help:"List the outcome for each URL, with the reason where no content was captured; this reads the logs."`
	Verbose bool     `help:"Show each fact with its evidence, and all files, seeds and findings."`
	sourceFlags
	jsonFlag
}

// Run lists the harvests of a source, with the evidence.
func (c *identifySourceCmd) Run(ctx context.Context, t *terminal) (err error) {
	s, err := c.options().Open(ctx, c.Source...)
	if err != nil {
		return err
	}
	defer func() { err = closed(err, s.Close()) }()
	v, err := survey.Make(ctx, s, survey.Options{All: c.Verbose, Fetches: c.Fetches})
	if err != nil {
		return err
	}
	if c.JSON {
		err = t.json(v)
	} else {
		err = report.Survey(t.out, v, report.TextOptions{All: c.Verbose, Width: t.width()})
	}
	if err == nil && !v.Recognised() {
		err = errContent
	}
	return err
}
