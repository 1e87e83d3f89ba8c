// Package pages is what readers see of a repository, apart from the archived pages themselves: the
// first page, the title entry page of each package, all captures of a URL with calendar and
// timeline, two captures compared, collections, harvests, histories, what a search found, and the
// banner over a replayed page (docs/reference/555_pages.md). All of it is made on the server, and
// works without scripts.
//
// What is shown comes from archives, and is hostile: it goes through html/template, and nothing of
// it is ever markup of ours. Nothing but holdings decides what a reader may see.
package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/missed"
	"quire/access/search"
	"quire/holdings"
)

// Searcher answers queries: package search, or nothing where there is no index of texts.
type Searcher interface {
	Query(ctx context.Context, who holdings.Reader, q search.Query) (*search.Result, error)
}

// Frame is where the banner finds a capture.
type Frame struct {
	URL string // of the capture on the replay host, with what allows this reader to see it
	// Origin is that of the replay host: "http://127.0.0.1:8080", "http://*.localhost:8080" where
	// each site has its own; 'self', with its quotes, where that is ours.
	Origin  string
	Sandbox bool // the browser makes archived pages of an origin of nobody
}

// Options say how the pages are made.
type Options struct {
	Name  string // of the archive, as readers know it; default "Web archive"
	About string // a sentence or two on the first page; default one that fits every archive

	UI     address.UI // where the pages are
	Public string     // scheme and host for citations: "https://archive.example.org"; default that of the request

	// who asks; nil: everybody is of the public
	Reader func(*http.Request) holdings.Reader
	Replay func(r *http.Request, in address.In, timestamp, url string) (Frame, error) // where a capture is replayed
	Search Searcher                                                                   // nil: there is no search
	// of what harvests wanted and did not get; nil: they are not listed
	Missed *missed.Lists

	Downloads []string // forms in which packages can be taken away, as quire export --as has them

	// languages that readers can choose among; who wants none of them gets the first. Default
	// English
	Words   []*Words
	Now     func() time.Time // default time.Now
	Problem func(error)      // is told what went wrong on our side; default nobody
}

// site is the handler of all pages, in one language.
type site struct {
	Options
	h      *holdings.Holdings
	ui     address.UI
	words  *Words
	render *renderer
	others []tongue // that can be chosen
}

// New makes the pages of a repository.
func New(h *holdings.Holdings, o Options) (*Pages, error) {
	if len(o.Words) == 0 {
		o.Words = []*Words{English()}
	}
	p := &Pages{ui: o.UI}
	for _, w := range o.Words {
		s, err := newSite(h, o, w)
		if err != nil {
			return nil, err
		}
		p.add(s)
	}
	return p, p.ready()
}

// newSite makes the pages in one language.
func newSite(h *holdings.Holdings, o Options, w *Words) (*site, error) {
	s := &site{Options: o, h: h, ui: o.UI, words: w}
	if s.Name == "" {
		s.Name = s.words.T("name")
	}
	if s.Reader == nil {
		s.Reader = func(*http.Request) holdings.Reader { return holdings.Reader{Class: holdings.Public} }
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Problem == nil {
		s.Problem = func(error) {}
	}
	if s.Replay == nil {
		return nil, errors.New("pages: nobody says where captures are replayed")
	}
	var err error
	s.render, err = newRenderer(s)
	return s, err
}

// request is one question of a reader.
type request struct {
	*http.Request
	who   holdings.Reader
	place address.Place
}

// answer is what a page is made of.
type answer struct {
	status   int    // 0 means 200
	template string // name of its file
	title    string
	crumbs   []link
	body     any
	private  bool
	redirect string // where to go instead
	frame    string // origin that may stand in a frame of it
	stream   func(http.ResponseWriter)
}

// errNotFound says that something is not there, or must not be known to be.
var errNotFound = errors.New("there is no such page")

// serve answers a request.
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
	case r.Context().Err() != nil: // the reader has gone
	case err != nil:
		s.Problem(fmt.Errorf("%s: %w", r.RequestURI, err))
		s.fail(w, r, http.StatusInternalServerError)
	case a.redirect != "":
		w.Header().Set("Location", a.redirect) // http.Redirect would make http:/ of the archived http://
		w.WriteHeader(http.StatusFound)
	case a.stream != nil:
		a.stream(w)
	case a.body != nil:
		s.send(w, q, a)
	}
}

// protect sets what a browser must know before it reads a page: nothing comes from elsewhere,
// nothing of it runs or is framed elsewhere.
func (s *site) protect(h http.Header, frame string) {
	policy := "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'self'"
	if frame != "" {
		policy += "; frame-src 'self' " + frame
	}
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-cache") // rights change, and are another reader's
}

func (s *site) send(w http.ResponseWriter, q *request, a answer) {
	s.protect(w.Header(), a.frame)
	if a.status == 0 {
		a.status = http.StatusOK
	}
	p := page{Name: s.Name, Title: a.title, Class: q.who.Class, Private: a.private, Nav: s.nav(q.place),
		Crumbs: a.crumbs, Body: a.body, Tongues: s.tongues(q)}
	w.Header().Set("Content-Language", s.words.tag.String())
	if err := s.render.write(w, a.status, a.template, p); err != nil {
		s.Problem(err)
		http.Error(w, s.words.T("error.500"), http.StatusInternalServerError)
	}
}

// What ParseUI does not know, because nobody links to it but these pages.
const (
	sites       address.Kind = "sites"       // /site/: all packages
	collections address.Kind = "collections" // /collection/
	goTo        address.Kind = "go"          // /versions/COLL/?url=: where the form on the first page leads
)

// parse reads the request line.
func (s *site) parse(r *http.Request) (address.Place, bool) {
	target := r.RequestURI
	if target == "" { // not from a connection: a handler before ours made the request
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
	var kind address.Kind
	switch {
	case path == "/site/" || path == "/site":
		kind = sites
	case path == "/collection/" || path == "/collection":
		kind = collections
	case path == "/versions/"+address.All+"/" && strings.HasPrefix(arguments, "url="):
		kind = goTo
	default:
		return address.ParseUI(target)
	}
	return address.Place{Request: address.Request{Kind: kind}, Arguments: arguments}, true
}

// mount is the path at which the pages are: "" at the root.
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

// answer makes the page that was asked for.
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
	case address.Banner:
		return s.banner(q)
	case address.TimeGate:
		return s.latest(q)
	}
	return answer{}, errNotFound
}

// nav is the way to the main pages.
func (s *site) nav(at address.Place) []tab {
	all := []tab{{link: link{s.words.T("nav.sites"), string(s.ui) + "/site/"}, Here: at.Kind == sites ||
		at.Kind == address.Site, Exact: at.Kind == sites},
		{link: link{s.words.T("nav.collections"), string(s.ui) + "/collection/"}, Here: at.Kind == collections ||
			at.Kind == address.Collection, Exact: at.Kind == collections}}
	if s.Search != nil {
		all = append(all, tab{link: link{s.words.T("nav.search"), s.ui.Search("")}, Here: at.Kind == address.Search,
			Exact: at.Kind == address.Search})
	}
	return all
}
