package main

import (
	"context"
	"time"

	"quire/repository/store"
)

// The commands in this file have several uses, with a subcommand for each. Earlier versions had
// flags instead: `quire dedup SOURCE --undo`. That spelling remains valid: the first subcommand of
// each group is its default and has those flags, hidden.

type convertGroup struct {
	Run     convertCmd        `cmd:"" name:"run" default:"withargs" help:"Convert ARC files and mirrors to WARC. The word run is optional."`
	Verify  convertVerifyCmd  `cmd:"" help:"Prove that a WARC holds all content of the ARC it was made from, record by record."`
	Restore convertRestoreCmd `cmd:"" help:"Restore the inflated ARC from its WARC, byte for byte."`
}

type convertVerifyCmd struct {
	ARC  string `arg:"" name:"arc" help:"The ARC file."`
	WARC string `arg:"" name:"warc" help:"The WARC made from it."`
	jsonFlag
}

// Run compares the two.
func (c *convertVerifyCmd) Run(ctx context.Context, t *terminal) error {
	return (&convertCmd{Source: []string{c.ARC, c.WARC}, Verify: true, jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type convertRestoreCmd struct {
	WARC    string `arg:"" name:"warc" help:"The WARC."`
	Out     string `required:"" placeholder:"FILE" help:"The ARC file to write."`
	dryFlag `set:"depth=Reads the whole WARC, and proves that the ARC can be made."`
	jsonFlag
}

// Run restores the ARC.
func (c *convertRestoreCmd) Run(ctx context.Context, t *terminal) error {
	return (&convertCmd{Source: []string{c.WARC}, Restore: true, Out: c.Out, dryFlag: c.dryFlag,
		jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type dedupGroup struct {
	Run         dedupCmd            `cmd:"" name:"run" default:"withargs" help:"Make revisit records of payloads that are already stored. The word run is optional."`
	Undo        dedupUndoCmd        `cmd:"" help:"Restore the full records, byte for byte, from the originals in --against and in the source."`
	Annotations dedupAnnotationsCmd `cmd:"" help:"Make revisit records of duplicates that appear only in the crawl log."`
}

// dedupFlags are the flags of all uses.
type dedupFlags struct {
	Source  string   `arg:"" help:"Source: a WARC file, a folder, an archive."`
	Beside  []string `arg:"" optional:"" help:"Files that belong to it and lie elsewhere, such as its log."`
	Against []string `sep:"none" placeholder:"INDEX|FOLDER|REPO" help:"Stored payloads to compare with: CDX or CDXJ files, containers, folders of them, a repository. Can be repeated."`
	Out     string   `required:"" placeholder:"FOLDER" help:"The new folder for the WARC files. It must not exist, or be empty."`
	Legend  string   `placeholder:"LETTERS" help:"Columns of CDX files without a legend line. Default: detected from their lines."`
	Report  string   `placeholder:"FILE" help:"Write the report as JSON: records changed, records unchanged, and the reasons."`
	dryFlag `set:"depth=Reads everything, as without it: the numbers are those of the result."`
	jsonFlag
}

// dedupChoices selects records to leave unchanged when revisit records are made.
type dedupChoices struct {
	OnlyChecked bool   `help:"Require the original record; do not rely on the CDX alone."`
	Viral       string `placeholder:"FILE" help:"Leave records unchanged if this file lists their id or digest, one per line."`
	MinSize     int64  `placeholder:"BYTES" help:"Leave smaller payloads unchanged."`
}

type dedupUndoCmd struct{ dedupFlags }

// Run restores the full records.
func (c *dedupUndoCmd) Run(ctx context.Context, t *terminal) error {
	return (&dedupCmd{dedupFlags: c.dedupFlags, Undo: true}).Run(ctx, t)
}

type dedupAnnotationsCmd struct {
	dedupFlags
	dedupChoices
}

// Run makes revisit records from the annotations of a log.
func (c *dedupAnnotationsCmd) Run(ctx context.Context, t *terminal) error {
	return (&dedupCmd{dedupFlags: c.dedupFlags, dedupChoices: c.dedupChoices, Annotations: true}).Run(ctx, t)
}

type describeGroup struct {
	Write  describeCmd       `cmd:"" name:"write" default:"withargs" help:"Write the descriptions from a sheet beside the captures of the websites. The word write is optional."`
	Check  describeCheckCmd  `cmd:"" help:"Check a curator's spreadsheet."`
	Export describeExportCmd `cmd:"" help:"Make finding aids or catalogue records from a spreadsheet: EAD, MARC 21, UNIMARC, MODS, Dublin Core, JSON."`
	List   describeListCmd   `cmd:"" help:"List the descriptions in a source."`
	Pages  describePagesCmd  `cmd:"" help:"List the declared metadata of each web page in a source: title, languages, meta elements."`
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
	Format  string    `required:"" enum:"ead3,ead2002,marcxml,marc,marcxchange,unimarc,mods,mods-3.4,oai_dc,json" placeholder:"FORMAT" help:"ead3, ead2002, marcxml, marc, marcxchange (UNIMARC), unimarc (ISO 2709), mods, mods-3.4, oai_dc or json."`
	Out     string    `required:"" placeholder:"FOLDER" help:"The new folder for the results."`
	Date    time.Time `format:"2006-01-02T15:04:05Z" placeholder:"TIME" help:"Date of the descriptions. Default: now."`
	dryFlag `set:"depth=Reads the whole sheet."`
	jsonFlag
}

// Run exports the sheet.
func (c *describeExportCmd) Run(ctx context.Context, t *terminal) error {
	return (&describeCmd{sheetFlags: c.sheetFlags, Export: c.Format, Out: c.Out, Date: c.Date, dryFlag: c.dryFlag,
		jsonFlag: c.jsonFlag}).
		Run(ctx, t)
}

type describeListCmd struct {
	Source  []string `arg:"" help:"Source: containers, or folders and archives with containers."`
	Mapping string   `type:"path" placeholder:"FILE" help:"Mapping of the names in JSON of other systems (YAML)."`
	As      []string `enum:"json,warc-fields,xml,yaml,marcxml,marcxchange,mods,ead3,ead2002,oai_dc" placeholder:"FORM" help:"Only descriptions in these forms: json, warc-fields, xml, yaml, marcxml, marcxchange, mods, ead3, ead2002, oai_dc. Default: all."`
	sourceFlags
	jsonFlag
}

// Run lists the descriptions.
func (c *describeListCmd) Run(ctx context.Context, t *terminal) error {
	return (&describeCmd{pagesFlags: pagesFlags{Source: c.Source}, As: c.As, List: true, sourceFlags: c.sourceFlags,
		sheetFlags: sheetFlags{Mapping: c.Mapping}, jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type describePagesCmd struct {
	Source []string `arg:"" help:"Source: containers, or folders and archives with containers."`
	sourceFlags
	jsonFlag
}

// Run lists the metadata of pages.
func (c *describePagesCmd) Run(ctx context.Context, t *terminal) error {
	return (&describeCmd{pagesFlags: pagesFlags{Source: c.Source, Pages: true}, sourceFlags: c.sourceFlags,
		jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type initGroup struct {
	Run     initCmd        `cmd:"" name:"run" default:"withargs" help:"Make a repository: by default three copies below it. The word run can be left out."`
	Rebuild initRebuildCmd `cmd:"" help:"Make the catalogue again, from the copies alone."`
}

// initFlags are the flags that both commands share.
type initFlags struct {
	Mode              string `placeholder:"MODE" help:"Mode of folders in the repository and its copies. Files get it without execution. Default: 0750."`
	Require           int    `placeholder:"N" help:"Acknowledge a package when N copies have it. Default: all. Kept by a rebuild."`
	RequireValidation bool   `help:"Store packages only after validation (quire ingest --validate), by every program. Kept by a rebuild."`
	Group             string `placeholder:"GROUP" help:"Group of the repository and its copies, by name or number. Default: the group of the account."`

	AuditSchedule store.Schedule `placeholder:"TEXT" help:"@initSchedule"`
	Anchor        []string       `sep:"none" placeholder:"ANCHOR" help:"@initAnchor"`
	Catalogue     string         `placeholder:"ADDRESS" help:"@initCatalogue"`
	jsonFlag
}

type initRebuildCmd struct {
	Repo string   `arg:"" help:"The folder of the repository."`
	Copy []string `sep:"none" placeholder:"PATH" help:"Current path of a copy; repeat the flag for each copy. Default: the paths recorded in the repository."`

	Trust string `placeholder:"COPY" help:"@initTrust"`
	initFlags
}

// Run makes the catalogue again.
func (c *initRebuildCmd) Run(ctx context.Context, t *terminal) error {
	return (&initCmd{Repo: c.Repo, Copy: c.Copy, Rebuild: true, trust: c.Trust, initFlags: c.initFlags}).Run(ctx, t)
}

type indexGroup struct {
	Update indexCmd       `cmd:"" name:"update" default:"withargs" help:"Bring the indexes of captures, texts and images up to date. The word update can be left out."`
	Export indexExportCmd `cmd:"" help:"Write the index of captures for other programs, with the paths of the stored files."`
}

type indexExportCmd struct {
	Form   string `arg:"" enum:"cdxj,cdx" help:"cdxj for pywb, cdx for OutbackCDX."`
	Out    string `required:"" placeholder:"FILE" help:"Where to write it to; - is the screen."`
	For    string `enum:"public,onsite,staff" default:"public" help:"Readers of the file: public, onsite or staff. The file has only captures that their rights allow, since no server judges later. Default: ${default}."`
	Config string `type:"existingfile" env:"QUIRE_SERVE_CONFIG" placeholder:"FILE" help:"The settings of quire serve: which rules hold."`
	repoFlag
	jsonFlag
}

// Run exports the index.
func (c *indexExportCmd) Run(ctx context.Context, t *terminal) error {
	return (&indexCmd{Export: c.Form, Out: c.Out, For: c.For, Config: c.Config, repoFlag: c.repoFlag,
		jsonFlag: c.jsonFlag}).Run(ctx, t)
}
