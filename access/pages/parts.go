package pages

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"quire/access/address"
	"quire/access/near"
	"quire/access/parts"
	"quire/holdings"
	"quire/model"
)

// partsPage lists the parts that a page embeds.
type partsPage struct {
	URL, When, Shown string
	Words            string
	Cut              string
	Parts            []partRow
	Measure          []fact // for curators
	Links            []link
}

// partRow is one part of a page.
type partRow struct {
	URL, Target string // its address, and its capture or all its captures
	Status      string
	When        string
	Offset      string
	Coherence   string // class: "yes", "maybe", "unknown", "unread", "no", "missing"
	Words       string
}

// partsTime bounds the time for the parts of a page: the search for their captures, and the reading of
// headers. Tests change it.
var partsTime = 1500 * time.Millisecond

// parts returns the parts of a page with their captures and coherence. cut reports that some were
// left out.
func (s *site) parts(q *request, c *holdings.Judged) (all []parts.Part, cut bool, err error) {
	query, err := s.query(q.place.In.Collection, c.URL)
	if err != nil {
		return nil, false, err
	}
	page := parts.Page{Archive: s.h, Reader: q.who, Capture: c, Packages: query.Packages, Time: partsTime,
		Rules: s.Rules}
	return page.Parts(q.Context())
}

// partsInTurn returns the parts of a page when it is its turn.
func (s *site) partsInTurn(q *request, c *holdings.Judged) (all []parts.Part, cut bool, err error) {
	timer := time.NewTimer(partsWait)
	defer timer.Stop()
	select {
	case mixing <- struct{}{}:
		defer func() { <-mixing }()
		return s.parts(q, c)
	case <-timer.C:
		return nil, false, errBusy
	case <-q.Context().Done():
		return nil, false, q.Context().Err()
	}
}

func (s *site) partsPage(q *request, c *holdings.Judged) (answer, error) {
	all, cut, err := s.partsInTurn(q, c)
	if err != nil {
		return answer{}, err
	}
	in, when := q.place.In.Collection, s.words.When(c.Timestamp)
	page := &partsPage{URL: c.URL, When: when, Shown: s.ui.Banner(in, c.Timestamp, c.URL),
		Words: s.words.N("parts.words", int64(len(all))),
		Links: []link{{s.words.T("provenance.title"), s.ui.Provenance(in, c.Timestamp, "", c.URL)},
			{s.words.T("banner.all"), s.ui.Versions(in, c.URL)}}}
	if cut {
		page.Cut = s.words.T("compare.resources.cut", parts.MaxParts)
	}
	reasons, err := s.wantedParts(q, all)
	if err != nil {
		return answer{}, err
	}
	for i := range all {
		row := s.partRow(in, &all[i])
		if why := reasons[all[i].URL]; why != "" {
			row.Words += ". " + s.words.T("parts.wanted", s.reason(string(why)))
		}
		page.Parts = append(page.Parts, row)
	}
	if q.who.Class == holdings.Staff {
		page.Measure = s.measure(all, reasons)
	}
	return answer{template: "parts.html", title: s.words.T("parts.title.of", c.URL, when), body: page, private: true,
		crumbs: []link{{s.Name, s.ui.Front()}, {s.words.T("versions.heading"), s.ui.Versions(in, c.URL)},
			{s.words.T("parts.title"), ""}}}, nil
}

func (s *site) partRow(in string, p *parts.Part) partRow {
	r := partRow{URL: p.URL, Target: s.ui.Versions(in, p.URL), Coherence: string(p.Coherence),
		Words: s.words.T("parts." + string(p.Coherence))}
	if p.Capture == nil || !p.Capture.Allowed {
		return r
	}
	r.Target = s.ui.Banner(in, p.Capture.Timestamp, p.Capture.URL)
	if p.Capture.Status > 0 {
		r.Status = statusWords(p.Capture.Status)
	}
	r.When, r.Offset = s.words.When(p.Capture.Timestamp), s.offset(p.Offset)
	return r
}

// offset states the distance of a part from its page, in its largest unit.
func (s *site) offset(d time.Duration) string {
	key := "parts.later."
	if d < 0 {
		key, d = "parts.earlier.", -d
	}
	switch day := 24 * time.Hour; {
	case d == 0:
		return s.words.T("parts.same")
	case d < 2*time.Minute:
		return s.words.N(key+"second", int64(d/time.Second))
	case d < 2*time.Hour:
		return s.words.N(key+"minute", int64(d/time.Minute))
	case d < 2*day:
		return s.words.N(key+"hour", int64(d/time.Hour))
	default:
		return s.words.N(key+"day", int64(d/day))
	}
}

// Limits of the search for the reasons why parts were not captured.
const (
	mostWanted = 20
	wantedWait = 500 * time.Millisecond
)

// wantedParts returns the reasons by which a crawler did not capture parts, by URL, from the logs that the
// reader may see. Parts that it does not reach in time have none.
func (s *site) wantedParts(q *request, all []parts.Part) (map[string]model.Miss, error) {
	reasons, asked := map[string]model.Miss{}, 0
	if s.Missed == nil {
		return reasons, nil
	}
	query, err := s.query(q.place.In.Collection, "")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(q.Context(), wantedWait)
	defer cancel()
	for i := range all {
		if all[i].Capture != nil || all[i].Coherence != parts.Missing {
			continue
		}
		if asked++; asked > mostWanted || ctx.Err() != nil {
			break
		}
		found, err := near.Wanted(ctx, s.h, s.Missed, q.who, near.Question{URL: all[i].URL, Packages: query.Packages})
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		if len(found) > 0 {
			reasons[all[i].URL] = found[0].Reason
		}
	}
	return reasons, nil
}

// measure states the damage of the replay of a page, for curators.
func (s *site) measure(all []parts.Part, reasons map[string]model.Miss) (facts []fact) {
	d := parts.Measure(all)
	facts = s.one(facts, "parts.damage", s.words.T("parts.damage.value", d.Percent), "")
	facts = s.one(facts, "parts.lacking", s.words.Number(d.Missing), "")
	if n := d.Counts[parts.Similar]; n > 0 {
		facts = s.one(facts, "parts.replaced", s.words.Number(n), "")
	}
	blocked := int64(0)
	for _, why := range reasons {
		switch why {
		case model.MissRobots, model.MissScope, model.MissQuota, model.MissOperator:
			blocked++
		}
	}
	if len(reasons) > 0 {
		facts = s.one(facts, "parts.logged", s.words.Number(int64(len(reasons))), "")
		facts = s.one(facts, "parts.blocked", s.words.Number(blocked), "")
	}
	facts = s.one(facts, "parts.span", s.offset(d.First)+" – "+s.offset(d.Last), "")
	for _, k := range []parts.Coherence{parts.Coherent, parts.Possibly, parts.Unknown, parts.Unread, parts.Violative,
		parts.Closed} {
		if d.Counts[k] > 0 {
			facts = append(facts, fact{s.words.T("parts." + string(k)), []link{{s.words.Number(d.Counts[k]), ""}}})
		}
	}
	return facts
}

// mixing bounds the pages whose parts are examined at once, for lists and for banners. A list waits for
// its turn. Readers do not wait for the marks of banners: a busy server leaves them out.
var mixing = make(chan struct{}, 2)

// partsWait is the time that a list of parts waits for its turn. Tests change it.
var partsWait = 10 * time.Second

// mixed tells the banner whether a part of the page is of another time.
func (s *site) mixed(q *request, c *holdings.Judged) (answer, error) {
	out := struct {
		Text string `json:"text"`
		URL  string `json:"url"`
	}{}
	select {
	case mixing <- struct{}{}:
		defer func() { <-mixing }()
	default:
		return s.json(out), nil
	}
	all, _, err := s.parts(q, c)
	if err != nil {
		return answer{}, err
	}
	n := int64(0)
	for i := range all {
		if all[i].Coherence == parts.Violative {
			n++
		}
	}
	if n > 0 {
		out.Text = s.words.N("parts.mixed", n)
		out.URL = s.ui.Provenance(q.place.In.Collection, c.Timestamp, address.Parts, c.URL)
	}
	return s.json(out), nil
}

func (s *site) json(v any) answer {
	return answer{stream: func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v) // the client may have gone
	}}
}
