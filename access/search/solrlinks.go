package search

import (
	"context"
	"fmt"
	"strconv"

	"quire/access/search/solr"
	"quire/holdings"
)

// Links implements [Engine]. Collections that an earlier version filled have no links until they are
// rebuilt.
func (s *Solr) Links(ctx context.Context, who holdings.Reader, q LinkQuery) (*HostLinks, error) {
	q.Host = hostOf(q.Host)
	v, err := s.view(ctx)
	if err != nil {
		return nil, fmt.Errorf("counting links of %s: %w", q.Host, err)
	}
	r := &HostLinks{Host: q.Host, Incoming: []LinkedHost{}, Outgoing: []LinkedHost{}}
	if !v.judged {
		r.Indexing = notCounted
		return r, nil
	}
	a := &solrAsk{s: s, who: who, view: v, question: &question{}, level: Pages, lists: map[string]string{}}
	a.build()
	if err := a.links(ctx, q, r); err != nil {
		return nil, fmt.Errorf("counting links of %s: %w", q.Host, err)
	}
	s.mu.Lock()
	r.Indexing = s.indexing
	s.mu.Unlock()
	return r, nil
}

// links counts the links in both directions.
func (a *solrAsk) links(ctx context.Context, q LinkQuery, r *HostLinks) (err error) {
	years := "quire_year:[" + yearOr(q.From) + " TO " + yearOr(q.To) + "]"
	if r.Incoming, _, err = a.linkedBy(ctx, "quire_host", solr.OneOf("links_hosts", q.Host), years); err != nil {
		return err
	}
	if r.Outgoing, r.Pages, err = a.linkedBy(ctx, "links_hosts", solr.OneOf("quire_host", q.Host), years); err != nil {
		return err
	}
	r.shorten()
	closed, err := a.closedHosts(ctx, append(r.Outgoing, LinkedHost{Host: q.Host}))
	if err != nil {
		return err
	}
	if closed[q.Host] {
		r.Incoming = []LinkedHost{}
	}
	open := r.Outgoing[:0]
	for _, h := range r.Outgoing {
		if !closed[h.Host] {
			open = append(open, h)
		}
	}
	r.Outgoing = open
	return nil
}

func yearOr(year int) string {
	if year == 0 {
		return "*"
	}
	return strconv.Itoa(year)
}

// linkedBy counts pages by a field, and all of them that have a link.
func (a *solrAsk) linkedBy(ctx context.Context, field string, more ...string) ([]LinkedHost, int, error) {
	request := a.request(append(more, "links_hosts:[* TO *]")...)
	pages := map[string]any{"n": "unique(quire_page)"}
	request["facet"] = map[string]any{"hosts": map[string]any{"type": "terms", "field": field, "limit": MostLinked + 1,
		"refine": true, "sort": "n desc", "facet": map[string]any{"n": "unique(quire_page)", "first": "min(quire_time)",
			"last": "max(quire_time)"}}, "all": map[string]any{"type": "query", "q": solr.Everything, "facet": pages}}
	var answer grouped
	if err := a.s.own.Select(ctx, request, &answer); err != nil {
		return nil, 0, err
	}
	var hosts struct {
		Buckets []struct {
			Val         string
			N           int
			First, Last float64
		}
	}
	var whole struct{ N int }
	if err := answer.facet("hosts", &hosts); err != nil {
		return nil, 0, err
	}
	if err := answer.facet("all", &whole); err != nil {
		return nil, 0, err
	}
	all := []LinkedHost{}
	for _, b := range hosts.Buckets {
		all = append(all, LinkedHost{b.Val, b.N, timestamp(int64(b.First)), timestamp(int64(b.Last))})
	}
	sortLinked(all)
	return all, whole.N, nil
}

// closedHosts returns the hosts that have captures, but none that the reader sees.
func (a *solrAsk) closedHosts(ctx context.Context, all []LinkedHost) (map[string]bool, error) {
	var names []string
	for _, h := range all {
		names = append(names, h.Host)
	}
	closed := map[string]bool{}
	for _, filters := range [][]string{{ofCaptures}, a.rights} {
		params := map[string]any{"linked": solr.List(names)}
		for name, list := range a.lists {
			params[name] = list
		}
		request := map[string]any{"query": solr.Everything, "limit": 0, "params": params,
			"filter": append([]string{solr.Among("quire_host", "linked")}, filters...),
			"facet": map[string]any{"hosts": map[string]any{"type": "terms", "field": "quire_host",
				"limit": len(names)}}}
		var answer grouped
		if err := a.s.own.Select(ctx, request, &answer); err != nil {
			return nil, err
		}
		var hosts buckets
		if err := answer.facet("hosts", &hosts); err != nil {
			return nil, err
		}
		for i := range hosts.Buckets {
			closed[hosts.Buckets[i].value()] = len(filters) == 1
		}
	}
	return closed, nil
}
