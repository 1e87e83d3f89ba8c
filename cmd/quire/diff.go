package main

import (
	"context"
	"strconv"
	"strings"

	"quire/holdings/versions"
	"quire/internal/humanize"
	"quire/repository/store"
)

type diffCmd struct {
	ID    string `arg:"" name:"id" help:"Identifier of the package."`
	Older string `arg:"" name:"v1" help:"The older version: 1 or v1."`
	Newer string `arg:"" name:"v2" help:"The newer version."`
	repoFlag
	jsonFlag
}

// Run compares two versions.
func (c *diffCmd) Run(ctx context.Context, t *terminal) error {
	older, err := versionNumber(c.Older)
	if err != nil {
		return err
	}
	newer, err := versionNumber(c.Newer)
	if err != nil {
		return err
	}
	return c.with(ctx, t, func(s *store.Store) error {
		d, err := versions.Compare(ctx, s, c.ID, older, newer)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(d)
		}
		printDiff(t, d)
		return nil
	})
}

// versionNumber reads the number of a version.
func versionNumber(text string) (int, error) {
	return strconv.Atoi(strings.TrimPrefix(text, "v"))
}

func printDiff(t *terminal, d *versions.Diff) {
	t.printf("%s, v%d and v%d\n", d.ID, d.Older, d.Newer)
	if len(d.Files)+len(d.Description) == 0 {
		t.printf("  no difference\n")
	}
	for _, f := range d.Files {
		switch {
		case f.OldSHA512 == "":
			t.printf("  added    %s, %s, SHA-512 %s\n", f.Path, humanize.Size(f.NewSize), f.NewSHA512)
		case f.NewSHA512 == "":
			t.printf("  removed  %s, %s, SHA-512 %s\n", f.Path, humanize.Size(f.OldSize), f.OldSHA512)
		default:
			t.printf("  changed  %s, %s, before %s\n", f.Path, humanize.Size(f.NewSize), humanize.Size(f.OldSize))
			t.printf("           SHA-512 %s\n           before  %s\n", f.NewSHA512, f.OldSHA512)
		}
	}
	for _, c := range d.Description {
		switch {
		case c.Old == "":
			t.printf("  %-11s  added: %s\n", c.Part, c.New)
		case c.New == "":
			t.printf("  %-11s  removed: %s\n", c.Part, c.Old)
		default:
			t.printf("  %-11s  %s\n               before: %s\n", c.Part, c.New, c.Old)
		}
	}
}

// versions prints the versions of a package.
func (c *showCmd) versions(ctx context.Context, t *terminal, s *store.Store) error {
	all, err := s.Versions(ctx, c.ID)
	if err != nil {
		return err
	}
	for i := range all {
		v := &all[i]
		if c.JSON {
			if err := t.json(v); err != nil {
				return err
			}
			continue
		}
		t.printf("v%d  %s  %s: %s\n", v.Number, moment(v.Created), v.By, v.Message)
		t.printf("    %s, %s; %d added, %d removed, %d changed\n", humanize.Number(v.Files, "file", "files"),
			humanize.Size(v.Bytes), v.Added, v.Removed, v.Changed)
	}
	return nil
}
