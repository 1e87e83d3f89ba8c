package relink

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"quire/format/weburl"
)

// resolve returns the URL that a link had on the web. It returns "" and no reason if the link is
// already correct.
func (w *writer) resolve(value string, p place) (url string, why Reason) {
	if w.page.Style == HTTrackOriginal {
		return "", ""
	}
	httrack := w.page.Style.isHTTrack()
	if httrack {
		if url, ok := unwrap(value); ok {
			if whole := escapedInCSS(url, p.bareCSS); whole != "" {
				url = whole
			}
			return url, ""
		}
	}
	switch {
	case value == "" || value[0] == '#' || p.isBase && w.page.Style == Wget:
		return "", ""
	case isLocal(value):
		return "", LocalFile
	case hasScheme(value):
		if url, ok := w.viaProxy(value); httrack && ok {
			return url, ""
		}
		return escapedInCSS(value, httrack && p.bareCSS), ""
	case value[0] == '/' || value[0] == '\\':
		return "", "" // from the root of the host: crawlers write none, or (HTTrack -K3) the original
	case p.isBase, w.base != "" && (hasScheme(w.base) || w.base[0] == '/'):
		return "", "" // relative to a base that the crawler kept, so the links are unchanged
	}
	return w.saved(value)
}

// escapedInCSS restores an absolute URL with ampersands that HTTrack escaped. HTTrack escapes them
// everywhere, but in CSS the escapes have no meaning. The result is "" if there are no such
// escapes. In links to saved names the escapes do not matter.
func escapedInCSS(url string, inCSS bool) string {
	if !inCSS || !strings.Contains(url, "&amp;") || !strings.HasPrefix(url, "http") && !strings.HasPrefix(url, "ftp") {
		return ""
	}
	return strings.ReplaceAll(url, "&amp;", "&")
}

// saved resolves a relative link by the saved file it leads to.
func (w *writer) saved(value string) (string, Reason) {
	link, fragment, hasFragment := strings.Cut(value, "#")
	if link == "" || link[0] == '?' {
		return "", QueryAlone
	}
	url, why := w.find(link)
	if hasFragment && why == "" {
		url, _, _ = strings.Cut(url, "#")
		url += "#" + fragment
	}
	return url, why
}

// find tries the possible paths of a link, in the order that the crawler's behaviour suggests.
func (w *writer) find(link string) (string, Reason) {
	p, query, hasQuery := strings.Cut(link, "?")
	why := NotSaved
	try := func(p string) (string, bool) {
		full, ok := w.join(p)
		if !ok {
			why = LeadsOut
			return "", false
		}
		return w.page.Lookup(full)
	}
	switch w.page.Style {
	case HTTrack, HTTrackProxy, HTTrackOriginal: // the query after a saved name was used to build the name
		for _, one := range []string{weburl.Unescape(p), p} {
			if url, ok := try(one); ok {
				if hasQuery && w.isOriginal(link, url) {
					return "", QueryDiffers
				}
				return url, ""
			}
		}
	case Wget: // a file's name has the query in it
		for _, one := range []string{weburl.Unescape(link), link} {
			if url, ok := try(one); ok {
				return url, ""
			}
		}
	case Plain:
		for _, one := range []string{weburl.Unescape(link), link} {
			if url, ok := try(one); ok {
				return url, ""
			}
		}
		for _, one := range []string{weburl.Unescape(p), p} {
			if url, ok := tryFolder(one, try); ok {
				if hasQuery {
					url += "?" + query
				}
				return url, ""
			}
		}
	}
	return "", why
}

// isOriginal reports whether a link with a query is an unchanged link of the web. As a web link it
// has the same path as the saved file that it also names, but another query. A link written by
// HTTrack has the query of the saved file or, if the file was the target of a redirect, another
// path.
func (w *writer) isOriginal(link, saved string) bool {
	_, query, _ := strings.Cut(strings.ReplaceAll(link, "&amp;", "&"), "?")
	before, savedQuery, _ := strings.Cut(saved, "?")
	if w.page.URL == "" || weburl.Unescape(query) == weburl.Unescape(savedQuery) {
		return false
	}
	base, err := url.Parse(w.page.URL)
	if err != nil {
		return false
	}
	asOnTheWeb, err := base.Parse(link)
	if err != nil {
		return false
	}
	path, _, _ := strings.Cut(asOnTheWeb.String(), "?")
	return weburl.Unescape(path) == weburl.Unescape(before)
}

func tryFolder(p string, try func(string) (string, bool)) (string, bool) {
	if url, ok := try(p); ok || !strings.HasSuffix(p, "/") {
		return url, ok
	}
	if url, ok := try(p + "index.html"); ok {
		return url, ok
	}
	return try(p + "index.htm")
}

// join returns the path in the mirror for a path relative to the file, or to the document's base.
func (w *writer) join(p string) (string, bool) {
	dir := path.Dir(w.page.File)
	if w.base != "" {
		folder, _, _ := strings.Cut(w.base, "?")
		dir = path.Join(dir, path.Dir(folder+"x")) // "deep/" and "deep/page.html" are both in deep
	}
	full := path.Join(dir, p)
	if full == ".." || strings.HasPrefix(full, "../") || strings.HasPrefix(full, "/") ||
		strings.IndexByte(full, 0) >= 0 {
		return "", false
	}
	return full, true
}

// unwrap returns the URL in a link to HTTrack's page for content outside the mirror:
// "../external.html?link=http://…", of option -x. PANDAS rewrote it to /external.html.
func unwrap(value string) (string, bool) {
	rest := value
	for strings.HasPrefix(rest, "../") {
		rest = rest[len("../"):]
	}
	if rest == value {
		rest = strings.TrimPrefix(rest, "/")
	}
	for _, name := range []string{"external.html?link=", "external.gif?link="} {
		if url, ok := strings.CutPrefix(rest, name); ok && hasScheme(url) {
			return url, true
		}
	}
	return "", false
}

// withPort matches the folder of a host with a port, which HTTrack writes with an underscore: no
// host name ends like this.
var withPort = regexp.MustCompile(`^https?://[^/?#]*_[0-9]{1,5}/`)

// viaProxy turns back an absolute link to a saved file, made for a proxy that serves the mirror
// (HTTrack's option -K5).
func (w *writer) viaProxy(value string) (string, bool) {
	if w.page.Style != HTTrackProxy && !withPort.MatchString(value) {
		return "", false
	}
	_, rest, ok := strings.Cut(value, "://")
	if !ok {
		return "", false
	}
	rest, fragment, hasFragment := strings.Cut(rest, "#")
	p, _, _ := strings.Cut(rest, "?")
	for _, one := range []string{p, weburl.Unescape(p)} { // HTTrack does not escape such links
		if url, ok := w.page.Lookup(path.Clean(one)); ok {
			if hasFragment {
				url += "#" + fragment
			}
			return url, true
		}
	}
	return "", false
}

// hasScheme reports whether v is an absolute URL of any scheme (RFC 3986, 3.1).
func hasScheme(v string) bool {
	for i := range len(v) {
		c := v[i] | 0x20
		switch {
		case v[i] == ':':
			return i > 0
		case c >= 'a' && c <= 'z':
		case i > 0 && (v[i] >= '0' && v[i] <= '9' || v[i] == '+' || v[i] == '-' || v[i] == '.'):
		default:
			return false
		}
	}
	return false
}

func isLocal(v string) bool {
	return len(v) > 1 && v[1] == ':' && hasScheme(v) || len(v) > 5 && strings.EqualFold(v[:5], "file:")
}
