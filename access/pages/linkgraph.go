package pages

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quire/access/search"
	"quire/holdings"
	"quire/internal/csvcell"
)

// Linker counts links between hosts: package search, or nil without a full-text index.
type Linker interface {
	Links(ctx context.Context, who holdings.Reader, q search.LinkQuery) (*search.HostLinks, error)
}

// graph is the page of the links from and to a host.
type graph struct {
	Title, Action   string
	Host, From, To  string
	Asked           bool
	Summary         string
	Indexing, More  string
	Incoming        []linkRow
	Outgoing        []linkRow
	Picture         *graphPicture
	CSV, SearchHost string
	Growth          string // the pages of the host by year
}

type linkRow struct {
	Host, URL, When string
	Pages           int64
}

// graphPicture shows the most frequent hosts on both sides of the host.
type graphPicture struct {
	High   int
	Middle int
	Lines  []graphLine
}

type graphLine struct {
	Host, Path string
	Incoming   bool
	Width      string // of the line
	X, Y       int    // of the name
}

// The picture, in the units of its SVG, and the rows of the page.
const (
	graphHosts = 12 // on each side
	graphRow   = 30
	graphLeft  = 300 // where the lines of incoming links begin
	graphRight = 700
	mostOnPage = 200
)

// graphOf answers /links and /links.csv.
func (s *site) graphOf(q *request, asCSV bool) (answer, error) {
	if s.Links == nil {
		return answer{}, errNotFound
	}
	v, _ := url.ParseQuery(q.place.Arguments) // unreadable parts are not from our pages
	ask := search.LinkQuery{Host: strings.TrimSpace(v.Get("host")), From: yearOf(v.Get("from")),
		To: yearOf(v.Get("to"))}
	p := graph{Title: s.words.T("links.title"), Action: string(s.ui) + "/links", Host: ask.Host,
		From: yearText(ask.From), To: yearText(ask.To)}
	var found *search.HostLinks
	if p.Asked = ask.Host != "" && len(ask.Host) <= search.MaxQuery; p.Asked {
		var err error
		if found, err = s.Links.Links(q.Context(), q.who, ask); err != nil {
			return answer{}, err
		}
		s.fillGraph(&p, ask, found)
	}
	if !asCSV {
		return answer{template: "links.html", title: p.Title, body: p, private: true}, nil
	}
	if found == nil {
		return answer{}, errNotFound
	}
	return answer{stream: func(w http.ResponseWriter) { s.linksCSV(w, found) }}, nil
}

// yearOf reads a year; 0 for none.
func yearOf(s string) int {
	y, err := strconv.Atoi(s)
	if err != nil || y < 0 || y > 9999 {
		return 0
	}
	return y
}

func yearText(y int) string {
	if y == 0 {
		return ""
	}
	return strconv.Itoa(y)
}

func (s *site) fillGraph(p *graph, ask search.LinkQuery, r *search.HostLinks) {
	p.Host, p.Indexing = r.Host, r.Indexing
	p.Title = s.words.T("links.title.of", r.Host)
	p.Summary = s.words.N("links.summary", int64(r.Pages), s.words.Number(int64(len(r.Incoming))),
		s.words.Number(int64(len(r.Outgoing))))
	if r.More || len(r.Incoming) > mostOnPage || len(r.Outgoing) > mostOnPage {
		p.More = s.words.T("links.more", s.words.Number(mostOnPage))
	}
	p.Incoming, p.Outgoing = s.linkRows(ask, r.Incoming), s.linkRows(ask, r.Outgoing)
	p.Picture = picture(r)
	if s.Search != nil {
		p.Growth = s.ui.Trends(search.Host + ":" + r.Host)
		p.SearchHost = s.ui.Search("") + "?" + url.Values{"f": {search.Host + ":" + r.Host}}.Encode()
	}
	if len(r.Incoming)+len(r.Outgoing) > 0 {
		p.CSV = string(s.ui) + "/links.csv?" + linkArguments(ask, r.Host)
	}
}

func linkArguments(ask search.LinkQuery, host string) string {
	v := url.Values{"host": {host}}
	for name, year := range map[string]int{"from": ask.From, "to": ask.To} {
		if year != 0 {
			v.Set(name, strconv.Itoa(year))
		}
	}
	return v.Encode()
}

func (s *site) linkRows(ask search.LinkQuery, all []search.LinkedHost) (rows []linkRow) {
	for _, h := range all[:min(len(all), mostOnPage)] {
		rows = append(rows, linkRow{Host: h.Host, URL: string(s.ui) + "/links?" + linkArguments(ask, h.Host),
			Pages: int64(h.Pages), When: s.years(h.First, h.Last)})
	}
	return rows
}

// years returns the years of two timestamps.
func (s *site) years(first, last string) string {
	if first[:4] == last[:4] {
		return first[:4]
	}
	return first[:4] + "–" + last[:4]
}

// picture draws the most frequent hosts: lines to the host from the left, lines from it to the right. A
// line is wider for more pages.
func picture(r *search.HostLinks) *graphPicture {
	left, right := r.Incoming[:min(len(r.Incoming), graphHosts)], r.Outgoing[:min(len(r.Outgoing), graphHosts)]
	if len(left)+len(right) == 0 {
		return nil
	}
	p := &graphPicture{High: max(len(left), len(right), 2) * graphRow}
	p.Middle = p.High / 2
	most := 1
	for _, h := range append(left[:len(left):len(left)], right...) {
		most = max(most, h.Pages)
	}
	for side, hosts := range [][]search.LinkedHost{left, right} {
		top := (p.High - len(hosts)*graphRow) / 2
		for i, h := range hosts {
			y := top + i*graphRow + graphRow/2
			l := graphLine{Host: shortHost(h.Host), Incoming: side == 0, Y: y,
				Width: strconv.FormatFloat(1+7*float64(h.Pages)/float64(most), 'f', 1, 64)}
			if l.Incoming {
				l.X, l.Path = graphLeft-8, curve(graphLeft, y, 420, p.Middle)
			} else {
				l.X, l.Path = graphRight+8, curve(580, p.Middle, graphRight, y)
			}
			p.Lines = append(p.Lines, l)
		}
	}
	return p
}

// shortHost shortens a host that has no room in the picture.
func shortHost(h string) string {
	const most = 32
	if letters := []rune(h); len(letters) > most {
		return "…" + string(letters[len(letters)-most+1:])
	}
	return h
}

// curve is a line between two points that begins and ends level.
func curve(x1, y1, x2, y2 int) string {
	m := (x1 + x2) / 2
	n := func(x, y int) string { return strconv.Itoa(x) + " " + strconv.Itoa(y) }
	return "M" + n(x1, y1) + "C" + n(m, y1) + " " + n(m, y2) + " " + n(x2, y2)
}

// linksCSV writes all hosts in both directions.
func (s *site) linksCSV(w http.ResponseWriter, r *search.HostLinks) {
	out := s.table(w, "links.csv")
	_ = out.Write([]string{"from", "to", "pages", "first", "last"}) // the writer keeps its first error
	row := func(from, to string, h *search.LinkedHost) {
		_ = out.Write([]string{csvcell.Text(from), csvcell.Text(to), strconv.Itoa(h.Pages), h.First, h.Last})
	}
	for i := range r.Incoming {
		row(r.Incoming[i].Host, r.Host, &r.Incoming[i])
	}
	for i := range r.Outgoing {
		row(r.Host, r.Outgoing[i].Host, &r.Outgoing[i])
	}
	out.Flush()
}

// linksOfHost returns the link to the links of a URL's host; ok is false if there is none.
func (s *site) linksOfHost(archived string) (to link, ok bool) {
	u, err := url.Parse(archived)
	if s.Links == nil || err != nil || u.Host == "" {
		return link{}, false
	}
	return link{s.words.T("links.title.of", u.Host), s.ui.Links(u.Host)}, true
}
