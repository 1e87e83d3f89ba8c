package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/convert"
	"quire/source"
	"quire/source/detect"
)

type convertCmd struct {
	Source        []string  `arg:"" help:"Source: containers, folders, archives."`
	Out           string    `placeholder:"FOLDER" help:"The new folder for the WARC files. It must not exist, or be empty."`
	Report        string    `placeholder:"FILE" help:"Write the conversion report: one JSON object per line for each file."`
	Verify        bool      `hidden:"" help:"Same as quire convert verify."`
	Restore       bool      `hidden:"" help:"Same as quire convert restore."`
	Date          time.Time `format:"2006-01-02T15:04:05Z" placeholder:"TIME" help:"The date that the WARC files state as their own. Default: taken from the source; the same source then gives the same bytes."`
	KeptHeadsOnly bool      `help:"Mirrors: make no HTTP header for redirects and errors that were kept without one. By default quire makes one of the known facts, and marks it."`
	JoinSegments  bool      `help:"Join the segments of a record. Those that make no whole stay, with a finding."`
	sourceFlags
	dryFlag `set:"depth=Reads logs, lists and the first bytes of each container; damage further behind does not show."`
	jsonFlag
}

// Run converts, verifies or restores.
func (c *convertCmd) Run(ctx context.Context, t *terminal) error {
	switch {
	case c.Verify:
		return c.verify(ctx, t)
	case c.Restore:
		if len(c.Source) != 1 {
			return errors.New("restore takes one WARC: quire convert restore WARC --out FILE")
		}
		return c.restore(ctx, t, c.Source[0])
	case c.Out == "":
		return errors.New("no folder for the result: add --out")
	}
	return c.convert(ctx, t)
}

func (c *convertCmd) convert(ctx context.Context, t *terminal) (err error) {
	s, err := c.options().Open(ctx, c.Source...)
	if err != nil {
		return err
	}
	defer func() { err = closed(err, s.Close()) }()
	o := convert.Options{
		Out: c.Out, Agent: model.Agent{Name: "Quire", Version: version}, Date: c.Date, KeptHeadsOnly: c.KeptHeadsOnly,
		JoinSegments: c.JoinSegments,
		Start:        func(total int64) { t.begin("converting", total) }, Progress: t.progress,
	}
	if c.DryRun {
		return c.plan(ctx, t, s, o)
	}
	if c.Report != "" {
		f, opened := newResultFile(c.Report)
		if opened != nil {
			return opened
		}
		defer func() { err = closed(err, f.closeAfter(err)) }()
		o.Report = f
	}
	result, err := convert.Run(ctx, s, o)
	if err != nil {
		return err
	}
	t.clear()
	if c.JSON {
		err = t.json(result)
	} else {
		printConversion(t, result)
	}
	if err == nil && result.Outcome != model.Valid {
		err = errContent
	}
	return err
}

// plan prints the planned results of the conversion.
func (c *convertCmd) plan(ctx context.Context, t *terminal, s *detect.Source, o convert.Options) error {
	if err := checkResultFile(c.Report); err != nil {
		return err
	}
	f, err := convert.Foresee(ctx, s, o)
	if err != nil {
		return err
	}
	if c.JSON {
		err = t.dryJSON(f)
	} else {
		printConversionPlan(t, f)
	}
	if err == nil && f.Outcome != model.Valid {
		err = errContent
	}
	return err
}

func printConversion(t *terminal, r *convert.Result) {
	for _, h := range r.Harvests {
		t.printf("%s %s in %s, documentation %s\n", h.System, h.ID, h.Root, h.Documentation)
	}
	for i := range r.ARCs {
		printARC(t, &r.ARCs[i])
	}
	for _, m := range r.Mirrors {
		printMirror(t, m)
	}
	for i := range r.Copies {
		c := &r.Copies[i]
		t.printf("  %s\n    is damaged, and copied as found\n", c.Source)
		printCodes(t, c.Findings, c.FindingCounts)
	}
	printJoined(t, r)
	t.printf("%s\n", conversionSummary(r))
	printActions(t, r.Files)
	if r.DamagedFiles > 0 {
		t.printf("  damaged: %s. Look for another copy, or rescue the whole records with quire salvage.\n",
			humanize.Number(r.DamagedFiles, "file", "files"))
	}
	printFindings(t, r.Findings, r.FindingsTotal)
}

// printJoined prints the records that were joined of segments.
func printJoined(t *terminal, r *convert.Result) {
	for i := range r.Joined {
		j := &r.Joined[i]
		t.printf("  %s\n    joined of %d segments in %s: %s\n", humanize.Visible(j.URL), j.Segments, j.File,
			humanize.Size(j.Length))
	}
	if more := r.JoinedTotal - int64(len(r.Joined)); more > 0 {
		t.printf("  and %s joined\n", humanize.Number(more, "more record", "more records"))
	}
}

// printActions prints how many files are not converted to WARC, grouped by the action taken
// instead.
func printActions(t *terminal, files map[convert.Action]int64) {
	for _, a := range []struct {
		action convert.Action
		words  string
	}{
		{convert.KeepWARC, "WARC already, copied as found"},
		{convert.Document, "documentation, which quire pack stores beside the WARCs"},
		{convert.Unclaimed, "files of no known harvest, not converted"},
		{convert.Unreadable, "containers by name only, not converted"},
	} {
		if n := files[a.action]; n > 0 {
			t.printf("  %s: %s\n", a.words, humanize.Number(n, "file", "files"))
		}
	}
}

// conversionSummary returns the number of WARC files and of converted records. Copied files are not read, so
// their records are not counted.
func conversionSummary(r *convert.Result) string {
	made := r.Outputs - r.Files[convert.KeepWARC]
	records := humanize.Number(r.Records, "record", "records")
	switch all := humanize.Number(r.Outputs, "WARC", "WARCs"); made {
	case r.Outputs:
		return fmt.Sprintf("made %s in %s: %s, %s", all, r.Out, records, humanize.Size(r.Bytes))
	case 0:
		if r.JoinedTotal > 0 {
			return fmt.Sprintf("joined %s: %s in %s, %s", humanize.Number(r.JoinedTotal, "record", "records"), all,
				r.Out, humanize.Size(r.Bytes))
		}
		return fmt.Sprintf("nothing to convert: %s in %s, %s", all, r.Out, humanize.Size(r.Bytes))
	default:
		return fmt.Sprintf("%s in %s, %s: %d made, with %s", all, r.Out, humanize.Size(r.Bytes), made, records)
	}
}

func printARC(t *terminal, c *convert.Converted) {
	t.printf("  %s\n    becomes %s: %s", c.Source, c.Output, humanize.Number(c.Records, "record", "records"))
	if c.Undated > 0 {
		t.printf(", %d of them without a date and therefore kept as metadata", c.Undated)
	}
	t.printf("\n")
	if c.Damaged {
		t.printf("    the ARC is damaged and could not be inflated completely: keep it\n")
	}
	printCodes(t, c.Findings, c.FindingCounts)
}

// printCodes prints the findings of a file, and the number of those of which only some are listed.
func printCodes(t *terminal, findings []model.Finding, counts map[string]int64) {
	for _, f := range findings {
		t.printf("    %s\n", f)
	}
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		if n := counts[code]; n > convert.MaxFindings {
			t.printf("    %s %d times in total\n", code, n)
		}
	}
}

func printMirror(t *terminal, m convert.MirrorResult) {
	t.printf("  %s\n    becomes %s: %s of %s\n", m.Source, m.Output, humanize.Number(m.Records, "record", "records"),
		humanize.Number(m.URLs, "URL", "URLs"))
	for _, grade := range []source.Grade{source.OriginalEntity, source.OriginalFile, source.LinksReconstructed,
		source.Lost} {
		if n := m.Grades[grade]; n > 0 {
			t.printf("    %-20s %s\n", grade, humanize.Number(n, "URL", "URLs"))
		}
	}
	if m.OnlyThere > 0 {
		t.printf("    %s, %s, exist only in the mirror: keep it, or store it with quire pack\n",
			humanize.Number(m.OnlyThere, "file", "files"), humanize.Size(m.OnlyBytes))
	}
	for _, f := range m.Findings {
		t.printf("    %s\n", f)
	}
}
