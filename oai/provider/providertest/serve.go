package providertest

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"testing"

	"quire/oai/provider"
)

// Key signs tokens in tests.
var Key = []byte("not a secret: 32 bytes for tests")

// Provider returns a provider over a backend. It fills in missing options for Identify.
func Provider(t testing.TB, b provider.Backend, opt provider.Options) *provider.Provider {
	t.Helper()
	opt.Name = cmp.Or(opt.Name, "Records of a test")
	opt.BaseURL = cmp.Or(opt.BaseURL, "http://127.0.0.1/oai")
	if opt.AdminEmail == nil {
		opt.AdminEmail = []string{"oai@a.example"}
	}
	if opt.Key == nil {
		opt.Key = Key
	}
	p, err := provider.New(b, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Serve runs a provider on the loopback until the test ends, and returns its base URL, which
// Identify also states.
func Serve(t testing.TB, b provider.Backend, opt provider.Options) (baseURL string) {
	t.Helper()
	var p http.Handler
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.ServeHTTP(w, r)
	}))
	opt.BaseURL = "http://" + server.Listener.Addr().String() + "/oai"
	p = Provider(t, b, opt)
	server.Start()
	t.Cleanup(server.Close)
	return opt.BaseURL
}
