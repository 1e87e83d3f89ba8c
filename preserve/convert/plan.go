package convert

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/internal/archivefs"
	"quire/metadata/oclc"
	"quire/model"
	"quire/source"
	"quire/source/detect"
	"quire/source/records"
)

// Action is the treatment of a file of a source.
type Action string

// The actions.
const (
	ConvertARC Action = "converted"  // an ARC becomes a WARC
	KeepWARC   Action = "copied"     // a WARC stays unchanged
	Mirrored   Action = "mirrored"   // a file of a mirror: its content goes into the WARC of its harvest
	Document   Action = "documents"  // a log, a report, a configuration: about the harvest, not content
	Unclaimed  Action = "unclaimed"  // belongs to no harvest
	Unreadable Action = "unreadable" // named as a container, but not one
	// JoinSegments is not the action for a file: segments of a record in copied WARCs became one record
	JoinSegments Action = "joined"
	Opened       Action = "opened" // an archive; its files are reported one by one
)

// Step is one file or one mirror with its action.
type Step struct {
	Action   Action
	Harvest  int // index in Plan.Harvests; -1 if it belongs to none
	Tree     *archivefs.Tree
	File     model.SourceFile // of a mirror, its Path is the folder
	Modified time.Time
	Mirror   source.Mirror // of a mirror
	Name     string        // path within the source, including enclosing archives
	Output   string        // path of the WARC below the folder of results; "" if none
	Why      string        // why it is unclaimed
}

// Plan lists the actions for a source.
type Plan struct {
	Harvests []detect.Harvest
	Findings []model.Finding
	Bytes    int64 // to be read

	steps    []planned
	roots    []string
	prefixes []string // of the names of the files in each root
}

// Make reads the harvests of a source and decides the action for each file.
func Make(ctx context.Context, s *detect.Source) (*Plan, error) {
	p := &planner{Plan: &Plan{Findings: slices.Clone(s.Findings), roots: s.Paths, prefixes: prefixes(s.Paths)},
		taken: names{}}
	var described []detect.Harvest
	for h, err := range s.Harvests(ctx) {
		if err != nil {
			return nil, err
		}
		if isDescribed(h.About()) {
			described = append(described, h)
			continue
		}
		p.Harvests = append(p.Harvests, h)
		p.Findings = append(p.Findings, h.About().Findings...)
		if err := p.harvest(ctx, h, len(p.Harvests)-1); err != nil {
			return nil, err
		}
	}
	if err := p.descriptions(ctx, described); err != nil {
		return nil, err
	}
	for _, a := range s.Opened {
		p.add(Step{Action: Opened, Harvest: -1, Tree: a.Tree,
			File: model.SourceFile{Path: a.Path, Size: a.Size, Role: model.RoleOther}})
	}
	if err := p.archives(); err != nil {
		return nil, err
	}
	for _, u := range s.Unclaimed {
		p.add(Step{Action: Unclaimed, Harvest: -1, Tree: u.Tree,
			File: model.SourceFile{Path: u.Path, Size: u.Size, Role: model.RoleOther}, Why: u.Why})
	}
	return p.Plan, nil
}

type planner struct {
	*Plan
	taken names
}

// archives adds the named sources that are archives themselves.
func (p *planner) archives() error {
	seen := map[string]bool{}
	for _, h := range p.Harvests {
		t := h.Found.Tree
		if h.Found.Archive != "" || t.Kind() == archivefs.Folder || t.Kind() == archivefs.Virtual || seen[t.Path()] {
			continue
		}
		seen[t.Path()] = true
		single, err := archivefs.Single(t.Path())
		if err != nil {
			return err
		}
		f := single.Files()[0]
		p.add(Step{Action: Opened, Harvest: -1, Tree: single,
			File: model.SourceFile{Path: f.Path, Size: f.Size, Role: model.RoleOther}})
	}
	return nil
}

// isDescribed reports whether a harvest consists only of description containers that "quire
// describe --out" added.
func isDescribed(about *model.Harvest) bool {
	return about.System == model.Bare && about.Note == oclc.InfoOfDescriptions
}

// descriptions plans containers of descriptions. Their content was not captured, so they belong to
// no harvest. If the source has nothing else, they are planned as normal containers.
func (p *planner) descriptions(ctx context.Context, described []detect.Harvest) error {
	alone := len(p.Harvests) == 0
	for _, h := range described {
		n := -1
		if alone {
			p.Harvests = append(p.Harvests, h)
			p.Findings = append(p.Findings, h.About().Findings...)
			n = len(p.Harvests) - 1
		}
		if err := p.harvest(ctx, h, n); err != nil {
			return err
		}
	}
	return nil
}

// harvest plans the files of one harvest; n is its index in Plan.Harvests, or -1.
func (p *planner) harvest(ctx context.Context, h detect.Harvest, n int) error {
	about := h.About()
	known := separate(about)
	mirror, isMirror := h.Harvest.(source.Mirror)
	if isMirror {
		var err error
		if isMirror, err = holdsContent(ctx, mirror); err != nil {
			return err
		}
	}
	if isMirror {
		root := h.Found.Root
		step := Step{Action: Mirrored, Harvest: n, Tree: h.Found.Tree, File: model.SourceFile{Path: root},
			Mirror: mirror}
		p.add(step)
	}
	for _, file := range h.Found.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if slices.Contains(h.Found.Shared, file) {
			continue // part of an earlier harvest
		}
		f := known.file(h.Found.Tree, file)
		step := Step{Action: Document, Harvest: n, Tree: h.Found.Tree, File: f}
		switch {
		case f.Role == model.RoleContainer:
			action, err := p.container(h.Found.Tree, file)
			if err != nil {
				return err
			}
			step.Action = action
		case isMirror:
			step.Action = Mirrored
			p.addMirrored(step, about)
			continue
		}
		p.add(step)
	}
	return nil
}

// holdsContent reports whether a mirror lists any URL: only its logs may remain.
func holdsContent(ctx context.Context, m source.Mirror) (bool, error) {
	for _, err := range m.Resources(ctx, func(model.Finding) {}) {
		return err == nil, err
	}
	return false, ctx.Err()
}

// container decides the action for a file with the name of a container.
func (p *planner) container(t *archivefs.Tree, file string) (Action, error) {
	c, err := t.Open(file)
	if archivefs.Damaged(err) {
		p.Findings = append(p.Findings,
			model.Finding{Code: string(archivefs.FaultTorn), Severity: model.Error, Path: p.within(t, file),
				Message: "the archive damaged this file: " + err.Error()})
		return Unreadable, nil
	}
	if err != nil {
		return "", err
	}
	format, err := records.Sniff(c)
	if err = errors.Join(err, c.Close()); err != nil {
		return "", err
	}
	switch format {
	case records.ARC:
		return ConvertARC, nil
	case records.WARC:
		return KeepWARC, nil
	}
	return Unreadable, nil
}

// add completes a step and adds it to the plan.
func (p *planner) add(s Step) {
	p.complete(&s)
	switch {
	case s.Action == ConvertARC:
		s.Output = p.taken.warc(s.Name)
	case s.Mirror != nil:
		s.Output = p.taken.distinct(s.Name, ".warc.gz")
	case s.Action == KeepWARC:
		stem, ending := split(s.Name)
		s.Output = p.taken.distinct(stem, ending)
	}
	if s.Action == ConvertARC || s.Action == KeepWARC {
		p.Bytes += s.File.Size
	}
	p.steps = append(p.steps, planned{Step: s})
}

// within returns the path of a file relative to the source that the user named, after the prefix of
// that source.
func (p *Plan) within(t *archivefs.Tree, file string) string {
	whole := filepath.Join(t.Path(), filepath.FromSlash(file))
	for i, root := range p.roots {
		below, err := filepath.Rel(root, whole)
		switch {
		case err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)):
		case below == ".":
			return path.Join(p.prefixes[i], BaseName(root))
		default:
			return path.Join(p.prefixes[i], filepath.ToSlash(below))
		}
	}
	return file
}

// split separates the ending of a WARC from its name.
func split(name string) (stem, ending string) {
	for _, e := range []string{".warc.gz", ".warc.zst", ".warc"} {
		if len(name) > len(e) && strings.EqualFold(name[len(name)-len(e):], e) {
			return name[:len(name)-len(e)], name[len(name)-len(e):]
		}
	}
	return name, ""
}
