package search

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"quire/access/search/extract"
)

// typeNamed returns the type that a reader means: by our name, a synonym, a media type or a file
// extension; "" if none matches.
func typeNamed(s string) string {
	s = strings.ToLower(strings.TrimPrefix(s, "."))
	switch {
	case slices.Contains(Types, s):
		return s
	case typeWords[s] != "":
		return typeWords[s]
	case strings.Contains(s, "/"):
		return extract.TypeOf(s, "")
	case s == "":
		return ""
	}
	if t := extract.TypeOf("", "http://x.example/x."+s); t != "other" {
		return t
	}
	return "" // an unspecific extension: the reader does not mean all of "other"
}

var typeWords = map[string]string{
	"html": "page", "pages": "page", "webpage": "page", "documents": "document", "word": "document",
	"excel": "spreadsheet", "sheet": "spreadsheet",
	"powerpoint": "presentation", "slides": "presentation", "picture": "image", "photo": "image", "images": "image",
	"sound": "audio", "music": "audio",
	"film": "video", "movie": "video",
}

// hostOf returns a host in the form of facets: from a host or URL, without www.
func hostOf(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if strings.Contains(s, "//") {
		if u, err := url.Parse(s); err == nil {
			s = u.Host
		}
	}
	s, _, _ = strings.Cut(s, "/")
	if host, port, ok := strings.Cut(s, ":"); ok && strings.Trim(port, "0123456789") == "" {
		s = host
	}
	return strings.TrimPrefix(strings.Trim(s, "."), "www.")
}

// urlRank returns the rank of a URL: 0 for a front page, more for deeper pages; at most leastWorth.
func urlRank(address string) int {
	u, err := url.Parse(address)
	if err != nil {
		return leastWorth
	}
	p := strings.Trim(u.EscapedPath(), "/")
	if strings.HasPrefix(path.Base(p), "index.") || strings.HasPrefix(path.Base(p), "default.") {
		p = strings.Trim(path.Dir(p), "/.")
	}
	n := 0
	if p != "" {
		n = 1 + strings.Count(p, "/")
	}
	if u.RawQuery != "" {
		n += 2 + strings.Count(u.RawQuery, "&")
	}
	return min(n, leastWorth)
}

const leastWorth = 9

// lastOf returns a substitute for a title: the end of the URL's path, decoded, or the host.
func lastOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if last := path.Base(u.Path); last != "." && last != "/" {
		return last
	}
	if u.Host != "" {
		return u.Host
	}
	return address
}

// wordsOf returns the words of a URL: without scheme, www and file extensions; escapes decoded.
func wordsOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	p := strings.TrimSuffix(u.Path, path.Ext(u.Path)) + " " + strings.TrimPrefix(path.Ext(u.Path), ".")
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		query = u.RawQuery
	}
	return strings.ToValidUTF8(strings.NewReplacer("_", " ", "&", " ", "=",
		" ").Replace(hostOf(u.Host)+" "+p+" "+query), " ")
}
