package server

import (
	"fmt"
	"net/http"
	"slices"

	"quire/holdings"
	"quire/internal/accesscontrol"
)

// readers identifies readers: by the address of a reading room, or by login.
type readers struct {
	networkOnSite, networkStaff *accesscontrol.Gate // by address alone; nil if not configured
	signedOnSite, signedStaff   *accesscontrol.Gate // by a password or a token
	// for the greeting: reading rooms, curators
	all []*accesscontrol.Gate
}

func newReaders(c Config) (*readers, error) {
	r := &readers{}
	for _, one := range []struct {
		name            holdings.Class
		all             []accesscontrol.Agreement
		network, signed **accesscontrol.Gate
	}{{holdings.OnSite, c.OnSite, &r.networkOnSite, &r.signedOnSite},
		{holdings.Staff, c.Staff, &r.networkStaff, &r.signedStaff}} {
		whole, err := gateOf(one.all, c.Proxies)
		signs := func(a accesscontrol.Agreement) bool { return a.PasswordFile != "" || a.TokenFile != "" }
		if err == nil {
			*one.network, err = gateOf(slices.DeleteFunc(slices.Clone(one.all), signs), c.Proxies)
		}
		if err == nil {
			*one.signed, err = gateOf(slices.DeleteFunc(slices.Clone(one.all), func(a accesscontrol.Agreement) bool {
				return !signs(a)
			}), c.Proxies)
		}
		if err != nil {
			return nil, fmt.Errorf("readers, %s: %w", one.name, err)
		}
		r.all = append(r.all, whole)
	}
	return r, nil
}

func gateOf(all []accesscontrol.Agreement, proxies []string) (*accesscontrol.Gate, error) {
	if len(all) == 0 {
		return nil, nil // a gate without conditions would admit this machine
	}
	return accesscontrol.New(accesscontrol.Config{Allow: all, Proxies: proxies},
		accesscontrol.Options{Realm: "archive"})
}

// byAddress returns the class of a client by its address alone.
func (r *readers) byAddress(q *http.Request) holdings.Class {
	switch {
	case admits(r.networkStaff, q):
		return holdings.Staff
	case admits(r.networkOnSite, q):
		return holdings.OnSite
	}
	return holdings.Public
}

func admits(g *accesscontrol.Gate, q *http.Request) bool {
	if g == nil {
		return false
	}
	ok, _, _ := g.Admits(q)
	return ok
}

// asked is the result of identifying the client of a request to our own pages.
type asked struct {
	class   holdings.Class
	signed  bool     // by a valid password or token
	refused int      // 401, 403 or 429 for invalid credentials; else 0
	schemes []string // accepted authentication schemes
}

// ask identifies the client. Invalid credentials are refused, instead of silently showing less.
// Without configured logins, they are meant for a proxy and ignored.
func (r *readers) ask(q *http.Request) asked {
	a := asked{class: r.byAddress(q)}
	shows := q.Header.Get("Authorization") != ""
	for _, one := range []struct {
		class holdings.Class
		gate  *accesscontrol.Gate
	}{{holdings.Staff, r.signedStaff}, {holdings.OnSite, r.signedOnSite}} {
		if one.gate == nil || !shows {
			continue
		}
		ok, why, schemes := one.gate.Admits(q)
		if ok {
			if one.class == holdings.OnSite && a.refused == http.StatusUnauthorized && q.Context().Err() == nil {
				// Readers at one address must not use up the attempts of a curator there.
				r.signedStaff.NoteValidElsewhere(q)
			}
			a.signed, a.refused = true, 0
			if one.class == holdings.Staff || a.class == holdings.Public {
				a.class = one.class
			}
			return a
		}
		a.schemes = append(a.schemes, schemes...)
		a.refused = worse(a.refused, why.Status)
	}
	return a
}

// worse returns the more helpful status: first to wait, then to authenticate better.
func worse(a, b int) int {
	if b == http.StatusServiceUnavailable {
		b = http.StatusTooManyRequests
	}
	if a == 0 || a == http.StatusForbidden || b == http.StatusTooManyRequests {
		return b
	}
	return a
}

// challenges returns the authentication schemes open to every client.
func (r *readers) challenges(q *http.Request) (all []string) {
	for _, g := range []*accesscontrol.Gate{r.signedStaff, r.signedOnSite} {
		if g != nil {
			_, _, schemes := g.Admits(q)
			all = append(all, schemes...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// lines describes the readers' rights for the operator who starts the server.
func (r *readers) lines() (all []string) {
	for _, one := range []struct {
		name string
		gate *accesscontrol.Gate
	}{{"in the reading rooms", r.all[0]}, {"curators", r.all[1]}} {
		if one.gate == nil {
			continue
		}
		for _, line := range one.gate.Agreements() {
			all = append(all, "  "+one.name+": "+line)
		}
	}
	if len(all) == 0 {
		all = append(all, "  all readers count as the public: no reading rooms or curators are configured")
	}
	return all
}
