package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"quire/holdings/numbers"
	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/collection"
	"quire/repository/catalogue"
	"quire/repository/store"
)

type collectionCmd struct {
	File    string `arg:"" type:"path" help:"@collectionFile"`
	Out     string `required:"" placeholder:"FOLDER" help:"The folder to make. It must not exist, or be empty."`
	dryFlag `set:"depth=Reads the METS of every package that it names."`
	repoFlag
	jsonFlag
}

// packCollection makes a collection in the old spelling. Its other flags are about a package.
func (c *packCmd) packCollection(ctx context.Context, t *terminal) error {
	alone := packCmd{Collection: c.Collection, Out: c.Out, dryFlag: c.dryFlag, jsonFlag: c.jsonFlag, Profile: "compact",
		METS: "parts", SchemaVersion: "current", KeepOriginal: "needed"}
	if !reflect.DeepEqual(c, &alone) {
		return errors.New("--collection takes --out, --dry-run and --json only: its file names the members, the " +
			"title and the rights")
	}
	return (&collectionCmd{File: c.Collection, Out: c.Out, dryFlag: c.dryFlag, jsonFlag: c.jsonFlag}).Run(ctx, t)
}

// Run makes the collection.
func (c *collectionCmd) Run(ctx context.Context, t *terminal) error {
	file, err := collection.ReadFile(c.File)
	if err != nil {
		return err
	}
	o := collection.Options{Out: c.Out, DryRun: c.DryRun, Agent: model.Agent{Name: "Quire", Version: version}}
	if !file.Selects() {
		return c.make(ctx, t, file, o)
	}
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		o.Select = func(ctx context.Context, expression string) iter.Seq2[*model.Package, error] {
			return numbers.Packages(ctx, s, expression)
		}
		return c.make(ctx, t, file, o)
	})
}

func (c *collectionCmd) make(ctx context.Context, t *terminal, file *collection.File, o collection.Options) error {
	r, err := collection.Make(ctx, file, o)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.result(t, r)
	}
	if c.DryRun {
		printCollectionPlan(t, r)
		return nil
	}
	t.printf("collection %s\n  title       %s\n", r.ID, r.Title)
	t.printf("  harvests    %d\n  expected    %s, %d with a digest\n", r.Harvests,
		humanize.Number(r.Containers, "container", "containers"), r.Digests)
	if r.Packages > 0 {
		t.printf("  packages    %d searched for these harvests\n", r.Packages)
	}
	if r.Rights > 0 {
		t.printf("  rights      %s\n", humanize.Number(r.Rights, "statement", "statements"))
	}
	for _, l := range r.Losses {
		t.printf("  not in MODS row %d, %s: %s: %s\n", l.Row, l.Element, l.Value, l.Why)
	}
	t.printf("  METS        %s\n", r.METS)
	return nil
}

// validateCollection checks that every expected harvest and container is present.
func (c *validateCmd) validateCollection(ctx context.Context, t *terminal) error {
	if len(c.Packages) > 0 { // an environment variable may name a repository
		return c.compareCollection(ctx, t, collection.Packages(ctx, c.Packages...))
	}
	if c.Repo != "" {
		f := repoFlag{Repo: c.Repo}
		return f.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
			return c.compareCollection(ctx, t, heldBy(ctx, s))
		})
	}
	return errors.New("completeness can only be checked against the packages: add --packages FOLDER or " +
		"--repo REPO")
}

// heldBy yields the containers of the packages in a repository, from its catalogue.
func heldBy(ctx context.Context, s *store.Store) iter.Seq2[collection.Held, error] {
	return func(yield func(collection.Held, error) bool) {
		for e, err := range s.List(ctx) {
			if err != nil {
				yield(collection.Held{}, err)
				return
			}
			if e.IsCollection() {
				continue
			}
			d, err := s.Show(ctx, e.ID)
			if err != nil {
				yield(collection.Held{}, err)
				return
			}
			p := model.Package{ID: e.ID}
			if len(d.Versions) > 0 {
				for _, f := range d.Versions[len(d.Versions)-1].Files {
					p.Files = append(p.Files, model.PackageFile{Path: f.Path, Size: f.Size, SHA512: f.SHA512,
						Use: f.Use})
				}
			}
			damaged := ""
			if !slices.ContainsFunc(d.Copies, func(c catalogue.Copy) bool { return c.Status == catalogue.Good }) {
				damaged = fmt.Sprintf("the package has no undamaged copy: %s", e.Status)
			}
			if !collection.Containers(&p, func(*model.PackageFile) string { return damaged }, yield) {
				return
			}
		}
	}
}

func (c *validateCmd) compareCollection(ctx context.Context, t *terminal,
	held iter.Seq2[collection.Held, error]) error {
	r, err := collection.Validate(ctx, c.Package, held, collection.ValidateOptions{Schemas: c.Schemas})
	if err != nil {
		return err
	}
	if c.JSON {
		err = t.json(r)
	} else {
		printCollection(t, r)
	}
	if err == nil && r.Outcome != collection.Complete {
		err = errContent
	}
	return err
}

func printCollection(t *terminal, r *collection.Report) {
	t.printf("%s: %s\n  collection %s, %s\n", r.Path, outcome(r.Outcome), r.ID, r.Title)
	for _, f := range r.Findings {
		t.printf("  %s\n", f)
	}
	t.printf("  %d of %s complete; %d of %s there", r.HarvestsComplete,
		humanize.Number(r.Harvests, "harvest", "harvests"), r.Present,
		humanize.Number(r.Expected, "container", "containers"))
	if r.Unverified > 0 {
		t.printf(", %d matched by name only: the collection records no SHA-512 for them", r.Unverified)
	}
	t.printf("; %s looked at\n", humanize.Number(r.Packages, "package", "packages"))
	for _, h := range r.Lacking {
		t.printf("  incomplete  %s %s: %d of %s missing\n", h.ID, h.Label, h.Missing,
			humanize.Number(h.Expected, "container", "containers"))
	}
	for _, id := range r.LostPackages {
		t.printf("  no package  %s\n", id)
	}
	for _, i := range r.Missing {
		t.printf("  missing     %s of %s\n", i.Name, i.Harvest)
	}
	for _, d := range r.Differs {
		t.printf("  differs     %s of %s: %s in %s has %d bytes, SHA-512 %s\n", d.Name, d.Harvest, d.There.Path,
			d.There.Package, d.There.Size, d.There.SHA512)
	}
	for _, d := range r.Renamed {
		t.printf("  renamed     %s of %s is %s in %s\n", d.Name, d.Harvest, d.There.Path, d.There.Package)
	}
	for _, h := range r.Extra {
		t.printf("  extra       %s in %s\n", h.Path, h.Package)
	}
	for _, u := range r.Unread {
		t.printf("  not counted %s\n", u)
	}
	more := r.MissingTotal + r.DiffersTotal + r.RenamedTotal + r.ExtraTotal + r.UnreadTotal + r.PackagesTotal -
		int64(len(r.Missing)+len(r.Differs)+len(r.Renamed)+len(r.Extra)+len(r.Unread)+len(r.LostPackages))
	if more > 0 {
		t.printf("  and %d more\n", more)
	}
}
