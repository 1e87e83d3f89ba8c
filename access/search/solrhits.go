package search

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"quire/access/search/extract"
	"quire/access/search/solr"
	"quire/holdings/captures"
)

// versionsTried is the number of captures of a hit that are tried: holdings may be newer than Solr.
const versionsTried = 20

// counted answers a query with its counts: all captures in Solr have their judgements by the current rules.
func (a *solrAsk) counted(ctx context.Context, q Query, r *Result) error {
	facets := a.facets() // it adds to the lists
	counts := a.request()
	counts["facet"] = facets
	var counted grouped
	var hits []solrHit
	err := together(ctx,
		func(ctx context.Context) error { return a.s.own.Select(ctx, counts, &counted) },
		func(ctx context.Context) (err error) {
			hits, err = a.page(ctx, q)
			return err
		})
	if err != nil {
		return err
	}
	for _, h := range hits {
		r.Hits = append(r.Hits, *h.hit)
	}
	if err := counted.facet("total", &r.Total); err != nil {
		return err
	}
	return a.readFacets(&counted, r)
}

// page returns the hits of one page with their counts. It does not ask for the number of groups: Solr takes longer for
// this number than for the hits, and the facets have it.
func (a *solrAsk) page(ctx context.Context, q Query) (shown []solrHit, err error) {
	request := a.request()
	a.groups(request, q.From, q.Limit, 1, a.sort(), "id,score")
	var answer grouped
	if err := a.s.own.Select(ctx, request, &answer); err != nil {
		return nil, err
	}
	found := answer.of(a.unit())
	hits, err := a.hits(ctx, &found)
	if err != nil {
		return nil, err
	}
	err = together(ctx,
		func(ctx context.Context) error { return a.count(ctx, hits) },
		func(ctx context.Context) (err error) {
			shown, err = a.describe(ctx, hits)
			return err
		})
	return shown, err
}

// together asks Solr two things at the same time. The first error ends the other request.
func together(ctx context.Context, one, two func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for _, ask := range []func(context.Context) error{one, two} {
		all.Go(func() {
			if err := ask(ctx); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// notCounted is the note of an answer without counts.
const notCounted = "the access rules have changed: until all captures are judged again, only the first hits are " +
	"shown, without counts"

// uncounted answers a query while the rules are newer than the judgements in Solr. It counts only hits that
// holdings judged now.
func (a *solrAsk) uncounted(ctx context.Context, q Query, r *Result) error {
	const most = 200
	request := a.request()
	a.groups(request, 0, min(q.From+3*q.Limit, most), 1, a.sort(), "id,score")
	var answer grouped
	if err := a.s.own.Select(ctx, request, &answer); err != nil {
		return err
	}
	found := answer.of(a.unit())
	hits, err := a.hits(ctx, &found)
	if err == nil {
		hits, err = a.describe(ctx, hits)
	}
	if err != nil {
		return err
	}
	r.Total, r.Indexing = len(hits), notCounted
	for _, h := range hits[min(q.From, len(hits)):min(q.From+q.Limit, len(hits))] {
		h.hit.Matching, h.hit.Versions = 1, 1
		h.hit.First, h.hit.Last = h.hit.Capture.Timestamp, h.hit.Capture.Timestamp
		h.hit.Packages = []string{h.hit.Capture.Package}
		r.Hits = append(r.Hits, *h.hit)
	}
	return nil
}

// solrHit is a hit and its capture in Solr.
type solrHit struct {
	hit   *Hit
	group string
	shown solrDocument
}

// hits makes the hits of groups: of each the newest capture that holdings gives to the reader now.
func (a *solrAsk) hits(ctx context.Context, found *groups) ([]solrHit, error) {
	if len(found.Groups) == 0 {
		return nil, nil
	}
	var values []string
	scores := map[string]float64{}
	for _, g := range found.Groups {
		values = append(values, g.Value)
		if len(g.Doclist.Docs) > 0 {
			scores[g.Value] = g.Doclist.Docs[0].Score
		}
	}
	a.lists["groups"] = solr.List(values)
	request := a.requestIn("groups")
	a.groups(request, 0, len(values), versionsTried, "quire_time desc,quire_page asc",
		"id,url,quire_time,quire_package,quire_payload,quire_page,quire_key,quire_host")
	params, _ := request["params"].(map[string]any)
	params["group.sort"] = "quire_time desc,quire_key asc"
	var answer grouped
	if err := a.s.own.Select(ctx, request, &answer); err != nil {
		return nil, err
	}
	of := map[string][]solrDocument{}
	for _, g := range answer.of(a.unit()).Groups {
		of[g.Value] = g.Doclist.Docs
	}
	var all []solrHit
	for _, v := range values {
		for i := range of[v] {
			d := &of[v][i]
			full, err := a.full(ctx, d)
			if err != nil {
				return nil, err
			}
			if full != nil {
				all = append(all, solrHit{&Hit{Capture: full, Score: scores[v]}, v, *d})
				break
			}
		}
	}
	return all, nil
}

// full asks holdings for a capture; nil if it is missing, or closed to the reader.
func (a *solrAsk) full(ctx context.Context, d *solrDocument) (*captures.Capture, error) {
	at := timestamp(d.Time)
	q := captures.Query{URL: d.URL, From: at, To: at, Packages: []string{d.Package}}
	for found, err := range a.s.house.Captures(ctx, a.who, q) {
		if err != nil {
			return nil, err
		}
		if found.Allowed && found.Timestamp == at && found.URL == d.URL && digestOf(found.Capture) == d.Payload {
			return kept(found.Capture), nil
		}
	}
	return nil, nil
}

// describe adds titles, texts and facts to hits. It drops hits whose text is not in Solr any more.
func (a *solrAsk) describe(ctx context.Context, all []solrHit) ([]solrHit, error) {
	const some = 25 // a text may have half a megabyte
	texts := map[string]*solrDocument{}
	for part := range slices.Chunk(all, some) {
		var ids []string
		for _, h := range part {
			ids = append(ids, h.shown.ID)
		}
		var answer struct{ Response struct{ Docs []solrDocument } }
		err := a.s.own.Select(ctx, map[string]any{"query": solr.Among("id", "shown"), "limit": len(ids),
			"fields": "id,quire_text,quire_type,quire_language,quire_size,quire_payload",
			"params": map[string]any{"shown": solr.List(ids)}}, &answer)
		if err != nil {
			return nil, err
		}
		for i := range answer.Response.Docs {
			texts[answer.Response.Docs[i].ID] = &answer.Response.Docs[i]
		}
	}
	var out []solrHit
	for _, h := range all {
		d := texts[h.shown.ID]
		if d == nil || d.Payload != h.shown.Payload {
			continue
		}
		t, err := d.text()
		if err != nil {
			return nil, err
		}
		a.fill(h.hit, &h.shown, d, t)
		out = append(out, h)
	}
	return out, nil
}

func (a *solrAsk) fill(h *Hit, shown, d *solrDocument, t *extract.Text) {
	h.URL, h.Host, h.Type, h.MIME, h.Size = h.Capture.URL, shown.Host, d.Type, h.Capture.MIME, d.Size
	h.Language, h.Truncated, h.Details = languageOf(d.Language), h.Capture.Truncated, []Detail{}
	for _, detail := range t.Details {
		h.Details = append(h.Details, Detail(detail))
	}
	a.question.describe(h, t.Title, t.Body, t.Description)
}

func languageOf(s string) string {
	if s == noLanguage {
		return ""
	}
	return s
}

// count adds the counts of hits: matching versions, all versions, other URLs.
func (a *solrAsk) count(ctx context.Context, all []solrHit) error {
	if len(all) == 0 {
		return nil
	}
	matching, keys := map[string]any{}, []string{}
	for i, h := range all {
		n := strconv.Itoa(i)
		key, group := solr.OneOf("quire_key", h.shown.Key), solr.OneOf(a.unit(), h.group)
		matching["at"+n] = map[string]any{"type": "query", "q": "+" + group + " +" + key, "facet": map[string]any{
			"first": "min(quire_time)", "last": "max(quire_time)",
			"packages": map[string]any{"type": "terms", "field": "quire_package", "limit": 1000}}}
		matching["also"+n] = map[string]any{"type": "query", "facet": map[string]any{"n": "unique(quire_key)"},
			"q": "+" + group + " +" + solr.OneOf("quire_payload", h.shown.Payload) + " -" + key}
		keys = append(keys, h.shown.Key)
	}
	first := a.requestIn("groups")
	first["facet"] = matching
	second := map[string]any{"query": solr.OneOf("quire_key", keys...), "filter": a.rights, "params": first["params"],
		"limit": 0, "facet": map[string]any{"versions": map[string]any{"type": "terms", "field": "quire_key",
			"limit": len(keys), "method": "dvhash"}}}
	var one, two grouped
	if err := a.s.own.Select(ctx, first, &one); err != nil {
		return err
	}
	if err := a.s.own.Select(ctx, second, &two); err != nil {
		return err
	}
	var versions buckets
	if err := two.facet("versions", &versions); err != nil {
		return err
	}
	of := map[string]int{}
	for i := range versions.Buckets {
		of[versions.Buckets[i].value()] = versions.Buckets[i].Count
	}
	for i, h := range all {
		n := strconv.Itoa(i)
		var at struct {
			Count       int
			First, Last float64
			Packages    buckets
		}
		var also struct{ N int }
		for _, part := range []struct {
			from *grouped
			name string
			to   any
		}{{&one, "at" + n, &at}, {&one, "also" + n, &also}} {
			if err := part.from.facet(part.name, part.to); err != nil {
				return err
			}
		}
		h.hit.Matching, h.hit.AlsoAt, h.hit.Versions = at.Count, also.N, of[h.shown.Key]
		h.hit.First, h.hit.Last = timestamp(int64(at.First)), timestamp(int64(at.Last))
		for _, b := range at.Packages.Buckets {
			h.hit.Packages = append(h.hit.Packages, b.value())
		}
		slices.Sort(h.hit.Packages)
	}
	return nil
}

// facets returns the facets of a request. Each leaves out the reader's conditions on its own field, and
// counts hits.
func (a *solrAsk) facets() map[string]any {
	unique := "unique(" + a.unit() + ")"
	count := map[string]any{"n": unique}
	all := map[string]any{"total": unique}
	without := func(tag string) map[string]any { return map[string]any{"excludeTags": tag} }
	for field, name := range map[string]string{Type: "quire_type", Year: "quire_year", Host: "quire_host",
		Language: "quire_language"} {
		const most = 10_000
		limit := shownValues
		if field == Type || field == Year {
			limit = most
		}
		all[field] = map[string]any{"type": "terms", "field": name, "limit": limit, "numBuckets": true,
			"refine": true, "sort": "n desc", "facet": count, "domain": without(field)}
	}
	for _, f := range a.question.filters { // a selected value stays, however rare
		if !f.Not && (f.Field == Host || f.Field == Language) {
			all["chosen "+f.Field+":"+f.Value] = map[string]any{"type": "query", "q": a.value(f), "facet": count,
				"domain": without(f.Field)}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.in)) {
		all["in "+id] = map[string]any{"type": "query", "q": a.collection(id), "facet": count,
			"domain": without(Collection)}
	}
	other, condition := Bytestreams, solr.Everything
	if a.level == Bytestreams {
		other, condition = Pages, pagesOnly
	}
	all["elsewhere"] = map[string]any{"type": "query", "q": condition, "domain": without("level"),
		"facet": map[string]any{"n": "unique(" + unitOf(other) + ")"}}
	return all
}

// readFacets reads the facets of an answer.
func (a *solrAsk) readFacets(answer *grouped, r *Result) error {
	type counted struct{ N int }
	var elsewhere counted
	if err := answer.facet("elsewhere", &elsewhere); err != nil {
		return err
	}
	r.Elsewhere = elsewhere.N
	for _, field := range Fields {
		f := Facet{Field: field, Values: []Value{}}
		if field == Collection {
			for _, id := range slices.Sorted(maps.Keys(a.in)) {
				var n counted
				if err := answer.facet("in "+id, &n); err != nil {
					return err
				}
				f.add(a, id, n.N)
			}
		}
		var all buckets
		if err := answer.facet(field, &all); err != nil {
			return err
		}
		for i := range all.Buckets {
			f.add(a, all.Buckets[i].value(), all.Buckets[i].N)
		}
		for _, c := range a.question.filters {
			if c.Field != field || c.Not || f.has(c.Value) {
				continue
			}
			var n counted
			if err := answer.facet("chosen "+field+":"+c.Value, &n); err != nil {
				return err
			}
			f.add(a, c.Value, n.N)
		}
		if len(f.Values) == 0 {
			continue
		}
		f.order()
		f.More += max(0, all.NumBuckets-len(all.Buckets))
		r.Facets = append(r.Facets, f)
	}
	return nil
}

func (f *Facet) has(value string) bool {
	return slices.ContainsFunc(f.Values, func(v Value) bool { return v.Value == value })
}

// add adds a value to a facet, unless no hit has it.
func (f *Facet) add(a *solrAsk, value string, n int) {
	if n == 0 {
		return
	}
	v := Value{Value: value, Label: value, Count: n}
	switch f.Field {
	case Type:
		v.Label = typeLabels[value]
	case Language:
		v.Value = languageOf(value)
		v.Label = languageLabel(v.Value)
	case Collection:
		v.Label = cmp.Or(a.titles[value], value)
	}
	v.Selected = slices.Contains(a.question.filters, Filter{Field: f.Field, Value: v.Value})
	f.Values = append(f.Values, v)
}
