package accesscontrol

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// FuzzForwardedFor checks that no header content moves a client into another network.
func FuzzForwardedFor(f *testing.F) {
	f.Add("203.0.113.9:1", "192.0.2.1", "10.0.0.1")
	f.Add("[::ffff:203.0.113.9]:1", "192.0.2.1, 10.0.0.1", "")
	f.Add("[fe80::1%192.0.2.1]:1", "[192.0.2.1]:80", "::ffff:192.0.2.1")
	agreed := netip.MustParsePrefix("192.0.2.0/24")
	c := from(agreed.String())
	c.Proxies = []string{"10.0.0.0/8"}
	g, err := New(c, Options{})
	if err != nil {
		f.Fatal(err)
	}
	h := g.Wrap(http.NotFoundHandler())
	f.Fuzz(func(t *testing.T, peer, first, second string) {
		r := httptest.NewRequest(http.MethodGet, "/modoai", nil)
		r.RemoteAddr = peer
		r.Header["X-Forwarded-For"] = []string{first, second}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		at, err := netip.ParseAddrPort(peer)
		own := err == nil && agreed.Contains(at.Addr().Unmap())
		proxy := err == nil && at.Addr().Unmap().Is4() && at.Addr().Unmap().As4()[0] == 10
		if rec.Code != http.StatusForbidden && !own && !proxy {
			t.Errorf("%q with %q and %q: %d", peer, first, second, rec.Code)
		}
		if rec.Code != http.StatusForbidden && !own && !strings.Contains(first+second, "192.0.2.") &&
			!strings.Contains(strings.ToLower(first+second), "c000:2") {
			t.Errorf("%q with %q and %q: %d", peer, first, second, rec.Code)
		}
	})
}

func FuzzAuthorization(f *testing.F) {
	f.Add("Basic a2I6YQ==")
	f.Add("Bearer t")
	f.Add("basic \x00")
	f.Fuzz(func(t *testing.T, line string) {
		r := httptest.NewRequest(http.MethodGet, "/modoai", nil)
		r.Header["Authorization"] = []string{line}
		p := credentialsOf(r)
		if p.token != "" && (p.basic || !strings.HasPrefix(strings.ToLower(line), "bearer ")) {
			t.Errorf("%q: %+v", line, p)
		}
	})
}
