package nas

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"quire/model"
	"quire/source"
	"quire/source/heritrix"
	"quire/source/internal/facts"
)

// places has the documents by path, with their names in findings and evidence.
type places struct {
	documents map[string]*document
	replacer  *strings.Replacer
}

func placesOf(documents []*document) places {
	p := places{documents: map[string]*document{}}
	sorted := slices.Clone(documents)
	// A path that is the end of another one comes later: the first match wins.
	slices.SortStableFunc(sorted, func(a, b *document) int { return cmp.Compare(len(b.path), len(a.path)) })
	var pairs []string
	for _, d := range sorted {
		p.documents[d.path] = d
		if d.url.class != "index" && d.url.class != "other" && !d.superseded {
			pairs = append(pairs, d.path, d.place())
		}
	}
	p.replacer = strings.NewReplacer(pairs...)
	return p
}

// finding adds the record and the file to a finding about a document: an offset in a log does not
// help readers of the container.
func (p places) finding(f model.Finding) model.Finding {
	if d := p.documents[f.Path]; d != nil {
		f.Message = fmt.Sprintf("%.300s, byte %d: %s", d.uri, f.Offset, f.Message)
		f.Path, f.Offset = d.in.path, d.offset
	}
	return f
}

// name replaces the path of a document by its URL and its file.
func (p places) name(text string) string {
	if p.replacer == nil {
		return text
	}
	return p.replacer.Replace(text)
}

// crawl has the results of the reader of Heritrix: for documents, or for the folder of the job,
// where no places are replaced.
type crawl struct {
	source.Harvest
	places places
}

// takeOver adds the results of the reader of Heritrix to the known facts. Facts from
// NetarchiveSuite prevail: the name and date in a configuration belong to the template, not to the
// job.
func (c crawl) takeOver(f *facts.Facts) {
	about, crawl, p := f.About, c.About(), c.places
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&about.Title, crawl.Title}, {&about.Note, crawl.Note}, {&about.Software, crawl.Software},
		{&about.Operator, crawl.Operator}, {&about.Organization, crawl.Organization}, {&about.Contact, crawl.Contact},
		{&about.UserAgent, crawl.UserAgent}, {&about.Robots, crawl.Robots}, {&about.Host, crawl.Host},
		{&about.EndReason, crawl.EndReason},
	} {
		*field.to = cmp.Or(*field.to, field.from)
	}
	if about.Start.IsZero() {
		about.Start = crawl.Start
	}
	if about.End.IsZero() {
		about.End = crawl.End
	}
	if len(about.Seeds) == 0 {
		about.Seeds = crawl.Seeds
	}
	if len(about.Scope) == 0 {
		about.Scope = crawl.Scope
	}
	if len(about.Foreign) == 0 {
		about.Foreign = crawl.Foreign
	}
	about.Limits = append(about.Limits, crawl.Limits...)
	about.Counted = append(about.Counted, crawl.Counted...)
	about.Expected = append(about.Expected, crawl.Expected...)
	about.Documentation = cmp.Or(about.Documentation, crawl.Documentation)
	for _, e := range crawl.Evidence {
		switch e.Fact {
		case foreignFact: // added again, with the containers of this job known
		case "collection":
			f.Note("name of the crawl", e.Value, p.name(e.Source)) // the name of a template
		default:
			f.Note(e.Fact, e.Value, p.name(e.Source))
		}
	}
	takeFindings(f, crawl.Findings, p)
	takeFiles(f, crawl.Files, p)
}

// maxTaken bounds the findings of one code: a job has a configuration for each of ten thousand
// domains.
const maxTaken = 1000

func takeFindings(f *facts.Facts, findings []model.Finding, p places) {
	count := map[string]int{}
	for _, finding := range findings {
		if count[finding.Code]++; count[finding.Code] <= maxTaken {
			f.About.Findings = append(f.About.Findings, p.finding(finding))
		}
	}
	for _, code := range slices.Sorted(maps.Keys(count)) {
		if more := count[code] - maxTaken; more > 0 {
			f.Find(CodeLarge, model.Warning, "", 0, "%d more findings %s are not listed", more, code)
		}
	}
}

// foreignFact is the name that the reader of Heritrix uses for the files with duplicates'
// originals.
const foreignFact = "foreign files"

// takeFiles adds the restrictions, and the files of a folder.
func takeFiles(f *facts.Facts, files []model.SourceFile, p places) {
	restricted := map[string]string{}
	for _, file := range files {
		if p.documents == nil {
			f.AddFile(file)
		}
		if file.Restricted != "" {
			restricted[file.Path] = file.Restricted
		}
	}
	for i := range f.About.Files {
		file := &f.About.Files[i]
		if inDocuments := p.documents != nil; file.Restricted == "" && inDocuments == (file.Record != nil) {
			file.Restricted = restricted[file.Path]
		}
	}
}

// searchSuperseded searches earlier versions of documents for secrets, which an editor may have
// removed from the later version.
func searchSuperseded(ctx context.Context, f *facts.Facts, a documentSet, p places) error {
	byFolder := map[string][]*document{}
	var folders []string
	for _, d := range a.superseded {
		if role := d.url.role(); role == model.RoleLog && !strings.HasPrefix(d.url.name, "heritrix") ||
			role == model.RoleReport || role == model.RoleIndex {
			continue
		}
		folder := strings.Join(strings.SplitN(d.path, "/", 3)[:2], "/")
		if byFolder[folder] == nil {
			folders = append(folders, folder)
		}
		byFolder[folder] = append(byFolder[folder], d)
	}
	for _, folder := range folders {
		var files []string
		for _, d := range byFolder[folder] {
			files = append(files, d.path)
		}
		crawl, err := heritrix.Read(ctx, treeOf(path.Base(folder), byFolder[folder]), folder, files)
		if err != nil {
			return err
		}
		takeFiles(f, crawl.About().Files, p)
		for _, finding := range crawl.About().Findings {
			if finding.Code == source.CodeSecret {
				f.About.Findings = append(f.About.Findings, p.finding(finding))
			}
		}
	}
	return nil
}
