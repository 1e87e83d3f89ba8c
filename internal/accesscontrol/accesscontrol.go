package accesscontrol

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Options says how a gate stands in its surroundings.
type Options struct {
	Now   func() time.Time // time.Now when nil
	Realm string           // of the authentication challenge; "harvest" when ""

	// Refused gets each refused request, from several goroutines. It may be nil.
	Refused func(Refusal)
}

// Refusal is a request that was not let in.
type Refusal struct {
	Address string // "" when it is not known
	User    string // that it claims to be of
	Status  int    // 401, 403, 503
	Why     string // for the log, not for the client
}

// Gate lets in whom an agreement allows.
type Gate struct {
	options    Options
	proxies    networks
	agreements []*agreement
	secrets    *secrets
	nothing    bool // was configured
}

// agreement is an Agreement that can be asked.
type agreement struct {
	Agreement
	networks  networks
	hours     []hours
	rate      *buckets
	passwords *hashFile // nil when none are asked for
	tokens    *hashFile
}

// New makes a gate. It fails when an agreement is impossible, or names a file that cannot be read.
func New(c Config, o Options) (*Gate, error) {
	g := &Gate{options: o, secrets: newSecrets(), nothing: len(c.Allow) == 0}
	if g.options.Now == nil {
		g.options.Now = time.Now
	}
	if g.options.Realm == "" {
		g.options.Realm = "harvest"
	}
	if g.options.Refused == nil {
		g.options.Refused = func(Refusal) {}
	}
	var err error
	if g.proxies, err = parseNetworks(c.Proxies); err != nil {
		return nil, fmt.Errorf("proxies: %w", err)
	}
	if g.proxies.everyone {
		return nil,
			fmt.Errorf("proxies: everyone: then everyone could say who he is; name the servers that stand before " +
				"this one")
	}
	allow := c.Allow
	if g.nothing {
		allow = []Agreement{{Networks: []string{"loopback"}}}
	}
	for i, a := range allow {
		one, err := newAgreement(a)
		if err != nil {
			return nil, fmt.Errorf("allow, no. %d: %w", i+1, err)
		}
		g.agreements = append(g.agreements, one)
	}
	return g, nil
}

func newAgreement(a Agreement) (*agreement, error) {
	one := &agreement{Agreement: a}
	err := a.check()
	if err != nil {
		return nil, err
	}
	if one.networks, err = parseNetworks(a.Networks); err != nil {
		return nil, err
	}
	if one.hours, err = parseHours(a.Hours); err != nil {
		return nil, err
	}
	limit, err := parseRate(a.Rate)
	if err != nil {
		return nil, err
	}
	one.rate = newBuckets(limit, maxHarvesters)
	if a.PasswordFile != "" {
		one.passwords = &hashFile{path: a.PasswordFile, parse: parsePassword}
		if err := checkPasswords(one.passwords, a.User); err != nil {
			return nil, err
		}
	}
	if a.TokenFile != "" {
		one.tokens = &hashFile{path: a.TokenFile, parse: parseToken}
		if _, err := one.tokens.get(); err != nil {
			return nil, fmt.Errorf("token-file: %w", err)
		}
	}
	return one, nil
}

// checkPasswords looks whether a file has a hash that can ever fit.
func checkPasswords(f *hashFile, user string) error {
	hashes, err := f.get()
	if err != nil {
		return fmt.Errorf("password-file: %w", err)
	}
	for _, h := range hashes {
		if user == "" && h.name != "" || user != "" && (h.name == "" || h.name == user) {
			return nil
		}
	}
	if user == "" {
		return fmt.Errorf("password-file: %s names no user: give user, or lines of user:hash", f.path)
	}
	return fmt.Errorf("password-file: %s has no line of the user %.40q", f.path, user)
}

// Holds describes each agreement in a line: for a log, and for the person who starts the server.
func (g *Gate) Holds() []string {
	if g.nothing {
		return []string{"from this machine only, as nothing else is configured (allow); a web server in front of " +
			"this one must be named in proxies, " +
			"or it may open this to everybody"}
	}
	var all []string
	for _, a := range g.agreements {
		all = append(all, a.String())
	}
	return all
}

func (g *Gate) String() string { return strings.Join(g.Holds(), "\n") }

// Wrap gives a handler that only those meet whom the gate lets in.
func (g *Gate) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := g.judge(r)
		if v.Status == 0 {
			w.Header().Set("Cache-Control", "private") // a cache between would answer those who have no agreement
			next.ServeHTTP(w, r)
			return
		}
		g.options.Refused(v.Refusal)
		v.answer(w)
	})
}

// Admits says whether a request would be let in, for handlers that answer others too, though not
// the same: nothing is answered here. Where it would not be, it says why, and which credentials
// would help (values of WWW-Authenticate).
func (g *Gate) Admits(r *http.Request) (ok bool, why Refusal, schemes []string) {
	v := g.judge(r)
	return v.Status == 0, v.Refusal, v.schemes
}

// Elsewhere notes that the password a request shows, which Admits has found to be wrong (401), is
// right at another gate. It is no guess then: it is refused from now on without being hashed, and
// without counting among the tries of those who ask from the same address.
func (g *Gate) Elsewhere(r *http.Request) {
	shown := credentialsOf(r)
	for _, a := range g.agreements {
		if a.passwords != nil && shown.basic {
			g.secrets.elsewhere(a.passwords, a.User, shown)
		}
	}
}

// answer refuses a request. A client without an agreement learns no more than that.
func (v verdict) answer(w http.ResponseWriter) {
	h, line := w.Header(), "This address is for harvesters that have an agreement."
	switch v.Status {
	case http.StatusUnauthorized:
		for _, scheme := range v.schemes {
			h.Add("WWW-Authenticate", scheme)
		}
	case http.StatusServiceUnavailable:
		seconds := int64((min(v.wait, maxWait) + time.Second - 1) / time.Second)
		h.Set("Retry-After", strconv.FormatInt(max(seconds, 1), 10))
		line = "This is faster than was agreed. Please wait as long as Retry-After says."
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(v.Status)
	_, _ = fmt.Fprintln(w, line) // who does not listen has lost nothing
}
