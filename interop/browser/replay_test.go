package browser

import (
	"cmp"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// archived makes a repository with the website, and serves it to a browser with a listener as its
// live web. All hosts that the website names are below .example.
func archived(t *testing.T) (serving, *chromium, *live) {
	t.Helper()
	file := crawl(t)
	s := serve(t, repository(t, file))
	l, address := listenLive(t)
	return s, open(t, toLive(address)), l
}

// toLive leads the hosts of the website to its live web. Other hosts are not found: Chromium itself
// opens connections to its maker's, sometimes without a request.
func toLive(address string) string {
	return "MAP *.example " + address + ", MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
}

func nobodyCame(t *testing.T, l *live) {
	t.Helper()
	for _, came := range l.all() {
		t.Errorf("the live web was asked: %s", cmp.Or(came, "a connection without a request"))
	}
}

// TestChecks replays the website with the worker, which is active from the second load at the
// latest, and then without.
func TestChecks(t *testing.T) {
	s, b, l := archived(t)
	front := s.replay + "/all/20260304050601mp_/http://" + siteHost + "/"
	b.checks(t, front)
	b.waitFor(t, front, "navigator.serviceWorker && navigator.serviceWorker.controller")
	checks := b.checks(t, front)
	for _, name := range checkNames {
		if checks[name] != true {
			t.Errorf("with the worker: %s: %v", name, checks[name])
		}
	}
	nobodyCame(t, l)

	without := open(t, toLive(l.address))
	without.always(t, "delete Navigator.prototype.serviceWorker")
	checks = without.checks(t, front)
	for _, name := range checkNames {
		if checks[name] != true && !needsWorker[name] {
			t.Errorf("without the worker: %s: %v", name, checks[name])
		}
	}
	nobodyCame(t, l)
	missing := []string{}
	for _, name := range checkNames {
		if checks[name] != true {
			missing = append(missing, name)
		}
	}
	t.Logf("without the worker %d of %d checks hold; not: %s", len(checkNames)-len(missing), len(checkNames),
		strings.Join(missing, ", "))
}

// TestNavigation follows links from page to page, as a reader does, with the banner and without.
func TestNavigation(t *testing.T) {
	s, b, l := archived(t)
	b.visit(t, s.replay+"/all/20260304050601mp_/http://"+siteHost+"/deep/page.html")
	b.waitFor(t, "the base", `document.getElementById("based") && document.getElementById("based").naturalWidth === 31`)
	b.visit(t, s.replay+"/all/20260304050601mp_/http://"+siteHost+"/refresh.html")
	b.waitFor(t, "the refresh", `document.getElementById("based")`)
	b.visit(t, s.replay+"/all/20260304050601mp_/http://"+siteHost+"/moved")
	b.waitFor(t, "the redirect", `document.getElementById("based") && location.href.includes("/deep/page.html")`)
	b.visit(t, s.ui+"/all/20260304050601/http://"+siteHost+"/leave.html")
	b.waitFor(t, "the banner", `document.querySelector("iframe")`)
	nobodyCame(t, l)
}

// TestHostile checks that archived content reads nothing of the pages around it, and nothing that
// the browser stores for them.
func TestHostile(t *testing.T) {
	s, b, l := archived(t)
	b.always(t,
		`if (location.hostname === "localhost") { addEventListener("message", e => { if (e.data && e.data.attacked) `+
			`(window.attacks = window.attacks || []).push(e.data) }) }`)
	b.visit(t, s.ui+"/")
	value[any](t, b, `(document.cookie = "ui=hunter2; path=/", localStorage.setItem("secret", "hunter2"), null)`)
	for _, path := range slices.Sorted(maps.Keys(hostile)) {
		b.visit(t, s.ui+"/all/20260304050601/http://"+siteHost+path)
		b.waitFor(t, path, "window.attacks")
		for _, a := range value[[]struct{ Got map[string]string }](t, b, "window.attacks") {
			for what, got := range a.Got {
				if got != "" && got != "null" && !strings.HasPrefix(got, "no: ") {
					t.Errorf("%s in the banner read the %s: %q", path, what, got)
				}
			}
		}
		for _, mod := range []string{"mp_", "id_", "ir_", "if_", "im_"} {
			url := s.replay + "/all/20260304050601" + mod + "/http://" + siteHost + path
			answer, err := http.Get(url)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", url, answer.Status)
			}
			onUI, err := http.Get(strings.Replace(url, s.replay, s.ui, 1))
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(onUI.Body)
			if err != nil {
				t.Fatal(err)
			}
			_ = onUI.Body.Close()
			if onUI.Request.URL.Host == strings.TrimPrefix(s.ui, "http://") &&
				strings.Contains(string(body), "attempt(") {
				t.Errorf("%s is served by the host of the pages", url)
			}
		}
	}
	nobodyCame(t, l)
}
