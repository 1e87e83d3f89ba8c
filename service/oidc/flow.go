package oidc

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"quire/service/role"
	"quire/service/token"
)

// flow is a sign-in that began.
type flow struct {
	nonce, verifier string
	until           time.Time
}

// flows are the sign-ins under way, by their state.
type flows struct {
	mu  sync.Mutex
	all map[string]flow
}

const (
	flowTime   = 10 * time.Minute
	maxFlows   = 1000
	flowCookie = "quire-operate-sign-in"
)

// add keeps a sign-in. If too many are under way, none begins.
func (f *flows) add(state string, one flow) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all == nil {
		f.all = map[string]flow{}
	}
	for known, other := range f.all {
		if time.Now().After(other.until) {
			delete(f.all, known)
		}
	}
	if len(f.all) >= maxFlows {
		return errors.New("too many sign-ins are under way; try again in some minutes")
	}
	f.all[state] = one
	return nil
}

// take returns a sign-in, once.
func (f *flows) take(state string) (flow, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, ok := f.all[state]
	delete(f.all, state)
	return one, ok && time.Now().Before(one.until)
}

// Begin sends a browser to the provider.
func (p *Provider) Begin(w http.ResponseWriter, r *http.Request) error {
	c, err := p.config()
	if err != nil {
		return err
	}
	state := rand.Text()
	one := flow{nonce: rand.Text(), verifier: oauth2.GenerateVerifier(), until: time.Now().Add(flowTime)}
	if err := p.flows.add(state, one); err != nil {
		return err
	}
	p.cookie(w, state, int(flowTime/time.Second))
	http.Redirect(w, r, c.AuthCodeURL(state, oidc.Nonce(one.nonce), oauth2.S256ChallengeOption(one.verifier)),
		http.StatusSeeOther)
	return nil
}

// cookie binds a sign-in to the browser that began it. It must come with the way back from the provider, which is
// another site: Lax allows that.
func (p *Provider) cookie(w http.ResponseWriter, state string, seconds int) {
	http.SetCookie(w, &http.Cookie{Name: flowCookie, Value: state, Path: "/sign-in", MaxAge: seconds, HttpOnly: true,
		Secure: strings.HasPrefix(p.back, "https:"), SameSite: http.SameSiteLaxMode})
}

// Return ends a sign-in: it exchanges the code of the provider for a token, and returns the check of the session. The
// check knows the person for two hours; then the person signs in again. The error is [token.ErrInvalid] if the sign-in
// is not one of this browser, or the provider refused it.
func (p *Provider) Return(w http.ResponseWriter, r *http.Request) (func(context.Context) (*role.Person, error), error) {
	state := r.FormValue("state")
	mine, err := r.Cookie(flowCookie)
	if err != nil || state == "" || subtle.ConstantTimeCompare([]byte(mine.Value), []byte(state)) != 1 {
		return nil, fmt.Errorf("%w: this browser did not begin the sign-in", token.ErrInvalid)
	}
	p.cookie(w, "", -1)
	one, ok := p.flows.take(state)
	if !ok {
		return nil, fmt.Errorf("%w: the sign-in took too long", token.ErrInvalid)
	}
	if refused := r.FormValue("error"); refused != "" {
		return nil, fmt.Errorf("%w: the provider says %.100q", token.ErrInvalid, refused)
	}
	c, err := p.config()
	if err != nil {
		return nil, err
	}
	got, err := c.Exchange(p.context(r.Context()), r.FormValue("code"), oauth2.VerifierOption(one.verifier))
	var answer *oauth2.RetrieveError
	if errors.As(err, &answer) {
		return nil, fmt.Errorf("%w: the provider does not take the code", token.ErrInvalid)
	}
	if err != nil {
		return nil, err
	}
	raw, _ := got.Extra("id_token").(string)
	who, t, err := p.verified(r.Context(), raw, p.settings.ClientID)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(t.Nonce), []byte(one.nonce)) != 1 {
		return nil, fmt.Errorf("%w: it is of another sign-in", token.ErrInvalid)
	}
	until := time.Now().Add(maxSession)
	return func(context.Context) (*role.Person, error) {
		if time.Now().After(until) {
			return nil, token.ErrInvalid
		}
		copied := *who
		return &copied, nil
	}, nil
}
