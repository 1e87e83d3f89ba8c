package main

import (
	"context"
	"time"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/describe/warcmeta"
	"quire/source/records/lookup"
)

// describe finds the websites of the sheet in the source, and writes their descriptions beside the
// captures.
func (c *describeCmd) describe(ctx context.Context, t *terminal) error {
	sheet, err := c.sheet()
	if err != nil {
		return err
	}
	if sheet.Total > 0 {
		return c.printResult(t, described{Rows: len(sheet.Rows), Problems: sheet.Problems, Total: sheet.Total})
	}
	o := warcmeta.Options{
		Rows: sheet.Rows, Captures: lookup.Which(c.Captures), Out: c.Out, InPlace: c.InPlace,
		DryRun: c.DryRun,
		Source: c.sourceFlags.options(),
		Agent:  model.Agent{Name: "Quire", Version: version}, Now: func() time.Time { return c.Date },
		Start: func(total int64) { t.begin("finding the websites", total) }, Progress: t.progress,
	}
	for _, f := range c.As {
		o.As = append(o.As, warcmeta.Form(f))
	}
	r, err := warcmeta.Run(ctx, c.Source, o)
	if err != nil {
		return err
	}
	t.clear()
	if c.JSON {
		err = c.result(t, r)
	} else {
		c.printAttached(t, r)
	}
	if err == nil && r.Outcome != warcmeta.Success {
		err = errContent
	}
	return err
}

func (c *describeCmd) printAttached(t *terminal, r *warcmeta.Result) {
	wrote := "wrote"
	if c.DryRun {
		wrote = "would write"
		t.dry()
	}
	for _, d := range r.Described {
		t.printf("row %d  %s\n", d.Row, d.URL)
		t.printf("  is %s of %s, in %s at byte %d\n", d.RecordID, d.Date.Format("2006-01-02 15:04:05"), d.Container,
			d.Offset)
		t.printf("  by %s\n", d.How)
		for _, a := range d.Records {
			line := string(a.Format) + ": " + a.Is
			if a.Replaces != "" && a.Is != warcmeta.IsUnchanged {
				line += ", in the place of " + a.Replaces
			}
			t.printf("  %s\n", line)
			if len(a.Losses) > 0 {
				t.printf("    the form has no place for %s; --json lists them\n",
					humanize.Number(int64(len(a.Losses)), "value", "values"))
			}
		}
	}
	for _, m := range r.Left {
		t.printf("row %d is left: %s\n", m.Row, m.Why)
	}
	for _, m := range r.Missing {
		t.printf("row %d  %s\n  not described: %s\n", m.Row, m.URL, m.Why)
		for _, near := range m.Near {
			t.printf("  was captured: %s\n", near)
		}
	}
	for _, d := range r.Damaged {
		t.printf("%s is damaged (%s), so some records were not read; quire inspect lists all faults. The "+
			"first: %s\n",
			d.Container, humanize.Number(d.Faults, "fault", "faults"), d.First)
	}
	for _, f := range r.Files {
		t.printf("%s %s with %s: %s\n", wrote, humanize.Size(f.Added),
			humanize.Number(f.Records, "description", "descriptions"), f.Path)
	}
	t.printf("%s: %d new (%d in the place of another), %d there already, %d written; %s not described\n",
		humanize.Number(int64(r.Rows), "row", "rows"),
		r.New, r.Replacing, r.Unchanged, r.Written,
		humanize.Number(int64(len(r.Missing)), "website is", "websites are"))
	if r.New > 0 && !c.InPlace && c.Out == "" {
		t.printf("nothing was written: say where with --out FOLDER or --in-place\n")
	}
}
