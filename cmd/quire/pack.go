package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"quire/access/export/check"
	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/collection"
	"quire/preserve/pack"
	"quire/preserve/policy"
	"quire/preserve/report"
	"quire/repository/store"
)

type packCmd struct {
	Source     []string `arg:"" optional:"" help:"Source: containers, folders with containers and their logs, mirrors, archives of these."`
	Out        string   `required:"" placeholder:"FOLDER" help:"The new package folder. It must not exist, or be empty."`
	ID         string   `name:"id" help:"Identifier of the package. Default: made from name, date and content."`
	Collection string   `type:"path" placeholder:"FILE" hidden:"" help:"Do as quire collection FILE."`
	Rights     string   `type:"path" placeholder:"FILE" help:"Rights: a small YAML file (docs/reference/325_rights.md), which the package will contain."`
	Title      string   `help:"Title of the website. Default: from the crawl, or the name of the source."`
	sourceFlags
	sheetFlags
	scanFlags
	cleanFlag
	policyFlag
	dryFlag `set:"depth=Reads logs, lists and the first bytes of each container; damage further behind, viruses and the judgement of a policy do not show. Identifier and title are not yet made of the content."`
	jsonFlag

	Signature     string `placeholder:"FILE" help:"When formats are identified, use this siegfried signature file instead of the built-in one."`
	Profile       string `enum:"compact,full,linked" default:"compact" placeholder:"NAME" help:"Detail of the METS: compact lists the containers; full adds each record and bytestream; linked adds the hyperlinks between pages."`
	METS          string `name:"mets" enum:"parts,single" default:"parts" placeholder:"FORM" help:"parts writes a small mets.xml, and the METS of records and pages in files of their own; single writes everything in mets.xml."`
	SchemaVersion string `name:"schema-version" enum:"current,legacy,2.2,3.0" default:"current" placeholder:"VERSION" help:"Versions of the standards in the METS: legacy is PREMIS 2.2, MODS 3.4, containerMD 1.1; current is 3.0, 3.8, 1.2."`
	KeepOriginal  string `enum:"always,arc,mirror,never,needed" default:"needed" placeholder:"WHAT" help:"Originals to store beside the WARC files made from them: always, arc, mirror, never. Default: mirrors, and originals that cannot be restored from their WARC."`
}

// Run builds the package.
func (c *packCmd) Run(ctx context.Context, t *terminal) error {
	if c.Collection != "" {
		return c.packCollection(ctx, t)
	}
	if len(c.Source) == 0 {
		return errors.New("SOURCE is missing: quire pack SOURCE… --out FOLDER")
	}
	keep := pack.Keep(c.KeepOriginal)
	if c.KeepOriginal == "needed" {
		keep = pack.KeepNeeded
	}
	profile := pack.Profile(c.Profile)
	if c.Profile == "compact" {
		profile = pack.Compact
	}
	scanner, err := c.scanner()
	if err != nil {
		return err
	}
	cleaner, err := c.cleaner()
	if err != nil {
		return err
	}
	schemas, err := pack.ParseSchemaVersion(c.SchemaVersion)
	if err != nil {
		return err
	}
	sheet, err := c.packed()
	if err != nil {
		return err
	}
	level, documents, err := c.level(t)
	if err != nil {
		return err
	}
	id, err := identifyFlags{Signature: c.Signature}.identifier()
	if err != nil {
		return err
	}
	o := pack.Options{
		Policy: level, Documents: documents, Identify: id,
		Out: c.Out, ID: c.ID, Title: c.Title, Rights: c.Rights, Keep: keep, Profile: profile,
		METS: metsForm(c.METS), SchemaVersion: schemas,
		Sheet: sheet, Source: c.sourceFlags.options(), Scan: scanner, Cleaner: cleaner,
		Agent: model.Agent{Name: "Quire", Version: version},
		Start: func(total int64) { t.begin("packing", total) }, Progress: t.progress,
	}
	if c.DryRun {
		return c.plan(ctx, t, o)
	}
	result, err := pack.Pack(ctx, c.Source, o)
	if err != nil {
		return c.refused(t, err)
	}
	t.clear()
	if c.JSON {
		err = t.json(result)
	} else {
		printPacked(t, result)
	}
	infected := result.Scan != nil && result.Scan.Infected > result.Scan.Cleaned
	undescribed := result.Described != nil && result.Described.Websites+result.Described.Pages == 0
	refused := result.Policy != nil && result.Policy.Outcome == policy.Refused
	if err == nil && (infected || undescribed || refused || result.Incomplete() || result.Outcome != model.Valid) {
		err = errContent
	}
	return err
}

// metsForm returns the form of the METS that a flag names.
func metsForm(flag string) pack.METSForm {
	if flag == "parts" {
		return pack.InDocuments
	}
	return pack.METSForm(flag)
}

// plan prints the planned package.
func (c *packCmd) plan(ctx context.Context, t *terminal, o pack.Options) error {
	f, err := pack.Foresee(ctx, c.Source, o)
	if err != nil {
		return err
	}
	if c.JSON {
		err = t.dryJSON(f)
	} else {
		printPackPlan(t, f)
	}
	if err == nil && (f.Outcome != model.Valid || f.Incomplete()) {
		err = errContent
	}
	return err
}

// level reads the policy. The package will also contain it.
func (c *packCmd) level(t *terminal) (*policy.Policy, []string, error) {
	p, err := c.judging(t)
	if p == nil {
		return nil, nil, err
	}
	return p, []string{c.Policy}, nil
}

// refused prints the policy result for a refused package as JSON.
func (c *packCmd) refused(t *terminal, err error) error {
	var refused *policy.Error
	if c.JSON && errors.As(err, &refused) {
		said := t.json(struct {
			Package *string           `json:"package"` // null: not built
			Policy  *policy.Judgement `json:"policy"`
		}{nil, refused.Judgement})
		return errors.Join(said, err)
	}
	return err
}

func printPacked(t *terminal, r *pack.Result) {
	t.printf("packed %s\n", r.ID)
	t.printf("  title       %s\n", r.Title)
	for _, h := range r.Harvests {
		t.printf("  harvest     %s %s, documentation %s\n", h.System, h.ID, h.Documentation)
		for _, w := range h.Warnings {
			more := ""
			if w.Count > 1 {
				more = fmt.Sprintf(" (and %d more)", w.Count-1)
			}
			t.printf("  warning     %s %s: %s%s\n", w.Code, w.Path, w.Message, more)
		}
	}
	t.printf("  containers  %d, with %s%s\n",
		r.Containers, humanize.Number(r.Records, "record", "records"), conversions(r))
	t.printf("  other files %d\n", r.OtherFiles)
	if r.Restricted > 0 {
		t.printf("  restricted  %s with secrets or personal data, marked in the METS\n",
			humanize.Number(r.Restricted, "file", "files"))
	}
	if r.Rights > 0 {
		t.printf("  access      %s, by %s\n", cmp.Or(string(r.Access), "not stated for the whole"),
			humanize.Number(r.Rights, "statement of rights", "statements of rights"))
	}
	if d := r.Described; d != nil {
		t.printf("  described   by %s of %s: %s, %s; %d not captured here, %d omitted; --profile full lists them\n",
			humanize.Number(int64(d.Rows), "row", "rows"), d.Sheet,
			humanize.Number(int64(d.Websites), "website", "websites"), humanize.Number(int64(d.Pages), "page", "pages"),
			d.Absent, d.Untold)
		printUnfound(t, r)
	}
	t.printf("  size        %s\n", humanize.Size(r.Bytes))
	if s := r.Scan; s != nil {
		t.printf("  viruses     %s\n",
			report.ScanSummary(&model.Scan{Outcome: s.Outcome, Scanned: s.Scanned, Infected: s.Infected,
				NotScanned: s.NotScanned}))
		if s.Cleaned > 0 {
			t.printf("  cleaned     %d of these, stored as separate records\n", s.Cleaned)
		}
		for _, why := range s.NotCleaned {
			t.printf("  cleaner     %s\n", why)
		}
	}
	if r.First != nil {
		t.printf("  captured    %s to %s\n", r.First.Format("2006-01-02 15:04:05"),
			r.Last.Format("2006-01-02 15:04:05 MST"))
	}
	t.printf("  METS        %s\n", r.METS)
	for _, c := range r.Checked {
		if c.Worst == "" {
			t.printf("  %-8s    %s\n", outcome(c.Outcome), c.Path)
		} else {
			t.printf("  %-8s    %s: %s, the first: %s\n", outcome(c.Outcome), c.Path,
				humanize.Number(c.Findings, "finding", "findings"), c.Worst)
		}
		if c.Original != "" {
			t.printf("  %-8s    its original: %s\n", outcome("damaged"), c.Original)
		}
	}
	for _, file := range r.Refused {
		t.printf("  not read    %s\n", file)
	}
	printCompleteness(t, r.Harvests, r.Completeness)
	if more := r.Containers - int64(len(r.Checked)); more > 0 {
		t.printf("  and %s, see the METS\n", humanize.Number(more, "more container", "more containers"))
	}
	if r.Policy != nil {
		_ = r.Policy.Text(t.out, false) // the terminal notices output that cannot be printed
	}
}

// conversions returns the number of converted containers and of originals kept.
func conversions(r *pack.Result) string {
	if r.Converted == 0 {
		return ""
	}
	return fmt.Sprintf("; %d made by normalizing, %s kept", r.Converted,
		humanize.Number(r.Originals, "file of the originals", "files of the originals"))
}

type validateCmd struct {
	Package  string   `arg:"" help:"The folder of a package, or of a collection; or an export: a bag, a WACZ, a mirror, a package for DSpace or E-ARK (folder, zip, tar, tar.gz)."`
	Packages []string `sep:"none" placeholder:"FOLDER" help:"For a collection: the folder of its packages; checks that every expected harvest is there."`
	Repo     string   `env:"QUIRE_REPO" placeholder:"FOLDER" help:"For a collection: the repository of its packages."`
	Schemas  string   `env:"QUIRE_SCHEMAS" placeholder:"FOLDER" help:"Folder of XML schemas (with drivers/mets-all.xsd). Without it, only code checks the structure."`
	policyFlag
	jsonFlag

	Signature string `placeholder:"FILE" help:"When the policy needs formats, use this siegfried signature file instead of the built-in one."`
}

// Run checks the package and reports the findings.
func (c *validateCmd) Run(ctx context.Context, t *terminal) error {
	if collection.Is(c.Package) {
		if c.Policy != "" {
			return fmt.Errorf("%s is a collection: --policy checks packages, one by one", c.Package)
		}
		return c.validateCollection(ctx, t)
	}
	if len(c.Packages) > 0 {
		return fmt.Errorf("%s is not a collection: --packages is for collections only", c.Package)
	}
	if store.Is(c.Package) {
		return fmt.Errorf("%s is a repository, and no package: quire audit --repo %[1]s checks it", c.Package)
	}
	kind, err := check.Recognize(c.Package)
	if err != nil {
		return err
	}
	if kind != check.Unknown {
		return c.validateExport(ctx, t, kind)
	}
	level, err := c.judging(t) // before the long work: a wrong policy is reported at once
	if err != nil {
		return err
	}
	report, err := aip.Validate(ctx, c.Package, aip.Options{
		Schemas: c.Schemas, Start: func(total int64) { t.begin("validating", total) }, Progress: t.progress,
	})
	if err != nil {
		return err
	}
	t.clear()
	judged, err := c.judge(ctx, t, level, report)
	if err != nil {
		return err
	}
	if c.JSON {
		err = t.json(struct {
			aip.Report
			Policy *policy.Judgement `json:"policy"`
		}{*report, judged})
	} else {
		printReport(t, report)
		if judged != nil {
			err = judged.Text(t.out, false)
		}
	}
	refused := judged != nil && judged.Outcome == policy.Refused
	if err == nil && (refused || report.Outcome != string(model.Valid)) {
		err = errContent
	}
	return err
}

// validateExport checks an export made by Quire or another program.
func (c *validateCmd) validateExport(ctx context.Context, t *terminal, kind check.Kind) error {
	if c.Policy != "" {
		return fmt.Errorf("%s is a %s: --policy applies only to packages in their stored form", c.Package, kind)
	}
	report, err := check.Run(ctx, c.Package, kind, check.Options{
		Start: func(total int64) { t.begin("validating", total) }, Progress: t.progress,
	})
	if err != nil {
		return err
	}
	t.clear()
	if c.JSON {
		err = t.json(struct {
			aip.Report
			Kind check.Kind `json:"kind"`
		}{*report, kind})
	} else {
		t.printf("%s is a %s\n", report.Path, kind)
		printReport(t, report)
	}
	if err == nil && report.Outcome != string(model.Valid) {
		err = errContent
	}
	return err
}

// judge checks the package against the policy, if one is named. An incomplete package may make that
// impossible; the result reports this.
func (c *validateCmd) judge(ctx context.Context, t *terminal, level *policy.Policy, r *aip.Report) (*policy.Judgement,
	error) {
	if level == nil {
		return nil, nil
	}
	judged, err := judge(ctx, t, c.Package, level, identifyFlags{Signature: c.Signature})
	if err != nil && r.Outcome != string(model.Valid) && ctx.Err() == nil {
		t.warn(fmt.Sprintf("not checked against the policy %s: %v", level.Name, err))
		return nil, nil
	}
	return judged, err
}

func printReport(t *terminal, r *aip.Report) {
	t.printf("%s: %s\n", r.Path, outcome(r.Outcome))
	if r.ID != "" {
		t.printf("  package %s, %s, %s\n", r.ID, humanize.Number(r.Files, "file", "files"), humanize.Size(r.Bytes))
	}
	for _, c := range r.Checks {
		t.printf("  %s: %s", c.Name, outcome(c.Outcome))
		if c.Detail != "" {
			t.printf(" (%s)", c.Detail)
		}
		t.printf("\n")
	}
	for _, f := range r.Findings {
		t.printf("  %s\n", f)
	}
	if more := r.FindingsTotal - int64(len(r.Findings)); more > 0 {
		t.printf("  and %s\n", humanize.Number(more, "more finding", "more findings"))
	}
}

// unfoundShown is how many rows of a sheet are named that describe nothing in the package.
const unfoundShown = 10

func printUnfound(t *terminal, r *pack.Result) {
	for _, u := range r.Unfound[:min(len(r.Unfound), unfoundShown)] {
		t.printf("              row %d  %s: not captured here\n", u.Row, u.URL)
	}
	if more := r.Described.Absent - min(len(r.Unfound), unfoundShown); more > 0 {
		t.printf("              and %s\n", humanize.Number(int64(more), "more row", "more rows"))
	}
}
