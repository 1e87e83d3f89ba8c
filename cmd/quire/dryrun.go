package main

import (
	"path"

	"quire/internal/humanize"
	"quire/internal/jsonline"
	"quire/model"
	"quire/preserve/collection"
	"quire/preserve/convert"
	"quire/preserve/describe"
	"quire/preserve/pack"
	"quire/repository/store"
)

// dryFlag makes a command print its planned actions without doing them. The help of each command
// states how much a dry run reads.
type dryFlag struct {
	DryRun bool `name:"dry-run" short:"n" help:"Print what would be done, and write nothing. ${depth}"`
}

// dryJSON prints a result of a dry run as JSON, marked as such.
func (t *terminal) dryJSON(v any) error {
	return t.json(append(jsonline.Object{{Name: "dryRun", Value: true}}, jsonline.Members(v)...))
}

// result prints a result as JSON: marked, where it is of a dry run.
func (f dryFlag) result(t *terminal, v any) error {
	if f.DryRun {
		return t.dryJSON(v)
	}
	return t.json(v)
}

// dry prints that the following output is the output of a dry run.
func (t *terminal) dry() { t.print("dry run: nothing is written\n") }

// would prints a file that would be made, with its size where that is known.
func (t *terminal) would(file string, size *int64, from string) {
	t.printf("  would make  %s", file)
	if size != nil {
		t.printf(", %s", humanize.Size(*size))
	}
	if from != "" && path.Base(from) != path.Base(file) {
		t.printf(", of %s", from)
	}
	t.printf("\n")
}

func printPackPlan(t *terminal, f *pack.Forecast) {
	t.dry()
	t.printf("would pack into %s\n", f.Package)
	for _, h := range f.Harvests {
		t.printf("  harvest     %s %s, documentation %s\n", h.System, h.ID, h.Documentation)
	}
	if f.Rights > 0 {
		t.printf("  rights      %s\n", humanize.Number(f.Rights, "statement", "statements"))
	}
	for _, file := range f.Files {
		t.would(file.Path, file.Bytes, file.Source)
	}
	for _, what := range f.Refused {
		t.printf("  cannot read %s\n", what)
	}
	for _, what := range f.Left {
		t.printf("  %s\n", what)
	}
	printCompleteness(t, f.Harvests, f.Completeness)
	t.printf("%s, %s to read; outcome so far: %s\n", humanize.Number(int64(len(f.Files)), "file", "files"),
		humanize.Size(f.Bytes), outcome(f.Outcome))
}

func printCollectionPlan(t *terminal, r *collection.Result) {
	t.dry()
	t.printf("would make the collection %s in %s: %s, %s expected\n", r.ID, r.Collection,
		humanize.Number(r.Harvests, "harvest", "harvests"), humanize.Number(r.Containers, "container", "containers"))
	for _, file := range r.Would {
		t.would(file.Path, &file.Size, "")
	}
}

func printConversionPlan(t *terminal, f *convert.Forecast) {
	t.dry()
	for _, h := range f.Harvests {
		t.printf("%s %s in %s, documentation %s\n", h.System, h.ID, h.Root, h.Documentation)
	}
	for _, w := range f.WARCs {
		t.would(w.Path, w.Bytes, w.Source)
	}
	printActions(t, f.Files)
	printFindings(t, f.Findings, f.FindingsTotal)
	t.printf("would make %s in %s of %s; outcome so far: %s\n",
		humanize.Number(int64(len(f.WARCs)), "WARC", "WARCs"), f.Out, humanize.Size(f.Bytes), outcome(f.Outcome))
}

func printFindings(t *terminal, findings []model.Finding, total int64) {
	for _, f := range findings {
		t.printf("  %s\n", f)
	}
	if more := total - int64(len(findings)); more > 0 {
		t.printf("  and %s\n", humanize.Number(more, "more finding", "more findings"))
	}
}

func printExportedPlan(t *terminal, e *describe.Exported) {
	t.dry()
	for _, file := range e.Would {
		t.would(file.Path, &file.Size, "")
	}
	t.printf("would make %s in %s: %s\n", humanize.Number(int64(e.Files), "file", "files"), e.Out,
		humanize.Number(int64(e.Descriptions), "description", "descriptions"))
}

func printReceiptPlan(t *terminal, r store.Receipt) {
	if r.AlreadyStored && r.Inventory == "" {
		t.printf("would skip %s: an earlier package of this call, version %d, has the same content\n", r.ID, r.Version)
		return
	}
	if r.AlreadyStored {
		t.printf("would skip %s, stored already as version %d: every copy was read and matches\n", r.ID, r.Version)
		return
	}
	t.printf("would store %s as version %d: %s, %s; each copy needs %s more\n", r.ID, r.Version,
		humanize.Number(r.Files, "file", "files"), humanize.Size(r.Bytes), humanize.Size(r.NewBytes))
	for _, p := range r.Copies {
		t.printf("  %s  %s\n", p.Name, p.Path)
	}
}

// exportPlan is the JSON result of a dry run of an export as stored.
type exportPlan struct {
	store.ExportResult
	Would []store.ExportedFile `json:"would_make"`
}

func printExportPlan(t *terminal, p *exportPlan) {
	t.dry()
	for _, f := range p.Would {
		t.would(f.Path, &f.Size, "")
	}
	for _, f := range p.Fallbacks {
		t.printf("  damaged in one copy, would be taken from another: %s\n", f)
	}
	t.printf("would export %s, %s, to %s: %s, %s\n", p.ID, p.Version, p.Folder,
		humanize.Number(p.Files, "file", "files"), humanize.Size(p.Bytes))
}
