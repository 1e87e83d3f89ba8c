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
