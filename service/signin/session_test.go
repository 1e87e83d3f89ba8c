package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"quire/service/role"
	"quire/service/token"
)

func ada(context.Context) (*role.Person, error) { return &role.Person{Name: "Ada"}, nil }

// begun begins a session, and returns a request that has its cookie.
func begun(s *Sessions, check Check) (*http.Request, *http.Cookie) { return begunBy(s, "Ada", check) }

func begunBy(s *Sessions, person string, check Check) (*http.Request, *http.Cookie) {
	w := httptest.NewRecorder()
	s.Begin(w, person, check)
	c := w.Result().Cookies()[0]
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.AddCookie(c)
	return r, c
}

func TestSession(t *testing.T) {
	t.Parallel()
	s := &Sessions{Secure: true}
	r, c := begun(s, ada)
	if !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode || len(c.Value) < 40 {
		t.Errorf("cookie %+v", c)
	}
	other, _ := begun(s, ada)
	one, err := s.Of(r)
	if err != nil || one.Person.Name != "Ada" || !one.Owns(one.Form) {
		t.Fatalf("%+v, %v", one, err)
	}
	two, err := s.Of(other)
	if err != nil || one.Owns(two.Form) || one.Owns("") || two.Form == one.Form {
		t.Errorf("a form of another session: %v", err)
	}
	if c.Name != "__Host-"+cookie {
		t.Errorf("another host may set %s", c.Name)
	}
	beside := httptest.NewRequest(http.MethodGet, "/", nil)
	beside.AddCookie(&http.Cookie{Name: c.Name, Value: "of a neighbour"})
	beside.AddCookie(c)
	if _, err := s.Of(beside); err != nil {
		t.Errorf("beside another cookie: %v", err)
	}
	for _, value := range []string{"", "x", c.Value + "x"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(&http.Cookie{Name: c.Name, Value: value})
		if one, err := s.Of(r); !errors.Is(err, ErrNone) {
			t.Errorf("%q: %+v, %v", value, one, err)
		}
	}
	w := httptest.NewRecorder()
	s.End(w, r)
	if _, err := s.Of(r); !errors.Is(err, ErrNone) || w.Result().Cookies()[0].MaxAge >= 0 {
		t.Errorf("after its end: %v", err)
	}
	if _, err := s.Of(other); err != nil {
		t.Errorf("the other one: %v", err)
	}
}

// TestEnds: a session ends after a time, and with the token.
func TestEnds(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := &Sessions{now: func() time.Time { return now }}
	r, _ := begun(s, ada)
	for range 11 {
		now = now.Add(time.Hour)
		if _, err := s.Of(r); err != nil {
			t.Fatalf("%v: %v", now, err)
		}
	}
	now = now.Add(time.Hour)
	if _, err := s.Of(r); !errors.Is(err, ErrNone) {
		t.Errorf("after twelve hours: %v", err)
	}
	r, _ = begun(s, ada)
	now = now.Add(idle)
	if _, err := s.Of(r); !errors.Is(err, ErrNone) {
		t.Errorf("after two idle hours: %v", err)
	}
	revoked := errors.New("revoked")
	var now2 error
	r, _ = begun(s, func(context.Context) (*role.Person, error) { return &role.Person{}, now2 })
	if _, err := s.Of(r); err != nil {
		t.Error(err)
	}
	now2 = revoked
	if one, err := s.Of(r); !errors.Is(err, revoked) || one != nil {
		t.Errorf("%+v, %v", one, err)
	}
}

// TestRevoked: a session ends with its token, also if the token were valid again.
func TestRevoked(t *testing.T) {
	t.Parallel()
	s := &Sessions{}
	var err error
	r, _ := begun(s, func(context.Context) (*role.Person, error) { return &role.Person{}, err })
	err = errors.New("the tokens cannot be read now")
	if _, got := s.Of(r); !errors.Is(got, err) {
		t.Errorf("%v", got)
	}
	err = nil
	if _, got := s.Of(r); got != nil {
		t.Errorf("then: %v", got)
	}
	err = token.ErrInvalid
	if _, got := s.Of(r); !errors.Is(got, err) {
		t.Errorf("revoked: %v", got)
	}
	err = nil
	if _, got := s.Of(r); !errors.Is(got, ErrNone) {
		t.Errorf("valid again: %v", got)
	}
}

// TestBoundedForOne: many sessions of one person end no session of another one.
func TestBoundedForOne(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := &Sessions{now: func() time.Time { return now }}
	other, _ := begunBy(s, "Bo", ada)
	first, _ := begun(s, ada)
	for range maxSessions + 1 {
		now = now.Add(time.Millisecond)
		begun(s, ada)
	}
	if _, err := s.Of(other); err != nil || len(s.all) != maxOfOne+1 {
		t.Errorf("%d sessions, that of another person: %v", len(s.all), err)
	}
	if _, err := s.Of(first); !errors.Is(err, ErrNone) {
		t.Errorf("the oldest one: %v", err)
	}
}

func TestBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := &Sessions{now: func() time.Time { return now }}
	first, _ := begun(s, ada)
	second, _ := begun(s, ada)
	for n := range maxSessions {
		now = now.Add(time.Millisecond)
		if _, err := s.Of(second); err != nil {
			t.Fatal(err)
		}
		begunBy(s, fmt.Sprint("person ", n), ada)
	}
	if _, err := s.Of(first); !errors.Is(err, ErrNone) || len(s.all) != maxSessions {
		t.Errorf("%d sessions, the oldest one: %v", len(s.all), err)
	}
	if _, err := s.Of(second); err != nil {
		t.Errorf("the one in use: %v", err)
	}
}
