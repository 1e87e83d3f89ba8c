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
	wait    time.Duration // until it is worth asking again
	schemes []string      // of credentials that would be taken
}

// request is one that is judged.
type request struct {
	*http.Request
	now     time.Time
	address netip.Addr
	unknown error // why there is no address
	shown   presented
}

// judge asks the agreements, in their order: the first that fits lets in.
func (g *Gate) judge(r *http.Request) verdict {
	q := request{Request: r, now: g.options.Now(), shown: credentialsOf(r)}
	q.address, q.unknown = g.client(r)
	v := verdict{}
	why := []string{}
	refuse := func(status int, reason string) {
		// The most useful answer for the harvester: wait, or else authenticate.
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

// outside says why a request has nothing to do with an agreement, or "".
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

// harvester says who it is that asks, under an agreement: the user that he has shown to be, or the
// address he has. When who is "", it says why, and whether to wait.
func (g *Gate) harvester(a *agreement, q request) (who, why string, wait time.Duration) {
	if a.passwords == nil && a.tokens == nil {
		return "address " + neighbourhood(q), "", 0
	}
	why = "no credentials that are asked for"
	if a.passwords != nil && q.shown.basic {
		ok, wait, err := g.secrets.password(q.Context(), a.passwords, a.User, q.shown, neighbourhood(q), q.now)
		switch {
		case err != nil:
			return "", err.Error(), 0
		case ok:
			return "user " + q.shown.user, "", 0
		case wait > 0:
			return "", "too many tries of passwords", wait
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

// schemes are the challenges of an agreement (RFC 9110, 11.6.1).
func (a *agreement) schemes(realm string) (all []string) {
	if a.passwords != nil {
		all = append(all, `Basic realm="`+realm+`", charset="UTF-8"`)
	}
	if a.tokens != nil {
		all = append(all, `Bearer realm="`+realm+`"`)
	}
	return all
}

// neighbourhood is an address by which a harvester is counted: of IPv6 the first half, since who
// has one address there has all.
func neighbourhood(q request) string {
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
