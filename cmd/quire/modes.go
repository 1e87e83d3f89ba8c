package main

import (
	"context"
	"time"
)

// The commands in this file have several uses, a subcommand for each. Before there were
// subcommands, flags chose the use: `quire dedup SOURCE --undo`. That spelling stays valid: the
// first subcommand of each group is its default, and has those flags, hidden.

type convertGroup struct {
	Run     convertCmd        `cmd:"" name:"run" default:"withargs" help:"Make WARC of ARC files and mirrors. The word run can be left out."`
	Verify  convertVerifyCmd  `cmd:"" help:"Prove that a WARC holds all of the ARC it was made of, record by record."`
	Restore convertRestoreCmd `cmd:"" help:"Make the ARC again, inflated, from the WARC it became, byte for byte."`
}

type convertVerifyCmd struct {
	ARC  string `arg:"" name:"arc" help:"The ARC file."`
	WARC string `arg:"" name:"warc" help:"The WARC that was made of it."`
	jsonFlag
}

// Run compares the two.
func (c *convertVerifyCmd) Run(ctx context.Context, t *terminal) error {
	return (&convertCmd{Source: []string{c.ARC, c.WARC}, Verify: true, jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type convertRestoreCmd struct {
	WARC string `arg:"" name:"warc" help:"The WARC."`
	Out  string `required:"" placeholder:"FILE" help:"The ARC file to make."`
	jsonFlag
}

// Run makes the ARC again.
func (c *convertRestoreCmd) Run(ctx context.Context, t *terminal) error {
	return (&convertCmd{Source: []string{c.WARC}, Restore: true, Out: c.Out, jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type dedupGroup struct {
	Run         dedupCmd            `cmd:"" name:"run" default:"withargs" help:"Make revisit records of payloads that are stored already. The word run can be left out."`
	Undo        dedupUndoCmd        `cmd:"" help:"Bring the full records back, byte for byte, from the originals in --against and in the source."`
	Annotations dedupAnnotationsCmd `cmd:"" help:"Make revisit records of duplicates that only the crawl log records."`
}

// dedupFlags are those of every use.
type dedupFlags struct {
	Source  string   `arg:"" help:"Source: WARC files, folders, archives."`
	Against []string `sep:"none" placeholder:"INDEX|FOLDER|REPO" help:"Where payloads are stored: CDX or CDXJ files, containers, folders of them, a repository. Give it once for each."`
	Out     string   `required:"" placeholder:"FOLDER" help:"The folder to make, with the WARC files. It must not exist, or be empty."`
	Legend  string   `placeholder:"LETTERS" help:"Columns of CDX files without a legend line. By default, their lines show the columns."`
	Report  string   `placeholder:"FILE" help:"Write the report as JSON: records changed, records left, and the reasons."`
	jsonFlag
}

// dedupChoices are the records that stay as they are, where revisit records are made.
type dedupChoices struct {
	OnlyChecked bool   `help:"Require the original record; do not rely on the CDX alone."`
	Viral       string `placeholder:"FILE" help:"Leave the records alone whose ids or digests this file lists, one a line."`
	MinSize     int64  `placeholder:"BYTES" help:"Leave smaller payloads alone."`
}

type dedupUndoCmd struct{ dedupFlags }

// Run makes full records again.
func (c *dedupUndoCmd) Run(ctx context.Context, t *terminal) error {
	return (&dedupCmd{dedupFlags: c.dedupFlags, Undo: true}).Run(ctx, t)
}

type dedupAnnotationsCmd struct {
	dedupFlags
	dedupChoices
}

// Run makes revisit records of the annotations of a log.
func (c *dedupAnnotationsCmd) Run(ctx context.Context, t *terminal) error {
	return (&dedupCmd{dedupFlags: c.dedupFlags, dedupChoices: c.dedupChoices, Annotations: true}).Run(ctx, t)
}

type describeGroup struct {
	Write  describeCmd       `cmd:"" name:"write" default:"withargs" help:"Put the descriptions of a sheet beside the records of the websites. The word write can be left out."`
	Check  describeCheckCmd  `cmd:"" help:"Check a curator's spreadsheet."`
	Export describeExportCmd `cmd:"" help:"Make finding aids or catalogue records of a spreadsheet: EAD, MARC 21, MODS, Dublin Core, JSON."`
	List   describeListCmd   `cmd:"" help:"List the descriptions in a source."`
	Pages  describePagesCmd  `cmd:"" help:"List the declarations of each web page in a source: title, languages, meta elements."`
}

type describeCheckCmd struct {
	sheetFlags
	jsonFlag
}

// Run checks the sheet.
func (c *describeCheckCmd) Run(ctx context.Context, t *terminal) error {
	return (&describeCmd{sheetFlags: c.sheetFlags, jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type describeExportCmd struct {
	sheetFlags
	Format string    `required:"" enum:"ead3,ead2002,marcxml,marc,mods,mods-3.4,oai_dc,json" placeholder:"FORMAT" help:"ead3, ead2002, marcxml, marc, mods, mods-3.4, oai_dc or json."`
	Out    string    `required:"" placeholder:"FOLDER" help:"The folder to make."`
	Date   time.Time `format:"2006-01-02T15:04:05Z" placeholder:"TIME" help:"Date of the descriptions. Default: now."`
	jsonFlag
}

// Run exports the sheet.
func (c *describeExportCmd) Run(ctx context.Context, t *terminal) error {
	return (&describeCmd{sheetFlags: c.sheetFlags, Export: c.Format, Out: c.Out, Date: c.Date, jsonFlag: c.jsonFlag}).
		Run(ctx, t)
}

type describeListCmd struct {
	Source []string `arg:"" help:"Source: containers, or folders and archives with containers."`
	As     []string `enum:"json,warc-fields,xml,yaml" placeholder:"FORM" help:"Only descriptions in these forms: json, warc-fields, xml, yaml. Default: all."`
	sourceFlags
	jsonFlag
}

// Run lists the descriptions.
func (c *describeListCmd) Run(ctx context.Context, t *terminal) error {
	return (&describeCmd{pagesFlags: pagesFlags{Source: c.Source}, As: c.As, List: true, sourceFlags: c.sourceFlags,
		jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type describePagesCmd struct {
	Source []string `arg:"" help:"Source: containers, or folders and archives with containers."`
	sourceFlags
	jsonFlag
}

// Run lists the declarations.
func (c *describePagesCmd) Run(ctx context.Context, t *terminal) error {
	return (&describeCmd{pagesFlags: pagesFlags{Source: c.Source, Pages: true}, sourceFlags: c.sourceFlags,
		jsonFlag: c.jsonFlag}).Run(ctx, t)
}
