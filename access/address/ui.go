package address

import (
	"net/url"
	"strconv"
	"strings"
)

// What the UI host shows, beside what the replay host answers too (Kind).
const (
	Front      Kind = "front"      // /
	Search     Kind = "search"     // /search?q=
	Site       Kind = "site"       // /site/PACKAGE: the title entry page
	Collection Kind = "collection" // /collection/ID
	Versions   Kind = "versions"   // /versions/COLL/URL: the resource page, with the calendar
	Compare    Kind = "compare"    // /compare/COLL/?url=&a=&b=
	Harvest    Kind = "harvest"    // /harvest/PACKAGE/N
	Missed     Kind = "missed"     // /harvest/PACKAGE/N/missed?reason=&host=&from=
	History    Kind = "history"    // /history/PACKAGE
	File       Kind = "file"       // /file/PACKAGE/PATH
	Export     Kind = "export"     // /export/PACKAGE?as=
	Static     Kind = "static"     // /static/PATH
	Banner     Kind = "banner"     // /COLL/TIMESTAMP/URL: a capture in a frame, with what is known of it above
)

// UI is where our own pages are: "" for the host that was asked, "/archive" for a path on it, or a
// URL; without a slash at its end.
type UI string

// Front is the address of the first page.
func (u UI) Front() string { return string(u) + "/" }

// Search is that of a search; without a query, of the page to ask on.
func (u UI) Search(query string) string {
	if query == "" {
		return string(u) + "/search"
	}
	return string(u) + "/search?" + url.Values{"q": {query}}.Encode()
}

// Site is that of a package: its title entry page.
func (u UI) Site(pkg string) string { return string(u) + "/site/" + escapeSegment(pkg) }

// Collection is that of a collection.
func (u UI) Collection(id string) string { return string(u) + "/collection/" + escapeSegment(id) }

// Versions is that of all captures of a URL. It ends with the URL: a year or month to show goes
// before it (VersionsIn).
func (u UI) Versions(collection, archived string) string {
	return u.VersionsIn(collection, "", archived)
}

// VersionsIn is that of the captures of a URL in a year (2015), month (201501), day, hour or
// minute; "" for all.
func (u UI) VersionsIn(collection, period, archived string) string {
	at := string(u) + "/versions/" + escapeSegment(collection) + "/"
	if period != "" {
		at += period + "/"
	}
	return at + EscapeURL(archived)
}

// Compare is that of two captures of a URL, side by side; a and b are timestamps.
func (u UI) Compare(collection, archived, a, b string) string {
	return string(u) + "/compare/" + escapeSegment(collection) + "/?" +
		url.Values{"url": {archived}, "a": {a}, "b": {b}}.Encode()
}

// Harvest is that of one harvest of a package, from 1.
func (u UI) Harvest(pkg string, n int) string {
	return string(u) + "/harvest/" + escapeSegment(pkg) + "/" + itoa(n)
}

// Missed is that of what one harvest of a package wanted and did not get: for a reason and of a
// host, or "" for each; from is where a page of the list begins.
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

// History is that of what was done with a package.
func (u UI) History(pkg string) string { return string(u) + "/history/" + escapeSegment(pkg) }

// File is that of a log or document of a package.
func (u UI) File(pkg, path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = escapeSegment(p)
	}
	return string(u) + "/file/" + escapeSegment(pkg) + "/" + strings.Join(parts, "/")
}

// Export is that of a package in some form to take away (docs/reference/565_exports.md); "" for the
// page that has them all.
func (u UI) Export(pkg, as string) string {
	at := string(u) + "/export/" + escapeSegment(pkg)
	if as != "" {
		at += "?" + url.Values{"as": {as}}.Encode()
	}
	return at
}

// Static is that of a style sheet or script of ours.
func (u UI) Static(path string) string { return string(u) + "/static/" + path }

// Banner is that of a capture in a frame, below what is known of it.
func (u UI) Banner(collection, timestamp, archived string) string {
	return string(u) + "/" + escapeSegment(collection) + "/" + timestamp + "/" + EscapeURL(archived)
}

// Latest is that of the newest capture of a URL: the UI host redirects to its banner.
func (u UI) Latest(collection, archived string) string {
	return string(u) + "/" + escapeSegment(collection) + "/" + EscapeURL(archived)
}

// Place is what a request to the UI host asks for.
type Place struct {
	// for Versions, Banner, TimeGate, TimeMap, CDX: with these, all the UI needs; of the others
	// Kind alone
	Request
	ID        string // of a package or collection
	Number    int    // of a harvest, from 1
	Path      string // of a file: "" when none was named
	Period    string // of Versions: 4 to 8 digits, "" for all
	Arguments string // what stands behind the question mark, where that is ours and not of an archived URL
}

// ParseUI reads the target of a request to the UI host, as it stands in the request line
// (http.Request.RequestURI) behind the path at which we are mounted. A collection that is called as
// one of our pages cannot be asked for in the form /COLL/TIMESTAMP/URL.
func ParseUI(target string) (Place, bool) {
	path, arguments, _ := strings.Cut(origin(target), "?")
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	p := Place{Arguments: arguments}
	p.Kind = Kind(first)
	switch p.Kind {
	case "":
		p.Kind = Front
		return p, rest == "" && target != ""
	case Search:
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

// file reads PACKAGE/PATH. What climbs out of the package is no path.
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

// versions reads /versions/COLL/[PERIOD/]URL: the arguments are those of the archived URL.
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
