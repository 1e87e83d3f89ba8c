package pages

import (
	"strconv"

	"quire/access/machines"
	"quire/holdings"
)

// mostInSitemap limits the packages of one file: one address is left for that of the first page.
const mostInSitemap = machines.MaxInSitemap - 1

// sitemap lists the title pages of the packages that are open to the public, for every reader. If
// one file cannot have them all, it lists the files.
func (s *site) sitemap(q *request) (answer, error) {
	if !s.Sitemap {
		return answer{}, errNotFound
	}
	all, err := s.listing(q.Context(), holdings.Reader{Class: holdings.Public})
	if err != nil {
		return answer{}, err
	}
	var open []listed
	for _, p := range all {
		if p.open {
			open = append(open, p)
		}
	}
	return s.sitemapOf(q, open)
}

func (s *site) sitemapOf(q *request, open []listed) (answer, error) {
	parts := (len(open) + mostInSitemap - 1) / mostInSitemap
	whole := q.place.Kind == sitemap
	var out []machines.Address
	if whole && parts > 1 {
		for n := range parts {
			out = append(out, machines.Address{URL: s.absolute(q, string(s.ui)+"/sitemap-"+strconv.Itoa(n+1)+".xml")})
		}
		text, err := machines.SitemapIndex(out)
		return document(machines.SitemapType, text), err
	}
	if !whole {
		if parts < 2 || q.place.Number > parts {
			return answer{}, errNotFound
		}
		open = open[(q.place.Number-1)*mostInSitemap : min(len(open), q.place.Number*mostInSitemap)]
	}
	if whole || q.place.Number == 1 {
		out = append(out, machines.Address{URL: s.absolute(q, s.ui.Front())})
	}
	for _, p := range open {
		out = append(out, machines.Address{URL: s.absolute(q, s.ui.Site(p.id)), Changed: p.stored})
	}
	text, err := machines.Sitemap(out)
	return document(machines.SitemapType, text), err
}
