package nas

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/heritrix"
	"quire/source/internal/facts"
	"quire/source/records"
)

// harvest is one job.
type harvest struct {
	about     model.Harvest
	documents *archivefs.Tree
	crawl     crawl // the one with the crawl log
	migration *migration
}

var (
	_ source.Documented = (*harvest)(nil)
	_ source.Relocated  = (*harvest)(nil)
)

// About returns the known facts of the job.
func (h *harvest) About() *model.Harvest { return &h.about }

// Documents returns the content of the metadata files.
func (h *harvest) Documents() *archivefs.Tree { return h.documents }

// Migrated returns the current place of a duplicate's original, if its container was compressed
// after the log was written.
func (h *harvest) Migrated(from model.Place) (model.Place, bool) { return h.migration.Migrated(from) }

// Fetches yields the outcome of each URL, from the crawl log.
func (h *harvest) Fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error] {
	if h.crawl.Harvest == nil {
		return func(func(model.Fetch, error) bool) {}
	}
	if report != nil {
		tell := report
		report = func(f model.Finding) { tell(h.crawl.places.finding(f)) }
	}
	return h.crawl.Fetches(ctx, report)
}

// job has the facts that Find knows about a job.
type job struct {
	tree       *archivefs.Tree
	id         string   // from the URLs or the warcinfo; "" if unknown
	definition string   // number of the harvest definition
	metadata   []string // files
	data       []string // containers of harvested data
	folder     *folder  // of the crawl; or nil
	info       string   // harvestInfo.xml in a folder
	database   *database
}

// folder is the folder of Heritrix, as its reader recognised it.
type folder struct {
	root  string
	files []string
}

// read reads a complete job.
func (j *job) read(ctx context.Context) (_ source.Harvest, err error) {
	h := &harvest{about: model.Harvest{System: model.NetarchiveSuite}}
	f := facts.New(&h.about)
	containers, release, err := j.openMetadata()
	defer func() { err = errors.Join(err, release()) }()
	if err != nil {
		return nil, err
	}
	b := budget{maxDocuments, maxURLs}
	for _, c := range containers {
		if err := c.read(ctx, &b); err != nil {
			return nil, fmt.Errorf("%s: %w", c.path, err)
		}
	}
	j.listFiles(f)
	a := arrange(containers)
	h.documents = treeOf("documents of job "+j.id, a.all())
	a.list(f)
	for _, step := range []func() error{
		func() error { j.tellNumbers(f, containers, a); return nil },
		func() error { return j.tellInfos(f, a) },
		func() error { return j.tellContainers(f) },
		func() error { return j.tellDatabase(ctx, f) },
		func() error { tellDefinition(f); tellVersions(f, a.current); return tellSetup(ctx, f, a.current) },
		func() error { return h.readCrawl(ctx, f, j, a) },
		func() (err error) { h.migration, err = readMigrations(ctx, f, a.current); return err },
		func() error { return j.tellExpected(ctx, f, a) },
		func() error { j.tellForeign(f, a); return nil },
	} {
		if err := errors.Join(step(), ctx.Err()); err != nil {
			return nil, err
		}
	}
	tellOrganization(f, a.current)
	restrictContainers(f)
	return h, nil
}

// openMetadata opens the metadata files while the job is read.
func (j *job) openMetadata() (containers []*container, release func() error, err error) {
	release = func() error {
		var errs []error
		for _, c := range containers {
			errs = append(errs, c.release())
		}
		return errors.Join(errs...)
	}
	for _, p := range j.metadata {
		name, _ := parseMetadataName(p)
		c := &container{tree: j.tree, path: p, size: j.tree.Find(p).Size, name: name}
		if _, err := c.acquire(); err != nil {
			return containers, release, err
		}
		containers = append(containers, c)
	}
	return containers, release, nil
}

// listFiles lists the files in the source.
func (j *job) listFiles(f *facts.Facts) {
	for _, p := range slices.Concat(j.metadata, j.data) {
		f.AddFile(model.SourceFile{Path: p, Size: j.tree.Find(p).Size, Role: model.RoleContainer})
		if strings.HasSuffix(p, ".open") || strings.HasSuffix(p, ".invalid") {
			f.Find(CodeUnfinished, model.Warning, p, 0,
				"the crawler was still writing this container, or failed to; its last record may be cut")
		}
	}
	if j.info != "" {
		f.AddFile(model.SourceFile{Path: j.info, Size: j.tree.Find(j.info).Size, Role: model.RoleConfiguration})
	}
}

// tellContainers adds facts from the first container with its own first record. It is the best
// source for the version and the name of Heritrix.
func (j *job) tellContainers(f *facts.Facts) error {
	for _, p := range j.data {
		if j.tree.Find(p).Size == 0 {
			continue
		}
		fields, err := containerInfo(j.tree, p)
		if err != nil {
			return err
		}
		if len(fields) == 0 {
			continue
		}
		if info := infoOf(fields); info != nil {
			tellInfo(f, info, func(name string) string {
				return "field " + infoPrefix + name + " of the first record of " + p
			})
			j.compare(f, p, 0, value(info, "jobId"), "its warcinfo")
		}
		// Its isPartOf field is the name of the template, as in the configuration.
		f.TellInfo(slices.DeleteFunc(fields, func(v model.Field) bool { return strings.EqualFold(v.Name, "isPartOf") }),
			p)
		break
	}
	j.tellNames(f)
	return nil
}

// containerInfo reads the fields of the first record of a container.
func containerInfo(t *archivefs.Tree, p string) ([]model.Field, error) {
	content, err := t.Open(p)
	if err != nil {
		return nil, err
	}
	fields, err := records.Info(content)
	return fields, errors.Join(err, content.Close())
}

// tellNames adds facts from the names of the containers.
func (j *job) tellNames(f *facts.Facts) {
	about := f.About
	first := ""
	var begun DataName
	for _, p := range j.data {
		name, ok := ParseDataName(p)
		if ok && (first == "" || name.Begun.Before(begun.Begun)) {
			first, begun = p, name
		}
	}
	if first == "" {
		return
	}
	place := "name of " + first
	f.Set(&about.ID, "job", begun.Job, place)
	f.Note("harvest definition", begun.Definition, place)
	f.Note("collection in names", begun.Collection, place)
	f.Note("first container begun", begun.Begun.Format("2006-01-02T15:04:05.999Z"), place)
	f.Set(&about.Host, "host", begun.Host, place)
}

// restrictContainers marks containers with a confidential document.
func restrictContainers(f *facts.Facts) {
	why := map[string][]string{}
	for _, file := range f.About.Files {
		if file.Record != nil && file.Restricted != "" && len(why[file.Record.Container]) < maxNamed {
			why[file.Record.Container] = append(why[file.Record.Container], path.Base(file.Path))
		}
	}
	for i := range f.About.Files {
		if file := &f.About.Files[i]; why[file.Path] != nil && file.Record == nil {
			file.Restricted = "holds what must not be shown to everyone: " + strings.Join(why[file.Path], ", ")
		}
	}
}

// maxNamed bounds the documents named in one sentence.
const maxNamed = 10

// readCrawl runs the reader of Heritrix on Heritrix's files: the documents of the metadata files,
// and the folder of the job. The part with the crawl log is read first.
func (h *harvest) readCrawl(ctx context.Context, f *facts.Facts, j *job, a documentSet) error {
	var crawls []crawl
	if j.folder != nil {
		found, err := heritrix.Read(ctx, j.tree, j.folder.root, j.folder.files)
		if err != nil {
			return err
		}
		crawls = append(crawls, crawl{Harvest: found})
	}
	documents := placesOf(a.all())
	if len(a.current) > 0 {
		found, err := readDocuments(ctx, a.current)
		if err != nil {
			return err
		}
		crawls = append(crawls, crawl{found, documents})
		if h.documents.Find("logs/crawl.log") != nil {
			slices.Reverse(crawls)
		}
	}
	for i, c := range crawls {
		if i == 0 {
			h.crawl = c
		}
		c.takeOver(f)
	}
	if f.About.Documentation == "" || f.About.Documentation == model.Undocumented {
		f.About.Documentation = documentation(f.About)
	}
	return searchSuperseded(ctx, f, a, documents)
}

// documentation grades a job without files of Heritrix.
func documentation(about *model.Harvest) model.Documentation {
	told := slices.ContainsFunc(about.Evidence, func(e model.Evidence) bool { return e.Fact == infoFacts["version"] })
	if told || hasRecords(about) {
		return model.PartlyDocumented
	}
	return model.Undocumented
}

// readDocuments reads the documents from Heritrix.
func readDocuments(ctx context.Context, documents []*document) (source.Harvest, error) {
	var files []string
	for _, d := range documents {
		if d.url.class != "index" && d.url.class != "other" {
			files = append(files, d.path)
		}
	}
	return heritrix.Read(ctx, treeOf("job", documents), ".", files)
}
