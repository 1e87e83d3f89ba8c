// Package relink undoes the changes of mirroring crawlers. A document from a mirror gets back the
// absolute links that it had on the web, and loses the crawler's insertions. No other byte changes.
//
// The rules follow the crawlers' behaviour, tested with HTTrack 3.49-4 and Wget 1.21.3, and read
// from the sources of HTTrack 3.20 to 3.49-23. docs/reference/440_links.md lists the rules and
// their limits: HTTrack's changes in scripts, redirects replaced by their target, and removed base
// elements cannot be undone. So the result is a reconstruction, never the original entity.
//
// Documents are streamed; memory is bounded by the scanners'.
package relink
