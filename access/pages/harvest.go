package pages

import (
	"slices"
	"strings"

	"quire/access/address"
	"quire/holdings"
)

// harvestPage describes one run of a crawler.
type harvestPage struct {
	Title, Lead string
	Figures     []figure
	Facts       []fact
	Further     []fact   // as recorded, under technical names
	Found       []string // oddities in its documents
	Missed      []missedRow
	MissedList  string // address of the full list; "" if none
	MissedWords string
	MissedNotes []string
	Charts      []chart
	Checks      []check
	Files       []fileLine
	Steps       []link
	Curator     bool // curators see missing parts; others may not
}

func (s *site) harvest(q *request) (answer, error) {
	p, err := s.pkg(q, q.place.ID)
	if err != nil {
		return answer{}, err
	}
	n := q.place.Number
	if n > len(p.Harvests) {
		return answer{}, errNotFound
	}
	h := &harvestPage{Title: s.words.T("harvest.title", p.Title, s.harvestName(&p.Harvests[n-1]))}
	s.gathered(h, &p.Harvests[n-1])
	if err := s.linkMissed(q, h, p.ID, n); err != nil {
		return answer{}, err
	}
	sums, err := s.h.ContainerSums(q.Context(), q.who, p.ID)
	if err != nil {
		return answer{}, err
	}
	if len(p.Harvests) > 1 {
		sums = slices.DeleteFunc(sums, func(c holdings.ContainerSum) bool { return c.Harvest != n })
	}
	h.Curator = q.who.Class == holdings.Staff
	s.sums(h, sums)
	s.checks(h, sums)
	s.filesOf(h, p, n)
	if n > 1 {
		h.Steps = append(h.Steps, link{"← " + s.words.T("site.harvest", n-1), s.ui.Harvest(p.ID, n-1)})
	}
	h.Steps = append(h.Steps, link{s.words.T("banner.site"), s.ui.Site(p.ID)},
		link{s.words.T("site.history"), s.ui.History(p.ID)})
	if n < len(p.Harvests) {
		h.Steps = append(h.Steps, link{s.words.T("site.harvest", n+1) + " →", s.ui.Harvest(p.ID, n+1)})
	}
	return answer{template: "harvest.html", title: h.Title, body: h,
		crumbs: s.trail(link{p.Title, s.ui.Site(p.ID)}, link{s.words.T("site.harvest", n), ""})}, nil
}

// shownFacts are the harvest facts with a name for readers, in display order; others follow under
// their own names.
var shownFacts = []string{"software", "operator", "organization", "user agent", "robots", "system", "end reason",
	"seed"}

// mostValues is the number of values shown for one fact.
const mostValues = 40

// gathered describes the run: dates, software, seeds, and the URLs not captured.
func (s *site) gathered(h *harvestPage, run *holdings.Harvest) {
	if !run.Start.IsZero() {
		h.Lead = s.words.When(address.Timestamp(run.Start)[:12])
		if !run.End.IsZero() {
			h.Lead = s.words.T("date.span", h.Lead, s.words.When(address.Timestamp(run.End)[:12]))
		}
	}
	for _, name := range shownFacts {
		for _, f := range run.Facts {
			if f.Name == name {
				value := f.Value
				// "wget; harvest documentation: partly-documented": the part after the semicolon is
				// a finding
				if name == "system" {
					value, _, _ = strings.Cut(value, ";")
				}
				h.Facts = addSome(h.Facts, s.words.T("harvest.fact."+strings.ReplaceAll(name, " ", "-")), value)
			}
		}
	}
	for _, f := range run.Facts {
		if code, ok := strings.CutPrefix(f.Name, "finding "); ok {
			h.Found = append(h.Found, code+": "+f.Value)
		} else if !slices.Contains(shownFacts, f.Name) {
			h.Further = addSome(h.Further, f.Name, f.Value)
		}
	}
	for _, n := range run.Notes {
		h.Further = addSome(h.Further, s.words.T("site.fact.note"), n)
	}
	s.missed(h, run)
}

// addSome adds a value to a fact, up to a limit of values.
func addSome(all []fact, label, value string) []fact {
	if i := slices.IndexFunc(all, func(f fact) bool { return f.Label == label }); i >= 0 &&
		len(all[i].Values) >= mostValues {
		return all
	}
	return addFact(all, label, link{Text: value})
}
