package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/statements"
)

type rightsCmd struct {
	Package string `arg:"" help:"The package folder."`
	URL     string `name:"url" placeholder:"URL" help:"A URL in the package. Default: the package as a whole."`
	Harvest int    `placeholder:"NUMBER" help:"Number of the harvest that captured the URL, from 1. Default: the statements of all harvests apply."`
	At      string `placeholder:"DATE" help:"The day to check, such as 2030-12-31. Default: today."`
	jsonFlag
}

// Run prints the readers that the rights allow.
func (c *rightsCmd) Run(t *terminal) error {
	day := statements.DayOf(time.Now())
	if c.At != "" {
		var ok bool
		if day, ok = statements.ParseDay(c.At); !ok {
			return fmt.Errorf("--at %q is not a date: write it as 2030-12-31", c.At)
		}
	}
	if c.URL != "" && !strings.Contains(c.URL, ":") {
		return fmt.Errorf("--url %q lacks its scheme: add http: or https: before it", c.URL)
	}
	set, err := statements.Load(os.DirFS(c.Package))
	if err != nil {
		return fmt.Errorf("the rights of %s: %w", c.Package, err)
	}
	if c.Harvest < 0 || c.Harvest > set.Harvests {
		return fmt.Errorf("--harvest %d: %s has %s", c.Harvest, c.Package,
			humanize.Number(int64(set.Harvests), "harvest", "harvests"))
	}
	d := set.Decide(statements.Query{URL: c.URL, Harvest: c.Harvest, At: day})
	if c.JSON {
		return t.json(d)
	}
	printDecision(t, d)
	return nil
}

// zones names the readers of a zone.
var zones = map[model.Zone]string{
	"": "no rights statement", model.Open: "open: everyone may see it",
	model.Onsite:     "onsite: in the reading rooms only",
	model.Restricted: "restricted: only by permission",
}

func printDecision(t *terminal, d *statements.Decision) {
	t.printf("%s\n", cmp.Or(d.URL, d.Package))
	t.printf("  on %s  %s\n", d.At, zones[d.Zone])
	for _, c := range d.Changes {
		t.printf("  from %s  %s\n", c.From, zones[c.Zone])
	}
	for i := range d.Evidence {
		printEvidence(t, &d.Evidence[i])
	}
	for _, p := range d.Parts {
		which := strings.Join(p.URLs, " ")
		if len(p.Except) > 0 {
			which += ", but not " + strings.Join(p.Except, " ")
		}
		t.printf("  for some URLs  %s: %s (%s)\n", which, zones[p.Zone], p.Statement)
	}
	for _, f := range d.Files {
		var parts []string
		if f.Total > 0 {
			parts = append(parts, humanize.Number(f.Total, "file", "files"))
		}
		if f.Sections > 0 {
			parts = append(parts, humanize.Number(f.Sections, "section of the METS", "sections of the METS"))
		}
		t.printf("  restricted in any case  %s: %s (%s)\n", strings.Join(parts, " and "), strings.Join(f.Why, "; "),
			f.ID)
	}
}

func printEvidence(t *terminal, e *statements.Evidence) {
	mark := ""
	if e.Decides {
		mark = ", decides"
	}
	parts := []string{string(e.Zone), e.Why, e.Authority, e.Agent}
	if e.Zone != "" && e.From != "" {
		parts = append(parts, "from "+string(e.From))
	}
	if e.Zone != "" && e.To != "" {
		parts = append(parts, "until "+string(e.To))
	}
	parts = append(append(parts, e.Notes...), "["+e.Source+"]")
	var there []string
	for _, p := range parts {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			there = append(there, p)
		}
	}
	t.printf("  %s (%s%s)  %s\n", e.Statement, e.Basis, mark, strings.Join(there, ", "))
}
