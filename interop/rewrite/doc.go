// Package rewrite holds access/rewrite against what browsers and pywb make of the same pages:
// Chromium replays a site with and without the service worker, while somebody listens on all other
// hosts; and pywb's rewriter, which is run and not copied, rewrites the pages of the samples, so
// that each class of differences can be told (docs/reference/550_rewriting.md).
//
//	bash interop/run rewrite
package rewrite
