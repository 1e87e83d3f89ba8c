package oaiharvest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/internal/facts"
)

// Codes of findings about a folder with a harvest.json.
const (
	CodeUnfinished = "HARVEST-UNFINISHED" // stopped before its end, and not resumed
	CodeIncomplete = "HARVEST-INCOMPLETE" // the server does not deliver listed records, or their bytes
	CodeListed     = "SOURCE-LISTED"      // a container named in the state is missing
	CodeSize       = "SOURCE-SIZE"        // the size of a container differs from the state
)

// harvest is one folder.
type harvest struct{ about model.Harvest }

var _ source.Harvest = (*harvest)(nil)

// About returns the known facts about the harvest.
func (h *harvest) About() *model.Harvest { return &h.about }

// Fetches yields nothing: an OAI-PMH harvest requests lists, and the containers have the outcome of
// each record.
func (h *harvest) Fetches(context.Context, func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(func(model.Fetch, error) bool) {}
}

// reading is a harvest while it is read.
type reading struct {
	*facts.Facts
	tree  *archivefs.Tree
	root  string
	state *State
}

func read(ctx context.Context, t *archivefs.Tree, root string, files []string) (source.Harvest, error) {
	state, err := load(t, path.Join(root, StateFile))
	if err != nil {
		return nil, err
	}
	h := &harvest{model.Harvest{System: model.OAIPMH, Documentation: model.Documented}}
	r := &reading{Facts: facts.New(&h.about), tree: t, root: root, state: state}
	r.list(files)
	r.server()
	r.tools()
	for i := range state.Windows {
		r.window(i)
	}
	r.sums()
	r.findings()
	r.containers()
	return h, ctx.Err()
}

func (r *reading) stateFile() string { return path.Join(r.root, StateFile) }

// list lists the files with their roles.
func (r *reading) list(files []string) {
	for _, p := range files {
		role := model.RoleReport
		switch name := path.Base(p); {
		case isContainer(name):
			role = model.RoleContainer
		case name == StateFile && p == r.stateFile():
			role = model.RoleConfiguration
		case name == FindingsFile || name == DeletedFile:
			role = model.RoleLog
		case strings.HasPrefix(name, SeenFile):
			role = model.RoleCache
		case strings.Contains(p, ContentDir+"/"):
			role = model.RoleContent
		}
		r.AddFile(model.SourceFile{Path: p, Size: r.tree.Find(p).Size, Role: role})
	}
}

// server adds the server's description of itself, and the requests sent to it.
func (r *reading) server() {
	s, about, file := r.state, r.About, r.stateFile()
	about.ID = strings.TrimSuffix(path.Base(strings.TrimSuffix(r.tree.NameOf(r.root), "/")), ".harvest")
	r.Note("id", about.ID, "name of the folder")
	r.AddSeedOf(s.BaseURL, file+", base_url")
	if v := s.Server; v != nil {
		r.Set(&about.Title, "title", v.Name, "repositoryName of Identify, in "+file)
		for _, e := range v.AdminEmails {
			r.Note("administrator of the server", e, "adminEmail of Identify, in "+file)
		}
		r.Note("deleted records", v.DeletedRecord, "deletedRecord of Identify, in "+file)
		r.Note("granularity", v.Granularity, "granularity of Identify, in "+file)
		r.Note("earliest datestamp", v.EarliestDatestamp, "earliestDatestamp of Identify, in "+file)
	}
	r.Set(&about.UserAgent, "user agent", s.UserAgent, file+", user_agent")
	r.Rule("metadataPrefix "+s.Prefix+" ("+s.PrefixWhy+")", file)
	if s.Set != "" {
		r.Rule("set "+s.Set, file)
	}
}

// tools adds the software: Quire, and the tools that the server ran on each resource.
func (r *reading) tools() {
	r.Set(&r.About.Software, "software", r.state.Software, r.stateFile()+", software")
	for _, t := range r.state.Tools {
		name := t.Label
		if t.Version != "" {
			name += " " + strings.Join(strings.Fields(t.Version), " ")
		}
		r.Note("software", name,
			fmt.Sprintf("%s, tools: the server ran it, and sent %d outputs of it with the resources, of which %d say "+
				"that it failed", r.stateFile(), t.Outputs, t.Failed))
	}
}

// window adds the facts about one harvest of the changes between two moments.
func (r *reading) window(i int) {
	w, about, file := &r.state.Windows[i], r.About, fmt.Sprintf("%s, window %d", r.stateFile(), i+1)
	if about.Start.IsZero() {
		r.TellTime(&about.Start, "start", w.Began, file)
	}
	from := w.From
	if from == "" {
		from = "the begin"
	}
	r.Rule(fmt.Sprintf("changed from %s (%s) until %s (%s)", from, w.FromWhy, w.Until, w.UntilWhy), file)
	if w.Ended == nil {
		r.Find(CodeUnfinished, model.Warning, r.stateFile(), 0,
			"the harvest from %s until %s was stopped after %d pages, and not resumed", from, w.Until, w.Pages)
		return
	}
	about.End, about.EndReason = *w.Ended, w.End
	r.Note("end", about.End.Format("2006-01-02T15:04:05Z07:00"), file)
	r.Note("end reason", w.End, file)
	if !w.Complete {
		r.Find(CodeIncomplete, model.Error, r.stateFile(), 0, "the harvest from %s until %s is incomplete: %s", from,
			w.Until, w.End)
	} else if lacking := w.Counts.Lacking(); lacking != "" {
		r.Find(CodeIncomplete, model.Error, r.stateFile(), 0, "the harvest from %s until %s is incomplete: %s", from,
			w.Until, lacking)
	}
	if w.Restarts > 0 {
		r.Note("lists asked for anew", strconv.FormatInt(w.Restarts, 10), file)
	}
}

// sums adds the counts, in the terms of harvest.json.
func (r *reading) sums() {
	c := r.state.Counts
	for _, n := range []struct {
		name string
		n    int64
	}{
		{"records", c.Records}, {"deleted records", c.Deleted}, {"refused records", c.Refused},
		{"records had already", c.Duplicates},
		{"resources", c.Resources}, {"bytes of resources", c.Bytes}, {"resources fetched by reference", c.Referred},
		{"missing resources", c.Missing},
		{"resources that differ from what was said of them", c.Differing}, {"outputs of tools", c.Outputs},
		{"bytes received", c.Received},
	} {
		value := strconv.FormatInt(n.n, 10)
		r.About.Counted = append(r.About.Counted, model.Field{Name: n.name, Value: value})
		r.Note(n.name, value, r.stateFile()+", counts")
	}
}

// findings adds the findings by code; a separate file has all of them.
func (r *reading) findings() {
	first := map[string]Finding{}
	for _, f := range r.state.First {
		first[f.Code] = f
	}
	for _, code := range slices.Sorted(maps.Keys(r.state.Findings)) {
		f := first[code]
		severity := model.Severity(f.Severity)
		if severity != model.Info && severity != model.Error {
			severity = model.Warning
		}
		r.Find(code, severity, path.Join(r.root, FindingsFile), 0, "%d times; the first: %s", r.state.Findings[code],
			f.Message)
	}
}

// containers compares the containers in the state with the files present.
func (r *reading) containers() {
	for _, f := range r.state.Files {
		p := path.Join(r.root, f.Name)
		switch is := r.tree.Find(p); {
		case is == nil:
			r.Find(CodeListed, model.Warning, p, 0, "the state names this container, but it is missing")
		case is.Size != f.Bytes:
			r.Find(CodeSize, model.Warning, p, 0,
				"it has %d bytes, but %d in the state: either the end was not finished, or data was "+
					"lost", is.Size, f.Bytes)
		}
	}
}
