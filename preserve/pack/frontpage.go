package pack

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"quire/internal/secret"
	"quire/model"
	"quire/preserve/convert/mirror"
	"quire/preserve/inspect"
	"quire/preserve/pages"
)

// frontPage finds the page that a visitor of the website sees first, for its title: the page at a
// seed, or else the one at the root of a seed's host. If the seeds of a crawl are not recorded, it
// is the root page that was captured first.
type frontPage struct {
	seeds    map[string]bool // URLs, in the form of siteKey
	order    []string        // hosts of the seeds, without duplicates
	isSeed   map[string]bool // the same as a set
	captured []string        // the first hosts in the order of capture
	more     bool            // captures of further hosts
	listener pages.Listener
	best     candidate
	current  candidate
	path     string // of the current container
}

// candidate is a page that may be the front page.
type candidate struct {
	rank  rank
	title string
	uri   string
	path  string // of its container in the package

	captured time.Time
}

// rank orders candidates; of two with the same rank, the first captured wins.
type rank uint8

const (
	noFront  rank = iota
	rootPage      // at the root of any host
	seedRoot      // at the root of a seed's host
	seedPage      // at a seed
)

// maxFrontSeeds and maxHosts bound the memory of the search: a national crawl has millions of
// seeds, and no front page.
const (
	maxFrontSeeds = 1000
	maxHosts      = 100
	maxTitle      = 300 // bytes
)

func (f *frontPage) begin() {
	f.seeds, f.isSeed = map[string]bool{}, map[string]bool{}
	f.listener.Told = func(_ int64, d *pages.Declared, _ bool) error {
		f.declared(d)
		return nil
	}
}

// addSeeds adds the seeds of a harvest.
func (f *frontPage) addSeeds(seeds []string) {
	for _, s := range seeds {
		u, err := url.Parse(s)
		if err != nil || u.Hostname() == "" || len(f.seeds) >= maxFrontSeeds {
			continue
		}
		f.seeds[siteKey(u)] = true
		if host := bareHost(u.Hostname()); !f.isSeed[host] {
			f.isSeed[host] = true
			f.order = append(f.order, host)
		}
	}
}

// sites returns how many hosts the seeds are on.
func (f *frontPage) sites() int { return len(f.order) }

// bareHost returns a host in lower case and without "www.": both lead to one website.
func bareHost(host string) string { return strings.TrimPrefix(strings.ToLower(host), "www.") }

// isSeedURL reports whether a URL is a seed, or the root of a seed's host.
func (f *frontPage) isSeedURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (f.seeds[siteKey(u)] || f.isSeed[bareHost(u.Hostname())] && strings.Trim(u.Path, "/") == "")
}

// siteKey returns a URL without scheme, "www." and fragment, because seeds and captures often
// differ in these.
func siteKey(u *url.URL) string {
	key := bareHost(u.Hostname()) + "/" + strings.TrimPrefix(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		key += "?" + u.RawQuery
	}
	return key
}

// listen returns the listener for a record that may be a better front page than the earlier
// records. For all other records it returns nil.
func (f *frontPage) listen(r model.Record) inspect.Served {
	if r.Part == mirror.PartPayload && r.RefersTo != "" {
		r.Type = "response" // a page with restored links
	}
	if !pages.Is(r.Type, r.Status, "", "text/html") {
		return nil
	}
	u, err := url.Parse(r.URI)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	if pages.Is(r.Type, r.Status, "", r.DeclaredMIME) {
		f.note(bareHost(u.Hostname()))
	}
	at := f.rank(u)
	if at <= f.best.rank || !f.listener.Listen(r) {
		return nil
	}
	f.current = candidate{rank: at, uri: secret.Without(r.URI), path: f.path, captured: r.Date}
	return &f.listener
}

// rank returns how likely a URL is the URL of the front page.
func (f *frontPage) rank(u *url.URL) rank {
	root := strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
	switch {
	case len(f.order) > 0 && !f.isSeed[bareHost(u.Hostname())]:
		return noFront
	case f.seeds[siteKey(u)]:
		return seedPage
	case root && len(f.order) > 0:
		return seedRoot
	case root:
		return rootPage
	}
	return noFront
}

// note records a captured host.
func (f *frontPage) note(host string) {
	for _, h := range f.captured {
		if h == host {
			return
		}
	}
	if len(f.captured) == maxHosts {
		f.more = true
		return
	}
	f.captured = append(f.captured, host)
}

// declared uses the title of the page that the listener has read.
func (f *frontPage) declared(d *pages.Declared) {
	if d.Title == nil {
		return
	}
	title := strings.Join(strings.Fields(strings.ToValidUTF8(d.Title.Text, "\uFFFD")), " ")
	if title == "" {
		return
	}
	f.current.title = inspect.Shorten(title, maxTitle)
	f.best = f.current
}

// title returns the title of the front page.
func (f *frontPage) title() named {
	if f.best.title == "" || f.sites() > 1 {
		return named{}
	}
	why := map[rank]string{
		seedPage: "the page at the seed",
		seedRoot: "the front page of the seed's host",
		rootPage: "the front page that was captured first (no seeds are recorded)",
	}[f.best.rank]
	return named{f.best.title, fmt.Sprintf("title element of %s, %s in %s", why, f.best.uri, f.best.path)}
}

// seedHost returns the host of the seeds, if they share one.
func (f *frontPage) seedHost() named {
	if len(f.order) != 1 {
		return named{}
	}
	return named{f.order[0], "host of the seed"}
}

// hosts returns the first host, and the number of others.
func (f *frontPage) hosts() named {
	all, source := f.order, "hosts of the seeds"
	if len(all) == 0 {
		all, source = f.captured, "hosts of the captured pages (no seeds are recorded)"
	}
	switch n := len(all) - 1; {
	case n < 0:
		return named{}
	case n == 0:
		return named{all[0], source}
	case f.more:
		return named{fmt.Sprintf("%s and more than %d other hosts", all[0], n), source}
	case n == 1:
		return named{all[0] + " and 1 other host", source}
	default:
		return named{fmt.Sprintf("%s and %d other hosts", all[0], n), source}
	}
}

// served returns the function that selects the readers of a record's content: the pages of the
// profile, the search for the front page, or both.
func (b *builder) served(p *packed) func(model.Record) inspect.Served {
	b.front.path = p.Dest
	return func(r model.Record) inspect.Served {
		front := b.front.listen(r)
		if b.web == nil {
			return front
		}
		page := b.web.listen(r)
		switch {
		case front == nil:
			return page
		case page == nil:
			return front
		}
		return both{front, page}
	}
}

// both passes the content of a record to two readers.
type both [2]inspect.Served

func (s both) Write(p []byte) (int, error) {
	for _, one := range s {
		if _, err := one.Write(p); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// End ends both.
func (s both) End(whole bool) error { return errors.Join(s[0].End(whole), s[1].End(whole)) }
