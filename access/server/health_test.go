package server

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quire/access/address"
	"quire/holdings/holdingstest"
	"quire/internal/httpserver"
)

// TestHealth asks for the health check by every name and as every class of readers, of an empty
// repository and of one with closed packages. All answers are the same, byte for byte, and none is
// logged.
func TestHealth(t *testing.T) {
	log := filepath.Join(t.TempDir(), "access.log")
	settings := config(t)
	settings.Log = log
	servers := map[string]*Server{
		"empty":      open(t, holdingstest.New(t), Options{Config: config(t)}),
		"three":      open(t, three(t), Options{Config: settings}),
		"one host":   open(t, three(t), Options{Config: Config{}, Root: "http://192.0.2.1:8000"}),
		"below path": open(t, three(t), Options{Config: Config{UI: "https://archive.example/web"}}),
	}
	for name, s := range servers {
		for _, host := range []string{ui, archived, "http://192.0.2.1:8000", "http://archive.example"} {
			for _, line := range []string{"X-None: 1", token, "Sec-Fetch-Site: cross-site"} {
				a := ask(t, s, "GET", host+httpserver.HealthPath, home, line)
				if a.status != http.StatusOK || a.body != "ok\n" || len(a.header) != 3 ||
					a.header.Get("Cache-Control") != "no-store" {
					t.Errorf("%s: %s, %s: %d %v %q", name, host, line, a.status, a.header, a.body)
				}
			}
		}
	}
	if got, err := os.ReadFile(log); err != nil || len(got) > 0 {
		t.Errorf("the health check is logged: %s %v", got, err)
	}
}

// TestHealthArchived requests a captured page that has the same path as the health check.
func TestHealthArchived(t *testing.T) {
	r := holdingstest.New(t)
	at := time.Date(2015, 1, 2, 3, 4, 5, 0, time.UTC)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{
		"p.warc": holdingstest.Response("p1", openURL+"healthz", at.Format(time.RFC3339), "text/html", "the heron is well"),
	}})
	s := open(t, r, Options{Config: config(t)})
	referer := address.Replay(archived).Capture(address.In{Collection: address.All}, capture, "mp_", openURL)
	if a := ask(t, s, "GET", archived+httpserver.HealthPath, home, "Referer: "+referer); a.body == "ok\n" {
		t.Errorf("an archived page is answered by the live server: %d %q", a.status, a.body)
	}
	if a := ask(t, s, "GET", "http://other.localhost:8000"+httpserver.HealthPath, home); a.body == "ok\n" {
		t.Errorf("the host of an archived site answers: %d %q", a.status, a.body)
	}
}
