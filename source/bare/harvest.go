package bare

import (
	"context"
	"fmt"
	"iter"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/internal/facts"
	"quire/source/records"
)

// Codes of findings about containers without documentation.
const (
	CodeUndocumented = "SOURCE-UNDOCUMENTED" // the containers are the only source for the harvest
	CodeRenamed      = "SOURCE-RENAMED"      // a container was renamed after it was written
	CodeNoRecord     = "SOURCE-NO-RECORD"    // a file has a container's name but does not begin with a record
	CodeUnfinished   = facts.CodeUnfinished
	CodeMore         = "SOURCE-MORE" // more findings than are listed
)

// maxFindings bounds the findings that are listed.
const maxFindings = 1000

// harvest is the containers of one run, as far as their names show.
type harvest struct{ about model.Harvest }

var _ source.Harvest = (*harvest)(nil)

// About returns the facts from the names and the first records.
func (h *harvest) About() *model.Harvest { return &h.about }

// Fetches yields nothing, because there is no log.
func (h *harvest) Fetches(context.Context, func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(func(model.Fetch, error) bool) {}
}

// reading is a harvest while its containers are read.
type reading struct {
	*facts.Facts
	tree     *archivefs.Tree
	told     tally
	first    moment // start of the first container
	last     moment // start of the last container
	findings int
}

// moment is a time and its source.
type moment struct {
	time.Time
	source string
}

func read(ctx context.Context, t *archivefs.Tree, g *group) (source.Harvest, error) {
	h := &harvest{model.Harvest{System: model.Bare, ID: g.id(t), Documentation: model.Undocumented}}
	r := &reading{Facts: facts.New(&h.about), tree: t, told: newTally()}
	for _, c := range g.containers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.AddFile(model.SourceFile{Path: c.path, Size: t.Find(c.path).Size, Role: model.RoleContainer})
		if err := r.container(c); err != nil {
			return nil, err
		}
	}
	for _, c := range g.companions {
		r.AddFile(c)
	}
	r.conclude(g)
	return h, nil
}

// id returns the common part of the names, the name of the only container, or the name of the
// folder.
func (g *group) id(t *archivefs.Tree) string {
	switch {
	case g.run > 0:
		return g.prefix + g.containers[0].name.Time.Format("-20060102150405")
	case g.prefix != "":
		return g.prefix
	case len(g.containers) == 1:
		return records.Stem(g.containers[0].path)
	case g.nth > 1:
		return fmt.Sprintf("%s-%d", t.NameOf(g.folder), g.nth)
	}
	return t.NameOf(g.folder)
}

// container reads the name and the first record of a container.
func (r *reading) container(c container) error {
	if _, unfinished := records.NamedContainer(c.path); unfinished {
		r.Unfinished(c.path)
	}
	r.begun(c.name.Time, "name of "+c.path)
	first, err := readFirst(r.tree, c.path)
	if err != nil {
		return err
	}
	if !first.found {
		r.find(CodeNoRecord, model.Warning, c.path, "has the name of a container, but does not begin "+
			"with a record")
		return nil
	}
	if year := first.date.Year(); year >= 1990 && year <= 2100 {
		r.begun(first.date, "date of the first record of "+c.path)
	}
	r.told.add("origin code", first.origin, c.path)
	r.told.add("version of the format", first.version, c.path)
	if first.written != "" && records.Stem(first.written) != records.Stem(c.path) {
		r.find(CodeRenamed, model.Info, c.path,
			fmt.Sprintf("was written under the name %.300q, according to its first record", first.written))
	}
	for _, f := range first.fields {
		r.told.add(field+f.Name, f.Value, c.path)
	}
	return nil
}

// begun updates the first and the last start time of a container.
func (r *reading) begun(at time.Time, source string) {
	if at.IsZero() {
		return
	}
	if r.first.IsZero() || at.Before(r.first.Time) {
		r.first = moment{at, source}
	}
	if at.After(r.last.Time) {
		r.last = moment{at, source}
	}
}

// find adds a finding about a container, up to the limit.
func (r *reading) find(code string, severity model.Severity, file, message string) {
	r.findings++
	switch {
	case r.findings <= maxFindings:
		r.Find(code, severity, file, 0, "%s", message)
	case r.findings == maxFindings+1:
		r.Find(CodeMore, model.Info, "", 0, "there are more findings about containers than are listed")
	}
}

// conclude records the facts from all containers together, and the facts that are missing.
func (r *reading) conclude(g *group) {
	about := r.About
	if source := g.named(); g.prefix == "" {
		r.Note("id", about.ID, source)
	} else {
		r.Note("id", about.ID, source+", "+g.containers[0].name.Habit)
		for _, part := range parts(g.prefix) {
			r.Note(part[0], part[1], source)
		}
	}
	r.told.addFacts(r.Facts)
	r.TellTime(&about.Start, "start", r.first.Time,
		r.first.source+", the earliest; only names and first records were looked at")
	if len(g.containers) > 1 && r.last.After(r.first.Time) {
		r.Note("last container begun", r.last.Format(time.RFC3339Nano),
			r.last.source+"; when the crawl ended is not known before the containers are read")
	}
	r.Note("documentation", string(model.Undocumented),
		"only containers, their indexes and checksums lie here: no log, no configuration, no report")
	missing := ""
	for _, fact := range []struct {
		name, value string
	}{{"user agent", about.UserAgent}, {"robots policy", about.Robots}, {"operator", about.Operator},
		{"software", about.Software}} {
		if fact.value == "" {
			missing += fact.name + ", "
		}
	}
	r.Find(CodeUndocumented, model.Info, "", 0,
		"harvest documentation: absent. Nothing tells %sseeds, scope, limits, why the crawl ended, or what was not "+
			"captured", missing)
}

// named returns the source of the group's name.
func (g *group) named() string {
	switch c := g.containers[0]; {
	case c.renamed:
		return "names under which the containers were written, as their first records have them"
	case g.prefix != "":
		return "names of the containers"
	case len(g.containers) == 1:
		return "name of the container"
	}
	return "name of the folder"
}
