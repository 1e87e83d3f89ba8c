package rewrite

import (
	"net/http"
	"strings"
)

// WorkerField is the header field in which the worker states the destination of a request (Fetch
// Standard, 2.2.7). The field is needed because Sec-Fetch-Dest is always empty for requests of a
// worker.
const WorkerField = "X-Quire-Worker"

// Guard sets the policy of a response of the replay host, and a Connection Allowlist for
// connections outside any policy (WebRTC, windows, early connections), for browsers that support
// it. The argument also lists further origins that readers may visit from there: those of our own
// pages.
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

// Policy returns the Content-Security-Policy of replayed content (CSP Level 3). It allows requests
// only to the replay host: requests that were not rewritten fail, and do not leak. It is the same
// with and without the worker. Contexts without an address (srcdoc, data:, blob:) inherit it, and
// workers do not see many of them. Only pages of the given origins may frame the content.
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

// Sandbox returns the policy for a single host with our pages and the archived ones. Archived pages
// get an opaque origin (HTML, 7.1.5), and cannot read ours. They have no worker and no storage for
// scripts. Any page may frame them: an archived page with an opaque origin cannot be named.
func Sandbox() string {
	return "sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads; " + shown
}

// SandboxRaw returns the policy for unmodified bytes: a browser that opens them runs no scripts.
func SandboxRaw() string {
	return "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; " +
		"form-action 'none'; base-uri 'none'"
}
