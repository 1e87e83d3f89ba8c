package accesscontrol

import (
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// verdict is the decision on a request: Status 0 allows it.
type verdict struct {
	Refusal
	wait    time.Duration // until a request can succeed
	schemes []string      // of accepted credentials
}

// request is a request with its client address.
type request struct {
	*http.Request
	now     time.Time
	address netip.Addr
	unknown error // why the address is unknown
	shown   presented
}

// judge checks the agreements in order: the first that matches decides.
func (g *Gate) judge(r *http.Request) verdict {
	q := request{Request: r, now: g.options.Now(), shown: credentialsOf(r)}
	q.address, q.unknown = g.client(r)
	v := verdict{}
	why := []string{}
	refuse := func(status int, reason string) {
		// The most useful answer for the harvester is to wait, or else to authenticate.
		if v.Status == 0 || v.Status == http.StatusForbidden || status == http.StatusServiceUnavailable {
			v.Status = status
		}
		why = append(why, reason)
	}
	for _, a := range g.agreements {
		if reason := a.outside(q); reason != "" {
			refuse(http.StatusForbidden, reason)
			continue
		}
		who, reason, wait := g.harvester(a, q)
		if who != "" {
			if wait = a.rate.take(who, q.now); wait == 0 {
				return verdict{}
			}
			reason = "faster than " + a.Rate
		}
		if wait > 0 {
			v.wait = shorter(v.wait, wait)
			refuse(http.StatusServiceUnavailable, reason)
			continue
		}
		v.schemes = append(v.schemes, a.schemes(g.options.Realm)...)
		refuse(http.StatusUnauthorized, reason)
	}
	v.Address, v.User, v.Why = addressOf(q), q.shown.user, strings.Join(why, "; ")
	return v
}

// outside returns why an agreement does not apply to a request, or "".
func (a *agreement) outside(q request) string {
	switch {
	case len(a.Networks) == 0 || a.networks.everyone:
	case q.unknown != nil:
		return q.unknown.Error()
	case !a.networks.contain(q.address):
		return "not from " + strings.Join(a.Networks, ", ")
	}
	if !open(a.hours, q.now) {
		return "not at " + strings.Join(a.Hours, " or ")
	}
	return ""
}

// harvester identifies the client under an agreement, by its authenticated user or its address. If
// who is "", it returns the reason and the time to wait.
func (g *Gate) harvester(a *agreement, q request) (who, why string, wait time.Duration) {
	if a.passwords == nil && a.tokens == nil {
		return "address " + clientPrefix(q), "", 0
	}
	why = "no credentials of an accepted kind"
	if a.passwords != nil && q.shown.basic {
		ok, wait, err := g.secrets.password(q.Context(), a.passwords, a.User, q.shown, clientPrefix(q), q.now)
		switch {
		case err != nil:
			return "", err.Error(), 0
		case ok:
			return "user " + q.shown.user, "", 0
		case wait > 0:
			return "", "too many password attempts", wait
		}
		why = "wrong user or password"
	}
	if a.tokens != nil && q.shown.token != "" {
		name, ok, err := g.secrets.token(a.tokens, q.shown.token)
		switch {
		case err != nil:
			return "", err.Error(), 0
		case ok:
			return "token " + name, "", 0
		}
		why = "wrong token"
	}
	return "", why, 0
}

// schemes returns the challenges of an agreement (RFC 9110, 11.6.1).
func (a *agreement) schemes(realm string) (all []string) {
	if a.passwords != nil {
		all = append(all, `Basic realm="`+realm+`", charset="UTF-8"`)
	}
	if a.tokens != nil {
		all = append(all, `Bearer realm="`+realm+`"`)
	}
	return all
}

// clientPrefix returns the address that identifies a harvester when its requests are counted. For
// IPv6 it is the first half of the address, because one client usually has all addresses of such a
// network.
func clientPrefix(q request) string {
	if q.unknown != nil {
		return "unknown"
	}
	if q.address.Is6() {
		return netip.PrefixFrom(q.address, 64).Masked().String()
	}
	return q.address.String()
}

func addressOf(q request) string {
	if q.unknown != nil {
		return ""
	}
	return q.address.String()
}

func shorter(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}
