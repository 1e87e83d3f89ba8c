package search

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"sort"

	"quire/access/search/extract"
	"quire/holdings"
	"quire/internal/filemap"
)

// MostLinked limits the hosts of [HostLinks], in each direction.
const MostLinked = 10_000

// LinkQuery asks for the links from and to a host.
type LinkQuery struct {
	Host     string // without "www."
	From, To int    // years of the captures of the linking pages; 0 means no limit
}

// HostLinks counts the pages that link to a host, and the hosts that its pages link to. A page is a
// URL; it counts once for each host, however many links and versions it has. Hosts come with the most pages
// first.
type HostLinks struct {
	Host     string       `json:"host"`
	Pages    int          `json:"pages"`    // of the host, with links to other hosts
	Incoming []LinkedHost `json:"incoming"` // hosts whose pages link to it
	Outgoing []LinkedHost `json:"outgoing"` // hosts that its pages link to
	More     bool         `json:"more"`     // there are more than MostLinked in one direction
	Indexing string       `json:"indexing,omitempty"`
}

// shorten keeps the first hosts of each list.
func (r *HostLinks) shorten() {
	r.More = len(r.Incoming) > MostLinked || len(r.Outgoing) > MostLinked
	r.Incoming = r.Incoming[:min(len(r.Incoming), MostLinked)]
	r.Outgoing = r.Outgoing[:min(len(r.Outgoing), MostLinked)]
}

// LinkedHost is a host at the other end of links.
type LinkedHost struct {
	Host  string `json:"host"`
	Pages int    `json:"pages"` // with a link
	First string `json:"first"` // timestamp of the oldest capture of such a page
	Last  string `json:"last"`  // and of the newest
}

// linkedHosts returns the hosts that a page names in its links.
func linkedHosts(t *extract.Text) (all []string) {
	for _, link := range t.Links {
		u, err := url.Parse(link.URL)
		if err != nil || link.Own {
			continue
		}
		host := hostOf(u.Host)
		if host != "" && len(host) <= maxHost && !slices.Contains(all, host) && len(all) < maxHosts {
			all = append(all, host)
		}
	}
	return all
}

// Limits of the hosts that are kept of one page.
const (
	maxHost  = 255 // bytes, by the DNS
	maxHosts = 200
)

// Links implements [Engine].
func (s *Search) Links(ctx context.Context, who holdings.Reader, q LinkQuery) (*HostLinks, error) {
	t, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	sees, err := s.sightOf(ctx, who, t)
	if err != nil {
		return nil, err
	}
	q.Host = hostOf(q.Host)
	c := &linkCounter{ctx: ctx, db: s.db, t: t, sight: sees, q: q, incoming: map[string]*linkCount{},
		outgoing: map[string]*linkCount{}}
	r := &HostLinks{Host: q.Host}
	err = filemap.Guard(t.maps, func() error { return c.count(r) })
	runtime.KeepAlive(t) // its file is mapped
	if err != nil {
		return nil, fmt.Errorf("counting links of %s: %w", q.Host, err)
	}
	s.mu.Lock()
	r.Indexing = s.indexing
	s.mu.Unlock()
	return r, nil
}

// linkCounter counts the links of one host.
type linkCounter struct {
	ctx                context.Context //nolint:containedctx // it lives as long as the query
	db                 *sql.DB
	t                  *table
	sight              *readerView
	q                  LinkQuery
	incoming, outgoing map[string]*linkCount
}

// linkCount counts the pages with links to or from one host.
type linkCount struct {
	pages       int
	last        int32 // URL counted last: captures come by URL
	first, most int64
}

// ctxEvery is the number of URLs between two looks at the context.
const ctxEvery = 1 << 12

// count counts by the pages that the reader sees. It never asks whether the archive has the other end of a
// link: a host that it hides must look like one that it never had.
func (c *linkCounter) count(r *HostLinks) error {
	own := map[int32][]string{} // hosts that documents of the host link to
	last := int32(-1)
	err := c.ofHost(func(i int32, p *capture) error {
		if !c.inTime(p) || !c.sight.sees(i) {
			return nil
		}
		to, known := own[p.document]
		if !known {
			var err error
			if to, err = c.linksOf(p.document); err != nil {
				return err
			}
			to = slices.DeleteFunc(to, func(h string) bool { return h == c.q.Host })
			own[p.document] = to
		}
		if len(to) > 0 && last != p.url {
			last = p.url
			r.Pages++
		}
		for _, h := range to {
			add(c.outgoing, h, p)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.countIncoming(); err != nil {
		return err
	}
	r.Incoming, r.Outgoing = linked(c.incoming), linked(c.outgoing)
	r.shorten()
	return nil
}

// ofHost calls f for the captures of the host's URLs, by URL. Its cost is that of these captures, not of
// the table.
func (c *linkCounter) ofHost(f func(i int32, p *capture) error) error {
	var urls []int32
	if err := each(c.ctx, c.db, urlsOfHost, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		u, known := sort.Find(c.t.urls.len(), func(u int) int {
			return cmp.Compare(id, c.t.urls.at(int32(u)).id) //nolint:gosec // there are fewer than 2^31
		})
		if known { // the database may have later ones
			urls = append(urls, int32(u)) //nolint:gosec // there are fewer than 2^31
		}
		return err
	}, c.q.Host); err != nil {
		return err
	}
	for n, u := range urls {
		if n%ctxEvery == 0 && c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		begin := sort.Search(c.t.captures.len(), func(i int) bool {
			return c.t.captures.at(int32(i)).url >= u //nolint:gosec // there are fewer than 2^31
		})
		for i := begin; i < c.t.captures.len(); i++ {
			p := c.t.captures.at(int32(i)) //nolint:gosec // there are fewer than 2^31
			if p.url != u {
				break
			}
			if err := f(int32(i), &p); err != nil { //nolint:gosec // there are fewer than 2^31
				return err
			}
		}
	}
	return nil
}

// urlsOfHost selects the URLs of a host by the index url_host, or from all URLs before an update has added it.
const urlsOfHost = `SELECT id FROM url WHERE host = ? ORDER BY id`

// countIncoming counts the pages that link to the host.
func (c *linkCounter) countIncoming() error {
	var all []int32 // captures of documents with a link, by URL
	err := each(c.ctx, c.db, `SELECT l.document FROM link_host h JOIN link l ON l.host = h.id WHERE h.name = ?`,
		func(rows *sql.Rows) error {
			var id int64
			if err := rows.Scan(&id); err != nil {
				return err
			}
			if d, ok := c.t.document(id); ok {
				c.t.capturesOf(d).each(func(i int32) bool {
					all = append(all, i)
					return true
				})
			}
			return nil
		}, c.q.Host)
	if err != nil {
		return err
	}
	slices.Sort(all) // captures are numbered by URL
	for _, i := range all {
		p := c.t.captures.at(i)
		host := name(c.t.hosts, c.t.hostOf(p.url))
		if host != c.q.Host && c.inTime(&p) && c.sight.sees(i) {
			add(c.incoming, host, &p)
		}
	}
	return nil
}

func (c *linkCounter) inTime(p *capture) bool {
	y := int(yearOf(p.time))
	return (c.q.From == 0 || y >= c.q.From) && (c.q.To == 0 || y <= c.q.To)
}

// linksOf returns the hosts that a document links to.
func (c *linkCounter) linksOf(d int32) (all []string, err error) {
	doc := c.t.documents.at(d)
	if !doc.isPage() {
		return nil, nil
	}
	err = each(c.ctx, c.db, `SELECT h.name FROM link l JOIN link_host h ON h.id = l.host WHERE l.document = ?`,
		func(rows *sql.Rows) error {
			var host string
			err := rows.Scan(&host)
			all = append(all, host)
			return err
		}, doc.id)
	return all, err
}

// add counts the page of a capture, once for each URL.
func add(counts map[string]*linkCount, host string, p *capture) {
	n := counts[host]
	if n == nil {
		n = &linkCount{last: -1, first: p.time}
		counts[host] = n
	}
	if n.last != p.url {
		n.last = p.url
		n.pages++
	}
	n.first, n.most = min(n.first, p.time), max(n.most, p.time)
}

// linked returns counts with the most pages first.
func linked(counts map[string]*linkCount) []LinkedHost {
	all := []LinkedHost{}
	for host, n := range counts {
		all = append(all, LinkedHost{host, n.pages, timestamp(n.first), timestamp(n.most)})
	}
	sortLinked(all)
	return all
}

func sortLinked(all []LinkedHost) {
	slices.SortFunc(all, func(a, b LinkedHost) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Host, b.Host))
	})
}
