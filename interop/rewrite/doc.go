// Package rewrite compares access/rewrite with browsers and with pywb on the same pages. Chromium
// replays a site with and without the service worker, while a listener watches all other hosts.
// pywb's rewriter, run but not copied, rewrites the pages of the samples.
// docs/reference/550_rewriting.md describes each class of differences.
//
//	bash interop/run rewrite
package rewrite
