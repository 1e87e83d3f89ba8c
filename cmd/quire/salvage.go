package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/salvage"
)

type salvageCmd struct {
	Container []string  `arg:"" placeholder:"FILE|FOLDER" help:"@salvageContainer"`
	Out       string    `required:"" aliases:"output" placeholder:"FOLDER" help:"@salvageOut"`
	CDX       []string  `name:"cdx" sep:"none" placeholder:"FILE" help:"@salvageCDX"`
	Log       []string  `sep:"none" placeholder:"FILE" help:"@salvageLog"`
	Date      time.Time `format:"2006-01-02T15:04:05Z" placeholder:"TIME" help:"@salvageDate"`
	dryFlag   `set:"depth=Reads the containers as a salvage does, but tries no conversion of ARC."`
	jsonFlag
}

// salvaged is the JSON of "quire salvage --json", a contract.
type salvaged struct {
	Out        string           `json:"out"`
	Whole      bool             `json:"whole"`
	Containers []salvage.Result `json:"containers"`
}

// Run salvages the containers. Its exit status is 1 if anything was lost or is doubtful.
func (c *salvageCmd) Run(ctx context.Context, t *terminal) error {
	files, err := inspect.Find(c.Container)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		t.warn("no ARC or WARC file in " + strings.Join(c.Container, ", "))
		return errContent
	}
	results, err := salvage.Run(ctx, files, salvage.Options{
		Out: c.Out, Agent: model.Agent{Name: "Quire", Version: version}, Date: c.Date, CDX: c.CDX, Logs: c.Log,
		DryRun: c.DryRun,
		Start:  func(total int64) { t.begin("salvaging", total) }, Progress: t.progress,
	})
	if err != nil {
		return err
	}
	t.clear()
	all := salvaged{Out: c.Out, Whole: true, Containers: results}
	for i := range results {
		all.Whole = all.Whole && results[i].Whole()
	}
	if c.JSON {
		err = c.result(t, all)
	} else {
		if c.DryRun {
			t.dry()
		}
		for i := range results {
			printSalvaged(t, c.Out, &results[i], c.DryRun)
		}
		err = t.failed
	}
	if err == nil && !all.Whole {
		err = errContent
	}
	return err
}

// salvageShown is how many fragments and losses of a container are printed. The report has all.
const salvageShown = 10

func printSalvaged(t *terminal, out string, r *salvage.Result, dry bool) {
	kept, aside, report := "kept", "aside", "report"
	if dry {
		kept, aside, report = "would keep", "would move", "would write"
	}
	t.printf("%s\n", r.Source)
	switch {
	case r.Output == "":
		t.printf("  no whole record\n")
	default:
		t.printf("  %-11s %s, in %s\n", kept, humanize.Number(r.Kept, "record", "records"),
			filepath.Join(out, r.Output))
	}
	if r.Inferred > 0 {
		t.printf("  inferred    %s by a search after damage, and %s behind by lengths\n",
			humanize.Number(r.Inferred, "record", "records"), humanize.Grouped(r.Behind))
	}
	if r.Unproven > 0 {
		t.printf("  unproven    %s\n",
			humanize.Number(r.Unproven, "kept record may be damaged", "kept records may be damaged"))
	}
	if r.LostBytes > 0 {
		t.printf("  damaged     %s; %s without a record\n", humanize.Number(r.Damaged, "record", "records"),
			humanize.Number(r.Gaps, "range", "ranges"))
		t.printf("  %-11s %s, in %s\n", aside, humanize.Size(r.LostBytes), filepath.Join(out, r.Aside))
	}
	if r.Padding > 0 {
		t.printf("  padding     %s that hold nothing\n", humanize.Number(r.Padding, "byte", "bytes"))
	}
	for _, f := range r.Fragments[:min(len(r.Fragments), salvageShown)] {
		t.printf("    bytes %s to %s: %s\n", humanize.Grouped(f.Offset), humanize.Grouped(f.Offset+f.Length-1),
			humanize.Visible(f.Why))
	}
	printMore(t, len(r.Fragments)-salvageShown, dry)
	if r.Lost > 0 || r.Possible > 0 {
		t.printf("  named       %s lost, %s possibly\n", humanize.Number(r.Lost, "record", "records"),
			humanize.Grouped(r.Possible))
	}
	for _, l := range r.Losses[:min(len(r.Losses), salvageShown)] {
		word := "possibly"
		if l.Certain {
			word = "lost"
		}
		t.printf("    %-9s %s\n", word, humanize.Visible(lossName(&l)))
	}
	printMore(t, len(r.Losses)-salvageShown, dry)
	t.printf("  %-11s %s\n", report, filepath.Join(out, r.Report))
}

func printMore(t *terminal, n int, dry bool) {
	where := " in the report"
	if dry { // it is not written
		where = fmt.Sprintf("; --json lists %s at most", humanize.Grouped(salvage.MaxListed))
	}
	if n > 0 {
		t.printf("    and %s%s\n", humanize.Number(int64(n), "more", "more"), where)
	}
}

// lossName returns the known facts of a lost record, and the sources of them.
func lossName(l *salvage.Line) string {
	var parts []string
	for _, s := range []string{l.URL, l.Type, l.Date} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if l.URL == "" && l.Record != "" {
		parts = append(parts, l.Record)
	}
	var by []string
	for _, e := range l.Evidence[:min(len(l.Evidence), 3)] {
		by = append(by, evidenceName(e))
	}
	return fmt.Sprintf("%s (%s)", strings.Join(parts, " "), strings.Join(by, "; "))
}

func evidenceName(e salvage.Evidence) string {
	switch e.From {
	case "header":
		return "its own header"
	case "record":
		return e.Field + " of " + e.Record
	}
	return fmt.Sprintf("%s, line %d", e.File, e.Line)
}
