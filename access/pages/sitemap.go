package pages

import (
	"encoding/xml"
	"strconv"

	"quire/holdings"
)

// mostInSitemap limits the packages of one file: 50,000 addresses with that of the first page (sitemaps.org).
const mostInSitemap = 49_999

type sitemapURLs struct {
	XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []sitemapLink `xml:"url"`
}

type sitemapIndex struct {
	XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Parts   []sitemapLink `xml:"sitemap"`
}

type sitemapLink struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

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
	if whole && parts > 1 {
		out := sitemapIndex{}
		for n := range parts {
			out.Parts = append(out.Parts, sitemapLink{
				Loc: s.absolute(q, string(s.ui)+"/sitemap-"+strconv.Itoa(n+1)+".xml")})
		}
		return document("application/xml", out)
	}
	if !whole {
		if parts < 2 || q.place.Number > parts {
			return answer{}, errNotFound
		}
		open = open[(q.place.Number-1)*mostInSitemap : min(len(open), q.place.Number*mostInSitemap)]
	}
	out := sitemapURLs{URLs: []sitemapLink{}}
	if whole || q.place.Number == 1 {
		out.URLs = append(out.URLs, sitemapLink{Loc: s.absolute(q, s.ui.Front())})
	}
	for _, p := range open {
		l := sitemapLink{Loc: s.absolute(q, s.ui.Site(p.id))}
		if !p.stored.IsZero() {
			l.LastMod = instant(p.stored)
		}
		out.URLs = append(out.URLs, l)
	}
	return document("application/xml", out)
}
