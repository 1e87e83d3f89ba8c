// Package pages serves the web pages of a repository, except the archived pages themselves. They
// are: the first page, the title entry page of each package, all captures of a URL with calendar
// and timeline, comparisons of two captures, collections, harvests, histories, search results, and
// the banner over a replayed page (docs/reference/555_pages.md). The server builds all pages; they
// work without scripts.
//
// The content comes from archives and is hostile: it goes through html/template, and never becomes
// markup of ours. Only holdings decides about access.
package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/frontpage"
	"quire/access/missed"
	"quire/access/pages/uistrings"
	"quire/access/search"
	"quire/access/siterules"
	"quire/access/statement"
	"quire/holdings"
)

// Searcher answers search queries: package search, or nil without a full-text index.
type Searcher interface {
	Query(ctx context.Context, who holdings.Reader, q search.Query) (*search.Result, error)
}

// Frame is the location of a capture for the banner.
type Frame struct {
	URL string // of the capture on the replay host, with the reader's capability
	// Origin is the origin of the replay host: "http://127.0.0.1:8080"; "http://*.localhost:8080"
	// if each site has its own host; 'self', with its quotes, if that is our host.
	Origin  string
	Sandbox bool // the browser gives archived pages an opaque origin
	// Engine is the address of the same capture shown by the replay engine in the browser
	// (access/wabac); "" if none is installed.
	Engine string
}

// Options configures the pages.
type Options struct {
	Name  string // of the archive, for readers; default "Web archive"
	About string // a sentence or two on the first page; default: a text for any archive

	UI     address.UI // base URL of the pages
	Public string     // scheme and host for citations: "https://archive.example.org"; default: from the request

	// identifies the reader; nil: all are the public
	Reader func(*http.Request) holdings.Reader
	// Classes states that readers other than the public can be recognized: pages name the reader's class.
	Classes bool
	Replay  func(r *http.Request, in address.In, timestamp, url string) (Frame, error) // replay URL of a capture
	Search  Searcher                                                                   // nil: no search
	Links   Linker                                                                     // nil: no links of hosts
	// signs statements of captures; nil: none are offered
	Keys *statement.Keys
	// lists of URLs not captured; nil: none
	Missed *missed.Lists

	// rules by which the replay shows the answer to a similar request; nil: our own
	Rules func() *siterules.Set

	Thumbnails bool     // the server answers address.UI.Thumbnail
	Pictures   Pictures // nil: no search for images

	Downloads []string // formats offered for download, named as in quire export --as

	Sitemap bool // serve a sitemap of the packages that are open to the public

	// selectable languages; the first is the default. Default: English
	Words   []*uistrings.Strings
	Now     func() time.Time // default time.Now
	Problem func(error)      // called with server errors; may be nil
}

// site is the handler of all pages in one language.
type site struct {
	Options
	h         *holdings.Holdings
	ui        address.UI
	words     *uistrings.Strings
	render    *renderer
	keptYears yearCounts
	others    []tongue // other languages
	choice    *uistrings.Choice

	listings   *listings          // of all languages
	frontpages *frontpage.Chooser // of all languages
}

// New returns the pages of a repository.
func New(h *holdings.Holdings, o Options) (*Pages, error) {
	if len(o.Words) == 0 {
		o.Words = []*uistrings.Strings{uistrings.English()}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	p, lists, fronts := &Pages{ui: o.UI}, &listings{}, frontpage.New(h, o.Now)
	for _, w := range o.Words {
		s, err := newSite(h, o, w)
		if err != nil {
			return nil, err
		}
		s.listings, s.frontpages = lists, fronts
		p.add(s)
	}
	return p, p.ready()
}

// newSite returns the pages in one language.
func newSite(h *holdings.Holdings, o Options, w *uistrings.Strings) (*site, error) {
	s := &site{Options: o, h: h, ui: o.UI, words: w}
	if s.Name == "" {
		s.Name = s.words.T("name")
	}
	if s.Reader == nil {
		s.Reader = func(*http.Request) holdings.Reader { return holdings.Reader{Class: holdings.Public} }
	}
	if s.Problem == nil {
		s.Problem = func(error) {}
	}
	if s.Replay == nil {
		return nil, errors.New("pages: Options.Replay is missing")
	}
	var err error
	s.render, err = newRenderer(s)
	return s, err
}

// request is one request of a reader.
type request struct {
	*http.Request
	who   holdings.Reader
	place address.Place
}

// answer is the content of a page.
type answer struct {
	status   int    // 0 means 200
	template string // name of its file
	title    string
	crumbs   []link
	body     any
	private  bool
	redirect string // target of a redirect
	frame    string // origin allowed in a frame of the page
	stream   func(http.ResponseWriter)
}

// errBusy reports that too many readers want a page that costs much.
var errBusy = errors.New("too many requests for such pages at once")

// errNotFound reports that a page is missing, or must stay hidden.
var errNotFound = errors.New("no such page")

// errBadRequest reports a request without a required argument.
var errBadRequest = errors.New("an argument is missing")

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	s.protect(w.Header(), "")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.fail(w, r, http.StatusMethodNotAllowed)
		return
	}
	place, ok := s.parse(r)
	if !ok {
		s.fail(w, r, http.StatusNotFound)
		return
	}
	if place.Kind == address.Static {
		if !s.render.serveFile(w, r, place.Path) {
			s.fail(w, r, http.StatusNotFound)
		}
		return
	}
	q := &request{Request: r, who: s.Reader(r), place: place}
	a, err := s.answer(q)
	switch {
	case errors.Is(err, errNotFound):
		s.fail(w, r, http.StatusNotFound)
	case errors.Is(err, errBadRequest):
		s.fail(w, r, http.StatusBadRequest)
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "5")
		s.fail(w, r, http.StatusTooManyRequests)
	case r.Context().Err() != nil: // the reader has gone
	case err != nil:
		s.Problem(fmt.Errorf("%s: %w", r.RequestURI, err))
		s.fail(w, r, http.StatusInternalServerError)
	case a.redirect != "":
		w.Header().Set("Location", a.redirect) // http.Redirect would shorten the archived http:// to http:/
		w.WriteHeader(http.StatusFound)
	case a.stream != nil:
		a.stream(w)
	case a.body != nil:
		s.send(w, q, a)
	}
}

// protect sets the security headers: nothing loads from elsewhere, no scripts run, and no other
// site may frame the page.
func (s *site) protect(h http.Header, frame string) {
	policy := "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'self'"
	if frame != "" {
		policy += "; frame-src 'self' " + frame
	}
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-cache") // rights change, and differ by reader
}

func (s *site) send(w http.ResponseWriter, q *request, a answer) {
	s.protect(w.Header(), a.frame)
	if a.status == 0 {
		a.status = http.StatusOK
	}
	p := page{Name: s.Name, Title: a.title, Class: q.who.Class, Classes: s.Classes, Private: a.private,
		Nav: s.nav(q.place), Feeds: s.feeds(q), Crumbs: a.crumbs, Body: a.body, Tongues: s.tongues(q)}
	w.Header().Set("Content-Language", s.words.Language())
	if err := s.render.write(w, a.status, a.template, p); err != nil {
		s.Problem(err)
		http.Error(w, s.words.T("error.500"), http.StatusInternalServerError)
	}
}

// Paths unknown to ParseUI, because only these pages link to them.
const (
	sites       address.Kind = "sites"       // /site/: all packages
	collections address.Kind = "collections" // /collection/
	// /versions/COLL/?url=&at=: target of the forms on the first page and in the banner
	goTo address.Kind = "go"
)

// parse reads the request line.
func (s *site) parse(r *http.Request) (address.Place, bool) {
	target := r.RequestURI
	if target == "" { // no connection: another handler built the request
		target = r.URL.RequestURI()
	}
	if prefix := mount(s.ui); prefix != "" {
		rest, ok := strings.CutPrefix(target, prefix)
		if !ok {
			return address.Place{}, false
		}
		target = rest
	}
	path, arguments, _ := strings.Cut(target, "?")
	if place, ok := parseMachine(path); ok {
		place.Arguments = arguments
		return place, true
	}
	if place, ok := parseBrowse(path, arguments); ok {
		return place, true
	}
	var kind address.Kind
	switch {
	case path == "/site/" || path == "/site":
		kind = sites
	case path == "/collection/" || path == "/collection":
		kind = collections
	case strings.HasPrefix(path, "/versions/") && strings.Count(path, "/") == 3 && strings.HasSuffix(path, "/") &&
		strings.HasPrefix(arguments, "url="):
		in, ok := address.ParseUI("/collection/" + strings.TrimPrefix(path, "/versions/"))
		return address.Place{Request: address.Request{Kind: goTo}, ID: in.ID, Arguments: arguments}, ok
	default:
		return address.ParseUI(target)
	}
	return address.Place{Request: address.Request{Kind: kind}, Arguments: arguments}, true
}

// mount returns the path of the pages: "" at the root.
func mount(ui address.UI) string {
	_, rest, whole := strings.Cut(string(ui), "://")
	if !whole {
		return string(ui)
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return ""
}

// answer builds the requested page.
func (s *site) answer(q *request) (answer, error) {
	switch q.place.Kind {
	case address.Front:
		return s.front(q)
	case sites:
		return s.sites(q)
	case collections:
		return s.collections(q)
	case goTo:
		return s.goTo(q)
	case browse:
		return s.browse(q)
	case address.Site:
		return s.title(q)
	case address.Collection:
		return s.collection(q)
	case address.Versions:
		return s.versions(q)
	case address.Calendar:
		return answer{redirect: s.ui.Versions(q.place.In.Collection, q.place.URL)}, nil
	case address.Compare:
		return s.compare(q)
	case address.Harvest:
		return s.harvest(q)
	case address.Missed:
		return s.missedList(q)
	case address.History:
		return s.history(q)
	case address.File:
		return s.file(q)
	case address.Search:
		return s.search(q)
	case address.SearchCSV:
		return s.searchCSV(q)
	case address.Trends, address.TrendsCSV:
		return s.trends(q, q.place.Kind == address.TrendsCSV)
	case address.Links, address.LinksCSV:
		return s.graphOf(q, q.place.Kind == address.LinksCSV)
	case address.Banner:
		return s.banner(q)
	case address.Provenance:
		return s.provenance(q)
	case address.TimeGate:
		return s.latest(q)
	}
	return s.machine(q)
}

// nav returns the links to the main pages.
func (s *site) nav(at address.Place) []tab {
	all := []tab{{link: link{s.words.T("nav.sites"), string(s.ui) + "/site/"}, Here: at.Kind == sites ||
		at.Kind == address.Site, Exact: at.Kind == sites},
		{link: link{s.words.T("nav.collections"), string(s.ui) + "/collection/"}, Here: at.Kind == collections ||
			at.Kind == address.Collection, Exact: at.Kind == collections}}
	if s.Search != nil {
		all = append(all, tab{link: link{s.words.T("nav.search"), s.ui.Search("")}, Here: at.Kind == address.Search ||
			at.Kind == address.Trends, Exact: at.Kind == address.Search})
	}
	return all
}
