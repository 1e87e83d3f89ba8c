package pages

import (
	"net/url"
	"strings"

	"quire/access/address"
	"quire/access/search"
	"quire/access/search/extract"
	"quire/holdings"
	"quire/holdings/captures"
)

// browse is the kind of /browse/COLL/?url=PREFIX*&type=&after=: the hosts of a collection, or the
// addresses that begin alike.
const browse address.Kind = "browse"

// Limits of a page, so that its time does not depend on the number of captures.
const (
	rowsBrowsed     = 100
	readBrowsed     = 20_000  // captures read for the addresses
	countedOfURL    = 500     // of one address; more are skipped
	countedForHosts = 300_000 // captures counted for the hosts of a page
)

// endOfKey is later than all captures of a key.
const endOfKey = "99999999999999"

// browsed is the page of hosts or addresses.
type browsed struct {
	Title   string
	Lead    string
	Hosts   bool
	Rows    []browsedRow
	Types   []facetValue
	Every   string // address without the filter by type; "" if there is none
	Counts  bool   // the types have counts
	Next    string
	First   string // address of the first part; "" on it
	Up      link
	Action  string
	Pattern string
}

// browsedRow is a host or an address with its captures that are open to the reader.
type browsedRow struct {
	Text, URL, Type, Count, When string
	Locked                       bool // none of them is open

	key         string
	open        int64
	more        bool
	first, last string
	kind        string
}

// browseArguments are the arguments of the page.
type browseArguments struct{ in, pattern, kind, after string }

func (a browseArguments) at(ui address.UI) string {
	v := url.Values{}
	for name, value := range map[string]string{"url": a.pattern, "type": a.kind, "after": a.after} {
		if value != "" {
			v.Set(name, value)
		}
	}
	at, _, _ := strings.Cut(ui.Compare(a.in, "", "", ""), "?")
	at = strings.Replace(at, "/compare/", "/browse/", 1)
	if len(v) == 0 {
		return at
	}
	return at + "?" + v.Encode()
}

// parseBrowse reads /browse/COLL/.
func parseBrowse(path, arguments string) (address.Place, bool) {
	rest, ok := strings.CutPrefix(path, "/browse/")
	if !ok || strings.Count(strings.TrimSuffix(rest, "/"), "/") > 0 {
		return address.Place{}, false
	}
	in, ok := address.ParseUI("/collection/" + rest)
	return address.Place{Request: address.Request{Kind: browse}, ID: in.ID, Arguments: arguments}, ok
}

func (s *site) browse(q *request) (answer, error) {
	v, _ := url.ParseQuery(q.place.Arguments) // unreadable parts are not from our pages
	a := browseArguments{in: q.place.ID, pattern: strings.TrimSpace(v.Get("url")), after: v.Get("after")}
	if kind := v.Get("type"); s.words.Has("type." + kind) {
		a.kind = kind
	}
	prefix := ""
	if a.pattern != "" {
		var ok bool
		if prefix, ok = address.ReadURL(strings.TrimSuffix(a.pattern, "*")); !ok {
			return answer{redirect: browseArguments{in: a.in}.at(s.ui)}, nil
		}
		if strings.Count(prefix, "/") == 2 {
			prefix += "/"
		}
		a.pattern = prefix + "*"
	}
	query, err := s.query(a.in, prefix)
	if err != nil {
		return answer{}, err
	}
	page := &browsed{Hosts: prefix == "", Pattern: a.pattern, Action: browseArguments{in: a.in}.at(s.ui)}
	if a.after != "" {
		first := a
		first.after = ""
		page.First = first.at(s.ui)
		query.After = &captures.Capture{Key: a.after, Timestamp: endOfKey}
	}
	var next string
	if page.Hosts {
		page.Title, page.Lead = s.words.T("browse.hosts"), s.words.T("browse.hosts.lead")
		page.Rows, next, err = s.hosts(q, a.in, query, rowsBrowsed)
	} else {
		page.Title, page.Lead = s.words.T("browse.title", a.pattern), s.words.T("browse.lead")
		page.Up = link{s.words.T("browse.hosts"), browseArguments{in: a.in}.at(s.ui)}
		query.Match = captures.Prefix
		next, err = s.addresses(q, a, query, page)
	}
	if err != nil {
		return answer{}, err
	}
	if next != "" {
		further := a
		further.after = next
		page.Next = further.at(s.ui)
	}
	return answer{template: "browse.html", title: page.Title, body: page, private: true,
		crumbs: []link{{s.Name, s.ui.Front()}, {page.Title, ""}}}, nil
}

// hosts lists hosts with the numbers of their captures that are open to the reader. It reads one
// capture of each host, and the index counts the others. next is the key after which the next page
// begins.
func (s *site) hosts(q *request, in string, query captures.Query, most int) (rows []browsedRow, next string,
	err error) {
	counted := int64(0)
	for len(rows) < most && counted < countedForHosts {
		c, err := s.first(q.Context(), q.who, query, func(*holdings.Judged) bool { return true })
		if err != nil || c == nil {
			return rows, "", err
		}
		host, _, ok := strings.Cut(c.Key, ")")
		query.After = &captures.Capture{Key: c.Key, Timestamp: endOfKey}
		if !ok || c.Host() == "" {
			continue // an address without a host
		}
		next = host + ")\x7f"
		query.After.Key = next
		counts, err := s.h.Counts(q.Context(), q.who, captures.Query{URL: c.URL, Match: captures.Host,
			Packages: query.Packages}, captures.Year)
		if err != nil {
			return nil, "", err
		}
		at := rootOf(c.URL)
		row := browsedRow{Text: strings.TrimSuffix(strings.TrimPrefix(at, "http://"), "/"),
			URL: browseArguments{in: in, pattern: at + "*"}.at(s.ui), key: next}
		for _, n := range counts {
			if counted += int64(n.Captures + n.Denied); n.Captures > 0 {
				row.open += int64(n.Captures)
				row.first, row.last = earliest(row.first, n.Period), max(row.last, n.Period)
			}
		}
		rows = append(rows, s.filled(row))
	}
	return rows, next, nil
}

// rootOf returns the first page of a URL's host. The index keeps http and https together.
func rootOf(archived string) string {
	u, err := url.Parse(archived)
	if err != nil || u.Host == "" {
		return archived
	}
	return "http://" + u.Host + "/"
}

func earliest(a, b string) string {
	if a == "" || b < a {
		return b
	}
	return a
}

// filled adds the words of a row.
func (s *site) filled(r browsedRow) browsedRow {
	if r.Locked = r.open == 0; r.Locked {
		return r
	}
	r.Count = s.words.Number(r.open)
	if r.more {
		r.Count = s.words.T("browse.atleast", r.Count)
	}
	if r.When = s.words.When(r.first); r.last != r.first {
		r.When = s.words.T("date.span", r.When, s.words.When(r.last))
	}
	if r.kind != "" {
		r.Type = s.words.T("type." + r.kind)
	}
	return r
}

// addresses lists the addresses that begin alike, and counts those of each type.
func (s *site) addresses(q *request, a browseArguments, query captures.Query, page *browsed) (next string,
	err error) {
	l := &addressList{kind: a.kind, tally: map[string]int64{}}
	for again := true; again; {
		again = false
		for c, err := range s.h.Captures(q.Context(), q.who, query) {
			if err != nil {
				return "", err
			}
			l.add(&c)
			if l.full(a.after == "" && a.kind == "") {
				break
			}
			if l.ofKey == countedOfURL {
				if l.row != nil {
					l.row.more = true
				}
				query.After, again = &captures.Capture{Key: c.Key, Timestamp: endOfKey}, true
				break
			}
		}
	}
	l.end()
	for _, r := range l.rows {
		r.Text, r.URL = r.URL, s.ui.Versions(a.in, r.URL)
		page.Rows = append(page.Rows, s.filled(r))
	}
	s.types(a, l, page)
	if l.more && len(l.rows) > 0 {
		next = l.rows[len(l.rows)-1].key
	}
	if l.more && len(l.rows) == 0 {
		next = l.lastKey
	}
	return next, nil
}

// types adds the links that select a type.
func (s *site) types(a browseArguments, l *addressList, page *browsed) {
	every := a
	every.after, every.kind = "", ""
	if a.kind != "" {
		page.Every = every.at(s.ui)
		page.Types = []facetValue{{link: link{s.words.T("type." + a.kind), page.Every}, Here: true}}
		return
	}
	for _, kind := range search.Types {
		of := every
		of.kind = kind
		if n := l.tally[kind]; n > 0 {
			page.Types = append(page.Types, facetValue{link: link{s.words.T("type." + kind), of.at(s.ui)}, Count: n})
		}
	}
	page.Counts = a.after == "" && !l.cut
}

// addressList gathers captures, sorted by key, to rows.
type addressList struct {
	kind    string
	rows    []browsedRow
	row     *browsedRow
	lastKey string
	ofKey   int
	read    int
	tally   map[string]int64 // addresses by type, of the captures open to the reader
	more    bool             // there are further rows
	cut     bool             // there are further captures that were not read
}

// add adds a capture. A filter by type never selects a closed capture: its type is content.
func (l *addressList) add(c *holdings.Judged) {
	l.read++
	if c.Key != l.lastKey {
		l.end()
		l.lastKey, l.ofKey = c.Key, 0
	}
	l.ofKey++
	kind := ""
	if c.Allowed {
		kind = extract.TypeOf(c.MIME, c.URL)
	}
	if l.kind != "" && kind != l.kind {
		return
	}
	if l.row == nil {
		l.row = &browsedRow{key: c.Key, URL: c.URL}
	}
	if c.Allowed {
		r := l.row
		r.URL, r.kind = c.URL, kind
		r.open++
		r.first, r.last = earliest(r.first, c.Timestamp[:8]), max(r.last, c.Timestamp[:8])
	}
}

// end completes a row.
func (l *addressList) end() {
	if l.row == nil {
		return
	}
	if l.row.kind != "" {
		l.tally[l.row.kind]++
	}
	if len(l.rows) < rowsBrowsed {
		l.rows = append(l.rows, *l.row)
	} else {
		l.more = true
	}
	l.row = nil
}

// full reports whether enough is read. For the counts of types, the first page reads on.
func (l *addressList) full(counts bool) bool {
	if l.read >= readBrowsed {
		l.cut, l.more = true, true
		return true
	}
	return !counts && len(l.rows) == rowsBrowsed && l.row != nil
}
