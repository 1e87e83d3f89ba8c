package crate

import (
	"net/http"
	"strings"

	"quire/internal/httpserver"
	"quire/oai/site"
)

// schemasPath is the path of the schemas of Quire's own formats, below the endpoint.
const schemasPath = "/schemas"

// endpoint is the harvesters' interface: OAI-PMH, and also the sitemap, ResourceSync and schemas.
type endpoint struct {
	path      string
	provider  http.Handler
	publisher *site.Publisher
	schemas   http.Handler
	ready     func() bool
}

// isBelow reports whether a non-empty path after the endpoint's path belongs to the endpoint. All
// other paths belong to the site.
func isBelow(path string) bool {
	return path == "/" || strings.HasPrefix(path, schemasPath+"/") || site.Publishes(path)
}

// ServeHTTP implements http.Handler.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	below := strings.TrimPrefix(r.URL.Path, e.path)
	switch {
	case strings.HasPrefix(below, schemasPath+"/"):
		e.schemas.ServeHTTP(w, r)
	case !e.ready():
		httpserver.RetryLater(w, 10,
			"the first scan of the site is running: lists are available when it is complete")
	case e.publisher.Has(r.URL.Path):
		e.publisher.ServeHTTP(w, r)
	default:
		e.provider.ServeHTTP(w, r)
	}
}
