package search

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"quire/access/search/solr"
	"quire/access/search/words"
	"quire/holdings"
)

// A query of Solr consists of conditions that Quire writes: each value of a reader is quoted, and words have
// only letters, marks and digits. So no input becomes syntax.

// solrView is the part of Solr that may be asked at one state of the holdings.
type solrView struct {
	stamp   any
	fed     *fed
	outside []string // packages whose captures in Solr are not those of the holdings
	judged  bool     // all other packages were judged by the current rules
}

// view returns the current view.
func (s *Solr) view(ctx context.Context) (*solrView, error) {
	stamp, err := s.house.Stamp(ctx)
	if err != nil {
		return nil, err
	}
	f, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	v := s.views
	s.mu.Unlock()
	if v != nil && v.stamp == stamp && v.fed == f {
		return v, nil
	}
	there, err := s.house.Indexed(ctx)
	if err != nil {
		return nil, err
	}
	epoch, known := s.house.Epoch()
	v = &solrView{stamp: stamp, fed: f, judged: known}
	for name, p := range f.packages {
		switch {
		case p.state == "" || there[name] != p.state:
			v.outside = append(v.outside, name)
		case p.epoch != epoch:
			v.judged = false
		}
	}
	s.mu.Lock()
	s.views = v
	s.mu.Unlock()
	return v, nil
}

// solrAsk is a query in Solr's terms.
type solrAsk struct {
	s        *Solr
	who      holdings.Reader
	view     *solrView
	question *question
	in       map[string][]string // packages of the collections that the reader may see
	titles   map[string]string   // of these collections
	level    Level
	order    Order

	match   string            // the condition on words; "" for none
	rights  []string          // conditions that always hold
	filters []string          // the reader's, with their tags
	lists   map[string]string // values of parameters
}

// Query implements [Engine].
func (s *Solr) Query(ctx context.Context, who holdings.Reader, q Query) (*Result, error) {
	begin := s.now()
	asked := parse(q.Text)
	asked.filters = append(asked.filters, q.Filters...)
	q.complete(asked)
	v, err := s.view(ctx)
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	ids, titles, err := s.house.Members(ctx, who)
	if err != nil {
		return nil, err
	}
	a := &solrAsk{s: s, who: who, view: v, question: asked, level: q.Level, order: q.Order, titles: titles,
		in: packagesOf(ids), lists: map[string]string{}}
	asked.stem(words.Stemmed)
	a.build()
	r := &Result{Level: q.Level, Notes: append([]string{}, asked.notes...), Hits: []Hit{}, Facets: []Facet{},
		Filters: append([]Filter{}, asked.filters...)}
	if v.judged {
		err = a.counted(ctx, q, r)
	} else {
		err = a.uncounted(ctx, q, r)
	}
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	s.mu.Lock()
	if s.indexing != "" {
		r.Indexing = s.indexing
	}
	s.mu.Unlock()
	r.Took = s.now().Sub(begin)
	return r, nil
}

// packagesOf turns a list of collections by package into one of packages by collection.
func packagesOf(ids map[string][]string) map[string][]string {
	in := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		for _, id := range ids[name] {
			in[id] = append(in[id], name)
		}
	}
	return in
}

// build writes the conditions.
func (a *solrAsk) build() {
	a.rights = []string{ofCaptures, a.access()}
	if len(a.view.outside) > 0 {
		a.lists["outside"] = solr.List(a.view.outside)
		a.rights = append(a.rights, "+"+solr.Everything+" -"+solr.Within(solr.Among("quire_package", "outside")))
	}
	a.match = a.words()
	if a.level == Pages {
		a.filters = append(a.filters, "{!tag=level}"+pagesOnly)
	}
	for _, field := range dimensionOf {
		if c := a.condition(field); c != "" {
			a.filters = append(a.filters, "{!tag="+field+"}"+c)
		}
	}
}

// pagesOnly is the condition of hits at page level.
const pagesOnly = `quire_type:("page" OR "text")`

// access is the condition of captures that the reader may see.
func (a *solrAsk) access() string {
	const minute = 60
	now := a.s.now().Unix() / minute * minute // so that Solr remembers the answer for a minute
	of := func(c holdings.Class) string {
		return fmt.Sprintf("(+quire_%s_from:[* TO %d] +quire_%s_to:[%d TO *])", c, now, c, now+minute)
	}
	own := holdings.Public
	if slices.Contains(classes, a.who.Class) {
		own = a.who.Class
	}
	if a.who.Packages == nil {
		return of(own)
	}
	a.lists["bound"] = solr.List(a.who.Packages)
	return "(" + of(holdings.Public) + " OR (+" + of(own) + " +" + solr.Within(solr.Among("quire_package", "bound")) +
		"))"
}

// fieldsOfWords are the fields with words, and their weights.
var fieldsOfWords = []struct {
	column, name string
	weight       int
}{{"title", "quire_title_words", 8}, {"url", "quire_url_words", 3}, {"", "quire_body_words", 1}}

// words is the condition on the words of a document; "" if there is none.
func (a *solrAsk) words() string {
	var parts []string
	for _, group := range a.question.all {
		parts = append(parts, "+"+anyTerm(group))
	}
	if len(parts) == 0 && len(a.question.none) > 0 {
		parts = append(parts, "+"+solr.Everything)
	}
	if len(a.question.none) > 0 {
		parts = append(parts, "-"+anyTerm(a.question.none))
	}
	return strings.Join(parts, " ")
}

func anyTerm(all []term) string {
	var parts []string
	for i := range all {
		parts = append(parts, all[i].solr())
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// solr returns a term as a condition.
func (t *term) solr() string {
	var parts []string
	for _, f := range fieldsOfWords {
		if t.column == "" || t.column == f.column {
			parts = append(parts, t.solrIn(f.name)+"^"+strconv.Itoa(f.weight))
		}
	}
	if len(t.stems) > 0 {
		stems := make([]string, len(t.stems))
		for i, s := range t.stems {
			stems[i] = solr.Quote(s)
		}
		list := ":(" + strings.Join(stems, " OR ") + ")^"
		parts = append(parts, "quire_title_stems"+list+"4")
		if t.column == "" {
			parts = append(parts, "quire_body_stems"+list+"0.5")
		}
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// solrIn returns a term as a condition on one field. Of a phrase that ends with the beginning of a word,
// that word may be anywhere.
func (t *term) solrIn(field string) string {
	if !t.prefix {
		return field + ":" + solr.Quote(strings.Join(t.tokens, " "))
	}
	last := len(t.tokens) - 1
	begin := field + ":" + strings.Map(tokenOnly, t.tokens[last]) + "*"
	if last == 0 {
		return begin
	}
	return "(+" + field + ":" + solr.Quote(strings.Join(t.tokens[:last], " ")) + " +" + begin + ")"
}

// tokenOnly keeps letters, marks and digits: nothing else can stand outside of quotation marks.
func tokenOnly(r rune) rune {
	if unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Co) {
		return r
	}
	return -1
}

// condition is the condition of all filters on a field; "" for none.
func (a *solrAsk) condition(field string) string {
	var wanted, unwanted []string
	for _, f := range a.question.filters {
		if f.Field != field {
			continue
		}
		if c := a.value(f); f.Not {
			unwanted = append(unwanted, c)
		} else {
			wanted = append(wanted, c)
		}
	}
	if len(wanted)+len(unwanted) == 0 {
		return ""
	}
	out := "+" + solr.Everything
	if len(wanted) > 0 {
		out = "+(" + strings.Join(wanted, " OR ") + ")"
	}
	for _, c := range unwanted {
		out += " -" + c
	}
	return out
}

// value is the condition of one filter.
func (a *solrAsk) value(f Filter) string {
	switch f.Field {
	case Year:
		if y, err := strconv.ParseInt(f.Value, 10, 32); err == nil && y > 0 {
			return "quire_year:" + strconv.FormatInt(y, 10)
		}
		return solr.Nothing
	case Date:
		p, ok := periodOf(f.Value)
		if !ok {
			return solr.Nothing
		}
		return fmt.Sprintf("quire_time:[%d TO %d]", p.from, p.to)
	case Host:
		if below, ok := strings.CutPrefix(f.Value, "."); ok {
			return solr.OneOf("quire_hosts", below)
		}
		return solr.OneOf("quire_host", f.Value)
	case Type:
		return solr.OneOf("quire_type", f.Value)
	case Language:
		if f.Value == "" {
			return solr.OneOf("quire_language", noLanguage)
		}
		return solr.OneOf("quire_language", f.Value)
	case Package:
		return solr.OneOf("quire_package", f.Value)
	}
	return a.collection(f.Value)
}

// collection is the condition of captures in a collection.
func (a *solrAsk) collection(id string) string {
	if len(a.in[id]) == 0 {
		return solr.Nothing
	}
	at := slices.Index(slices.Sorted(maps.Keys(a.in)), id)
	name := "c" + strconv.Itoa(at)
	a.lists[name] = solr.List(a.in[id])
	return solr.Within(solr.Among("quire_package", name))
}

// unit is the field whose values are the hits.
func (a *solrAsk) unit() string { return unitOf(a.level) }

func unitOf(l Level) string {
	if l == Pages {
		return "quire_page"
	}
	return "quire_payload"
}

// sort is the order of hits.
func (a *solrAsk) sort() string {
	switch {
	case a.order == Newest:
		return "quire_time desc,quire_page asc"
	case a.order == Oldest:
		return "quire_time asc,quire_page asc"
	case len(a.question.all) == 0:
		return "quire_depth asc,quire_time desc,quire_page asc"
	}
	return "score desc,quire_depth asc,quire_time desc,quire_page asc"
}

// request returns a request with all conditions. Each reader's condition has a tag, so that a facet can
// leave it out.
func (a *solrAsk) request(more ...string) map[string]any {
	params := map[string]any{}
	for name, list := range a.lists {
		params[name] = list
	}
	query := solr.Everything
	if a.match != "" {
		params["match"] = a.match
		query = "{!boost b=quire_boost v=$match}"
	}
	return map[string]any{"query": query, "filter": slices.Concat(a.rights, a.filters, more), "params": params,
		"limit": 0}
}

// requestIn returns a request with all conditions, for the groups of a list. The list leads the query, so that Solr
// looks at their captures alone. As a filter, it would fill the cache of filters with lists that are asked once.
func (a *solrAsk) requestIn(list string) map[string]any {
	r := a.request()
	query := "+" + solr.Within(solr.Among(a.unit(), list))
	if a.match != "" {
		query += " +" + solr.Within("{!lucene v=$match}")
	}
	r["query"] = query
	return r
}

// groups adds to a request that it answers with hits.
func (a *solrAsk) groups(r map[string]any, from, hits, each int, sort, fields string) {
	r["limit"], r["offset"], r["sort"], r["fields"] = hits, from, sort, fields
	params, _ := r["params"].(map[string]any)
	params["group"], params["group.field"], params["group.limit"] = true, a.unit(), each
}
