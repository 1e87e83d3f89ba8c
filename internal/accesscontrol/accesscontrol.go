package accesscontrol

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Options describe the surroundings of a gate.
type Options struct {
	Now   func() time.Time // default time.Now
	Realm string           // of the authentication challenge; default "harvest"

	// Refused receives each refused request, from several goroutines. It may be nil.
	Refused func(Refusal)
}

// Refusal is a refused request.
type Refusal struct {
	Address string // "" if unknown
	User    string // the user it claims
	Status  int    // 401, 403, 503
	Why     string // for the log, not for the client
}

// Gate authorizes clients by network, credentials, hours and rate.
type Gate struct {
	options    Options
	proxies    networks
	agreements []*agreement
	secrets    *secrets
	nothing    bool // no agreement is configured
}

// agreement is an Agreement in a form for checking requests.
type agreement struct {
	Agreement
	networks  networks
	hours     []hours
	rate      *buckets
	passwords *hashFile // nil if no password is required
	tokens    *hashFile
}

// New returns a gate. It fails if an agreement is impossible, or names a file that cannot be read.
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
			fmt.Errorf("proxies: everyone would let every client choose its address; list the servers in " +
				"front of this one")
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

// checkPasswords reports a file without a hash that can ever match.
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
		return fmt.Errorf("password-file: %s has no user names: set user, or write lines of user:hash", f.path)
	}
	return fmt.Errorf("password-file: %s has no line for the user %.40q", f.path, user)
}

// Agreements describes each agreement in a line, for the log and the administrator.
func (g *Gate) Agreements() []string {
	if g.nothing {
		return []string{"from this machine only, because allow is not configured; list a web server in " +
			"front of this one in proxies, or it may admit everyone"}
	}
	var all []string
	for _, a := range g.agreements {
		all = append(all, a.String())
	}
	return all
}

// String lists the agreements of the gate, one per line.
func (g *Gate) String() string { return strings.Join(g.Agreements(), "\n") }

// Wrap returns a handler that passes only authorized requests to next.
func (g *Gate) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := g.judge(r)
		if v.Status == 0 {
			w.Header().Set("Cache-Control", "private") // a shared cache would serve clients without an agreement
			next.ServeHTTP(w, r)
			return
		}
		g.options.Refused(v.Refusal)
		v.answer(w)
	})
}

// Admits reports whether a request is authorized, without answering it. It is for handlers that
// also answer other clients, with different content. If the request is refused, Admits returns the
// reason and the credentials that would help (values of WWW-Authenticate).
func (g *Gate) Admits(r *http.Request) (ok bool, why Refusal, schemes []string) {
	v := g.judge(r)
	return v.Status == 0, v.Refusal, v.schemes
}

// NoteValidElsewhere notes that the password of a request is valid at another gate, after Admits has refused
// it (401). Such a password is not a guess. From now on it is refused without hashing, and does not
// count as a try of its address.
func (g *Gate) NoteValidElsewhere(r *http.Request) {
	shown := credentialsOf(r)
	for _, a := range g.agreements {
		if a.passwords != nil && shown.basic {
			g.secrets.elsewhere(a.passwords, a.User, shown)
		}
	}
}

// answer refuses a request. A client without an agreement learns only that this address serves
// harvesters with an agreement.
func (v verdict) answer(w http.ResponseWriter) {
	h, line := w.Header(), "This address serves harvesters with an agreement."
	switch v.Status {
	case http.StatusUnauthorized:
		for _, scheme := range v.schemes {
			h.Add("WWW-Authenticate", scheme)
		}
	case http.StatusServiceUnavailable:
		seconds := int64((min(v.wait, maxWait) + time.Second - 1) / time.Second)
		h.Set("Retry-After", strconv.FormatInt(max(seconds, 1), 10))
		line = "Requests exceed the agreed rate. Please wait for the time in Retry-After."
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(v.Status)
	_, _ = fmt.Fprintln(w, line) // the client may have left
}
