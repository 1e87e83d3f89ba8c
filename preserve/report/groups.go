package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"quire/internal/humanize"
	"quire/model"
	"quire/model/finding"
)

const (
	exampleCount = 3    // examples per code
	groupCount   = 1000 // limit of distinct codes; the catalogue has far fewer
)

// group is the findings of one code.
type group struct {
	Code       string
	Severity   model.Severity
	Count      int64
	Containers int64
	Examples   []model.Finding
	Explained  finding.Entry
}

// Unshown returns the number of findings of the group without its examples.
func (g *group) Unshown() int64 { return g.Count - int64(len(g.Examples)) }

// groups sorts findings by code.
type groups map[string]*group

// add counts the findings of a container. Examples come from different containers, if possible.
// Severities come from the findings, because a policy may have changed them.
func (gs groups) add(c *model.Container, explain Explainer) {
	counts := countsOf(c)
	for code, count := range counts {
		g := gs[code]
		if g == nil {
			if len(gs) >= groupCount {
				continue
			}
			g = &group{Code: code, Explained: explain.entry(code)}
			gs[code] = g
		}
		g.Count += count
		g.Containers++
	}
	taken := map[string]bool{}
	for _, f := range c.Findings {
		g := gs[f.Code]
		if g == nil {
			continue
		}
		if g.Severity == "" || rank(f.Severity) < rank(g.Severity) {
			g.Severity = f.Severity
		}
		if len(g.Examples) < exampleCount && !taken[f.Code] {
			taken[f.Code] = true
			g.Examples = append(g.Examples, example(c, f))
		}
	}
	for code := range counts {
		if g := gs[code]; g != nil {
			g.Severity = cmp.Or(g.Severity, g.Explained.Severity)
		}
	}
}

func example(c *model.Container, f model.Finding) model.Finding {
	if f.Path == "" {
		f.Path = c.Path
	}
	return f
}

// countsOf returns the number of findings of a container by code. If the container has no counts,
// it counts the listed findings.
func countsOf(c *model.Container) map[string]int64 {
	counts := maps.Clone(c.FindingCounts)
	if counts == nil {
		counts = map[string]int64{}
	}
	if len(counts) == 0 {
		for _, f := range c.Findings {
			counts[f.Code]++
		}
	}
	return counts
}

// sorted returns the groups: errors first, then by frequency.
func (gs groups) sorted() []*group {
	return slices.SortedFunc(maps.Values(gs), func(a, b *group) int {
		return cmp.Or(cmp.Compare(rank(a.Severity), rank(b.Severity)), cmp.Compare(b.Count, a.Count),
			cmp.Compare(a.Code, b.Code))
	})
}

// summary returns the number of findings by severity, the worst first: ": 2 errors, 1 warning".
func (gs groups) summary() string {
	counts := map[model.Severity]int64{}
	for _, g := range gs {
		counts[g.Severity] += g.Count
	}
	var parts []string
	for _, s := range []struct {
		severity  model.Severity
		one, many string
	}{{model.Error, "error", "errors"}, {model.Warning, "warning", "warnings"}, {model.Info, "info", "infos"}} {
		if n := counts[s.severity]; n > 0 {
			parts = append(parts, humanize.Number(n, s.one, s.many))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// rank orders severities, the worst first; an unknown one comes last.
func rank(s model.Severity) int {
	switch s {
	case model.Error:
		return 0
	case model.Warning:
		return 1
	case model.Info:
		return 2
	}
	return 3
}

// Explainer looks up a code in the caller's catalogue. A nil Explainer knows none.
type Explainer func(code string) (finding.Entry, bool)

func (e Explainer) entry(code string) finding.Entry {
	if e == nil {
		return finding.Entry{}
	}
	found, _ := e(code)
	return found
}
