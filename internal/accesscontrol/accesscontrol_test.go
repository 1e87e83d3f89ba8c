package accesscontrol

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// clock is a clock that the tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) put(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

func (c *clock) on(d time.Duration) { c.put(c.Now().Add(d)) }

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// gateway is a Gate in front of a handler, with its clock and the refused requests.
type gateway struct {
	http.Handler
	*clock
	mu      sync.Mutex
	refused []Refusal
}

func newGateway(t *testing.T, c Config) *gateway {
	t.Helper()
	w := &gateway{clock: &clock{now: noon}}
	g, err := New(c, Options{Now: w.Now, Refused: func(r Refusal) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.refused = append(w.refused, r)
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.Handler = g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("records"))
	}))
	return w
}

// ask sends a request from an address, with header fields "Name: value".
func (w *gateway) ask(from string, fields ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "http://localhost/modoai?verb=Identify", nil)
	r.RemoteAddr = from
	for _, f := range fields {
		name, value, _ := strings.Cut(f, ": ")
		r.Header.Add(name, value)
	}
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	return rec
}

func (w *gateway) want(t *testing.T, status int, from string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	rec := w.ask(from, fields...)
	if rec.Code != status {
		t.Errorf("from %s with %q: %d %q; want %d", from, fields, rec.Code, rec.Body, status)
	}
	if let := rec.Body.String() == "records"; let != (rec.Code == http.StatusOK) {
		t.Errorf("from %s with %q: %d, and the answer is %q", from, fields, rec.Code, rec.Body)
	}
	return rec
}

func from(networks ...string) Config { return Config{Allow: []Agreement{{Networks: networks}}} }

func file(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "hashes")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func sha(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func blowfish(t *testing.T, s string) string {
	t.Helper()
	h, err := bcrypt.GenerateFromPassword([]byte(s), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	return string(h)
}

func TestNothingConfigured(t *testing.T) {
	w := newGateway(t, Config{})
	for _, address := range []string{"127.0.0.1:5000", "127.8.9.1:5000", "[::1]:5000", "[::ffff:127.0.0.1]:5000"} {
		w.want(t, 200, address)
	}
	for _, address := range []string{"10.0.0.1:5000", "192.0.2.1:5000", "[2001:db8::1]:5000", "[fe80::1%eth0]:5000",
		"@", "", "127.0.0.1"} {
		w.want(t, 403, address)
	}
	// A server on this machine forwards requests from outside: they do not come from this machine.
	for _, field := range []string{"X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "Via: 1.1 nginx",
		"X-Real-IP: 127.0.0.1"} {
		w.want(t, 403, "127.0.0.1:5000", field)
	}
}

func TestRefusalSaysNothing(t *testing.T) {
	rec := newGateway(t, from("192.0.2.0/24")).ask("198.51.100.1:5000")
	if rec.Code != 403 || strings.Count(rec.Body.String(), "\n") != 1 || rec.Header().Get("WWW-Authenticate") != "" ||
		rec.Header().Get("Content-Type") != "text/plain; charset=utf-8" ||
		strings.Contains(rec.Body.String(), "192.0.2") {
		t.Errorf("%d %q %v", rec.Code, rec.Body, rec.Header())
	}
	for name := range rec.Header() {
		if name != "Content-Type" && name != "Cache-Control" && name != "X-Content-Type-Options" {
			t.Errorf("it says %s", name)
		}
	}
}

func TestNetworks(t *testing.T) {
	w := newGateway(t, from("192.0.2.0/24", "2001:db8::/32", "198.51.100.7", "::ffff:203.0.113.0/120", "fe80::/10"))
	for address, status := range map[string]int{
		"192.0.2.255:1":                200,
		"192.0.3.0:1":                  403,
		"[::ffff:192.0.2.1]:1":         200, // IPv4 on a socket of IPv6
		"[2001:db8:ffff::1]:1":         200,
		"[2001:db9::1]:1":              403,
		"198.51.100.7:1":               200,
		"198.51.100.8:1":               403,
		"203.0.113.9:1":                200, // an IPv4 network, written as IPv6
		"[fe80::1%eth0]:1":             200, // the interface is not part of the address
		"[::192.0.2.1]:1":              403, // not IPv4, despite its form
		"[64:ff9b::192.0.2.1]:1":       403,
		"127.0.0.1:1":                  403,
		"[::1]:1":                      403,
		"192.0.2.1":                    403,
		"192.0.2.1:1:1":                403,
		"a.example:80":                 403,
		"[2001:db8::1%192.0.2.0/24]:1": 200,
		"[2001:db9::1%2001:db8::1]:1":  403,
	} {
		w.want(t, status, address)
	}
	everyone := newGateway(t, from("everyone"))
	everyone.want(t, 200, "192.0.2.1:1")
	everyone.want(t, 200, "@") // of a socket without network
}

func TestNetworksRefused(t *testing.T) {
	for s, want := range map[string]string{
		"10.0.0.1/8":       "do you mean 10.0.0.0/8?",
		"10.0.0.0/33":      "write it as",
		"10.0.0":           "write it as",
		"fe80::1%eth0":     "write it as",
		"fe80::%eth0/64":   "write it as",
		"::ffff:0:0/90":    "write both separately",
		"a.example":        "write it as",
		"":                 "write it as",
		"010.0.0.1":        "write it as",
		"2001:db8::1/32":   "do you mean 2001:db8::/32?",
		"192.0.2.0/24 # x": "write it as",
	} {
		if _, err := New(from(s), Options{}); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "allow, no. 1") {
			t.Errorf("%q: %v; want %q", s, err, want)
		}
	}
}

func TestForwardedFor(t *testing.T) {
	c := from("192.0.2.0/24", "2001:db8::/32")
	c.Proxies = []string{"10.0.0.1", "10.0.1.0/24", "loopback"}
	w := newGateway(t, c)
	const at = "10.0.0.1:5000"
	w.want(t, 200, at, "X-Forwarded-For: 192.0.2.1")
	w.want(t, 200, "[::ffff:10.0.0.1]:1", "X-Forwarded-For: 192.0.2.1")
	w.want(t, 200, "127.0.0.1:1", "X-Forwarded-For: ::ffff:192.0.2.1")
	w.want(t, 200, at, "X-Forwarded-For: 192.0.2.1, 10.0.1.7, 127.0.0.1")
	w.want(t, 200, at, "X-Forwarded-For: 192.0.2.1:4711")
	w.want(t, 200, at, "X-Forwarded-For: [2001:db8::1]:4711")
	w.want(t, 200, at, "X-Forwarded-For: [2001:db8::1]")
	w.want(t, 200, at, "X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 192.0.2.1") // lines are joined in order
	w.want(t, 403, at, "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 198.51.100.1")
	w.want(t, 403, at, "X-Forwarded-For: 192.0.2.1, 198.51.100.1")      // the client wrote the first
	w.want(t, 403, at, "X-Forwarded-For: 192.0.2.1, 198.51.100.1, ::1") // the address before ours is foreign
	w.want(t, 403, at)                                                  // a proxy that names no client
	w.want(t, 403, at, "X-Forwarded-For: ")
	w.want(t, 403, at, "X-Forwarded-For: unknown")
	w.want(t, 403, at, "X-Forwarded-For: 192.0.2.1,")
	w.want(t, 403, at, "X-Forwarded-For: 192.0.2.1, _hidden")
	w.want(t, 403, at, "X-Forwarded-For: 192.0.2.1 198.51.100.1")
	w.want(t, 403, at, "X-Forwarded-For: "+strings.Repeat("192.0.2.1, ", 10)+strings.Repeat("10.0.1.1, ", maxHops)+
		"10.0.1.1")
	w.want(t, 403, at, "X-Real-IP: 192.0.2.1")
	w.want(t, 403, at, "Forwarded: for=192.0.2.1")
	w.want(t, 403, at, "X_Forwarded_For: 192.0.2.1")
	w.want(t, 403, "198.51.100.1:1", "X-Forwarded-For: 192.0.2.1") // a claim of an unknown client
	// A client in an agreement may use its own proxy.
	w.want(t, 200, "192.0.2.1:1", "X-Forwarded-For: 198.51.100.1")
	w.want(t, 403, "10.0.0.2:1", "X-Forwarded-For: 192.0.2.1")
}

// TestUnnamedProxy checks that an agreement with the internal network does not admit requests
// forwarded by a server in it.
func TestUnnamedProxy(t *testing.T) {
	w := newGateway(t, from("private"))
	w.want(t, 200, "172.18.0.3:1")
	w.want(t, 403, "172.18.0.3:1", "X-Forwarded-For: 198.51.100.1")
	w.want(t, 403, "172.18.0.3:1", "X-Forwarded-For: 10.0.0.1")
	if why := w.refused[0].Why; !strings.Contains(why, "172.18.0.3 forwards") ||
		!strings.Contains(why, "not listed in proxies") {
		t.Error(why)
	}
}

func TestProxiesRefused(t *testing.T) {
	for _, s := range []string{"everyone", "10.0.0.1/8", "nginx"} {
		if _, err := New(Config{Proxies: []string{s}}, Options{}); err == nil ||
			!strings.Contains(err.Error(), "proxies") {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestHours(t *testing.T) {
	c := from("everyone")
	c.Allow[0].Hours = []string{"20:00-06:00 Europe/Brussels"}
	w := newGateway(t, c)
	for _, at := range []struct {
		utc    string
		status int
	}{
		{"2026-01-15T18:59:59Z", 403}, // 19:59:59 in winter
		{"2026-01-15T19:00:00Z", 200},
		{"2026-01-15T23:30:00Z", 200}, // across midnight
		{"2026-01-16T04:59:59Z", 200},
		{"2026-01-16T05:00:00Z", 403},
		{"2026-07-15T17:59:59Z", 403}, // 19:59:59 in summer
		{"2026-07-15T18:00:00Z", 200},
		{"2026-07-16T03:59:59Z", 200},
		{"2026-07-16T04:00:00Z", 403},
		{"2026-03-29T03:59:59Z", 200}, // clocks go forward in this night: 05:59:59 in summer time
		{"2026-03-29T04:00:00Z", 403},
		{"2026-10-25T04:59:59Z", 200}, // and back
		{"2026-10-25T05:00:00Z", 403},
	} {
		now, err := time.Parse(time.RFC3339, at.utc)
		if err != nil {
			t.Fatal(err)
		}
		w.put(now)
		t.Run(at.utc, func(t *testing.T) { w.want(t, at.status, "192.0.2.1:1") })
	}
}

func TestSpans(t *testing.T) {
	c := from("everyone")
	c.Allow[0].Hours = []string{"00:00-06:00 UTC", "12:00-13:00 UTC", "22:00-24:00 UTC"}
	w := newGateway(t, c)
	for hour, status := range []int{0: 200, 5: 200, 6: 403, 11: 403, 12: 200, 13: 403, 21: 403, 22: 200, 23: 200} {
		if status != 0 {
			w.put(time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC))
			w.want(t, status, "192.0.2.1:1")
		}
	}
	for _, s := range []string{"20:00-06:00", "20-06 UTC", "25:00-06:00 UTC", "20:60-06:00 UTC", "24:00-06:00 UTC",
		"06:00-06:00 UTC", "20:00-24:01 UTC", "20:00-06:00 Europe/Atlantis", "20:00-06:00  ",
		"20:00-06:00 ../../etc/passwd", ""} {
		c.Allow[0].Hours = []string{s}
		if _, err := New(c, Options{}); err == nil || !strings.Contains(err.Error(), "are not hours") {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestHolds(t *testing.T) {
	g, err := New(Config{}, Options{})
	if err != nil || !strings.Contains(g.String(), "from this machine only") {
		t.Errorf("%v, %v", g, err)
	}
	g, err = New(Config{Allow: []Agreement{
		{Networks: []string{"10.0.0.0/8", "private"}, Hours: []string{"20:00-06:00 UTC"}, Rate: "10/s"},
		{User: "kb", PasswordFile: file(t, sha("x"))},
	}}, Options{})
	if err != nil || g.Agreements()[0] != "from 10.0.0.0/8, private; at 20:00-06:00 UTC; up to 10/s" ||
		g.Agreements()[1] != "as kb" {
		t.Errorf("%v, %v", g, err)
	}
}

// TestPassedOnInSilence checks a web server in front that forwards silently, from this machine. The
// Host shows it, or HTTP/1.0, which nginx uses.
func TestPassedOnInSilence(t *testing.T) {
	for _, c := range []Config{{}, from("loopback"), from("private")} {
		w := newGateway(t, c)
		for _, q := range []struct {
			host, proto string
			want        int
		}{
			{"localhost", "HTTP/1.1", 200}, {"LOCALHOST.:8000", "HTTP/1.1", 200}, {"127.0.0.1:8000", "HTTP/1.1", 200},
			{"127.8.0.1", "HTTP/2.0", 200}, {"[::1]:8000", "HTTP/1.1", 200},
			{"quire.localhost:8000", "HTTP/1.1", 200}, {"a.example", "HTTP/1.1", 403},
			{"192.0.2.1:8000", "HTTP/1.1", 403}, {"127.0.0.1.a.example", "HTTP/1.1", 403},
			{"", "HTTP/1.1", 403}, {"127.0.0.1:8000", "HTTP/1.0", 403}, {"localhost.a.example:80", "HTTP/1.1", 403},
		} {
			r := httptest.NewRequest(http.MethodGet, "/modoai?verb=Identify", nil)
			r.RemoteAddr, r.Host, r.Proto = "127.0.0.1:1", q.host, q.proto
			r.ProtoMajor, r.ProtoMinor, _ = http.ParseHTTPVersion(q.proto)
			rec := httptest.NewRecorder()
			if w.ServeHTTP(rec, r); rec.Code != q.want {
				t.Errorf("%v: %s %q: %d, want %d", c.Allow, q.proto, q.host, rec.Code, q.want)
			}
		}
	}
}
