package heritrix

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
	"quire/source/records"
)

// harvest is one job of Heritrix 1, or one launch of Heritrix 3.
type harvest struct {
	about model.Harvest
	log   crawlLog
}

var _ source.Harvest = (*harvest)(nil)

// About returns the known facts of the run.
func (h *harvest) About() *model.Harvest { return &h.about }

// Fetches yields the outcome of each URL.
func (h *harvest) Fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return h.log.fetches(ctx, report)
}

// read reads a harvest: its complete documentation, and its crawl log once.
func read(ctx context.Context, t *archivefs.Tree, root string, files []string) (source.Harvest, error) {
	h := &harvest{about: model.Harvest{System: model.Heritrix, ID: t.NameOf(root)}}
	return h, h.read(ctx, t, root, files, nil)
}

// read fills a named harvest. crawlLogs are crawl logs with unusual names.
func (h *harvest) read(ctx context.Context, t *archivefs.Tree, root string, files, crawlLogs []string) error {
	f := facts.New(&h.about)
	for _, log := range crawlLogs { // with any name
		f.AddFile(model.SourceFile{Path: log, Size: t.Find(log).Size, Role: model.RoleLog})
	}
	listFiles(f, t, root, files)
	if err := readContainerInfo(t, f); err != nil {
		return err
	}
	configured, err := readConfigurations(ctx, t, f, root)
	if err != nil {
		return err
	}
	h.log = crawlLog{tree: t, pieces: append(pieces(h.about.Files, "crawl.log"), crawlLogs...)}
	for _, step := range []func() error{
		func() error { return readProgress(ctx, t, f) },
		func() error { return readCrawlReport(ctx, t, f) },
		func() error { return h.log.survey(ctx, f) },
		func() error { return readManifest(ctx, t, f) },
		func() error { return restrictFiles(ctx, t, f) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	h.about.Documentation = documentation(h.about.Files, configured && len(h.log.pieces) > 0)
	return nil
}

// documentation grades the documentation beside the containers.
func documentation(files []model.SourceFile, whole bool) model.Documentation {
	if whole {
		return model.Documented
	}
	for _, file := range files {
		if file.Role == model.RoleLog || file.Role == model.RoleReport || file.Role == model.RoleConfiguration {
			return model.PartlyDocumented
		}
	}
	return model.Undocumented
}

// listFiles lists the files with their roles.
func listFiles(f *facts.Facts, t *archivefs.Tree, root string, files []string) {
	for _, p := range files {
		below := p
		if root != "." {
			below = strings.TrimPrefix(p, root+"/")
		}
		if below == p { // a file of the job, beside the launch; or root is the source
			below = strings.TrimPrefix(p, strings.TrimPrefix(path.Dir(root)+"/", "./"))
		}
		f.AddFile(model.SourceFile{Path: p, Size: t.Find(p).Size, Role: roleOf(below)})
		if _, cut := records.NamedContainer(p); cut {
			f.Unfinished(p)
		}
	}
}

// maxConfiguration is the maximum size of a configuration in bytes. A template with exclusion lists
// has some hundred thousand.
const maxConfiguration = 16 << 20

// readConfigurations reads the configuration that applied to the run: the configuration in the
// run's own folder, or else the configuration of the job. All other configurations are searched for
// secrets.
func readConfigurations(ctx context.Context, t *archivefs.Tree, f *facts.Facts, root string) (bool, error) {
	main := mainConfiguration(f, root)
	for _, file := range slices.Clone(f.About.Files) {
		if !strings.HasSuffix(file.Path, ".xml") && !strings.HasSuffix(file.Path, ".cxml") ||
			file.Role != model.RoleConfiguration {
			continue
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, err := openConfiguration(t, f, file)
		if err != nil {
			return false, err
		}
		if n == nil {
			continue
		}
		restrictSecrets(f, n, file.Path)
		switch {
		case file.Path != main && path.Base(file.Path) == "settings.xml":
			noteHost(f, n, file.Path)
		case file.Path != main:
		case n.Name == "crawl-order":
			readOrder(f, n, main)
			err = readSeedFile(ctx, t, f, orderSeeds(n))
		case n.Name == "beans":
			readBeans(f, n, main)
			err = readBeansSeeds(ctx, t, f, newBeans(n, main))
		}
		if err != nil {
			return false, err
		}
	}
	if main == "" {
		return false, readSeedFile(ctx, t, f, "seeds.txt")
	}
	return true, nil
}

// noteHost records a robots policy that applies to one host only.
func noteHost(f *facts.Facts, n *xmltree.Node, file string) {
	n.Each(func(n *xmltree.Node) {
		if n.Attr("name") == "robots-honoring-policy" {
			f.Note("robots policy of some hosts", xmltree.Text(n.Named("type")), file)
		}
	})
}

// mainConfiguration selects the configuration that applied. It prefers a configuration in the
// folder itself to a configuration of the job, and the standard name to other names.
func mainConfiguration(f *facts.Facts, root string) string {
	var candidates []string
	for _, file := range f.About.Files {
		if isConfiguration(path.Base(file.Path)) {
			candidates = append(candidates, file.Path)
		}
	}
	for _, want := range []string{path.Join(root, "crawler-beans.cxml"), path.Join(root, "order.xml")} {
		if slices.Contains(candidates, want) {
			return want
		}
	}
	rank := func(p string) int {
		switch base := path.Base(p); {
		case path.Dir(p) == root:
			return 0
		case base == "crawler-beans.cxml" || base == "order.xml":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(candidates, func(a, b string) int { return rank(a) - rank(b) })
	if len(candidates) == 0 {
		return ""
	}
	if len(candidates) > 1 && rank(candidates[0]) == rank(candidates[1]) {
		f.Find(CodeSeveral, model.Info, candidates[0], 0,
			"%d configurations are here; this one was read, but the crawl may have used another", len(candidates))
	}
	return candidates[0]
}

// orderSeeds returns the seed file named in an order.
func orderSeeds(root *xmltree.Node) string {
	if name := xmltree.Text(root.Child("controller").Named("scope").Named("seedsfile")); name != "" {
		return name
	}
	return "seeds.txt"
}

func readBeansSeeds(ctx context.Context, t *archivefs.Tree, f *facts.Facts, b *beans) error {
	text, file, source := b.seeds()
	if text == "" && file == "" {
		file = "seeds.txt"
	}
	if file != "" {
		return readSeedFile(ctx, t, f, file)
	}
	for line := range strings.SplitSeq(text, "\n") {
		addSeed(f, line, source)
	}
	return nil
}

// openConfiguration reads a configuration completely. If it is unreadable, it adds a finding and
// returns nil.
func openConfiguration(t *archivefs.Tree, f *facts.Facts, file model.SourceFile) (*xmltree.Node, error) {
	if file.Size > maxConfiguration {
		f.Find(CodeLarge, model.Warning, file.Path, 0, "has %d bytes; the limit for configurations is %d", file.Size,
			maxConfiguration)
		f.Restrict(file.Path, 0, "is too large to be searched for passwords")
		return nil, nil
	}
	content, err := t.Open(file.Path)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(content, maxConfiguration))
	if err = errors.Join(err, content.Close()); err != nil {
		return nil, err
	}
	n, err := xmltree.Parse(bytes.NewReader(b))
	if err != nil {
		f.Find(CodeConfiguration, model.Warning, file.Path, 0, "cannot be read: %v", err)
		restrictUnread(f, b, file.Path)
		return nil, nil
	}
	return n, nil
}
