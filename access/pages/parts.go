package pages

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"quire/access/address"
	"quire/format/htmllink"
	"quire/holdings"
	"quire/holdings/captures"
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

// pagePart is a part of a page, and its capture nearest to that of the page.
type pagePart struct {
	url       string
	kind      htmllink.Kind
	capture   *holdings.Judged // nil if there is none
	offset    time.Duration    // of the part from the page
	coherence string
}

// Coherence of a part with its page, by Ainsworth, Nelson and Van de Sompel (arXiv 1402.0928).
const (
	coherent  = "yes"     // prima facie coherent: it existed like this when the page was captured
	possibly  = "maybe"   // possibly coherent: captured before the page
	unknown   = "unknown" // probably violative: captured after the page, and no date says when it changed
	violative = "no"      // prima facie violative: changed after the page was captured
	unread    = "unread"  // unknown, because the time was over
	absent    = "missing" // not captured, or an error
	closed    = "closed"  // closed to the reader
)

// partsTime bounds the time for the parts of a page: the search for their captures, and the reading of
// headers. Parts that it does not reach count as unknown. Tests change it.
var partsTime = 1500 * time.Millisecond

// parts returns the parts of a page with their captures and coherence. cut reports that some were
// left out.
func (s *site) parts(q *request, c *holdings.Judged) (all []pagePart, cut bool, err error) {
	body, contentType, err := s.body(q.Context(), q.who, c.Capture)
	if err != nil || !strings.Contains(contentType, "html") && contentType != "" {
		return nil, false, nil // the page itself says that it is unreadable
	}
	kinds, cut := embeddedKinds(body, c.URL)
	cut = cut || len(body) == maxCompared
	ctx, cancel := context.WithTimeout(q.Context(), partsTime)
	defer cancel()
	limited := *q
	limited.Request = q.WithContext(ctx)
	for _, u := range slices.Sorted(maps.Keys(kinds)) {
		if len(all) == maxEmbedded {
			return all, true, nil
		}
		p := pagePart{url: u, kind: kinds[u]}
		switch err := s.examine(&limited, c, &p); {
		case q.Context().Err() != nil:
			return nil, cut, q.Context().Err()
		case ctx.Err() != nil: // the time is over
			p.capture, p.offset, p.coherence = nil, 0, unread
		case err != nil:
			return nil, cut, err
		}
		all = append(all, p)
	}
	return all, cut, nil
}

// examine finds the capture of a part, and decides on its coherence.
func (s *site) examine(q *request, page *holdings.Judged, p *pagePart) (err error) {
	if err = q.Context().Err(); err != nil {
		return err
	}
	if p.capture, err = s.nearest(q, q.place.In.Collection, p.url, page.Timestamp); err != nil {
		return err
	}
	p.coherence, err = s.coherence(q, page, p)
	return err
}

// coherence decides whether a part existed as shown when the page was captured.
func (s *site) coherence(q *request, page *holdings.Judged, p *pagePart) (string, error) {
	switch {
	case p.capture == nil:
		return absent, nil
	case !p.capture.Allowed:
		return closed, nil
	}
	at, _ := address.Time(page.Timestamp)
	when, ok := address.Time(p.capture.Timestamp)
	if !ok {
		return unknown, nil
	}
	p.offset = when.Sub(at)
	switch {
	case p.capture.Status >= 400:
		return absent, nil
	case p.offset == 0:
		return coherent, nil
	}
	// The same answer on the other side of the page: it did not change in between.
	query, err := s.query(q.place.In.Collection, p.url)
	if err != nil {
		return "", err
	}
	if p.offset < 0 {
		query.From = page.Timestamp
	} else {
		query.To, query.Reverse = page.Timestamp, true
	}
	other, err := s.some(q.Context(), q.who, query, 1)
	if err != nil {
		return "", err
	}
	switch {
	case len(other) > 0 && sameAnswer(other[0].Capture, p.capture.Capture):
		return coherent, nil
	case p.offset < 0:
		return possibly, nil
	}
	modified, ok := s.lastModified(q.Context(), q.who, p.capture)
	switch {
	case !ok:
		return unknown, nil
	case modified.After(at):
		return violative, nil
	}
	return coherent, nil
}

// sameAnswer reports whether two captures show the same answer of the server. All empty bodies have one
// digest, so the digest of an empty body shows nothing; a redirect is the same if it has the same target.
func sameAnswer(a, b *captures.Capture) bool {
	status := func(c *captures.Capture) int {
		if c.Type == "revisit" && c.Status == http.StatusNotModified {
			return http.StatusOK // the revisit stands for the answer before
		}
		return c.Status
	}
	code := status(a)
	switch {
	case code != status(b) || a.Digest == "" || a.Digest != b.Digest:
		return false
	case code >= 300 && code < 400:
		return a.Location != "" && a.Location == b.Location
	}
	return a.Length > 0 && b.Length > 0
}

// lastModified reads the header field Last-Modified of a capture. A date behind the capture itself
// is not credible.
func (s *site) lastModified(ctx context.Context, who holdings.Reader, c *holdings.Judged) (t time.Time, ok bool) {
	if ctx.Err() != nil {
		return t, false
	}
	content, err := s.h.Read(ctx, who, c.Capture)
	if err != nil {
		return t, false
	}
	defer func() { _ = content.Body.Close() }() // only the header is read
	captured, _ := address.Time(c.Timestamp)
	for _, f := range content.Header {
		if strings.EqualFold(f.Name, "Last-Modified") {
			t, err := http.ParseTime(strings.TrimSpace(f.Value))
			return t, err == nil && !t.After(captured)
		}
	}
	return t, false
}

// partsInTurn returns the parts of a page when it is its turn.
func (s *site) partsInTurn(q *request, c *holdings.Judged) (all []pagePart, cut bool, err error) {
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
		page.Cut = s.words.T("compare.resources.cut", maxEmbedded)
	}
	for i := range all {
		page.Parts = append(page.Parts, s.partRow(in, &all[i]))
	}
	if q.who.Class == holdings.Staff {
		page.Measure = s.measure(all)
	}
	return answer{template: "parts.html", title: s.words.T("parts.title.of", c.URL, when), body: page, private: true,
		crumbs: []link{{s.Name, s.ui.Front()}, {s.words.T("versions.heading"), s.ui.Versions(in, c.URL)},
			{s.words.T("parts.title"), ""}}}, nil
}

func (s *site) partRow(in string, p *pagePart) partRow {
	r := partRow{URL: p.url, Target: s.ui.Versions(in, p.url), Coherence: p.coherence,
		Words: s.words.T("parts." + p.coherence)}
	if p.capture == nil || !p.capture.Allowed {
		return r
	}
	r.Target = s.ui.Banner(in, p.capture.Timestamp, p.capture.URL)
	if p.capture.Status > 0 {
		r.Status = statusWords(p.capture.Status)
	}
	r.When, r.Offset = s.words.When(p.capture.Timestamp), s.offset(p.offset)
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

// weights are those of Memento Damage (Brunelle and others, 2015), in tenths: a film, a picture, and
// style sheets, scripts and frames. One URL of a srcset is not counted, because a browser loads one
// of several.
func weightOf(k htmllink.Kind) int {
	switch k {
	case htmllink.Media:
		return 4
	case htmllink.Image, htmllink.CSS, htmllink.Object:
		return 3
	case htmllink.Stylesheet, htmllink.Import, htmllink.Script, htmllink.Frame:
		return 1
	}
	return 0
}

// measure sums up the damage of the replay of a page, for curators, from the index alone.
func (s *site) measure(all []pagePart) (facts []fact) {
	possible, actual, missing := 0, 0, int64(0)
	var first, last time.Duration
	counts := map[string]int64{}
	for i := range all {
		p := &all[i]
		counts[p.coherence]++
		possible += weightOf(p.kind)
		if p.coherence == absent {
			actual, missing = actual+weightOf(p.kind), missing+1
		}
		first, last = min(first, p.offset), max(last, p.offset)
	}
	facts = s.one(facts, "parts.damage", s.words.T("parts.damage.value", actual*100/max(1, possible)), "")
	facts = s.one(facts, "parts.lacking", s.words.Number(missing), "")
	facts = s.one(facts, "parts.span", s.offset(first)+" – "+s.offset(last), "")
	for _, k := range []string{coherent, possibly, unknown, unread, violative, closed} {
		if counts[k] > 0 {
			facts = append(facts, fact{s.words.T("parts." + k), []link{{s.words.Number(counts[k]), ""}}})
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
		if all[i].coherence == violative {
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
