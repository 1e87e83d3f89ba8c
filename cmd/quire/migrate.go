package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"quire/access/export"
	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/migrate"
	"quire/repository/store"
)

type migrateCmd struct {
	Package string    `arg:"" optional:"" help:"The package folder. It stays unchanged."`
	ID      string    `name:"id" placeholder:"ID" help:"@migrate_id"`
	From    []string  `sep:"none" placeholder:"PUID|MIME" help:"Format to convert: a PRONOM identifier (x-fmt/207) or a media type (image/gif). Can be repeated. Default: all formats of the rule."`
	Using   string    `required:"" placeholder:"RULE" help:"The rule: a YAML file, or gif-to-png, xbm-to-png, html-to-utf8."`
	Out     string    `required:"" placeholder:"FOLDER" help:"The new package folder. It must not exist, or be empty."`
	Jobs    int       `short:"j" placeholder:"N" help:"Number of conversions at the same time. Default: the number of processors."`
	Date    time.Time `format:"2006-01-02T15:04:05Z" placeholder:"TIME" help:"The date of the migration in the result. Default: now. The same date gives the same bytes, if the tool does."`
	dryFlag `set:"depth=Reads the whole package, checks its digests and identifies formats; runs no conversion, so failures of the tool do not show."`
	repoFlag
	jsonFlag
}

// Run migrates.
func (c *migrateCmd) Run(ctx context.Context, t *terminal) error {
	rule, err := migrate.ReadRule(c.Using)
	if err != nil {
		return err
	}
	switch {
	case c.ID != "" && c.Package != "":
		return errors.New("name a package folder, or a package of the repository by --id, not both")
	case c.ID != "":
		return c.reads(ctx, t, c.dryFlag, func(s *store.Store) error {
			return export.Borrow(ctx, s, c.ID, c.Out, caller(), store.ExportOptions{Progress: t.phases()},
				func(err error) { t.warn(err.Error()) }, func(folder string) error {
					t.clear()
					return c.migrate(ctx, t, rule, folder)
				})
		})
	case c.Package == "":
		return errors.New("name the package folder, or a package of the repository by --id")
	}
	return c.migrate(ctx, t, rule, c.Package)
}

func (c *migrateCmd) migrate(ctx context.Context, t *terminal, rule *migrate.Rule, folder string) error {
	r, err := migrate.Run(ctx, folder, migrate.Options{
		From: c.From, Rule: rule, Out: c.Out, DryRun: c.DryRun, Jobs: c.Jobs, Date: c.Date,
		Agent: model.Agent{Name: "Quire", Version: version},
		Start: t.begin, Progress: t.progress,
	})
	if r != nil && err != nil && c.JSON { // no bytestream to migrate
		t.clear()
		return errors.Join(err, c.result(t, r))
	}
	if err != nil {
		return err
	}
	t.clear()
	if c.JSON {
		err = c.result(t, r)
	} else {
		printMigrated(t, r, c.DryRun)
	}
	if err == nil && r.Outcome != model.Success {
		err = errContent
	}
	return err
}

func printMigrated(t *terminal, r *migrate.Result, dry bool) {
	if dry {
		t.dry()
		t.printf("%s: would try to convert %d of %s by the rule %s\n", r.ID, r.Would,
			humanize.Number(r.Selected, "bytestream", "bytestreams"), r.Rule)
	} else {
		printConverted(t, r)
	}
	printMigration(t, r)
}

func printConverted(t *terminal, r *migrate.Result) {
	t.printf("%s: %d of %s converted by the rule %s\n", r.ID, r.Converted,
		humanize.Number(r.Selected, "bytestream", "bytestreams"), r.Rule)
}

func printMigration(t *terminal, r *migrate.Result) {
	t.printf("  tool        %s %s\n", r.Tool.Name, r.Tool.Version)
	t.printf("  package     %s\n", r.Out)
	t.printf("  container   %s\n", r.Container)
	for _, counts := range []struct {
		label string
		of    map[string]int64
	}{{"not tried", r.Left}, {"converted", r.Notes}} {
		for _, text := range slices.Sorted(maps.Keys(counts.of)) {
			t.printf("  %-9s   %8d  %s\n", counts.label, counts.of[text], text)
		}
	}
	for _, f := range r.Failures {
		t.printf("  failed      %s %s: %s\n", f.Record, f.URI, f.Reason)
	}
	if more := r.Failed - int64(len(r.Failures)); more > 0 {
		t.printf("  and %s, see the METS\n", humanize.Number(more, "more failure", "more failures"))
	}
}
