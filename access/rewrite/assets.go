package rewrite

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the scripts
	"encoding/hex"
	"io"
	"net/http"
	"path"
	"slices"
	"time"
)

var (
	//go:embed address.js
	addressJS []byte
	//go:embed requests.js
	requestsJS []byte
	//go:embed place.js
	placeJS []byte
	//go:embed clock.js
	clockJS []byte
	//go:embed messages.js
	messagesJS []byte
	//go:embed frames.js
	framesJS []byte
	//go:embed begin.js
	beginJS []byte
	//go:embed page.js
	pageJS []byte
	//go:embed worker.js
	workerJS []byte
)

// version changes with the scripts: browsers cache page.js per version.
var version = func() string {
	sum := sha256.Sum256(slices.Concat(addressJS, requestsJS, placeJS, clockJS, messagesJS, framesJS, beginJS,
		pageJS, workerJS))
	return hex.EncodeToString(sum[:8])
}()

// scriptPolicy is the policy of our own scripts: it matters only for worker.js, which may connect
// only to our host.
const scriptPolicy = "default-src 'none'; connect-src 'self'"

// serveMark answers page.js: the text of a script that a page made, with its names marked.
func serveMark(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Disposition", "attachment") // never a page
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cache-Control", "no-store")
	select {
	case marking <- struct{}{}:
		defer func() { <-marking }()
	default:
		http.Error(w, "too many scripts at once", http.StatusServiceUnavailable) // the page runs it as it is
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMarked))
	if err != nil {
		http.Error(w, "the script is too long", http.StatusRequestEntityTooLarge)
		return
	}
	out, _ := marked(text, "", false)
	_, _ = w.Write(out) // the client may have gone
}

// maxMarked is the longest script that serveMark reads, in bytes.
const maxMarked = 512 << 10

// marking bounds the scripts that serveMark holds at once.
var marking = make(chan struct{}, 4)

// Assets serves page.js, begin.js and worker.js, under any path. prefix is the same as in Markup:
// the worker may control everything below it (Service Workers, 4.6.1, Service-Worker-Allowed).
func Assets(prefix string) http.Handler {
	scripts := map[string][]byte{
		"page.js": slices.Concat([]byte("(function quireBegins(given) {{\n"), addressJS, requestsJS, placeJS, clockJS,
			messagesJS, framesJS, pageJS, []byte("}})();\n")),
		// a worker's own script sees none of our names
		"begin.js":  slices.Concat([]byte("{\n"), addressJS, requestsJS, placeJS, clockJS, beginJS, []byte("}\n")),
		"worker.js": slices.Concat(addressJS, workerJS),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Guard(w.Header(), scriptPolicy)
		name := path.Base(r.URL.Path)
		if name == "mark" && r.Method == http.MethodPost {
			serveMark(w, r)
			return
		}
		script, ok := scripts[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/javascript; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin") // sandboxed pages have an opaque origin
		h.Set("ETag", `"`+version+`"`)
		h.Set("Cache-Control", "no-cache")
		switch {
		case name == "worker.js":
			h.Set("Service-Worker-Allowed", prefix)
		case r.URL.RawQuery == version:
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(script))
	})
}
