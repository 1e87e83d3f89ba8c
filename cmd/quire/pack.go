package main

import (
	"fmt"

	"quire/model"
	"quire/preserve/folder"
	"quire/preserve/pack"
	"quire/preserve/report"
)

type packCmd struct {
	Source []string `arg:"" help:"What a crawler left: containers, folders with the logs beside them, mirrors, archives of these."`
	Out    string   `required:"" placeholder:"FOLDER" help:"The package folder to make. It must not exist, or be empty."`
	ID     string   `name:"id" help:"Identifier of the package. Made of name, date and content when not given."`
	Title  string   `help:"Title of the website. Taken from the crawl, or the source's name, when not given."`
	sourceFlags
	scanFlags
	jsonFlag

	KeepOriginal string `enum:"always,arc,mirror,never,needed" default:"needed" placeholder:"WHAT" help:"Which originals to pack beside the WARC files made of them: always, arc, mirror, never. When not given: mirrors, and what cannot be made again from its WARC."`
}

// Run makes the package.
func (c *packCmd) Run(t *terminal) error {
	keep := pack.Keep(c.KeepOriginal)
	if c.KeepOriginal == "needed" {
		keep = pack.KeepNeeded
	}
	scanner, err := c.scanner()
	if err != nil {
		return err
	}
	result, err := pack.Pack(t.ctx, c.Source, pack.Options{
		Out: c.Out, ID: c.ID, Title: c.Title, Keep: keep, Source: c.options(), Scan: scanner, Agent: model.Agent{Name: "Quire", Version: version},
		Start: func(total int64) { t.begin("packing", total) }, Progress: t.progress,
	})
	if err != nil {
		return err
	}
	t.clear()
	if c.JSON {
		err = t.json(result)
	} else {
		printPacked(t, result)
	}
	infected := result.Scan != nil && result.Scan.Outcome == model.ScanInfected
	if err == nil && (infected || result.Outcome != model.Valid) {
		err = errContent
	}
	return err
}

func printPacked(t *terminal, r *pack.Result) {
	t.printf("packed %s\n", r.ID)
	t.printf("  title       %s\n", r.Title)
	for _, h := range r.Harvests {
		t.printf("  harvest     %s %s, documentation %s\n", h.System, h.ID, h.Documentation)
	}
	t.printf("  containers  %d, with %s%s\n", r.Containers, report.Number(r.Records, "record", "records"), made(r))
	t.printf("  other files %d\n", r.OtherFiles)
	if r.Restricted > 0 {
		t.printf("  restricted  %s with secrets or personal data, marked in the METS\n", report.Number(r.Restricted, "file", "files"))
	}
	t.printf("  size        %s\n", report.Size(r.Bytes))
	if s := r.Scan; s != nil {
		t.printf("  viruses     %s\n", report.ScanSummary(&model.Scan{Outcome: s.Outcome, Scanned: s.Scanned, Infected: s.Infected, NotScanned: s.NotScanned}))
	}
	if r.First != nil {
		t.printf("  captured    %s to %s\n", r.First.Format("2006-01-02 15:04:05"), r.Last.Format("2006-01-02 15:04:05 MST"))
	}
	t.printf("  METS        %s\n", r.METS)
	for _, c := range r.Checked {
		if c.Worst == "" {
			t.printf("  %-8s    %s\n", c.Outcome, c.Path)
		} else {
			t.printf("  %-8s    %s: %s, the first: %s\n", c.Outcome, c.Path, report.Number(c.Findings, "finding", "findings"), c.Worst)
		}
		if c.Original != "" {
			t.printf("  %-8s    what it was made of: %s\n", "unsound", c.Original)
		}
	}
	for _, what := range r.Refused {
		t.printf("  not read    %s\n", what)
	}
	if more := r.Containers - int64(len(r.Checked)); more > 0 {
		t.printf("  and %s, see the METS\n", report.Number(more, "more container", "more containers"))
	}
}

// made says how many containers were made of something else, and what was kept of that.
func made(r *pack.Result) string {
	if r.Converted == 0 {
		return ""
	}
	return fmt.Sprintf("; %d made by normalizing, %s kept", r.Converted, report.Number(r.Originals, "file of the originals", "files of the originals"))
}

type validateCmd struct {
	Package string `arg:"" help:"The package folder."`
	Schemas string `env:"QUIRE_SCHEMAS" placeholder:"FOLDER" help:"Folder of XML schemas (with drivers/mets-all.xsd). Without it the structure is checked in code only."`
	jsonFlag
}

// Run checks the package and reports.
func (c *validateCmd) Run(t *terminal) error {
	report, err := folder.Validate(t.ctx, c.Package, folder.Options{
		Schemas: c.Schemas, Start: func(total int64) { t.begin("validating", total) }, Progress: t.progress,
	})
	if err != nil {
		return err
	}
	t.clear()
	if c.JSON {
		err = t.json(report)
	} else {
		printReport(t, report)
	}
	if err == nil && report.Outcome != string(model.Valid) {
		err = errContent
	}
	return err
}

func printReport(t *terminal, r *folder.Report) {
	t.printf("%s: %s\n", r.Path, r.Outcome)
	if r.ID != "" {
		t.printf("  package %s, %s, %s\n", r.ID, report.Number(r.Files, "file", "files"), report.Size(r.Bytes))
	}
	for _, c := range r.Checks {
		line := c.Name + ": " + string(c.Outcome)
		if c.Detail != "" {
			line += " (" + c.Detail + ")"
		}
		t.printf("  %s\n", line)
	}
	for _, f := range r.Findings {
		t.printf("  %s\n", f)
	}
	if more := r.FindingsTotal - int64(len(r.Findings)); more > 0 {
		t.printf("  and %s\n", report.Number(more, "more finding", "more findings"))
	}
}
