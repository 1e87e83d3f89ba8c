package address

import (
	"net/url"
	"strconv"
	"strings"
)

// Kinds of pages of the UI host, in addition to the kinds of the replay host (Kind).
const (
	Front      Kind = "front"      // /
	Search     Kind = "search"     // /search?q=
	SearchCSV  Kind = "search.csv" // /search.csv?q=: the results as a table
	Trends     Kind = "trends"     // /trends?q=&q=: words over time
	TrendsCSV  Kind = "trends.csv" // /trends.csv?q=&q=
	Links      Kind = "links"      // /links?host=: the hosts that link to a host, and those it links to
	LinksCSV   Kind = "links.csv"  // /links.csv?host=
	Site       Kind = "site"       // /site/PACKAGE: the title entry page
	Collection Kind = "collection" // /collection/ID
	Versions   Kind = "versions"   // /versions/COLL/URL: the resource page, with the calendar
	Compare    Kind = "compare"    // /compare/COLL/?url=&a=&b=
	Harvest    Kind = "harvest"    // /harvest/PACKAGE/N
	Missed     Kind = "missed"     // /harvest/PACKAGE/N/missed?reason=&host=&from=
	History    Kind = "history"    // /history/PACKAGE
	File       Kind = "file"       // /file/PACKAGE/PATH
	Provenance Kind = "provenance" // /provenance/COLL/TIMESTAMP[MOD]/URL: the facts about a capture
	Export     Kind = "export"     // /export/PACKAGE?as=
	Static     Kind = "static"     // /static/PATH
	Banner     Kind = "banner"     // /COLL/TIMESTAMP/URL: a capture in a frame, with its details above
)

// UI is the base URL of our own pages, without a slash at its end: "" means the requested host,
// "/archive" a path on it.
type UI string

// Front returns the address of the first page.
func (u UI) Front() string { return string(u) + "/" }

// Search returns the address of a search; without a query, of the search form.
func (u UI) Search(query string) string {
	if query == "" {
		return string(u) + "/search"
	}
	return string(u) + "/search?" + url.Values{"q": {query}}.Encode()
}

// Trends returns the address of the numbers of pages with some words, by year.
func (u UI) Trends(queries ...string) string {
	at := string(u) + "/trends"
	if len(queries) > 0 {
		at += "?" + url.Values{"q": queries}.Encode()
	}
	return at
}

// Links returns the address of the links from and to a host.
func (u UI) Links(host string) string {
	return string(u) + "/links?" + url.Values{"host": {host}}.Encode()
}

// Site returns the address of a package's title entry page.
func (u UI) Site(pkg string) string { return string(u) + "/site/" + escapeSegment(pkg) }

// Collection returns the address of a collection.
func (u UI) Collection(id string) string { return string(u) + "/collection/" + escapeSegment(id) }

// Versions returns the address of all captures of a URL. It ends with the URL: a year or month
// comes before it (VersionsIn).
func (u UI) Versions(collection, archived string) string {
	return u.VersionsIn(collection, "", archived)
}

// VersionsIn returns the address of the captures of a URL in a year (2015), month (201501), day,
// hour or minute; "" means all.
func (u UI) VersionsIn(collection, period, archived string) string {
	at := string(u) + "/versions/" + escapeSegment(collection) + "/"
	if period != "" {
		at += period + "/"
	}
	return at + EscapeURL(archived)
}

// Compare returns the address of two captures of a URL, side by side; a and b are timestamps.
func (u UI) Compare(collection, archived, a, b string) string {
	return string(u) + "/compare/" + escapeSegment(collection) + "/?" +
		url.Values{"url": {archived}, "a": {a}, "b": {b}}.Encode()
}

// Harvest returns the address of one harvest of a package; n counts from 1.
func (u UI) Harvest(pkg string, n int) string {
	return string(u) + "/harvest/" + escapeSegment(pkg) + "/" + itoa(n)
}

// Missed returns the address of the list of URLs that a harvest of a package did not capture.
// reason and host filter it, unless ""; from is the position at which a page of the list begins.
func (u UI) Missed(pkg string, n int, reason, host string, from int64) string {
	at := u.Harvest(pkg, n) + "/missed"
	v := url.Values{}
	for _, a := range []struct{ name, value string }{{"reason", reason}, {"host", host}} {
		if a.value != "" {
			v.Set(a.name, a.value)
		}
	}
	if from > 0 {
		v.Set("from", strconv.FormatInt(from, 10))
	}
	if len(v) > 0 {
		at += "?" + v.Encode()
	}
	return at
}

// History returns the address of the events of a package.
func (u UI) History(pkg string) string { return string(u) + "/history/" + escapeSegment(pkg) }

// File returns the address of a log or document of a package.
func (u UI) File(pkg, path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = escapeSegment(p)
	}
	return string(u) + "/file/" + escapeSegment(pkg) + "/" + strings.Join(parts, "/")
}

// Export returns the address of a package in an export format (docs/reference/565_exports.md).
func (u UI) Export(pkg, as string) string {
	return string(u) + "/export/" + escapeSegment(pkg) + "?" + url.Values{"as": {as}}.Encode()
}

// Provenance returns the address of the facts about a capture; a modifier selects another form.
func (u UI) Provenance(collection, timestamp string, m Modifier, archived string) string {
	return string(u) + "/provenance/" + escapeSegment(collection) + "/" + timestamp + string(m) + "/" +
		EscapeURL(archived)
}

// Static returns the address of one of our style sheets or scripts.
func (u UI) Static(path string) string { return string(u) + "/static/" + path }

// Banner returns the address of a capture in a frame, below its details.
func (u UI) Banner(collection, timestamp, archived string) string {
	return string(u) + "/" + escapeSegment(collection) + "/" + timestamp + "/" + EscapeURL(archived)
}

// Latest returns the address of the newest capture of a URL: the UI host redirects to its banner.
func (u UI) Latest(collection, archived string) string {
	return string(u) + "/" + escapeSegment(collection) + "/" + EscapeURL(archived)
}

// Place is a parsed request to the UI host.
type Place struct {
	// set for Versions, Banner, TimeGate, TimeMap and CDX; for other kinds only Kind
	Request
	ID        string // of a package or collection
	Number    int    // of a harvest, from 1
	Path      string // of a file: "" for none
	Period    string // of Versions: 4 to 8 digits, "" for all
	Arguments string // query string of our own addresses, not of an archived URL
}

// ParseUI parses the target of a request to the UI host. The target is the request line's
// (http.Request.RequestURI), without the path at which the server is mounted. The form
// /COLL/TIMESTAMP/URL does not work for a collection named like one of our pages.
func ParseUI(target string) (Place, bool) {
	path, arguments, _ := strings.Cut(origin(target), "?")
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	p := Place{Arguments: arguments}
	p.Kind = Kind(first)
	switch p.Kind {
	case "":
		p.Kind = Front
		return p, rest == "" && target != ""
	case Search, SearchCSV, Trends, TrendsCSV, Links, LinksCSV:
		return p, rest == ""
	case Static:
		p.Path = rest
		return p, rest != ""
	case Site, Collection, History, Export:
		return p.id(strings.TrimSuffix(rest, "/"))
	case Compare:
		var ok bool
		p.In, ok = parseIn(strings.TrimSuffix(rest, "/"))
		return p, ok
	case Harvest:
		id, number, _ := strings.Cut(rest, "/")
		if n, ok := strings.CutSuffix(number, "/missed"); ok {
			p.Kind, number = Missed, n
		}
		n, ok := atoi(strings.TrimSuffix(number, "/"))
		p.Number = n
		p, good := p.id(id)
		return p, ok && good
	case File:
		return p.file(rest)
	case Versions:
		return p.versions(origin(target))
	case Provenance:
		q, ok := ParseReplay(strings.TrimPrefix(origin(target), "/provenance"))
		ok = ok && q.Kind == Capture
		q.Kind = Provenance
		return Place{Request: q}, ok
	}
	q, ok := ParseReplay(target)
	if q.Kind == Capture {
		q.Kind = Banner
	}
	return Place{Request: q}, ok
}

func (p Place) id(segment string) (Place, bool) {
	var ok bool
	p.ID, ok = unescapeSegment(segment)
	return p, ok && p.ID != ""
}

// file parses PACKAGE/PATH. It rejects paths that leave the package.
func (p Place) file(rest string) (Place, bool) {
	id, path, _ := strings.Cut(rest, "/")
	p, ok := p.id(id)
	if !ok {
		return p, false
	}
	if p.Path, ok = unescapeSegment(path); !ok {
		return p, false
	}
	for part := range strings.SplitSeq(p.Path, "/") {
		if part == "." || part == ".." {
			return p, false
		}
	}
	return p, true
}

// versions parses /versions/COLL/[PERIOD/]URL: the query belongs to the archived URL.
func (p Place) versions(target string) (Place, bool) {
	p.Arguments = ""
	rest := strings.TrimPrefix(target, "/versions/")
	first, rest, _ := strings.Cut(rest, "/")
	var ok bool
	if p.In, ok = parseIn(first); !ok {
		return p, false
	}
	if period, behind, more := strings.Cut(rest, "/"); more && len(period) >= 4 && len(period) <= 12 &&
		strings.Trim(period, "0123456789") == "" {
		p.Period, rest = period, behind
	}
	p.URL, ok = ReadURL(rest)
	return p, ok
}

// thumbnails is the path of the thumbnails.
const thumbnails = "/-/thumbnail"

// Thumbnail returns the address of the thumbnail of a capture.
func (u UI) Thumbnail(collection, timestamp, archived string) string {
	return string(u) + thumbnails + "/" + escapeSegment(collection) + "/" + timestamp + "/" + EscapeURL(archived)
}

// ParseThumbnail parses the target of a request for a thumbnail.
func ParseThumbnail(target string) (Request, bool) {
	rest, ok := strings.CutPrefix(origin(target), thumbnails)
	if !ok {
		return Request{}, false
	}
	q, ok := ParseReplay(rest)
	return q, ok && q.Kind == Capture && q.Modifier == "" && q.In.Capability == ""
}
