package pages

import (
	"errors"
	"net/url"
	"strings"

	"quire/access/address"
	"quire/access/machines"
	"quire/access/search"
)

// feed returns a feed without entries.
func (s *site) feed(q *request, title, self, page string) machines.Feed {
	return machines.Feed{Language: s.words.Language(), Address: self, Page: s.absolute(q, page), Title: title,
		Author: s.Name}
}

// newestFeed lists the packages that were stored last, as the first page does.
func (s *site) newestFeed(q *request) (answer, error) {
	all, err := s.h.Overview(q.Context(), q.who)
	if err != nil {
		return answer{}, err
	}
	f := s.feed(q, s.words.T("feed.newest", s.Name), s.absolute(q, string(s.ui)+"/feed.atom"), s.ui.Front())
	f.Subtitle = s.About
	for _, id := range all.Newest {
		p, err := s.pkg(q, id)
		if errors.Is(err, errNotFound) { // removed or hidden a moment ago
			continue
		}
		if err != nil {
			return answer{}, err
		}
		if p.Stored.IsZero() {
			continue // an entry needs a date
		}
		c := s.card(p)
		f.Entries = append(f.Entries, machines.Entry{Address: s.absolute(q, s.ui.Site(p.ID)), Title: c.Title,
			Updated: p.Stored, Summary: strings.Join(withoutEmpty([]string{c.Text, c.Note, c.Lock}), " · ")})
	}
	return sentFeed(&f)
}

func sentFeed(f *machines.Feed) (answer, error) {
	text, err := f.Document()
	return document(machines.FeedType, text), err
}

// searchFeed lists the hits of a search, the newest captures first unless the request has an order.
func (s *site) searchFeed(q *request) (answer, error) {
	a := readAsked(q.place.Arguments)
	if v, _ := url.ParseQuery(q.place.Arguments); a.Order == search.Relevance && !v.Has("order") {
		a.Order = search.Newest
	}
	r, err := s.found(q, a)
	if err != nil {
		return answer{}, err
	}
	here := a.at(s.ui)
	f := s.feed(q, s.words.T("feed.search", s.Name, a.Text), s.inForm(q, searchFeed, here), here)
	p := s.pageOf(a, r)
	f.Hits = &machines.Hits{Total: r.Total, From: a.From, PerPage: hitsAPage, Previous: s.inForm(q, searchFeed, p.Prev),
		Next: s.inForm(q, searchFeed, p.Next), Description: s.absolute(q, string(s.ui)+"/opensearch.xml")}
	for i := range r.Hits {
		h := &r.Hits[i]
		if h.Capture == nil {
			continue // an entry needs a date and an address
		}
		t, ok := address.Time(h.Capture.Timestamp)
		if !ok {
			continue
		}
		at := s.absolute(q, s.ui.Banner(address.All, h.Capture.Timestamp, h.URL))
		f.Entries = append(f.Entries, machines.Entry{Address: at, Title: joined(h.Title), Updated: t,
			Summary: joined(h.Snippet)})
	}
	return sentFeed(&f)
}

// feeds returns the links of the head of a page: to the description of the search, and to feeds.
func (s *site) feeds(q *request) (all []machines.Link) {
	if s.Search != nil {
		all = append(all, machines.Link{Rel: "search", Type: machines.OpenSearchType, Title: s.Name,
			Href: string(s.ui) + "/opensearch.xml"})
	}
	all = append(all, machines.Link{Rel: "alternate", Type: machines.FeedType, Title: s.words.T("feed.newest", s.Name),
		Href: string(s.ui) + "/feed.atom"})
	if a := readAsked(q.place.Arguments); q.place.Kind == address.Search && s.Search != nil &&
		(strings.TrimSpace(a.Text) != "" || len(a.Filters) > 0) {
		page := strings.TrimPrefix(a.at(s.ui), s.ui.Search(""))
		all = append(all, machines.Link{Rel: "alternate", Type: machines.FeedType,
			Title: s.words.T("feed.search", s.Name, a.Text), Href: string(s.ui) + "/search.atom" + page},
			machines.Link{Rel: "alternate", Type: "application/json", Title: s.words.T("search.title.of", a.Text),
				Href: string(s.ui) + "/search.json" + page})
	}
	return all
}
