package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"quire/holdings"
)

// askedKey is the context key of the client's identity. The identity is determined once per
// request, because each attempt with a password is counted.
type askedKey struct{}

// whoAsks identifies the client. It answers requests with invalid credentials itself, and returns
// nil.
func (s *Server) whoAsks(w http.ResponseWriter, r *http.Request) *http.Request {
	a := s.readers.ask(r)
	if a.refused != 0 {
		s.refuse(w, r, a)
		return nil
	}
	return r.WithContext(context.WithValue(r.Context(), askedKey{}, a))
}

// reader returns the reader of a request to our own pages.
func (s *Server) reader(r *http.Request) holdings.Reader {
	a, ok := r.Context().Value(askedKey{}).(asked)
	if !ok { // not identified yet: no rights
		a.class = holdings.Public
	}
	return holdings.Reader{Class: a.class}
}

// retryAfter is the delay before the next password, in seconds: 20 attempts a minute.
const retryAfter = "3"

// refuse answers a request with invalid credentials.
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

// signIn requests credentials until they are valid, and redirects to the first page.
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
		_, _ = fmt.Fprintln(w, "This server has no login.") // the client may have gone
		return
	}
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = fmt.Fprintln(w, "Curators, and readers with an account, sign in here.") // as above
}
