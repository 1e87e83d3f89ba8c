package rewrite

import "strings"

// WorkerField is the header field by which the worker tells the server that it is in charge of what it asks for. No page can have a
// navigation carry it.
const WorkerField = "X-Quire-Worker"

// Policy gives the Content-Security-Policy for a capture that is shown (CSP Level 3). Only those pages that are named may show it in a
// frame: the origin of our own pages.
//
// Without a worker nothing may be asked for but what is on the replay's own host: what was not rewritten fails, and does not leave.
// With one, whatever the worker sees is allowed, because it leads it back; what goes by a worker (frames, forms, object and embed,
// WebSockets) is kept on the host here too.
func Policy(worker bool, ancestors ...string) string {
	frames := "; frame-ancestors " + strings.Join(append([]string{"'self'"}, ancestors...), " ")
	if worker {
		return withWorker + frames
	}
	return withoutWorker + frames
}

// A frame of data: or blob: has the policy of its page, and not its worker: with one it is not allowed.
var withWorker, withoutWorker = fetching("http: https: ", "'self'"), fetching("", "'self' data: blob:")

// fetching is what a page may fetch, with further sources.
func fetching(more, frames string) string {
	const own = "'self' data: blob:"
	return strings.Join([]string{
		"default-src " + more + own + " mediastream: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'",
		"connect-src " + more + own,
		"worker-src " + own,
		"frame-src " + frames,
		"object-src " + frames,
		"form-action 'self'",
		"base-uri 'self'",
		"webrtc 'block'",
	}, "; ")
}

// Sandbox gives the policy where there is one host only, for our pages and the archived: these run in an origin of their own, that of
// nobody (HTML, 7.1.5), and cannot read ours. There is no worker then, and no store for scripts. Anybody may show it in a frame: an archived
// page that does is nobody, too, and cannot be named.
func Sandbox() string {
	return "sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads; " + withoutWorker
}

// SandboxRaw gives the policy for bytes that are handed out as they were captured: what opens them in a browser runs nothing.
func SandboxRaw() string {
	return "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'"
}
