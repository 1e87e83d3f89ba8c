package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"quire/access/export"
	"quire/access/export/formats"
	"quire/access/research"
	"quire/access/server"
	"quire/holdings"
	"quire/internal/humanize"
	"quire/repository/store"
)

type exportCmd struct {
	ID         string   `arg:"" optional:"" name:"id" help:"@export_id"`
	Out        string   `required:"" placeholder:"PATH" help:"Result: a folder, or the file of a WACZ. It must not exist; an empty folder is allowed."`
	Version    int      `placeholder:"N" help:"@export_version"`
	As         string   `default:"aip" placeholder:"FORM" help:"aip, unchanged as stored (default); ${forms}; parquet, tables of the whole repository."`
	For        string   `enum:"public,onsite,staff" default:"public" help:"Readers of the export: public (default), onsite (in the reading rooms) or staff. Quire withholds and lists everything that their rights do not allow. aip has everything."`
	Config     string   `type:"existingfile" env:"QUIRE_SERVE_CONFIG" placeholder:"FILE" help:"The settings file of quire serve, which names the access rules."`
	At         string   `placeholder:"TIMESTAMP" help:"mirror: for each page, the capture closest to this moment, 4 to 14 digits. Default: the newest."`
	VolumeSize int64    `placeholder:"BYTES" help:"warc, wacz: start a new WARC file at this size. Default: 1 GiB."`
	PackageAs  string   `enum:"page,site" default:"page" help:"dspace-saf: one item for each page, or one for the site."`
	Local      bool     `help:"dspace-saf: put metadata outside dc and dcterms in metadata_local.xml; DSpace must have these fields first."`
	Collection []string `sep:"none" placeholder:"HANDLE" help:"dspace-saf: the DSpace collection of the items, by Handle or UUID; repeat for several, the owning one first."`
	Server     string   `placeholder:"URL" help:"mets: base URL of the replay server (https://replay.example). Default: URLs without a host."`
	Infected   bool     `help:"For staff, into a folder: include infected bytestreams, each wrapped in a ZIP (password: infected)."`
	Bag        string   `placeholder:"FORM" help:"bagit: content of the bag: aip (only for staff, and their default) or another form. Default for others: warc."`
	Tables     []string `placeholder:"NAME,…" help:"@export_tables"`
	dryFlag    `set:"depth=Looks in the copies for each file of its size; in forms other than aip, for each container that the form needs, and judges every capture by its rights. Reads no content, so damage does not show."`
	repoFlag
	jsonFlag
}

// exportForms lists the forms in the help of the command.
func exportForms() kong.Vars {
	names := export.Names(formats.All())[1:] // the first is aip
	return kong.Vars{"forms": strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]}
}

// Run exports the package.
func (c *exportCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, c.dryFlag, func(s *store.Store) error {
		if err := s.CheckOutside(c.Out); err != nil {
			return err
		}
		switch {
		case c.As == research.Form:
			return c.parquet(ctx, t, s)
		case c.ID == "":
			return errors.New("name the package to export; only --as parquet exports the whole repository")
		case len(c.Tables) > 0:
			return errors.New("--tables is for --as parquet")
		}
		if c.As == export.AIP {
			return c.stored(ctx, t, s)
		}
		return c.access(ctx, t, s)
	})
}

// stored exports the package unchanged, in its stored form.
func (c *exportCmd) stored(ctx context.Context, t *terminal, s *store.Store) error {
	if c.DryRun {
		return c.plan(ctx, t, s)
	}
	r, err := s.Export(ctx, c.ID, c.Out, store.ExportOptions{Version: c.Version, Progress: t.phases()})
	t.clear()
	if err != nil {
		return err
	}
	if _, err := export.Stored(ctx, s, r, caller()); err != nil {
		t.warn(err.Error())
	}
	if c.JSON {
		return t.json(r)
	}
	t.printf("exported %s, %s, to %s: %s, %s, all digests fit\n", r.ID, r.Version, filepath.Clean(r.Folder),
		humanize.Number(r.Files, "file", "files"), humanize.Size(r.Bytes))
	for _, f := range r.Fallbacks {
		t.printf("  damaged in one copy, read from another: %s\n", f)
	}
	return nil
}

// plan prints the planned export of a package in its stored form.
func (c *exportCmd) plan(ctx context.Context, t *terminal, s *store.Store) error {
	r, files, err := s.PlanExport(ctx, c.ID, c.Out, store.ExportOptions{Version: c.Version})
	if err != nil {
		return err
	}
	p := &exportPlan{ExportResult: r, Would: files}
	if c.JSON {
		return t.dryJSON(p)
	}
	printExportPlan(t, p)
	return nil
}

// holdings opens the holdings with the access rules of the settings.
func (c *exportCmd) holdings(ctx context.Context, t *terminal, s *store.Store) (*holdings.Holdings, server.Config,
	*watch, error) {
	settings, err := settingsFor(t, c.Config, c.For)
	if err != nil {
		return nil, server.Config{}, nil, err
	}
	w := &watch{t: t}
	h, err := holdings.Of(ctx, s, holdings.Options{
		Rules: settings.Rules, Unstated: holdings.Verdict(settings.Unstated), Problem: w.problem,
		Progress: w.progress, DryRun: c.DryRun,
	})
	return h, settings, w, err
}

// access exports everything that the rights of the named readers allow.
func (c *exportCmd) access(ctx context.Context, t *terminal, s *store.Store) error {
	h, settings, w, err := c.holdings(ctx, t, s)
	if err != nil {
		return err
	}
	request := export.Request{
		ID: c.ID, Version: c.Version, As: c.As, For: holdings.Class(c.For), Out: c.Out, By: caller(),
		Options: export.Options{At: c.At, VolumeSize: c.VolumeSize, ItemPer: c.PackageAs, Bag: c.Bag,
			Infected: c.Infected, Collections: c.Collection, Local: c.Local, Server: c.Server},
		Progress: w.export(),
	}
	do := c.export
	if c.DryRun {
		do = c.foresee
	}
	captures, err := do(ctx, t, s, h, request)
	var empty *export.EmptyError
	if err == nil && captures == 0 || errors.As(err, &empty) {
		t.note(noRightsWarning(ctx, h, settings, c.For))
	}
	return closed(err, h.Close())
}

// export makes the export, and prints the result. It returns the number of captures in the export.
func (c *exportCmd) export(ctx context.Context, t *terminal, s *store.Store, h *holdings.Holdings,
	request export.Request) (int64, error) {
	r, err := export.Run(ctx, s, h, request, formats.All())
	t.clear()
	if err != nil {
		return 0, err
	}
	if c.JSON {
		return r.Captures, t.json(r)
	}
	t.printf("exported %s, %s, as %s for %s to %s: %s, %s, %s\n", r.ID, r.Version, r.As, r.For, filepath.Clean(r.Path),
		humanize.Number(r.Captures, "capture", "captures"), humanize.Number(r.Files, "file", "files"),
		humanize.Size(r.Bytes))
	printKeptBack(t, r.KeptBack)
	return r.Captures, nil
}

// foresee prints the planned export. It returns the number of captures.
func (c *exportCmd) foresee(ctx context.Context, t *terminal, s *store.Store, h *holdings.Holdings,
	request export.Request) (int64, error) {
	f, err := export.Plan(ctx, s, h, request, formats.All())
	t.clear()
	if err != nil {
		return 0, err
	}
	if c.JSON {
		return f.Captures, t.dryJSON(f)
	}
	t.dry()
	t.printf("would export %s, %s, as %s for %s to %s: %s\n", f.ID, f.Version, f.As, f.For, filepath.Clean(f.Path),
		humanize.Number(f.Captures, "capture", "captures"))
	printKeptBack(t, f.KeptBack)
	return f.Captures, nil
}

func printKeptBack(t *terminal, kept map[export.Reason]int64) {
	for _, why := range slices.Sorted(maps.Keys(kept)) {
		if why == export.Damaged {
			t.printf("  %s with errors: records may be missing\n",
				humanize.Number(kept[why], "container", "containers"))
			continue
		}
		t.printf("  withheld, %s: %s\n", why, humanize.Number(kept[why], "thing", "things"))
	}
}

// export shows the progress of an export and of the repository.
func (w *watch) export() export.Progress {
	return export.Progress{
		Begin: func(step string, total int64) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.t.begin(step, total)
		},
		Add: func(bytes int64) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.t.progress(bytes)
		},
	}
}

// caller returns the caller's account name for the event, or "" if the system has none.
func caller() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	if u.Name != "" && u.Name != u.Username {
		return fmt.Sprintf("%s (%s)", u.Name, u.Username)
	}
	return u.Username
}
