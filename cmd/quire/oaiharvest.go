package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/internal/disk"
	"quire/internal/humanize"
	"quire/model"
	"quire/oai/harvest"
	"quire/preserve/pack"
)

type oaiHarvestCmd struct {
	BaseURL string `arg:"" name:"baseurl" help:"Base URL of the OAI-PMH server."`
	Prefix  string `placeholder:"PREFIX" help:"Format of the records. Default: oai_crate if the server has it, else oai_didl, else oai_dc."`
	Set     string `placeholder:"SET" help:"Harvest only this set of the server."`
	From    string `placeholder:"DATE" help:"Harvest records changed at or after this date: 2026-11-22, or 2026-11-22T10:00:00Z. Default: the end of the last harvest in the folder, if any."`
	Until   string `placeholder:"DATE" help:"Harvest records changed at or before this date. Default: now, by the server's clock."`
	Out     string `required:"" placeholder:"FOLDER" help:"The folder for the harvest. A stopped harvest continues there."`
	As      string `enum:"warc,package,files" default:"warc" help:"Result: warc (the default), package, files. For a package, the WARC files stay in a folder of the same name with the suffix .harvest."`

	Documents bool `help:"Also keep each CRATE or DIDL as received, beside its parts."`

	Contact      string        `placeholder:"ADDRESS" help:"Your e-mail address or URL; quire sends it to the server."`
	User         string        `placeholder:"NAME" help:"User name, if the server requires one."`
	PasswordFile string        `type:"existingfile" placeholder:"FILE" help:"File with the password."`
	TokenFile    string        `type:"existingfile" placeholder:"FILE" help:"File with a bearer token, if the server requires one."`
	Delay        time.Duration `placeholder:"TIME" help:"Time to wait between requests: 2s."`
	Patience     time.Duration `default:"5m" placeholder:"TIME" help:"How long the server may be silent. Default: ${default}."`
	MaxWait      time.Duration `default:"1h" placeholder:"TIME" help:"The longest wait that the server may request (Retry-After). If it requests more, the call ends; call again later. Default: ${default}."`
	MaxRecords   int64         `default:"100000000" placeholder:"N" help:"The most new records of one call."`
	Overlap      time.Duration `placeholder:"TIME" help:"How long before the end of the last harvest the next one begins. Default: 10 minutes, or a day if the server has dates only."`
	TrustProxy   bool          `help:"Also fetch the resources of records through the proxy of the environment (HTTP_PROXY), which blocks requests to your own network. Default: fetch them directly."`
	jsonFlag
}

// Run harvests.
func (c *oaiHarvestCmd) Run(ctx context.Context, t *terminal) error {
	o, err := c.options()
	if err != nil {
		return err
	}
	if c.As == "package" {
		if err := disk.Absent(c.Out); err != nil {
			return fmt.Errorf("%w: the package already exists; name another folder", err)
		}
		o.Out = filepath.Clean(c.Out) + ".harvest"
		o.As = harvest.WARC
	}
	o.Progress = harvestProgress(t)
	result, err := harvest.Run(ctx, o)
	t.clearLine()
	if err != nil {
		return err
	}
	var packed *pack.Result
	if c.As == "package" && result.Window.Complete {
		if packed, err = c.pack(ctx, t, o.Out); err != nil {
			return err
		}
	}
	if c.JSON {
		err = t.json(struct {
			harvest.Result
			Package *pack.Result `json:"package"`
		}{*result, packed})
	} else {
		printHarvest(t, result, c.As)
		if c.Set != "" && result.Window.Counts.Records+result.Window.Counts.Duplicates == 0 {
			t.printf("  the set %q is empty: check its name; %s?verb=ListSets lists the sets\n",
				c.Set, result.BaseURL)
		}
		if packed != nil {
			printPacked(t, packed)
		}
	}
	if err == nil && (!result.Complete || packed != nil && packed.Outcome != model.Valid) {
		err = errContent
	}
	return err
}

// options returns the options of the harvest.
func (c *oaiHarvestCmd) options() (harvest.Options, error) {
	o := harvest.Options{
		BaseURL: c.BaseURL, Out: c.Out, As: harvest.As(c.As), Prefix: c.Prefix, Set: c.Set, From: c.From,
		Documents: c.Documents,
		Until:     c.Until,
		Agent:     model.Agent{Name: "Quire", Version: version}, Contact: c.Contact, User: c.User, Delay: c.Delay,
		TrustProxy: c.TrustProxy, Patience: c.Patience, MaxWait: c.MaxWait, Overlap: c.Overlap,
		MaxRecords: c.MaxRecords,
	}
	var err error
	if o.Password, err = secretIn(c.PasswordFile); err != nil {
		return o, err
	}
	o.Token, err = secretIn(c.TokenFile)
	return o, err
}

// secretIn returns the first line of a file, or "" if no file was named.
func secretIn(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(b), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "", errors.New(path + " is empty: write the secret in the first line")
	}
	return line, nil
}

// pack makes a package from the folder of a harvest.
func (c *oaiHarvestCmd) pack(ctx context.Context, t *terminal, folder string) (*pack.Result, error) {
	r, err := pack.Pack(ctx, []string{folder}, pack.Options{
		Out: c.Out, Keep: pack.KeepNeeded, Profile: pack.Compact, Agent: model.Agent{Name: "Quire", Version: version},
		Start: func(total int64) { t.begin("packing", total) }, Progress: t.progress,
	})
	t.clear()
	return r, err
}

// harvestProgress shows the progress of a harvest on one line, on interactive terminals only.
func harvestProgress(t *terminal) func(harvest.Progress) {
	if !t.watched() {
		return nil
	}
	began := time.Now()
	return func(p harvest.Progress) {
		if time.Since(began) < barDelay {
			return
		}
		if p.Waiting != "" {
			t.line("waiting: " + humanize.Visible(p.Waiting))
			return
		}
		of := ""
		if p.Size > 0 {
			of = fmt.Sprintf(" of about %d", p.Size)
		}
		t.line(fmt.Sprintf("harvesting: %s%s, %s", humanize.Number(p.Records, "record", "records"), of,
			humanize.Size(p.Bytes)))
	}
}

func printHarvest(t *terminal, r *harvest.Result, as string) {
	w, c := r.Window, r.Window.Counts
	name := r.BaseURL
	if r.Server != nil && r.Server.Name != "" {
		name = r.Server.Name + ", " + r.BaseURL
	}
	t.printf("harvested %s\n", humanize.Visible(name))
	t.printf("  format      %s (%s)\n", r.Prefix, humanize.Visible(r.Why))
	from := w.From
	if from == "" {
		from = "the begin"
	}
	t.printf("  changed     from %s until %s (%s)\n", from, w.Until, w.FromWhy)
	t.printf("  records     %d, %d of them deleted; %d already harvested\n", c.Records, c.Deleted, c.Duplicates)
	if c.Resources+c.Missing > 0 {
		t.printf("  resources   %d, %s; %s of tools\n", c.Resources, humanize.Size(c.Bytes),
			humanize.Number(c.Outputs, "output", "outputs"))
	}
	for _, n := range []struct {
		n     int64
		words string
	}{
		{c.Referred, "resources fetched from the URLs in their records"},
		{c.Missing, "resources not fetched, findings.jsonl has the reasons"},
		{c.Differing, "resources that differ from their record, kept and marked"},
		{c.Refused, "records that cannot be read, kept in refused/"},
	} {
		if n.n > 0 {
			t.printf("  %-11d %s\n", n.n, n.words)
		}
	}
	for _, f := range r.First {
		t.printf("  %-7s %s, %s; the first: %s\n", f.Severity, f.Code,
			humanize.Number(r.Findings[f.Code], "time", "times"), humanize.Visible(f.Message))
	}
	state, end := "complete", w.End
	if !r.Complete {
		state = "NOT COMPLETE"
	}
	if w.Complete && r.Lacking != "" {
		end = "the list was followed to its end; it lacks " + r.Lacking
	}
	made := humanize.Number(int64(len(r.Files)), "container", "containers")
	if as == "files" {
		made = "files.jsonl describes each file"
	}
	t.printf("  %s: %s\n  in %s, %s\n", state, humanize.Visible(end), r.Out, made)
}
