package server

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/replay"
	"quire/access/wabac"
)

// ServeHTTP implements http.Handler: it tells the hosts apart.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = patient(w)
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
		// Another name of this machine. One that somebody else gave it could be a trick to read our
		// pages as if they were his.
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Location", s.UI+"/")
		w.WriteHeader(http.StatusFound)
	}
}

type host int

const (
	elsewhere host = iota
	onUI
	onReplay
)

// hostOf says which host was asked.
func (s *Server) hostOf(r *http.Request) host {
	asked := strings.ToLower(r.Host)
	switch {
	case s.Replay != "" && asked == authority(s.Replay) || s.Sites.Serves(asked):
		return onReplay
	case s.UI == "" || asked == authority(s.UI):
		return onUI
	case asked == s.Sites.Parent():
		return onReplay // no site is here: browsers are led to the host of one
	}
	return elsewhere
}

// authority is the host and port of a URL as a request names them.
func authority(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Host
}

// serveReplay answers the host of archived pages.
func (s *Server) serveReplay(w http.ResponseWriter, r *http.Request) {
	target := strings.TrimPrefix(r.RequestURI, pathOf(s.Replay))
	switch {
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

// signInPath is where a reader shows who he is.
const signInPath = "/-/sign-in"

// serveUI answers the host of our own pages; of archived ones too, where there is no other.
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
		http.Error(w, "This is asked for by a page of another host, which has no business here.", http.StatusForbidden)
		return
	}
	if r = s.whoAsks(w, r); r == nil {
		return
	}
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	place, ok := address.ParseUI(target)
	switch {
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

// strayed says whether an archived page, which is on this host too, asks for something of the host
// that it believes to be on.
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

// foreign says whether a page of another host asks, other than by a link that a reader follows: an
// archived page, say, that would like to read ours as the reader who is signed in (Fetch Metadata).
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return false
	}
	return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document" ||
		r.Method != http.MethodGet && r.Method != http.MethodHead
}

// takeAway hands a package out, as far as the reader may have it. A package of which he may know
// nothing is not there.
func (s *Server) takeAway(w http.ResponseWriter, r *http.Request, id string) {
	who := s.reader(r)
	if _, err := s.holdings.Package(r.Context(), who, id); err != nil {
		s.pages.ServeHTTP(w, r) // which says so
		return
	}
	s.exports.Serve(w, r, who, "a reader of the class "+string(who.Class)+", by quire serve", id)
}
