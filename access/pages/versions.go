package pages

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
)

// versions is the page of all captures of a URL: a timeline, a calendar, a list. It can be limited
// to a period.
type versions struct {
	URL           string
	Total         int64
	Summary       string
	LockedWords   string
	LockedMessage string
	Levels        []link
	BarsTitle     string
	Legend        []string
	Bars          []bar
	ManyBars      bool
	Months        []month
	OneMonth      bool
	ListTitle     string
	ListWords     string
	Captures      []row
	CanCompare    bool
	ShowAccess    bool
	CompareURL    string
	Pager         pager
	Steps         []stepTo
	TimeMap       string
	Near          []nearby
	Wanted        []string // why a crawler did not capture it
}

type stepTo struct {
	link
	Rel string
}

// Limits of the list. A period with more captures shows its newest, and links smaller periods.
const (
	mostListed = 250
	fewListed  = 10
)

// resource is the query of the versions page.
type resource struct {
	in, url string
	period  string // 4, 6, 8, 10 or 12 digits; "" means all
	query   captures.Query
}

func (s *site) versions(q *request) (answer, error) {
	r := resource{in: q.place.In.Collection, url: q.place.URL, period: q.place.Period}
	if !isPeriod(r.period) {
		return answer{redirect: s.ui.Versions(r.in, r.url)}, nil
	}
	var err error
	if r.query, err = s.query(r.in, r.url); err != nil {
		return answer{}, err
	}
	r.query.From, r.query.To = r.period, r.period
	buckets, err := s.counts(q, r.query, len(r.period)+2+2*isAll(r.period))
	if err != nil {
		return answer{}, err
	}
	p := &versions{URL: r.url, TimeMap: s.timeMap(r)}
	buckets = slices.DeleteFunc(buckets, func(b bucket) bool { return b.sum() == 0 })
	total := tally{}
	for _, b := range buckets {
		total.add(b.tally)
	}
	p.Total = total.sum()
	a := answer{template: "versions.html", title: s.words.T("versions.title", r.url), body: p,
		crumbs: []link{{s.Name, s.ui.Front()}, {s.words.T("versions.heading"), ""}}}
	if p.Total == 0 {
		if r.period != "" {
			return answer{redirect: s.ui.Versions(r.in, r.url)}, nil
		}
		if pattern, ok := strings.CutSuffix(r.url, "*"); ok { // http://host/*, or * alone
			a := browseArguments{in: r.in, pattern: r.url}
			if strings.HasSuffix(pattern, "://") {
				a.pattern = ""
			}
			return answer{redirect: a.at(s.ui)}, nil
		}
		if err := s.near(q, r, p); err != nil {
			return answer{}, err
		}
		a.status, a.private = http.StatusNotFound, true
		return a, nil
	}
	return a, s.fillVersions(q, r, p, buckets, total)
}

func isAll(period string) int {
	if period == "" {
		return 1
	}
	return 0
}

// isPeriod reports whether a period is a valid date.
func isPeriod(p string) bool {
	const layout = "200601021504"
	if p == "" {
		return true
	}
	if len(p) < 4 || len(p) > len(layout) || len(p)%2 != 0 {
		return false
	}
	_, err := time.Parse(layout[:len(p)], p)
	return err == nil
}

func (s *site) fillVersions(q *request, r resource, p *versions, buckets []bucket, total tally) error {
	at := func(period string) string { return s.ui.VersionsIn(r.in, period, r.url) }
	p.Legend = total.present()
	s.summarize(q, r, p, buckets, total)
	for n := 0; n <= len(r.period) && r.period != ""; n += 2 {
		if n == 2 {
			continue
		}
		l := link{s.levelName(r.period[:n]), at(r.period[:n])}
		if n == len(r.period) {
			l.URL = ""
		}
		p.Levels = append(p.Levels, l)
	}
	few := p.Total <= mostListed
	switch len(r.period) {
	case 4:
		days, err := s.counts(q, r.query, 8)
		if err != nil {
			return err
		}
		p.Months = s.calendar(r.period, days, at)
	case 6:
		p.Months, p.OneMonth = s.calendar(r.period, buckets, at), true
	}
	if len(r.period) != 6 && (len(r.period) < 8 || !few) && len(r.period) < 12 {
		p.Bars = s.bars(r.period, buckets, p.Legend, at)
		p.ManyBars = len(p.Bars) > 24
		p.BarsTitle = s.words.T("versions.timeline." + unit(r.period))
	}
	if err := s.list(q, r, p, few); err != nil {
		return err
	}
	return s.steps(q, r, p, at)
}

// unit returns the unit of the parts of a period.
func unit(period string) string {
	return map[int]string{0: "year", 4: "month", 6: "day", 8: "hour", 10: "minute", 12: "second"}[len(period)]
}

func (s *site) levelName(period string) string {
	if period == "" {
		return s.words.T("versions.all")
	}
	if len(period) > 8 {
		return strings.TrimPrefix(s.shortPeriod(period), "0")
	}
	return s.words.When(period)
}

// summarize adds a sentence with the counts.
func (s *site) summarize(q *request, r resource, p *versions, buckets []bucket, total tally) {
	first, last := buckets[0].Period, buckets[len(buckets)-1].Period
	switch {
	case r.period != "":
		p.Summary = s.words.N("versions.summary.in", p.Total, s.words.When(r.period))
	case first == last:
		p.Summary = s.words.N("versions.summary.in", p.Total, s.words.When(first))
	default:
		p.Summary = s.words.N("versions.summary", p.Total, s.words.When(first), s.words.When(last))
	}
	if n := total[locked]; n > 0 {
		p.LockedWords = s.words.N("versions.locked", n)
		if c, err := s.first(q.Context(), q.who, r.query, func(c *holdings.Judged) bool {
			return !c.Allowed
		}); err == nil && c != nil {
			p.LockedMessage = s.message(c.Decision)[0]
		}
	}
}

// list lists the captures of the period: all if there are few, otherwise the newest.
func (s *site) list(q *request, r resource, p *versions, few bool) error {
	query, most := r.query, mostListed
	p.ListTitle, p.ListWords = s.words.T("versions.list"), s.words.T("versions.list.words")
	if !few && len(r.period) < 12 {
		most = fewListed
		p.ListTitle, p.ListWords = s.words.T("versions.newest"), s.words.T("versions.newest.words")
	}
	query.Reverse = true
	for c, err := range s.h.Captures(q.Context(), q.who, query) {
		if err != nil {
			return err
		}
		line := s.row(q, r.in, &c)
		if p.Captures = append(p.Captures, line); len(p.Captures) == most {
			break
		}
	}
	s.offerComparison(r, p)
	return nil
}

// offerComparison lets the reader select two captures. It preselects the two newest that are likely
// to be useful.
func (s *site) offerComparison(r resource, p *versions) {
	var pages, others []*row
	for i := range p.Captures {
		c := &p.Captures[i]
		p.ShowAccess = p.ShowAccess || c.Lock != ""
		if c.Locked || c.Kind == moved {
			continue
		}
		c.CanCompare = true
		others = append(others, c)
		if c.Kind == good {
			pages = append(pages, c)
		}
	}
	if len(pages) < 2 {
		pages = others
	}
	if len(pages) > 1 {
		p.CanCompare = true
		p.CompareURL, _, _ = strings.Cut(s.ui.Compare(r.in, r.url, "", ""), "?")
		pages[0].Second, pages[1].First = true, true
	}
}

// steps links the previous and next period of the same length with captures.
func (s *site) steps(q *request, r resource, p *versions, at func(string) string) error {
	if r.period == "" {
		return nil
	}
	query := r.query
	query.From, query.To, query.Reverse = "", before(r.period), true
	whatever := func(*holdings.Judged) bool { return true }
	c, err := s.first(q.Context(), q.who, query, whatever)
	if err != nil {
		return err
	}
	if c != nil {
		period := c.Timestamp[:len(r.period)]
		p.Steps = append(p.Steps, stepTo{link{s.words.T("versions.before", s.fullPeriod(period)), at(period)}, "prev"})
	}
	query.From, query.To, query.Reverse = r.period+strings.Repeat("9", 14-len(r.period)), "", false
	if c, err = s.first(q.Context(), q.who, query, whatever); err != nil || c == nil {
		return err
	}
	period := c.Timestamp[:len(r.period)]
	p.Steps = append(p.Steps, stepTo{link{s.words.T("versions.after", s.fullPeriod(period)), at(period)}, "next"})
	return nil
}

func (s *site) fullPeriod(p string) string {
	if len(p) > 8 {
		return s.words.T("date.minute", s.words.When(p[:8]), s.shortPeriod(p))
	}
	return s.words.When(p)
}

// before returns the last second before a period.
func before(period string) string {
	t, _ := address.Time(period)
	return address.Timestamp(t.Add(-time.Second))
}

// timeMap returns the address of the list of captures for machines.
func (s *site) timeMap(r resource) string {
	return address.Replay(mount(s.ui)).TimeMap(address.In{Collection: r.in}, "link", "", r.url)
}
