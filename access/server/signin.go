package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"quire/holdings"
)

// askedKey is where a request to our own pages has who asks: that is found out once, since each try
// of a password counts.
type askedKey struct{}

// whoAsks finds out who asks, and refuses credentials that are not good; the request is nil then.
func (s *Server) whoAsks(w http.ResponseWriter, r *http.Request) *http.Request {
	a := s.readers.ask(r)
	if a.refused != 0 {
		s.refuse(w, r, a)
		return nil
	}
	return r.WithContext(context.WithValue(r.Context(), askedKey{}, a))
}

// reader says who asks our own pages.
func (s *Server) reader(r *http.Request) holdings.Reader {
	a, ok := r.Context().Value(askedKey{}).(asked)
	if !ok { // it has not come so far: nobody has rights yet
		a.class = holdings.Public
	}
	return holdings.Reader{Class: a.class}
}

// retryAfter is when the next password can be tried, in seconds: there are 20 a minute.
const retryAfter = "3"

// refuse says that credentials are not good.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, a asked) {
	h := w.Header()
	switch a.refused {
	case http.StatusUnauthorized:
		slices.Sort(a.schemes)
		for _, scheme := range slices.Compact(a.schemes) {
			h.Add("WWW-Authenticate", scheme)
		}
	case http.StatusTooManyRequests:
		h.Set("Retry-After", retryAfter)
	}
	h.Add("Vary", "Authorization")
	s.pages.Fail(w, r, a.refused)
}

// signIn asks for credentials until they are good, and goes on to the first page.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request, front string) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if a, _ := r.Context().Value(askedKey{}).(asked); a.signed {
		h.Set("Location", front)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	schemes := s.readers.challenges(r)
	for _, scheme := range schemes {
		h.Add("WWW-Authenticate", scheme)
	}
	if len(schemes) == 0 {
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprintln(w, "Nobody signs in here.") // who does not listen has lost nothing
		return
	}
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = fmt.Fprintln(w, "Curators, and readers with an account, sign in here.") // as above
}
