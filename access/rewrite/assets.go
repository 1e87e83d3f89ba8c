package rewrite

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the scripts
	"encoding/hex"
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
	//go:embed begin.js
	beginJS []byte
	//go:embed page.js
	pageJS []byte
	//go:embed worker.js
	workerJS []byte
)

// version changes with the scripts: a browser keeps page.js for as long as it is asked for by the
// same version.
var version = func() string {
	sum := sha256.Sum256(slices.Concat(addressJS, requestsJS, beginJS, pageJS, workerJS))
	return hex.EncodeToString(sum[:8])
}()

// scriptPolicy is that of our own scripts: worker.js alone runs by it, and asks our own host only.
const scriptPolicy = "default-src 'none'; connect-src 'self'"

// Assets answers requests for page.js, begin.js and worker.js, whatever path they are below. prefix
// is that of Markup: the worker may be in charge of all that is below it (Service Workers, 4.6.1,
// Service-Worker-Allowed).
func Assets(prefix string) http.Handler {
	scripts := map[string][]byte{
		"page.js": slices.Concat(addressJS, requestsJS, pageJS),
		// a worker's own script sees no name of ours
		"begin.js":  slices.Concat([]byte("{\n"), addressJS, requestsJS, beginJS, []byte("}\n")),
		"worker.js": slices.Concat(addressJS, workerJS),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Guard(w.Header(), scriptPolicy)
		name := path.Base(r.URL.Path)
		script, ok := scripts[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/javascript; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin") // pages in a sandbox are of no origin
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
