package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"sync"
	"time"

	"quire/service/role"
	"quire/service/token"
)

// Check returns the person of a session at this moment. An error ends the session.
type Check func(context.Context) (*role.Person, error)

// Sessions are the sessions of a service. They end with its process.
type Sessions struct {
	// Secure keeps the cookie from being sent without TLS. It must be false for a service without TLS.
	Secure bool

	mu  sync.Mutex
	all map[[sha256.Size]byte]*Session
	now func() time.Time // nil means time.Now
}

// Session is a session of a person.
type Session struct {
	Person *role.Person // at the time of the request
	Form   string       // a secret that each form of the session has

	of    string // the person that signed in
	check Check
	begun time.Time
	last  time.Time
}

const (
	cookie      = "quire-operate"
	longest     = 12 * time.Hour
	idle        = 2 * time.Hour
	maxSessions = 1000 // of all persons
	maxOfOne    = 20   // of a person, who so ends no session of others
)

// ErrNone reports that a request has no session.
var ErrNone = errors.New("no session")

// Begin begins a session of a person, and sets its cookie.
func (s *Sessions) Begin(w http.ResponseWriter, person string, check Check) {
	id := rand.Text() + rand.Text()
	now := s.time()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[[sha256.Size]byte]*Session{}
	}
	s.tidy(now, person)
	s.all[sha256.Sum256([]byte(id))] = &Session{Form: rand.Text(), of: person, check: check, begun: now, last: now}
	s.set(w, id, int(longest/time.Second))
}

func (s *Sessions) time() time.Time {
	if s.now != nil {
		return s.now()
	}
	return time.Now()
}

// tidy removes the sessions that ended, and if there are too many, of the person or in all, the one that was used
// longest ago. The caller holds the lock.
func (s *Sessions) tidy(now time.Time, person string) {
	var oldest, oldestOfOne [sha256.Size]byte
	ofOne := 0
	older := func(one *Session, than [sha256.Size]byte) bool {
		was, ok := s.all[than]
		return !ok || one.last.Before(was.last)
	}
	for id, one := range s.all {
		if one.ended(now) {
			delete(s.all, id)
			continue
		}
		if older(one, oldest) {
			oldest = id
		}
		if one.of == person {
			if ofOne++; older(one, oldestOfOne) {
				oldestOfOne = id
			}
		}
	}
	switch {
	case ofOne >= maxOfOne:
		delete(s.all, oldestOfOne)
	case len(s.all) >= maxSessions:
		delete(s.all, oldest)
	}
}

func (one *Session) ended(now time.Time) bool {
	return now.Sub(one.begun) >= longest || now.Sub(one.last) >= idle
}

func (s *Sessions) set(w http.ResponseWriter, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{Name: s.cookie(), Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		Secure: s.Secure, SameSite: http.SameSiteStrictMode})
}

// Of returns the session of a request. Its person is checked now: a token that was revoked ends it. The error is
// [ErrNone] if there is no session, or the one of the check.
func (s *Sessions) Of(r *http.Request) (*Session, error) {
	id, found, ok := s.known(r)
	if !ok {
		return nil, ErrNone
	}
	var err error
	if found.Person, err = found.check(r.Context()); err != nil {
		if errors.Is(err, token.ErrInvalid) {
			s.mu.Lock()
			delete(s.all, id)
			s.mu.Unlock()
		}
		return nil, err
	}
	return &found, nil
}

// known returns the session of one of the cookies. A neighbouring host may have set others of the same name.
func (s *Sessions) known(r *http.Request) (id [sha256.Size]byte, found Session, ok bool) {
	now := s.time()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range r.CookiesNamed(s.cookie()) {
		id = sha256.Sum256([]byte(c.Value))
		one := s.all[id]
		if one != nil && one.ended(now) {
			delete(s.all, id)
			one = nil
		}
		if one != nil {
			one.last = now
			return id, *one, true
		}
	}
	return id, found, false
}

// cookie is the name of the cookie. With the prefix, browsers take it from this host alone.
func (s *Sessions) cookie() string {
	if s.Secure {
		return "__Host-" + cookie
	}
	return cookie
}

// End ends the session of a request.
func (s *Sessions) End(w http.ResponseWriter, r *http.Request) {
	for _, c := range r.CookiesNamed(s.cookie()) {
		s.mu.Lock()
		delete(s.all, sha256.Sum256([]byte(c.Value)))
		s.mu.Unlock()
	}
	s.set(w, "", -1)
}

// Owns reports whether a form is of this session.
func (one *Session) Owns(form string) bool {
	return subtle.ConstantTimeCompare([]byte(one.Form), []byte(form)) == 1
}
