package main

import (
	"cmp"
	"context"

	"quire/internal/humanize"
	"quire/repository/store"
)

type copyGroup struct {
	Add     copyAddCmd     `cmd:"" help:"Add a copy, and fill it. The same command goes on after an interruption."`
	List    copyListCmd    `cmd:"" help:"List the copies: where they are, and how many packages are good there."`
	Check   copyCheckCmd   `cmd:"" help:"Check that copies are there, belong here, and lack nothing. Reads no package."`
	Replace copyReplaceCmd `cmd:"" help:"Fill a new copy, and then retire an old or lost one."`
	Retire  copyRetireCmd  `cmd:"" help:"Take a copy out of use. Its files stay."`
	Move    copyMoveCmd    `cmd:"" help:"Record the new place of a copy, after its folder was moved."`
}

type copyAddCmd struct {
	Path string `arg:"" help:"@copyPath"`
	repoFlag
	jsonFlag
}

// Run adds a copy, and brings it every package.
func (c *copyAddCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		place, err := s.AddCopy(ctx, c.Path)
		if err != nil {
			return err
		}
		if !c.JSON {
			t.printf("%s in %s\n", place.Name, place.Path)
		}
		mend := &auditCmd{repoFlag: c.repoFlag}
		var failed error
		sum, err := s.Refill(ctx, place.Name, store.RepairOptions{Progress: t.phases()}, mend.failures(t, &failed))
		t.clear()
		if err != nil {
			return err
		}
		return cmp.Or(failed, c.result(t, place, sum))
	})
}

// result prints the sums of a copy that was filled.
func (c *copyAddCmd) result(t *terminal, place store.CopyPlace, sum store.RepairSum) error {
	if c.JSON {
		if err := t.json(struct {
			Copy   store.CopyPlace `json:"copy"`
			Filled store.RepairSum `json:"filled"`
		}{place, sum}); err != nil {
			return err
		}
	} else {
		printFilled(t, place, sum)
	}
	return filled(t, sum)
}

func printFilled(t *terminal, place store.CopyPlace, sum store.RepairSum) {
	t.printf("%s: %s written, read back and matched; %d not written\n", place.Name,
		humanize.Number(sum.Repaired, "package", "packages"), sum.Failed)
}

// filled is the status of a command that fills a copy.
func filled(t *terminal, sum store.RepairSum) error {
	if sum.Failed == 0 {
		return nil
	}
	t.warn("the copy still lacks packages: see the messages above, and run the same command again")
	return errContent
}

type copyListCmd struct {
	repoFlag
	jsonFlag
}

// Run lists the copies.
func (c *copyListCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		copies, err := s.ListCopies(ctx)
		if err != nil {
			return err
		}
		for _, k := range copies {
			if c.JSON {
				err = t.json(k)
			} else {
				printCopy(t, &k)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func printCopy(t *terminal, k *store.ListedCopy) {
	t.printf("%-8s  %-6s  %-8s  %s\n", k.Name, k.Kind, outcome(k.State), k.Path)
	if k.State == store.CopyRetired {
		t.printf("          %s\n", k.Detail)
		return
	}
	t.printf("          %d of %s good (%s)", k.Good, humanize.Number(k.Packages, "package", "packages"),
		humanize.Size(k.Bytes))
	for _, n := range []struct {
		count int64
		state string
	}{{k.Damaged, "damaged"}, {k.Lacks(), "lacking"}} {
		if n.count > 0 {
			t.printf(", %d %s", n.count, n.state)
		}
	}
	if !k.Oldest.IsZero() {
		t.printf("; read since %s", day(k.Oldest))
	}
	t.printf("\n")
}

type copyCheckCmd struct {
	Name []string `arg:"" optional:"" help:"Names of copies, such as copy-2. Default: all."`
	repoFlag
	jsonFlag
}

// Run checks copies.
func (c *copyCheckCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		checks, err := s.CheckCopies(ctx, c.Name)
		if err != nil {
			return err
		}
		for _, k := range checks {
			if len(k.Problems) > 0 {
				err = errContent
			}
			if !c.JSON {
				printCopyCheck(t, &k)
			} else if err := t.json(k); err != nil {
				return err
			}
		}
		return err
	})
}

func printCopyCheck(t *terminal, k *store.CopyCheck) {
	verdict := "good"
	if len(k.Problems) > 0 {
		verdict = "damaged"
	}
	t.printf("%-8s  %s  %s\n", k.Name, outcome(verdict), k.Path)
	for _, p := range k.Problems {
		t.printf("          %s\n", p)
	}
	for _, n := range k.Notes {
		t.printf("          note: %s\n", n)
	}
}

type copyReplaceCmd struct {
	Name string `arg:"" help:"Name of the copy that goes, such as copy-2."`
	Path string `arg:"" help:"@copyPath"`
	repoFlag
	jsonFlag
}

// Run replaces a copy.
func (c *copyReplaceCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		mend := &auditCmd{repoFlag: c.repoFlag}
		var failed error
		options := store.RepairOptions{Progress: t.phases()}
		r, err := s.ReplaceCopy(ctx, c.Name, c.Path, options, mend.failures(t, &failed))
		t.clear()
		if err = cmp.Or(err, failed); err != nil {
			return err
		}
		if c.JSON {
			if err := t.json(r); err != nil {
				return err
			}
			return filled(t, r.Filled)
		}
		t.printf("%s in %s\n", r.New.Name, r.New.Path)
		printFilled(t, r.New, r.Filled)
		if r.Retired.Name != "" {
			printRetired(t, r.Retired)
		}
		return filled(t, r.Filled)
	})
}

type copyRetireCmd struct {
	Name    string `arg:"" help:"Name of the copy, such as copy-2."`
	Because string `required:"" placeholder:"TEXT" help:"The reason, kept in the repository."`
	repoFlag
	jsonFlag
}

// Run retires a copy.
func (c *copyRetireCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		r, err := s.RetireCopy(ctx, c.Name, c.Because)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(r)
		}
		printRetired(t, r)
		return nil
	})
}

func printRetired(t *terminal, r store.RetiredCopy) {
	t.printf("%s retired: %s; its files stay in %s\n", r.Name, r.Because, r.Path)
}

type copyMoveCmd struct {
	Name string `arg:"" help:"Name of the copy, such as copy-2."`
	Path string `arg:"" help:"The folder where the copy is now."`
	repoFlag
	jsonFlag
}

// Run records the new place of a copy.
func (c *copyMoveCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		place, err := s.MoveCopy(ctx, c.Name, c.Path)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(place)
		}
		t.printf("%s in %s\n", place.Name, place.Path)
		return nil
	})
}
