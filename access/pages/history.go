package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/access/address"
	"quire/holdings"
	"quire/model"
	"quire/preserve/aip"
)

// eventPage is the list of events of a package.
type eventPage struct {
	Title string
	Years []year
	Pager pager
	Site  string
}

type year struct {
	Year   string
	Events []eventLine
}

// eventLine is an event as a sentence, with its evidence.
type eventLine struct {
	Sentence, When, Machine, Class string
	Outcome, Detail, NotesTitle    string
	Notes                          []string

	at time.Time
}

// eventsAPage is the number of events on a page.
const eventsAPage = 100

func (s *site) history(q *request) (answer, error) {
	p, err := s.pkg(q, q.place.ID)
	if err != nil {
		return answer{}, err
	}
	events := make([]eventLine, 0, len(p.Events))
	for i := range p.Events {
		events = append(events, s.describeEvent(&p.Events[i]))
	}
	slices.SortStableFunc(events, func(a, b eventLine) int { return b.at.Compare(a.at) })
	h := eventPage{Title: p.Title, Site: s.ui.Site(p.ID)}
	v, _ := url.ParseQuery(q.place.Arguments) // unreadable parts are not from our pages
	for _, e := range s.pageFrom(v.Get("from"), events, &h.Pager, s.ui.History(p.ID)) {
		name := s.words.T("history.undated")
		if !e.at.IsZero() {
			name = strconv.Itoa(e.at.UTC().Year())
		}
		if n := len(h.Years); n == 0 || h.Years[n-1].Year != name {
			h.Years = append(h.Years, year{Year: name})
		}
		last := &h.Years[len(h.Years)-1]
		last.Events = append(last.Events, e)
	}
	return answer{template: "history.html", title: s.words.T("history.title", p.Title), body: h, private: true,
		crumbs: s.trail(link{p.Title, h.Site}, link{s.words.T("history.kicker"), ""})}, nil
}

// pageFrom selects a page of a list, and links to its neighbours.
func (s *site) pageFrom(start string, all []eventLine, p *pager, at string) []eventLine {
	from, err := strconv.Atoi(start)
	if err != nil || from < 0 || from >= len(all) {
		from = 0
	}
	to := min(from+eventsAPage, len(all))
	if from > 0 {
		p.Prev = at + "?from=" + strconv.Itoa(max(0, from-eventsAPage))
	}
	if to < len(all) {
		p.Next = at + "?from=" + strconv.Itoa(to)
	}
	if len(all) > eventsAPage {
		p.Words = s.words.T("pager.of", s.words.Number(int64(from+1)), s.words.Number(int64(to)),
			s.words.Number(int64(len(all))))
	}
	return all[from:to]
}

// describeEvent returns the line that describes an event: type, time, agent, outcome and evidence.
func (s *site) describeEvent(e *holdings.Event) eventLine {
	out := eventLine{Sentence: s.sentence(e), at: e.Time, Detail: e.Detail, Notes: e.Notes, Class: classOf(e.Outcome)}
	if !e.Time.IsZero() {
		out.Machine = e.Time.UTC().Format(time.RFC3339)
		out.When = s.words.When(address.Timestamp(e.Time)[:12])
		if !e.End.IsZero() && e.End.Sub(e.Time) >= time.Minute {
			out.When = s.words.T("date.span", out.When, s.words.When(address.Timestamp(e.End)[:12]))
		}
	}
	var outcome []string
	if len(e.Agents) > 0 {
		outcome = append(outcome, s.words.T("history.by", s.words.List(e.Agents)))
	}
	switch key := "history.outcome." + keyOf(e.Outcome); {
	case s.words.Has(key):
		outcome = append(outcome, s.words.T(key))
	case e.Outcome != "":
		outcome = append(outcome, s.words.T("history.outcome", e.Outcome))
	}
	out.Outcome = strings.Join(outcome, " ")
	if len(e.Notes) > 0 {
		out.NotesTitle = s.words.N("history.notes", int64(len(e.Notes)))
	}
	return out
}

// keyOf returns the end of the key of a UI string for a term: "viral, cleaned" has viral-cleaned.
func keyOf(term string) string {
	return strings.NewReplacer(",", "", " ", "-").Replace(strings.ToLower(term))
}

// sentence describes the type of an event. Without a UI string for it, it shows the type itself.
func (s *site) sentence(e *holdings.Event) string {
	name := keyOf(e.Type)
	if aip.IsCompletenessEvent(e.ID) { // a validation of a harvest, not of a file
		name = "completeness"
	}
	if key := "event.repository." + name; e.Repository && s.words.Has(key) {
		return s.words.T(key)
	}
	if s.words.Has("event." + name) {
		return s.words.T("event." + name)
	}
	return s.words.T("event.other", e.Type)
}

// classOf returns the CSS class of an event that did not succeed.
func classOf(outcome string) string {
	switch o := model.EventOutcome(strings.ToLower(outcome)); o {
	case model.Fail, model.ViralForced:
		return string(model.Fail)
	case model.Warned, model.ViralCleaned:
		return string(model.Warned)
	}
	return ""
}
