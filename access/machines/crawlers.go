package machines

import (
	"encoding/xml"
	"strings"
	"time"
)

// MaxInSitemap is the largest number of addresses in one sitemap (sitemaps.org).
const MaxInSitemap = 50_000

// Address is an address of a sitemap. Changed may be zero.
type Address struct {
	URL     string
	Changed time.Time
}

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

// Sitemap returns a sitemap, at most MaxInSitemap addresses.
func Sitemap(all []Address) ([]byte, error) {
	return document(SitemapType, sitemapURLs{URLs: links(all)})
}

// SitemapIndex returns the list of the sitemaps of a site with more addresses.
func SitemapIndex(sitemaps []Address) ([]byte, error) {
	return document(SitemapType, sitemapIndex{Parts: links(sitemaps)})
}

func links(all []Address) []sitemapLink {
	out := make([]sitemapLink, len(all))
	for i, a := range all {
		if out[i].Loc = a.URL; !a.Changed.IsZero() {
			out[i].LastMod = instant(a.Changed)
		}
	}
	return out
}

// RefuseRobots is the robots.txt of a host with archived pages: crawlers stay out, because search
// engines would show old content as the site's own.
const RefuseRobots = "User-agent: *\nDisallow: /\n"

// Robots returns a robots.txt for all crawlers: the longest matching path decides (RFC 9309, 2.2.2).
// sitemap is the address of the sitemap; "" for none.
func Robots(allow, disallow []string, sitemap string) string {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, path := range allow {
		b.WriteString("Allow: " + path + "\n")
	}
	for _, path := range disallow {
		b.WriteString("Disallow: " + path + "\n")
	}
	if sitemap != "" {
		b.WriteString("\nSitemap: " + sitemap + "\n")
	}
	return b.String()
}
