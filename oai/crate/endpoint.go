package crate

import (
	"net/http"
	"strings"

	"quire/internal/httpserver"
	"quire/oai/site"
)

// schemasPath is where the schemas of the formats are had that are Quire's own, below the endpoint.
const schemasPath = "/schemas"

// endpoint is what harvesters see: OAI-PMH, and beside it the sitemap, ResourceSync and schemas.
type endpoint struct {
	path      string
	provider  http.Handler
	publisher *site.Publisher
	schemas   http.Handler
	ready     func() bool
}

// isBelow says whether a path behind that of the endpoint, which is not "", is the endpoint's. All
// others are the site's own.
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
		httpserver.Later(w, 10,
			"the site is being looked at for the first time: lists are there when all of it was seen")
	case e.publisher.Has(r.URL.Path):
		e.publisher.ServeHTTP(w, r)
	default:
		e.provider.ServeHTTP(w, r)
	}
}
