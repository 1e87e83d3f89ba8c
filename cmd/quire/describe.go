package main

import (
	"context"
	"errors"
	"time"

	"quire/internal/humanize"
	"quire/preserve/describe"
)

// describeCmd has four uses, each in one file: a sheet alone (here), a sheet and a source
// (describesource.go), the descriptions in a source (describelist.go), and the metadata that pages
// declare (describepages.go).
type describeCmd struct {
	pagesFlags
	sheetFlags
	Export string    `enum:"ead3,ead2002,marcxml,marc,marcxchange,unimarc,mods,mods-3.4,oai_dc,json," default:"" placeholder:"FORMAT" hidden:"" help:"Same as quire describe export."`
	Out    string    `placeholder:"FOLDER" help:"The folder for a new WARC file; it may be the folder of the source."`
	Date   time.Time `format:"2006-01-02T15:04:05Z" placeholder:"TIME" help:"The date that the descriptions state as their own. Default: now."`

	As       []string `enum:"json,warc-fields,xml,yaml,marcxml,marcxchange,mods,ead3,ead2002,oai_dc" placeholder:"FORM" help:"Forms of a description, one record for each: json, warc-fields, xml, yaml; or for catalogues: marcxml, marcxchange (UNIMARC), mods, ead3, ead2002, oai_dc. Default: warc-fields."`
	InPlace  bool     `name:"in-place" help:"Append the descriptions to the files that hold the websites. An interruption leaves each file either old or new, never half-written."`
	Captures string   `enum:"first,last,nearest,all," default:"" placeholder:"WHICH" help:"Captures of a website to describe: first, last, nearest (to the date captured of its row) or all. Default: nearest where the row has a date, else first."`
	List     bool     `hidden:"" help:"Same as quire describe list."`
	sourceFlags
	dryFlag `set:"depth=Reads the sheet and all containers, as without it."`
	jsonFlag
}

// described is the result for a sheet and its export.
type described struct {
	Rows     int                `json:"rows"`
	Problems []describe.Problem `json:"problems"`
	Total    int                `json:"problemsTotal"`
	*describe.Exported
}

// Run runs the use that the flags select.
func (c *describeCmd) Run(ctx context.Context, t *terminal) error {
	pages, err := c.wanted(c.Sheet)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return err
	}
	if c.Date.IsZero() {
		c.Date = time.Now().UTC().Truncate(time.Second)
	}
	switch {
	case pages:
		return c.pagesFlags.list(ctx, t, c.sourceFlags, c.JSON)
	case c.List:
		return c.attached(ctx, t)
	case len(c.Source) > 0:
		return c.describe(ctx, t)
	}
	return c.export(t)
}

// check refuses flags that contradict each other.
func (c *describeCmd) check() error {
	writes := c.InPlace || c.Captures != "" || len(c.As) > 0 && !c.List
	switch {
	case c.Pages && (c.List || writes || c.Export != "" || c.Out != ""):
		return errors.New("--pages only lists the metadata of pages: leave out the flags that make or " +
			"list something else")
	case c.Pages:
		return nil
	case len(c.Source) == 0 && c.Sheet == "":
		return errors.New("nothing to describe: name a spreadsheet with --sheet, or use quire describe " +
			"list or quire describe pages")
	case c.List && (len(c.Source) == 0 || c.Sheet != "" || c.Export != "" || c.Out != "" || writes):
		return errors.New("--list lists the descriptions in a source: name one, and leave out the flags that make " +
			"something")
	case len(c.Source) > 0 && c.Sheet == "" && !c.List:
		return errors.New("how is the source described? Name a spreadsheet with --sheet, or look with " +
			"quire describe list or quire describe pages")
	case len(c.Source) > 0 && c.Export != "":
		return errors.New("--export makes catalogue records of a sheet alone: leave the source out")
	case len(c.Source) == 0 && writes:
		return errors.New("--in-place, --captures and --as need a source: name one")
	case len(c.Source) == 0 && (c.Export == "") != (c.Out == ""):
		return errors.New("--export names the form and --out the folder: give both, or neither to check the sheet")
	case c.InPlace && c.Out != "":
		return errors.New("--in-place adds to the files of the source, --out makes a new one: one of the two")
	}
	return nil
}

// sheet reads the sheet. Problems of its rows are listed in the result; they are not an error.
func (c *describeCmd) sheet() (*describe.Sheet, error) {
	o, err := c.sheetFlags.options()
	if err != nil {
		return nil, err
	}
	return describe.OpenSheet(c.Sheet, o)
}

// export checks the sheet, and exports it if it has no problems.
func (c *describeCmd) export(t *terminal) error {
	sheet, err := c.sheet()
	if err != nil {
		return err
	}
	d := described{Rows: len(sheet.Rows), Problems: sheet.Problems, Total: sheet.Total}
	if c.Export != "" && d.Total == 0 {
		d.Exported, err = describe.Export(sheet.Rows,
			describe.ExportOptions{Format: describe.Format(c.Export), Out: c.Out, DryRun: c.DryRun, Made: c.Date,
				Software: "Quire " + version})
		if err != nil {
			return err
		}
	}
	return c.printResult(t, d)
}

// printResult prints the result for a sheet.
func (c *describeCmd) printResult(t *terminal, d described) (err error) {
	switch {
	case c.JSON:
		err = c.result(t, d)
	case c.DryRun && d.Exported != nil:
		printExportedPlan(t, d.Exported)
	default:
		printDescribed(t, d)
	}
	if err == nil && d.Total > 0 {
		err = errContent
	}
	return err
}

func printDescribed(t *terminal, d described) {
	for _, p := range d.Problems {
		t.printf("%s\n", p)
	}
	if more := d.Total - len(d.Problems); more > 0 {
		t.printf("and %s\n", humanize.Number(int64(more), "more problem", "more problems"))
	}
	switch e := d.Exported; {
	case e != nil:
		t.printf("made %s in %s: %s\n", humanize.Number(int64(e.Files), "file", "files"), e.Out,
			humanize.Number(int64(e.Descriptions), "description", "descriptions"))
		if e.Losses > 0 {
			t.printf("  the format has no place for some values: %s in %s\n",
				humanize.Number(int64(e.Losses), "loss is", "losses are"), describe.LossFile)
		}
	case d.Total > 0:
		t.printf("%s, no files were written\n",
			humanize.Number(int64(d.Total), "problem in the sheet: correct it",
				"problems in the sheet: correct them"))
	default:
		t.printf("%s, nothing wrong\n", humanize.Number(int64(d.Rows), "description", "descriptions"))
	}
}
