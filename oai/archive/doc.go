// Package archive hands out what a repository holds: each bytestream that was captured is a resource, whose record has for its
// identifier the URL with the date of the capture, and for its datestamp the time at which the repository took it in
// (docs/oai-repository.md).
//
//	a, err := archive.Open(ctx, store, archive.Options{Dir: "repo/oai"})
//	for h, err := range a.List(ctx, provider.Query{Set: "mime:image"}) { … } // a is a resource.Collection
//	r, err := a.Resource(ctx, h.Identifier)
//	body, err := r.Open(ctx) // of the stored bytes, compared with their digest
//
// What is there is kept in an index, a cache: it follows the catalogue of the repository by itself, reads each container once, and can
// be made again. Only what the rights in the packages allow is shown, evaluated at the moment of asking; what a virus scanner found
// something in, and what must not be shown to everyone in any case, never is.
package archive
