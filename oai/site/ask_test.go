package site

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

type userKey struct{}

// An internal request hides the identity of its cause, and ends with it.
func TestNobodysContext(t *testing.T) {
	a := asking(func(w http.ResponseWriter, r *http.Request) {
		if user, ok := r.Context().Value(userKey{}).(string); ok {
			say(w, "welcome, "+user)
			return
		}
		if !Internal(r) {
			t.Error("not marked")
		}
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), userKey{}, "kb"))
	time.AfterFunc(50*time.Millisecond, cancel)
	got, err := a.ask(ctx, http.MethodGet, "http://a.example/x")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", got, err)
	}
}

// If the upstream's answer ends early, the proxy's answer ends early too, even without a declared
// length.
func TestCutUpstream(t *testing.T) {
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		say(w, "a part")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	defer behind.Close()
	next, err := Upstream(behind.URL, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	a := asking(next.ServeHTTP)
	got, err := a.ask(t.Context(), http.MethodGet, "http://a.example/x")
	if err != nil {
		return // it ended even earlier
	}
	defer got.Close()
	if body, err := io.ReadAll(got); err == nil {
		t.Errorf("%q is accepted as complete", body)
	}
}
