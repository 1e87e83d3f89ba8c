package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"quire/access/research"
	"quire/holdings"
	"quire/holdings/exports"
	"quire/internal/humanize"
	"quire/repository/store"
)

// parquet exports the tables of the repository.
func (c *exportCmd) parquet(ctx context.Context, t *terminal, s *store.Store) error {
	if c.Version != 0 || c.Infected || c.At != "" || c.VolumeSize != 0 || c.Bag != "" {
		return errors.New("--as parquet exports the newest version of each package: it takes only --for, --tables, " +
			"--config, --dry-run and the id of one package to add")
	}
	h, settings, w, err := c.holdings(ctx, t, s)
	if err != nil {
		return err
	}
	request := research.Request{Out: c.Out, For: holdings.Class(c.For), Tables: c.Tables, By: caller(),
		Problem: w.problem, Progress: w.tables}
	if c.ID != "" {
		request.Packages = []string{c.ID}
	}
	do := research.Run
	if c.DryRun {
		do = research.Plan
	}
	r, err := do(ctx, s, h, request)
	t.clear()
	if err == nil && r.Kept == 0 && len(r.Added)+len(r.Rewritten) == 0 {
		t.note(noRightsWarning(ctx, h, settings, c.For))
	}
	if err = closed(err, h.Close()); err != nil {
		return err
	}
	return c.printTables(t, r)
}

// tables shows the progress of an export of tables.
func (w *watch) tables(pkg string, left int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t.begin(pkg+", "+humanize.Number(int64(left), "package", "packages")+" left", 0)
}

// printTables prints the result of an export of tables, or its plan.
func (c *exportCmd) printTables(t *terminal, r *research.Result) error {
	if c.JSON && c.DryRun {
		return t.dryJSON(r)
	}
	if c.JSON {
		return t.json(r)
	}
	number := func(list []research.Changed) int64 { return int64(len(list)) }
	if c.DryRun {
		t.dry()
		t.printf("would export to %s for %s: ", filepath.Clean(c.Out), r.For)
	} else {
		t.printf("exported %s to %s for %s: %s, %s\n  packages: ", r.Export, filepath.Clean(c.Out), r.For,
			humanize.Number(r.Files, "file", "files"), humanize.Size(r.Bytes))
	}
	t.printf("%d added, %d written again, %d removed, %d unchanged\n", number(r.Added), number(r.Rewritten),
		number(r.Removed), r.Kept)
	for _, p := range r.Rewritten {
		t.printf("  again    %s: %s\n", p.Package, p.Why)
	}
	for _, p := range r.Removed {
		t.printf("  removed  %s: %s\n", p.Package, p.Why)
	}
	for _, name := range r.Tables {
		if r.Rows != nil {
			t.printf("  %-10s  %s\n", name, humanize.Number(r.Rows[name], "row", "rows"))
		}
	}
	if r.Unreadable > 0 {
		t.warn(humanize.Number(r.Unreadable, "capture", "captures") +
			" without links and text: no copy has them undamaged. Audit the repository")
	}
	return nil
}

type exportsCmd struct {
	repoFlag
	jsonFlag
}

// listedExport is a registered export as the list shows it.
type listedExport struct {
	ID       string         `json:"id"`
	Form     string         `json:"form"`
	For      holdings.Class `json:"for"`
	Tables   []string       `json:"tables"`
	Where    string         `json:"where"`
	Host     string         `json:"host"`
	By       string         `json:"by"`
	Software string         `json:"software"`
	Begun    time.Time      `json:"begun"`
	Run      time.Time      `json:"run"`
	Complete bool           `json:"complete"`
	Packages int            `json:"packages"`
}

// Run lists the registered exports.
func (c *exportsCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		all, err := exports.List(ctx, s)
		if err != nil {
			return err
		}
		if len(all) == 0 && !c.JSON {
			t.printf("no registered exports\n")
		}
		for _, e := range all {
			if c.JSON {
				if err := t.json(listedExport{e.ID, e.Form, e.For, e.Tables, e.Where, e.Host, e.By, e.Software, e.Begun,
					e.Run, e.Complete, len(e.Packages)}); err != nil {
					return err
				}
				continue
			}
			state := humanize.Number(int64(len(e.Packages)), "package", "packages")
			if !e.Complete {
				state = "its last run did not end: repeat it"
			}
			t.printf("%-4s %s for %s, %s, %s\n     %s\n", e.ID, e.Form, e.For, moment(e.Run), state, e.Where)
			t.printf("     tables %s\n", strings.Join(e.Tables, ", "))
		}
		return nil
	})
}

// printExports prints the exports that a takedown touches.
func printExports(t *terminal, all []exports.Touched) {
	for _, e := range all {
		holds := "has data of " + humanize.Number(e.Packages, "package", "packages") + " concerned"
		if !e.Complete {
			holds = "its last run did not end, so it may have data"
		}
		t.printf("  export %s  %s for %s, %s: %s\n", e.ID, e.Form, e.For, e.Where, holds)
	}
	if len(all) > 0 {
		t.printf("  repeat each export to remove the data: quire export --as parquet --out FOLDER\n")
	}
}
