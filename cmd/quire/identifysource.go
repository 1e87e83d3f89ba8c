package main

import (
	"quire/preserve/report"
	"quire/source/survey"
)

type identifySourceCmd struct {
	Source  []string `arg:"" help:"What crawlers left: folders, archives, single files."`
	Fetches bool     `help:"Say what became of the URLs, and why some have no content; this reads the logs."`
	Verbose bool     `help:"Show each fact with its evidence, and all files, seeds and findings."`
	sourceFlags
	jsonFlag
}

// Run says what a source holds, and why.
func (c *identifySourceCmd) Run(t *terminal) (err error) {
	s, err := c.options().Open(t.ctx, c.Source...)
	if err != nil {
		return err
	}
	defer func() { err = closed(err, s.Close()) }()
	v, err := survey.Make(t.ctx, s, survey.Options{All: c.Verbose, Fetches: c.Fetches})
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
