package pages

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/access/address"
)

// past is the history of a package.
type past struct {
	Title string
	Years []year
	Pager pager
	Site  string
}

type year struct {
	Year   string
	Events []told
}

// told is an event in a sentence, with its evidence.
type told struct {
	Sentence, When, Machine, Class string
	Outcome, Detail, NotesTitle    string
	Notes                          []string

	at time.Time
}

// eventsAPage is how many events a page of a history has.
const eventsAPage = 100

func (s *site) history(q *request) (answer, error) {
	p, err := s.pkg(q, q.place.ID)
	if err != nil {
		return answer{}, err
	}
	a, err := s.account(q, p)
	if err != nil {
		return answer{}, err
	}
	events := make([]told, 0, len(a.events)+len(p.logged))
	for i := range a.events {
		events = append(events, s.told(&a.events[i]))
	}
	for i := range p.logged {
		events = append(events, s.told(&p.logged[i]))
	}
	slices.SortStableFunc(events, func(a, b told) int { return b.at.Compare(a.at) })
	h := past{Title: p.Title, Site: s.ui.Site(p.ID)}
	v, _ := url.ParseQuery(q.place.Arguments)
	from, events := s.pageFrom(v.Get("from"), events, &h.Pager, s.ui.History(p.ID))
	_ = from
	for _, e := range events {
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
		crumbs: []link{{s.words.T("nav.sites"), string(s.ui) + "/site/"}, {p.Title, h.Site}, {s.words.T("history.kicker"), ""}}}, nil
}

// pageFrom cuts a page from a list, and links to those beside it.
func (s *site) pageFrom(start string, all []told, p *pager, at string) (int, []told) {
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
		p.Words = s.words.T("pager.of", s.words.Number(int64(from+1)), s.words.Number(int64(to)), s.words.Number(int64(len(all))))
	}
	return from, all[from:to]
}

// told puts an event in words: what, when, by whom, how it went, and on what evidence.
func (s *site) told(e *happening) told {
	out := told{Sentence: s.sentence(e.kind), at: e.from, Detail: strings.Join(e.details, "; "), Notes: e.notes, Class: classOf(e.outcome)}
	if !e.from.IsZero() {
		out.Machine = e.from.UTC().Format(time.RFC3339)
		out.When = s.words.When(address.Timestamp(e.from)[:12])
		if !e.to.IsZero() && e.to.Sub(e.from) >= time.Minute {
			out.When = s.words.T("date.span", out.When, s.words.When(address.Timestamp(e.to)[:12]))
		}
	}
	var outcome []string
	if len(e.agents) > 0 {
		outcome = append(outcome, s.words.T("history.by", s.words.list(e.agents)))
	}
	switch key := "history.outcome." + strings.ToLower(e.outcome); {
	case s.words.has(key):
		outcome = append(outcome, s.words.T(key))
	case e.outcome != "":
		outcome = append(outcome, s.words.T("history.outcome", e.outcome))
	}
	out.Outcome = strings.Join(outcome, " ")
	if len(e.notes) > 0 {
		out.NotesTitle = s.words.N("history.notes", int64(len(e.notes)))
	}
	return out
}

// sentence says what an event was. Of a type that nobody has words for, the type is told.
func (s *site) sentence(kind string) string {
	key := "event." + strings.ReplaceAll(strings.ToLower(kind), " ", "-")
	if s.words.has(key) {
		return s.words.T(key)
	}
	return s.words.T("event.other", kind)
}

// classOf is how an event looks that did not go well.
func classOf(outcome string) string {
	if o := strings.ToLower(outcome); o == "fail" || o == "warning" {
		return o
	}
	return ""
}

// noteAfter gives what follows a beginning in the notes of an event: "software: Heritrix (from …)" → "Heritrix", "…".
func (h *happening) notesOf(name string) (values []string) {
	for _, n := range h.notes {
		if rest, ok := strings.CutPrefix(n, name+": "); ok {
			values = append(values, rest)
		}
	}
	return values
}

// withoutSource takes the evidence from a fact: the history has it.
func withoutSource(fact string) string {
	if i := strings.LastIndex(fact, " (from "); i > 0 {
		return fact[:i]
	}
	return fact
}

// missedOf reads what was not captured from the notes of a capture (docs/package-format.md, 3.3): "not captured, robots: 17".
func (h *happening) missedOf() (missed []count, attempts string) {
	for _, n := range h.notes {
		if rest, ok := strings.CutPrefix(n, "the logs tell of "); ok {
			attempts = rest
		}
		var c count
		rest, ok := strings.CutPrefix(n, "not captured, ")
		if !ok {
			continue
		}
		name, number, ok := strings.Cut(rest, ": ")
		if _, err := fmt.Sscan(number, &c.N); ok && err == nil {
			c.Name = name
			missed = append(missed, c)
		}
	}
	slices.SortStableFunc(missed, func(a, b count) int { return cmp.Compare(b.N, a.N) })
	return missed, attempts
}

// count is how often something occurred, and how much it takes.
type count struct {
	Name  string
	N     int64
	Bytes int64
}
