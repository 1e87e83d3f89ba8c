package replay

import (
	"strings"
	"testing"

	"quire/holdings"
)

// TestConfined: every response of the replay host confines its content to that host.
func TestConfined(t *testing.T) {
	m := three()
	for url, mime := range map[string]string{
		"script.js": "text/javascript", "image.svg": "image/svg+xml", "feed.xml": "text/xml", "style.css": "text/css",
		"film.webm": "video/webm",
	} {
		m.add("20160101000000", "http://a.example/"+url, 200, "Content-Type: "+mime, "<x/>")
	}
	m.add("20160101000000", "http://a.example/moved", 301, "Location: http://b.example/", "")
	m.add("20160101000000", "http://a.example/gone", 404, "Content-Type: text/html", page)
	m.add("20160101000000", "http://closed.example/", 200, "Content-Type: text/html",
		page).verdict = holdings.Restricted
	d := newDesk(t, m)
	for _, hosts := range []struct{ asked, allowed string }{
		{"replay.example", `(response-origin "http://ui.example");redirects=allow`},
		{"any.replay.example", `(response-origin "http://ui.example" "http://*.replay.example");redirects=allow`},
	} {
		d.host = hosts.asked
		if hosts.asked != "replay.example" {
			d.o.Sites = sites
		}
		for _, path := range []string{
			"", "script.js", "image.svg", "feed.xml", "style.css", "film.webm", "moved", "gone", "never",
			"/all/timemap/link/http://a.example/", "/all/cdx?url=*",
			"/all/http://a.example/", "/all/20160101000000mp_/http://closed.example/", "/nowhere", "/",
		} {
			targets := []string{path}
			if !strings.HasPrefix(path, "/") {
				targets = nil
				for _, modifier := range []string{"mp_", "if_", "js_", "cs_", "im_", "ir_", "id_", "wk_", "wm_"} {
					targets = append(targets, "/all/20160101000000"+modifier+"/http://a.example/"+path)
				}
			}
			for _, target := range targets {
				for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS", "PUT"} {
					for _, dest := range []string{"document", "iframe", "script", "worker", "empty"} {
						r := d.send(method, target, "", "Sec-Fetch-Dest: "+dest)
						policy := r.Header.Get("Content-Security-Policy")
						if !strings.Contains(policy, "default-src 'self' data: blob:") &&
							!strings.Contains(policy, "default-src 'none'") {
							t.Errorf("%s %s %s as %s: %d, policy %q", hosts.asked, method, target, dest, r.StatusCode,
								policy)
						}
						if strings.Contains(policy, "http:") && !strings.Contains(policy, "http://") {
							t.Errorf("%s %s %s as %s: whole schemes are allowed: %s", hosts.asked, method, target, dest,
								policy)
						}
						if got := r.Header.Get("Connection-Allowlist"); got != hosts.allowed {
							t.Errorf("%s %s %s as %s: %d, allowed %q", hosts.asked, method, target, dest, r.StatusCode,
								got)
						}
					}
				}
			}
		}
	}
}

// TestWorkerBegins: a worker's script is replaced by ours, which then runs the original from its
// URL.
func TestWorkerBegins(t *testing.T) {
	m := three()
	m.add("20160101000000", "http://a.example/w.js", 200, "Content-Type: text/plain", "postMessage('</script>')")
	m.add("20160101000000", "http://a.example/gone.js", 404, "Content-Type: text/html", page)
	d := newDesk(t, m)
	const own = `"/all/20160101000000js_/http://a.example/w.js"`
	for modifier, end := range map[string]string{"wk_": "," + own + ");\n", "wm_": `;import ` + own + ";\n"} {
		r := d.ask("/all/20160101000000"+modifier+"/http://a.example/w.js", "Sec-Fetch-Dest: worker")
		want(t, r, 200, "Content-Type: text/javascript; charset=utf-8")
		if got := text(t, r); !strings.HasSuffix(got, end) || !strings.Contains(got, "/-/quire/begin.js?") ||
			strings.Contains(got, "postMessage") {
			t.Errorf("%s: %s", modifier, got)
		}
		want(t, d.ask("/all/20160101000000"+modifier+"/http://a.example/gone.js"), 404)
	}
}
