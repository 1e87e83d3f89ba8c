package survey

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"quire/model"
	"quire/source"
	"quire/source/detect"
)

// Options control the detail of a survey. The zero value omits everything that needs another
// reading of the logs.
type Options struct {
	All     bool // every seed, every rule of the scope, and every file by name
	Fetches bool // count the outcomes of the URLs, which requires reading the logs
}

// The limits of the lists without Options.All.
const (
	seedsListed     = 10
	unclaimedListed = 1000
	logFindings     = 100 // of one code, about lines of a log
)

// Make reads the harvests of a source. An unreadable harvest is part of the result; the error is a
// system error.
func Make(ctx context.Context, s *detect.Source, o Options) (*Survey, error) {
	v := &Survey{Sources: s.Paths, Findings: s.Findings, UnclaimedTotal: int64(len(s.Unclaimed))}
	for h, err := range s.Harvests(ctx) {
		var machine *fs.PathError
		if ctx.Err() != nil || errors.As(err, &machine) {
			return nil, errors.Join(err, ctx.Err())
		}
		told := recognised(h.Found)
		if err != nil {
			told.Error = err.Error()
		} else if err := told.fill(ctx, h, o); err != nil {
			return nil, err
		}
		v.Harvests = append(v.Harvests, told)
	}
	for _, a := range s.Opened {
		v.Opened = append(v.Opened, File{filepath.Join(a.Tree.Path(), a.Path), a.Size, model.RoleOther})
	}
	for i, u := range s.Unclaimed {
		if i == unclaimedListed && !o.All {
			break
		}
		v.Unclaimed = append(v.Unclaimed, Unclaimed{filepath.Join(u.Tree.Path(), u.Path), u.Size, u.Why})
	}
	return v, nil
}

// recognised returns how a harvest was found.
func recognised(f *detect.Found) HarvestSurvey {
	h := HarvestSurvey{System: f.Reader, Path: f.Path(), Archive: f.Archive, Root: f.Root, Why: f.Why,
		Counts: map[string]int64{}}
	for _, o := range f.Overridden {
		h.Overridden = append(h.Overridden, Overridden{o.Reader, o.Root, int64(o.Lost), o.Kept, o.Why, o.Claim.Why})
	}
	return h
}

// fill records the facts about a harvest.
func (h *HarvestSurvey) fill(ctx context.Context, from detect.Harvest, o Options) error {
	a := from.About()
	h.System = cmp.Or(string(a.System), h.System)
	h.ID, h.Collection, h.Title, h.Note = a.ID, a.Collection, a.Title, a.Note
	h.Software, h.Operator, h.Organization, h.Contact = a.Software, a.Operator, a.Organization, a.Contact
	h.UserAgent, h.Robots, h.Host, h.Limits, h.Counted = a.UserAgent, a.Robots, a.Host, a.Limits, a.Counted
	h.Start, h.End, h.EndReason, h.Documentation = a.Start, a.End, a.EndReason, a.Documentation
	h.SeedsTotal, h.ScopeTotal = int64(len(a.Seeds)), int64(len(a.Scope))
	h.Seeds, h.Scope, h.Description, h.Rights = a.Seeds, a.Scope, a.Description, a.Rights
	if !o.All {
		h.Seeds = a.Seeds[:min(len(a.Seeds), seedsListed)]
		h.Scope = a.Scope[:min(len(a.Scope), seedsListed)]
	}
	for _, f := range a.Foreign {
		h.Foreign = append(h.Foreign, Foreign{f.Name, f.Job, f.Duplicates})
	}
	for _, e := range a.Expected {
		if e.Path == "" {
			h.Missing = append(h.Missing, e.Name)
		}
	}
	_, h.Mirror = from.Harvest.(source.Mirror)
	h.Evidence = a.Evidence
	h.files(from, o)
	for _, f := range a.Findings {
		h.Counts[f.Code]++
	}
	h.Findings = slices.Clip(a.Findings)
	if o.Fetches {
		return h.fetches(ctx, from)
	}
	return nil
}

// files counts the files by role, and lists the restricted files.
func (h *HarvestSurvey) files(from detect.Harvest, o Options) {
	files := slices.Clip(from.About().Files)
	told := map[string]bool{}
	for _, f := range files {
		told[f.Path] = true
	}
	for _, p := range from.Found.Files {
		if f := from.Found.Tree.Find(p); f != nil && !told[p] {
			files = append(files, model.SourceFile{Path: p, Size: f.Size, Role: model.RoleOther})
		}
	}
	counts := map[model.Role]*RoleCount{}
	for _, f := range files {
		if counts[f.Role] == nil {
			counts[f.Role] = &RoleCount{Role: f.Role}
		}
		counts[f.Role].Count++
		counts[f.Role].Bytes += f.Size
		h.FilesTotal++
		if f.Record == nil { // a file in a record is counted with its container
			h.BytesTotal += f.Size
		}
		if f.Restricted != "" {
			h.Restricted = append(h.Restricted, Restricted{f.Path, f.Restricted})
		}
		if o.All {
			h.Listed = append(h.Listed, File{f.Path, f.Size, f.Role})
		}
	}
	for _, role := range roles {
		if c := counts[role]; c != nil {
			h.Files = append(h.Files, *c)
		}
	}
}

// roles is the order of the roles in the output.
var roles = []model.Role{
	model.RoleContainer, model.RoleContent, model.RoleLog, model.RoleReport, model.RoleConfiguration, model.RoleIndex,
	model.RoleDescription, model.RoleCache, model.RoleArtefact, model.RoleOther,
}

// fetches counts the outcomes of the URLs.
func (h *HarvestSurvey) fetches(ctx context.Context, from detect.Harvest) error {
	h.Outcomes = &Outcomes{}
	missed := map[model.Miss]int64{}
	report := func(f model.Finding) {
		if h.Counts[f.Code]++; h.Counts[f.Code] <= logFindings {
			h.Findings = append(h.Findings, f)
		}
	}
	for fetch, err := range from.Fetches(ctx, report) {
		if err != nil {
			return err
		}
		h.Outcomes.Total++
		switch {
		case fetch.Miss != "":
			missed[fetch.Miss]++
		default:
			h.Outcomes.Captured++
		}
		if fetch.Duplicate != nil {
			h.Outcomes.Duplicates++
		}
	}
	for reason, count := range missed {
		h.Outcomes.Missed = append(h.Outcomes.Missed, MissCount{reason, count})
	}
	slices.SortFunc(h.Outcomes.Missed, func(a, b MissCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason))
	})
	return nil
}
