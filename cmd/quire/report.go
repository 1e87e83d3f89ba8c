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
	Since    statements.Day `placeholder:"DATE" help:"@report_since"`
	Format   publish.Form   `enum:"html,pdf,json" default:"html" help:"Form of the report: html (a page), pdf or json."`
	Attest   string         `type:"path" placeholder:"FILE" help:"@report_attest"`
	Out      string         `type:"path" placeholder:"FILE" help:"The new file of the report."`
	Reasons  bool           `help:"@report_reasons"`
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
	o := auditreport.Options{Progress: t.packages(), Reasons: c.Reasons}
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
		sign := c.signer(ctx, t, s, r)
		if err := publish.Write(c.Out, r, c.Format, sign); err != nil {
			return err
		}
		if c.JSON {
			return t.json(publish.Summarize(r, c.Out, c.Format, sign != nil))
		}
		t.printf("report in %s: %s, %s, %s\n", c.Out, humanize.Number(r.Holdings.Packages, "package", "packages"),
			humanize.Number(r.Audits.Number, "audit", "audits"),
			humanize.Number(r.Incidents.Total, "incident", "incidents"))
		if sign != nil {
			t.printf("  signed by the key with fingerprint %s\n", r.Register.Fingerprint)
		}
		return nil
	})
}

// signer returns the function that signs the report, or nil with a warning if it cannot be signed.
func (c *reportCmd) signer(ctx context.Context, t *terminal, s *store.Store, r *auditreport.Report) publish.Signer {
	switch {
	case r.Register == nil:
		t.warn("the report is not signed: " + store.ErrNoRegister.Error())
		return nil
	case s.ReadOnly():
		t.warn("the report is not signed: the repository is open for reading only, so its key is not used")
		return nil
	}
	return func(kind string, lines ...string) ([]byte, error) { return s.SignStatement(ctx, kind, lines...) }
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

type verifyReportCmd struct {
	File string   `arg:"" help:"A report by quire report, in any form."`
	Key  []string `sep:"none" placeholder:"KEY" help:"@verify_report_key"`
	jsonFlag
}

// Run verifies a report without its repository.
func (c *verifyReportCmd) Run(t *terminal) error {
	var keys []string
	for _, k := range c.Key {
		some, err := publish.ReadKeys(k)
		if err != nil {
			return err
		}
		keys = append(keys, some...)
	}
	v, err := publish.Verify(c.File, keys)
	if err != nil {
		return err
	}
	switch {
	case c.JSON:
		if err := t.json(v); err != nil {
			return err
		}
	case !v.Valid:
		t.printf("%s: not valid: %s\n", v.File, v.Problem)
	default:
		t.printf("%s: unchanged since it was signed\n  repository   %s\n  made         %s\n  sha256       %s\n"+
			"  key          %s\n  fingerprint  %s\n", v.File, v.Repository, v.Made, v.SHA256, v.Key, v.Fingerprint)
		for _, u := range v.Unproved {
			t.printf("  not proved   %s\n", u)
		}
	}
	if !v.Valid {
		return errContent
	}
	return nil
}
