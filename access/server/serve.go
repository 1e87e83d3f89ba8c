package server

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/machines"
	"quire/access/replay"
	"quire/access/statement"
	"quire/access/wabac"
	"quire/internal/httpserver"
)

// ServeHTTP implements http.Handler: it dispatches by host.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = patient(w)
	if s.health(r) {
		httpserver.Health(w, r)
		return
	}
	if s.log != nil {
		l := &logged{ResponseWriter: w, begun: time.Now()}
		defer func() { s.log.write(l, r) }()
		w = l
	}
	switch s.hostOf(r) {
	case onReplay:
		s.serveReplay(w, r)
	case onUI:
		s.serveUI(w, r)
	default:
		// An unknown name of this machine. An attacker could have assigned it to read our pages
		// under their own origin.
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Location", s.UI+"/")
		w.WriteHeader(http.StatusFound)
	}
}

// health reports whether a request is the health check of a machine. The check works under every
// name of the server, because the machine itself uses the address. If an archived page has the same
// path, the archived page is served.
func (s *Server) health(r *http.Request) bool {
	return r.RequestURI == httpserver.HealthPath && !s.Sites.Serves(strings.ToLower(r.Host)) && !s.replayed.Inside(r)
}

type host int

const (
	elsewhere host = iota
	onUI
	onReplay
)

// hostOf returns the host that a request addresses.
func (s *Server) hostOf(r *http.Request) host {
	asked := strings.ToLower(r.Host)
	switch {
	case s.Replay != "" && asked == authority(s.Replay) || s.Sites.Serves(asked):
		return onReplay
	case s.UI == "" || asked == authority(s.UI):
		return onUI
	case asked == s.Sites.Parent():
		return onReplay // not a site: browsers are redirected to a site's host
	}
	return elsewhere
}

// authority returns host and port of a URL as in a request.
func authority(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Host
}

// serveReplay serves the host of archived pages.
func (s *Server) serveReplay(w http.ResponseWriter, r *http.Request) {
	target := strings.TrimPrefix(r.RequestURI, pathOf(s.Replay))
	switch {
	case r.RequestURI == "/robots.txt" && !s.replayed.Inside(r): // not of an archived page
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = io.WriteString(w, machines.RefuseRobots) // the client may have gone
	case strings.HasPrefix(target, replay.ScriptsPath):
		s.scripts.ServeHTTP(w, r)
	case s.engine != nil && strings.HasPrefix(target, wabac.Path):
		if asked, ok := address.ParseReplay("/" + wabac.Asked(target)); ok {
			if there, other := s.replayed.Host(r, asked.In, asked.URL); other {
				w.Header().Set("Cache-Control", "no-store")
				w.Header().Set("Location", there.Origin()+wabac.Begin(asked.In.Segment(), asked.Timestamp, asked.URL))
				w.WriteHeader(http.StatusFound)
				return
			}
		}
		s.engine.ServeHTTP(w, r)
	default:
		s.replayed.ServeHTTP(w, r)
	}
}

// signInPath is the path of the login.
const signInPath = "/-/sign-in"

// serveUI serves the host of our own pages. If there is no separate replay host, it also serves
// archived pages.
func (s *Server) serveUI(w http.ResponseWriter, r *http.Request) {
	mount := pathOf(s.UI)
	target, ok := strings.CutPrefix(r.RequestURI, mount)
	if !ok {
		http.NotFound(w, r)
		return
	}
	if s.alone() && strings.HasPrefix(target, replay.ScriptsPath) {
		s.scripts.ServeHTTP(w, r)
		return
	}
	q, ok := address.ParseReplay(target)
	if s.alone() && (ok && q.Modifier != "" || s.strayed(r, target)) {
		s.replayed.ServeHTTP(w, r)
		return
	}
	if foreign(r) {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "A page of another host requested this. Such requests are blocked.", http.StatusForbidden)
		return
	}
	if r = s.whoAsks(w, r); r == nil {
		return
	}
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	if at, ok := address.ParseThumbnail(target); ok && s.small != nil {
		w.Header().Add("Vary", "Authorization")
		s.small.Serve(w, r, s.reader(r), at)
		return
	}
	place, ok := address.ParseUI(target)
	switch {
	case target == statement.Path:
		s.publishKeys(w)
	case target == signInPath:
		s.signIn(w, r, mount+"/")
	case ok && (place.Kind == address.TimeMap || place.Kind == address.CDX || place.Kind == address.Calendar ||
		place.Kind == address.TimeGate && r.Header.Get("Accept-Datetime") != ""):
		s.replayed.Serve(w, r, place.Request, s.reader(r))
	case ok && place.Kind == address.Export && s.exports != nil && r.URL.Query().Has("as"):
		s.takeAway(w, r, place.ID)
	default:
		w.Header().Add("Vary", "Authorization")
		s.pages.ServeHTTP(w, r)
	}
}

// strayed reports whether an archived page on this host requests something from its original host.
func (s *Server) strayed(r *http.Request, target string) bool {
	if !s.replayed.Inside(r) {
		return false
	}
	place, ok := address.ParseUI(target)
	if !ok || foreign(r) {
		return true
	}
	_, known := s.holdings.InCollection(place.In.Collection)
	return !known && (place.Kind == address.TimeGate || place.Kind == address.Banner)
}

// foreign reports whether a page of another host sent the request, other than by a link that a
// reader follows. An archived page, for example, could try to read ours with the rights of the
// signed-in reader (Fetch Metadata).
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return false
	}
	return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document" ||
		r.Method != http.MethodGet && r.Method != http.MethodHead
}

// takeAway serves a package export within the reader's rights. It reports a package as missing if
// the reader must not know of it.
func (s *Server) takeAway(w http.ResponseWriter, r *http.Request, id string) {
	who := s.reader(r)
	if _, err := s.holdings.Package(r.Context(), who, id); err != nil {
		s.pages.ServeHTTP(w, r) // reports the missing page
		return
	}
	s.exports.Serve(w, r, who, "a reader of the class "+string(who.Class)+", by quire serve", id)
}
