package main

import (
	"context"
	"errors"
	"time"

	"quire/access/auditreport"
	"quire/access/auditreport/publish"
	"quire/internal/disk"
	"quire/internal/humanize"
	"quire/preserve/policy"
	"quire/preserve/statements"
	"quire/repository/store"
)

type reportCmd struct {
	Since    statements.Day `placeholder:"DATE" help:"${report_since}"`
	Format   publish.Form   `enum:"html,json" default:"html" help:"Form of the report: html (a page) or json."`
	Attest   string         `type:"path" placeholder:"FILE" help:"${report_attest}"`
	Out      string         `type:"path" placeholder:"FILE" help:"The new file of the report."`
	Template bool           `help:"Print the form for --attest, with the names of the copies."`
	policyFlag
	repoFlag
	jsonFlag
}

// Run makes the report, or prints the form for attestations.
func (c *reportCmd) Run(ctx context.Context, t *terminal) error {
	if c.Template {
		return c.template(ctx, t)
	}
	if c.Out == "" {
		return errors.New("the report needs a file: add --out FILE")
	}
	if err := disk.CheckNew(c.Out); err != nil {
		return err
	}
	o := auditreport.Options{Progress: t.packages()}
	var err error
	if c.Since != "" {
		if o.Since, err = time.ParseInLocation(time.DateOnly, string(c.Since), time.Local); err != nil {
			return err
		}
	}
	if c.Attest != "" {
		if o.Attested, err = auditreport.ReadAttestations(c.Attest); err != nil {
			return err
		}
	}
	level, err := c.judging(t)
	if err != nil {
		return err
	}
	if level != nil {
		o.Policies = []*policy.Policy{level}
	}
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		if err := s.CheckOutside(c.Out); err != nil {
			return err
		}
		r, err := auditreport.Gather(ctx, s, o)
		t.clearLine()
		if err != nil {
			return err
		}
		if err := publish.Write(c.Out, r, c.Format); err != nil {
			return err
		}
		if c.JSON {
			return t.json(publish.Summarize(r, c.Out, c.Format))
		}
		t.printf("report in %s: %s, %s, %s\n", c.Out, humanize.Number(r.Holdings.Packages, "package", "packages"),
			humanize.Number(r.Audits.Number, "audit", "audits"),
			humanize.Number(r.Incidents.Total, "incident", "incidents"))
		return nil
	})
}

// template prints the form for attestations.
func (c *reportCmd) template(ctx context.Context, t *terminal) error {
	if c.Repo == "" {
		return auditreport.Template(t.out, nil)
	}
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		var names []string
		for _, p := range s.Copies() {
			names = append(names, p.Name)
		}
		return auditreport.Template(t.out, names)
	})
}

// packages shows the number of packages that were read.
func (t *terminal) packages() func(done, total int64) {
	begin := time.Now()
	shown := begin
	return func(done, total int64) {
		if now := time.Now(); t.watched() && now.Sub(begin) > barDelay && now.Sub(shown) > barDelay/10 {
			shown = now
			t.line("reading METS: " + humanize.Grouped(done) + " of " + humanize.Number(total, "package", "packages"))
		}
	}
}
