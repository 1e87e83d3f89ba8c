// Package site has the index of a website: which resources there are, when each was seen to change, which have gone. It finds them in
// the folder that is served, in the site's sitemap, or by following links; what each is, it learns by asking the handler that serves
// visitors, never from the disk.
//
//	s, err := site.New(site.Options{Root: "https://a.example/", Next: handler, Folder: "/var/www", State: "/var/lib/quire"})
//	defer s.Close()
//	for header, err := range s.List(ctx, provider.Query{}) { ... } // a resource.Collection
package site

import (
	"context"
	"net/http"
)

// internalKey marks the context of requests that are ours.
type internalKey struct{}

// Internal says whether a request is one by which the index asks the site's own handler, and no visitor's.
func Internal(r *http.Request) bool { return r.Context().Value(internalKey{}) != nil }

// internal marks the requests of a context.
func internal(ctx context.Context) context.Context {
	return context.WithValue(ctx, internalKey{}, true)
}
