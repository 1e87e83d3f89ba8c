package site

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"quire/metadata/xmlstream"
	"quire/oai/protocol"
)

// Publisher publishes the site's resources as a sitemap (protocol 0.9), and its changes and
// removals by ResourceSync (ANSI/NISO Z39.99-2017). This solves the other half of the counting
// problem. It is an http.Handler for paths below an endpoint, and for the well-known path of
// ResourceSync (RFC 8615).
//
//	p := site.NewPublisher(s, "https://a.example/modoai")
//	if p.Has(r.URL.Path) { p.ServeHTTP(w, r) }
type Publisher struct {
	site     *Site
	base     string // URL of the endpoint
	endpoint string // its path in requests to this server
	perPart  int    // entries

	mu    sync.Mutex
	parts map[bool]parts // key true: the parts of the change list
}

// The paths below the endpoint.
const (
	sitemapPath    = "/sitemap.xml"
	capabilityPath = "/resourcesync/capabilitylist.xml"
	resourcesPath  = "/resourcesync/resourcelist.xml"
	changesPath    = "/resourcesync/changelist.xml"
)

// WellKnown is the path where a site describes its ResourceSync capabilities.
const WellKnown = "/.well-known/resourcesync"

// perPart is the maximum number of entries of one document. The protocol allows 50,000, and a part
// may grow until it is fetched.
const perPart = 40_000

// partBytes is the maximum total length of the escaped URLs of a part. The protocol allows 50 MiB
// for the whole document.
const partBytes = 30 << 20

// NewPublisher publishes the index of a site below an endpoint. Base is the endpoint's URL for
// harvesters, endpoint its path in requests.
func NewPublisher(s *Site, base, endpoint string) *Publisher {
	return &Publisher{site: s, base: strings.TrimSuffix(base, "/"), endpoint: strings.TrimSuffix(endpoint, "/"),
		perPart: perPart, parts: map[bool]parts{}}
}

// Has reports whether a path is one of the documents.
func (p *Publisher) Has(path string) bool {
	below, ok := strings.CutPrefix(path, p.endpoint)
	return path == WellKnown || ok && Publishes(below)
}

// Publishes reports whether a path below an endpoint is one of the documents.
func Publishes(below string) bool {
	return below == sitemapPath || below == capabilityPath || below == resourcesPath || below == changesPath
}

// ServeHTTP implements http.Handler.
func (p *Publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "use GET for these documents", http.StatusMethodNotAllowed)
		return
	}
	below := strings.TrimPrefix(r.URL.Path, p.endpoint)
	var d *document
	var err error
	switch {
	case r.URL.Path == WellKnown:
		d = p.description()
	case below == capabilityPath:
		d = p.capabilities(r.Context())
	case below == sitemapPath:
		d, err = p.list(r, kind{})
	case below == resourcesPath:
		d, err = p.list(r, kind{rs: true})
	case below == changesPath:
		d, err = p.list(r, kind{rs: true, changes: true})
	default:
		http.NotFound(w, r)
		return
	}
	if err != nil {
		p.site.problem("publishing " + r.URL.Path + ": " + err.Error())
		http.Error(w, "the index is temporarily unreadable: try again later", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	if r.Method == http.MethodHead {
		return
	}
	if err := d.write(r.Context(), w); err != nil {
		panic(http.ErrAbortHandler) // an incomplete list must not look complete
	}
}

// document is one XML document of the sitemap format.
type document struct {
	root  string // "urlset" or "sitemapindex"
	rs    bool   // with the terms of ResourceSync
	links [][2]string
	md    [][2]string
	body  func(ctx context.Context, x *xmlstream.Writer) error
}

const rsNamespace = "http://www.openarchives.org/rs/terms/"

func (d *document) write(ctx context.Context, out http.ResponseWriter) error {
	x := xmlstream.NewWriter(out, xmlstream.Options{Indent: true})
	x.Declare("sm", sitemapNamespace)
	if d.rs {
		x.Declare("rs", rsNamespace)
	}
	x.Start("sm:" + d.root)
	for _, l := range d.links {
		x.Start("rs:ln")
		x.Attr("rel", l[0])
		x.Attr("href", l[1])
		x.End("rs:ln")
	}
	if len(d.md) > 0 {
		writeMD(x, d.md)
	}
	if err := d.body(ctx, x); err != nil {
		return err
	}
	x.End("sm:" + d.root)
	return x.Close()
}

func writeMD(x *xmlstream.Writer, md [][2]string) {
	x.Start("rs:md")
	for _, a := range md {
		x.AttrOpt(a[0], a[1])
	}
	x.End("rs:md")
}

// pointer writes an entry for another document.
func pointer(x *xmlstream.Writer, element, loc, capability string) {
	x.Start("sm:" + element)
	x.Element("sm:loc", loc)
	if capability != "" {
		writeMD(x, [][2]string{{"capability", capability}})
	}
	x.End("sm:" + element)
}

// description returns the source description (clause 8).
func (p *Publisher) description() *document {
	return &document{root: "urlset", rs: true, md: [][2]string{{"capability", "description"}},
		body: func(_ context.Context, x *xmlstream.Writer) error {
			pointer(x, "url", p.base+capabilityPath, "capabilitylist")
			return nil
		}}
}

// capabilities returns the capability list (clause 9).
func (p *Publisher) capabilities(context.Context) *document {
	origin := strings.TrimSuffix(p.site.urls.root, "/")
	return &document{root: "urlset", rs: true, links: [][2]string{{"up", origin + WellKnown}},
		md: [][2]string{{"capability", "capabilitylist"}},
		body: func(_ context.Context, x *xmlstream.Writer) error {
			pointer(x, "url", p.base+resourcesPath, "resourcelist")
			pointer(x, "url", p.base+changesPath, "changelist")
			return nil
		}}
}

// kind selects one of the lists.
type kind struct{ rs, changes bool }

func (k kind) path() string {
	switch {
	case k.changes:
		return changesPath
	case k.rs:
		return resourcesPath
	}
	return sitemapPath
}

func (k kind) capability() string {
	switch {
	case k.changes:
		return "changelist"
	case k.rs:
		return "resourcelist"
	}
	return ""
}

// list returns a list of resources if it is short, or otherwise the index of its parts. The URL of
// a part contains its start and end, so a part stays the same however the others grow.
func (p *Publisher) list(r *http.Request, k kind) (*document, error) {
	ctx := r.Context()
	q := r.URL.Query()
	d := &document{root: "urlset", rs: k.rs}
	if k.rs {
		md, err := p.times(ctx, k)
		if err != nil {
			return nil, err
		}
		d.md = md
		d.links = [][2]string{{"up", p.base + capabilityPath}}
	}
	if q.Has("after") || q.Has("to") {
		from, to := bounds(q)
		if k.rs {
			d.links = append(d.links, [2]string{"index", p.base + k.path()})
		}
		d.body = func(ctx context.Context, x *xmlstream.Writer) error { return p.site.entries(ctx, x, k, from, to) }
		return d, nil
	}
	all, err := p.partsOf(ctx, k)
	if err != nil {
		return nil, err
	}
	if len(all) <= 1 {
		d.body = func(ctx context.Context, x *xmlstream.Writer) error {
			return p.site.entries(ctx, x, k, place{}, place{})
		}
		return d, nil
	}
	d.root = "sitemapindex"
	d.body = func(_ context.Context, x *xmlstream.Writer) error {
		after := place{}
		for i, to := range all {
			if i == len(all)-1 {
				to = place{} // up to the current end
			}
			pointer(x, "sitemap", p.base+k.path()+"?"+partQuery(after, to), k.capability())
			after = to
		}
		return nil
	}
	return d, nil
}

// times returns the md attributes of a list: the times of its validity (clauses 10.1 and 13.1). The
// change list is open: it ends with the index.
func (p *Publisher) times(ctx context.Context, k kind) ([][2]string, error) {
	md := [][2]string{{"capability", k.capability()}}
	if !k.changes {
		return append(md, [2]string{"at", protocol.FormatDatestamp(p.site.index.now())}), nil
	}
	since, err := p.site.index.fact(ctx, "seen "+p.site.urls.root)
	return append(md, [2]string{"from", protocol.FormatDatestamp(time.Unix(since, 0))}), err
}

// place is a position between two entries of a list. The zero value means its beginning, or its
// end.
type place struct {
	datestamp int64 // for the change list
	url       string
}

func bounds(q url.Values) (after, to place) {
	read := func(name string) place {
		stamp, _ := strconv.ParseInt(q.Get(name+"-date"), 10, 64) // an invalid number means the beginning
		return place{stamp, q.Get(name)}
	}
	return read("after"), read("to")
}

func partQuery(after, to place) string {
	q := url.Values{"after": {after.url}}
	if after.datestamp != 0 {
		q.Set("after-date", strconv.FormatInt(after.datestamp, 10))
	}
	if to != (place{}) {
		q.Set("to", to.url)
	}
	if to.datestamp != 0 {
		q.Set("to-date", strconv.FormatInt(to.datestamp, 10))
	}
	return q.Encode()
}
