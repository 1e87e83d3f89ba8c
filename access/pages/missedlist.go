package pages

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"time"

	"quire/access/address"
	"quire/access/missed"
	"quire/holdings"
	"quire/model"
)

// missedPage lists the URLs that a harvest did not capture.
type missedPage struct {
	Kicker, Words string
	Notes         []string // gaps of the list
	Reasons       []choice
	Reason, Host  string
	Hosts         []choice
	Rows          []missedLine
	Action, JSON  string
	Pager         pager
	Links         []link
}

// choice is one of several filters of a list.
type choice struct {
	link
	Value string
	Count string // number of rows; "" if not shown
	Here  bool
}

// missedLine is one URL of the list.
type missedLine struct {
	URL, When, Reason, Code, Words, Message, Log, LogURL string
}

// missedShown is the number of rows on a page.
const missedShown = 100

// missedWait is the time that a reader waits for a list not yet built.
const missedWait = 5 * time.Second

// reasons are all reasons why a URL was not captured, in display order.
var reasons = []model.Miss{model.MissNetwork, model.MissServer, model.MissRobots, model.MissScope, model.MissQuota,
	model.MissUnwritten, model.MissUntried,
	model.MissOperator, model.MissSoftware}

// missedList serves the page of the list, or with as=json the same for programs.
func (s *site) missedList(q *request) (answer, error) {
	p, err := s.pkg(q, q.place.ID)
	if err != nil {
		return answer{}, err
	}
	n := q.place.Number
	if s.Missed == nil || n > len(p.Harvests) {
		return answer{}, errNotFound
	}
	names, err := s.h.Naming(q.Context(), q.who, p.ID, n)
	if err != nil || !names.Open() {
		return answer{}, errors.Join(notFoundIf(err), errNotFound)
	}
	ctx, cancel := context.WithTimeout(q.Context(), missedWait)
	defer cancel()
	list, err := s.Missed.Of(ctx, p.ID, n)
	if errors.Is(err, context.DeadlineExceeded) && q.Context().Err() == nil {
		return s.notYet(p, n), nil
	}
	if err != nil {
		return answer{}, notFoundIf(err)
	}
	defer func() { _ = list.Close() }() // only read
	l := &listing{site: s, p: p, n: n, list: list.For(names)}
	l.read(q.place.Arguments)
	page, err := l.list.Page(l.query)
	if err != nil {
		return answer{}, err
	}
	if l.json {
		return answer{stream: func(w http.ResponseWriter) { l.sendJSON(w, page) }}, nil
	}
	body := l.show(page)
	return answer{template: "missed.html", title: s.words.T("missed.title", body.Kicker), body: body, private: true,
		crumbs: s.trail(link{p.Title, s.ui.Site(p.ID)}, link{s.words.T("site.harvest", n), s.ui.Harvest(p.ID, n)},
			link{s.words.T("missed.crumb"), ""})}, nil
}

// notYet reports that the logs are still being read.
func (s *site) notYet(p *holdings.Package, n int) answer {
	f := failure{Kicker: s.words.T("harvest.missed"), Heading: s.words.T("missed.making"),
		Text: []string{s.words.T("missed.making.text")},
		Links: []link{{s.words.T("missed.again"), s.ui.Missed(p.ID, n, "", "", 0)},
			{s.words.T("site.harvest", n), s.ui.Harvest(p.ID, n)}}}
	return answer{status: http.StatusServiceUnavailable, template: "error.html", title: f.Heading, body: f,
		private: true}
}

// listing is a list as visible to one reader.
type listing struct {
	*site
	p     *holdings.Package
	n     int
	list  *missed.View
	query missed.Query
	json  bool
}

// read parses the query of the list.
func (l *listing) read(arguments string) {
	v, _ := url.ParseQuery(arguments) // unreadable parts are not from our pages
	if r := model.Miss(v.Get("reason")); slices.Contains(reasons, r) {
		l.query.Reason = r
	}
	l.query.Host = v.Get("host")
	l.query.From, _ = strconv.ParseInt(v.Get("from"), 10, 64)
	l.query.Most = missedShown
	l.json = v.Get("as") == "json"
}

// show builds the page.
func (l *listing) show(page *missed.Page) *missedPage {
	w, ui := l.words, l.ui
	here := func(reason model.Miss, host string, from int64) string {
		return ui.Missed(l.p.ID, l.n, string(reason), host, from)
	}
	out := &missedPage{Kicker: w.T("harvest.title", l.p.Title, l.harvestName(&l.p.Harvests[l.n-1])),
		Reason: string(l.query.Reason), Host: l.query.Host,
		Action: here("", "", 0), Links: []link{{w.T("site.harvest", l.n), ui.Harvest(l.p.ID, l.n)},
			{w.T("banner.site"), ui.Site(l.p.ID)}}}
	out.JSON = asJSON(here(l.query.Reason, l.query.Host, l.query.From))
	l.describe(out, page)
	for _, r := range reasons {
		c := choice{link: link{l.reason(string(r)), here(r, l.query.Host, 0)}, Value: string(r),
			Here: r == l.query.Reason}
		if l.list.Whole() {
			if l.list.Of(r) == 0 {
				continue
			}
			c.Count = w.Number(l.list.Of(r))
		}
		out.Reasons = append(out.Reasons, c)
	}
	for _, h := range page.Hosts {
		out.Hosts = append(out.Hosts, choice{link: link{h.Name, here(l.query.Reason, h.Name, 0)}, Value: h.Name,
			Count: w.Number(h.N), Here: h.Name == l.query.Host})
	}
	for i := range page.Rows {
		out.Rows = append(out.Rows, l.line(&page.Rows[i]))
	}
	if l.query.From > 0 {
		out.Pager.Prev = here(l.query.Reason, l.query.Host, 0)
	}
	if page.Next > 0 {
		out.Pager.Next = here(l.query.Reason, l.query.Host, page.Next)
	}
	return out
}

func asJSON(at string) string {
	u, err := url.Parse(at)
	if err != nil {
		return ""
	}
	v := u.Query()
	v.Set("as", "json")
	u.RawQuery = v.Encode()
	return u.String()
}

// describe adds the counts, and notes where the list is incomplete.
func (l *listing) describe(out *missedPage, page *missed.Page) {
	w := l.words
	switch {
	case !l.list.Whole():
		out.Words = w.T("missed.some")
	case l.list.Attempts() == 0: // no log, or an empty one: this proves no success
		out.Words = w.T("missed.unknown")
	case l.query.Reason != "" || l.query.Host != "":
		out.Words = w.N("missed.chosen", page.Total, w.Number(l.list.Total()))
	default:
		out.Words = w.N("missed.all", l.list.Total(), w.Number(l.list.Attempts()))
	}
	if !l.list.Whole() {
		return
	}
	if l.list.Odd() > 0 {
		out.Notes = append(out.Notes, w.N("missed.odd", l.list.Odd()))
	}
	for _, p := range l.list.Problems() {
		out.Notes = append(out.Notes, w.T("missed.problem", p))
	}
	if then, told := countedThen(&l.p.Harvests[l.n-1]); told && then != l.list.Total() {
		out.Notes = append(out.Notes, w.N("missed.counted", then))
	}
}

// line formats one row.
func (l *listing) line(r *missed.Row) missedLine {
	out := missedLine{URL: plain([]byte(r.URL)), Reason: l.reason(string(r.Reason)), Words: plain([]byte(r.Words)),
		Message: plain([]byte(r.Message))}
	if !r.Time.IsZero() {
		out.When = l.words.When(address.Timestamp(r.Time))
	}
	if r.Status != 0 {
		out.Code = strconv.Itoa(r.Status)
	}
	if log := l.list.Log(r.Log); log != "" {
		out.Log = path.Base(log)
		if slices.ContainsFunc(l.p.Files, func(f holdings.File) bool { return f.Path == log && f.Allowed }) {
			out.LogURL = l.ui.File(l.p.ID, log)
		}
		if r.Line > 0 {
			out.Log = l.words.T("missed.line", out.Log, l.words.Number(r.Line))
		}
	}
	return out
}

// missedJSON is a page of the list for programs.
type missedJSON struct {
	Package string       `json:"package"`
	Harvest int          `json:"harvest"`
	Reason  string       `json:"reason,omitempty"`
	Host    string       `json:"host,omitempty"`
	Total   *int64       `json:"total,omitempty"` // selected; absent if rules or access marks withhold some
	Missed  []missedItem `json:"missed"`
	Next    string       `json:"next,omitempty"` // address of the next page
}

type missedItem struct {
	missed.Row
	Log string `json:"log,omitempty"` // path in the package
}

func (l *listing) sendJSON(w http.ResponseWriter, page *missed.Page) {
	out := missedJSON{Package: l.p.ID, Harvest: l.n, Reason: string(l.query.Reason), Host: l.query.Host,
		Missed: []missedItem{}}
	if l.list.Whole() {
		out.Total = &page.Total
	}
	for _, r := range page.Rows {
		out.Missed = append(out.Missed, missedItem{r, l.list.Log(r.Log)})
	}
	if page.Next > 0 {
		out.Next = asJSON(l.ui.Missed(l.p.ID, l.n, string(l.query.Reason), l.query.Host, page.Next))
	}
	w.Header().Set("Content-Type", "application/json")
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(out) // the client may have gone
}
