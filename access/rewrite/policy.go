package rewrite

import (
	"net/http"
	"strings"
)

// WorkerField is the header field by which the worker tells the server for which destination it
// asks (Fetch Standard, 2.2.7): Sec-Fetch-Dest is always empty of what a worker asks for.
const WorkerField = "X-Quire-Worker"

// Guard puts the policy of an answer of the replay host into its head, and what stops the
// connections that no policy governs (Connection Allowlists: WebRTC, windows, early connections),
// in browsers that know it. also are further origins to which readers may go from there: those of
// our own pages.
func Guard(h http.Header, policy string, also ...string) {
	h.Set("Content-Security-Policy", policy)
	allowed := "response-origin"
	for _, origin := range also {
		if origin != "" {
			allowed += ` "` + origin + `"`
		}
	}
	h.Set("Connection-Allowlist", "("+allowed+");redirects=allow")
}

// Policy returns the Content-Security-Policy of what is shown (CSP Level 3). Nothing may be asked
// for but what is on the replay's own host: what was not rewritten fails, and does not leave. It is
// the same with the worker and without. A context that has no address of its own (srcdoc, data:,
// blob:) inherits it, and many of them no worker sees. Only the pages that are named may show it in
// a frame.
func Policy(ancestors ...string) string {
	return strings.TrimRight(shown+"; frame-ancestors 'self' "+strings.Join(ancestors, " "), " ")
}

var shown = strings.Join([]string{
	"default-src " + own + " mediastream: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'",
	"connect-src " + own,
	"worker-src " + own,
	"frame-src " + own,
	"object-src " + own,
	"form-action 'self'",
	"base-uri 'self'",
	"webrtc 'block'",
}, "; ")

const own = "'self' data: blob:"

// Sandbox returns the policy where there is one host only, for our pages and the archived: these
// run in an origin of their own, that of nobody (HTML, 7.1.5), and cannot read ours. There is no
// worker then, and no store for scripts. Anybody may show it in a frame: an archived page that does
// is nobody, too, and cannot be named.
func Sandbox() string {
	return "sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads; " + shown
}

// SandboxRaw returns the policy for bytes that are served as they were captured: what opens them in
// a browser runs nothing.
func SandboxRaw() string {
	return "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; " +
		"form-action 'none'; base-uri 'none'"
}
