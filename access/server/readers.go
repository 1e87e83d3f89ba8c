package server

import (
	"fmt"
	"net/http"
	"slices"

	"quire/access/holdings"
	"quire/internal/gate"
)

// readers say who asks: by the address of a reading room, or by who has signed in.
type readers struct {
	onsite, staff *gate.Gate // by all that was agreed; nil when nothing was
	networkOnSite *gate.Gate // by address alone
	networkStaff  *gate.Gate
}

func newReaders(c Config) (*readers, error) {
	r := &readers{}
	for _, one := range []struct {
		name          holdings.Class
		all           []gate.Agreement
		full, network **gate.Gate
	}{{holdings.OnSite, c.OnSite, &r.onsite, &r.networkOnSite}, {holdings.Staff, c.Staff, &r.staff, &r.networkStaff}} {
		var err error
		if *one.full, err = gateOf(one.all, c.Proxies); err != nil {
			return nil, fmt.Errorf("readers, %s: %w", one.name, err)
		}
		byAddress := slices.DeleteFunc(slices.Clone(one.all), func(a gate.Agreement) bool { return a.PasswordFile != "" || a.TokenFile != "" })
		if *one.network, err = gateOf(byAddress, c.Proxies); err != nil {
			return nil, fmt.Errorf("readers, %s: %w", one.name, err)
		}
	}
	return r, nil
}

func gateOf(all []gate.Agreement, proxies []string) (*gate.Gate, error) {
	if len(all) == 0 {
		return nil, nil // a gate to which nothing is said lets this machine in
	}
	return gate.New(gate.Config{Allow: all, Proxies: proxies}, gate.Options{Realm: "archive"})
}

// class says who asks our own pages.
func (r *readers) class(q *http.Request) holdings.Class { return classOf(q, r.staff, r.onsite) }

// byAddress says what the address alone makes of who asks.
func (r *readers) byAddress(q *http.Request) holdings.Class {
	return classOf(q, r.networkStaff, r.networkOnSite)
}

func classOf(q *http.Request, staff, onsite *gate.Gate) holdings.Class {
	if admits(staff, q) {
		return holdings.Staff
	}
	if admits(onsite, q) {
		return holdings.OnSite
	}
	return holdings.Public
}

func admits(g *gate.Gate, q *http.Request) bool {
	if g == nil {
		return false
	}
	ok, _, _ := g.Admits(q)
	return ok
}

// signIn asks for credentials until they are good, and goes on to where the reader came from.
func (r *readers) signIn(w http.ResponseWriter, q *http.Request, front string) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	var schemes []string
	for _, g := range []*gate.Gate{r.staff, r.onsite} {
		if g == nil {
			continue
		}
		ok, _, more := g.Admits(q)
		if ok && q.Header.Get("Authorization") != "" {
			h.Set("Location", front)
			w.WriteHeader(http.StatusSeeOther)
			return
		}
		schemes = append(schemes, more...)
	}
	slices.Sort(schemes)
	for _, s := range slices.Compact(schemes) {
		h.Add("WWW-Authenticate", s)
	}
	if len(schemes) == 0 {
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprintln(w, "Nobody signs in here.") // who does not listen has lost nothing
		return
	}
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = fmt.Fprintln(w, "Curators, and readers with an account, sign in here.") // as above
}

// lines say who may what, for the person who starts the server.
func (r *readers) lines() (all []string) {
	for _, one := range []struct {
		name string
		gate *gate.Gate
	}{{"in the reading rooms", r.onsite}, {"curators", r.staff}} {
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
