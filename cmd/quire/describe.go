package main

import (
	"errors"
	"os"
	"time"

	"quire/preserve/describe"
	"quire/preserve/report"
)

type describeCmd struct {
	Sheet     string    `required:"" type:"path" placeholder:"FILE" help:"The spreadsheet: XLSX, ODS, CSV or TSV, a row for each website."`
	Mapping   string    `type:"path" placeholder:"FILE" help:"What the columns are, by their names in any language (YAML)."`
	Separator string    `placeholder:"TEXT" help:"What stands between several values of a cell; ' # ' when neither this nor the mapping says."`
	SheetName string    `name:"sheet-name" placeholder:"NAME" help:"Which sheet of a workbook; the first when not given."`
	Export    string    `enum:"ead3,ead2002,marcxml,marc,mods,mods-3.4,oai_dc,json," default:"" placeholder:"FORMAT" help:"What to make of it: ead3, ead2002, marcxml, marc, mods, mods-3.4, oai_dc or json. Without it the sheet is only checked."`
	Out       string    `placeholder:"FOLDER" help:"The folder to make. It must not exist, or be empty."`
	Date      time.Time `format:"2006-01-02T15:04:05Z" placeholder:"TIME" help:"When the descriptions were made, as they say of themselves; now when not given."`
	jsonFlag
}

// described is what is told of a sheet, and of what was made of it.
type described struct {
	Rows     int                `json:"rows"`
	Problems []describe.Problem `json:"problems"`
	Total    int                `json:"problemsTotal"`
	*describe.Exported
}

// Run checks the sheet, and exports it when nothing is wrong with it.
func (c *describeCmd) Run(t *terminal) error {
	if (c.Export == "") != (c.Out == "") {
		return errors.New("--export says what to make and --out where: give both, or neither to check the sheet")
	}
	options := describe.SheetOptions{Separator: c.Separator, Name: c.SheetName}
	var err error
	if c.Mapping != "" {
		if options.Mapping, err = readMapping(c.Mapping); err != nil {
			return err
		}
	}
	sheet, err := describe.OpenSheet(c.Sheet, options)
	if err != nil {
		return err
	}
	d := described{Rows: len(sheet.Rows), Problems: sheet.Problems, Total: sheet.Total}
	if c.Export != "" && d.Total == 0 {
		if c.Date.IsZero() {
			c.Date = time.Now().UTC().Truncate(time.Second)
		}
		d.Exported, err = describe.Export(sheet.Rows, describe.ExportOptions{Format: describe.Format(c.Export), Out: c.Out, Made: c.Date, Software: "Quire " + version})
		if err != nil {
			return err
		}
	}
	if c.JSON {
		err = t.json(d)
	} else {
		printDescribed(t, d)
	}
	if err == nil && d.Total > 0 {
		err = errContent
	}
	return err
}

func readMapping(path string) (_ *describe.Mapping, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = closed(err, f.Close()) }()
	return describe.ReadMapping(f)
}

func printDescribed(t *terminal, d described) {
	for _, p := range d.Problems {
		t.printf("%s\n", p)
	}
	if more := d.Total - len(d.Problems); more > 0 {
		t.printf("and %s\n", report.Number(int64(more), "more problem", "more problems"))
	}
	switch e := d.Exported; {
	case e != nil:
		t.printf("made %s in %s: %s\n", report.Number(int64(e.Files), "file", "files"), e.Out, report.Number(int64(e.Descriptions), "description", "descriptions"))
		if e.Losses > 0 {
			t.printf("  the format could not hold everything: %s in %s\n", report.Number(int64(e.Losses), "loss is", "losses are"), describe.LossFile)
		}
	case d.Total > 0:
		t.printf("%s in the sheet: put them right, nothing was made\n", report.Number(int64(d.Total), "problem", "problems"))
	default:
		t.printf("%s, nothing wrong\n", report.Number(int64(d.Rows), "description", "descriptions"))
	}
}
