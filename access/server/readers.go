package server

import (
	"fmt"
	"net/http"
	"slices"

	"quire/holdings"
	"quire/internal/accesscontrol"
)

// readers say who asks: by the address of a reading room, or by who has signed in.
type readers struct {
	networkOnSite, networkStaff *accesscontrol.Gate // by address alone; nil when nothing was agreed
	signedOnSite, signedStaff   *accesscontrol.Gate // by a password or a token
	// as told to who starts the server: in the reading rooms, curators
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
		return nil, nil // a gate to which nothing is said lets this machine in
	}
	return accesscontrol.New(accesscontrol.Config{Allow: all, Proxies: proxies},
		accesscontrol.Options{Realm: "archive"})
}

// byAddress says what the address alone makes of who asks.
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

// asked is what became of a request to our own pages.
type asked struct {
	class   holdings.Class
	signed  bool     // by a password or a token that is good
	refused int      // 401, 403 or 429 where it shows one that is not good; 0 otherwise
	schemes []string // of credentials that would be taken
}

// ask says who asks. Credentials that are not good are no reason to show less in silence: they are
// refused. Where nobody signs in, they are for a server before this one.
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
				r.signedStaff.Elsewhere(q) // or readers who browse would use up the tries of the curator beside them
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

// worse is the status that helps the reader most: to wait, or else to say better who he is.
func worse(a, b int) int {
	if b == http.StatusServiceUnavailable {
		b = http.StatusTooManyRequests
	}
	if a == 0 || a == http.StatusForbidden || b == http.StatusTooManyRequests {
		return b
	}
	return a
}

// challenges are the credentials that anybody could sign in with.
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

// lines say who may what, for the person who starts the server.
func (r *readers) lines() (all []string) {
	for _, one := range []struct {
		name string
		gate *accesscontrol.Gate
	}{{"in the reading rooms", r.all[0]}, {"curators", r.all[1]}} {
		if one.gate == nil {
			continue
		}
		for _, line := range one.gate.Holds() {
			all = append(all, "  "+one.name+": "+line)
		}
	}
	if len(all) == 0 {
		all = append(all, "  all readers are of the public: the configuration names no reading rooms and no curators")
	}
	return all
}
