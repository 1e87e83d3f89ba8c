// Package relink turns back what a mirroring crawler wrote: a document from a mirror gets the links
// again that it had on the web, absolute, and loses what the crawler put in. No other byte changes.
//
// It goes by what the crawler does, as tried with HTTrack 3.49-4 and Wget 1.21.3 and read from the
// sources of HTTrack 3.20 to 3.49-23; docs/reference/440_links.md has the rules, and what cannot be
// turned back: what HTTrack wrote into scripts, the target of a redirect in the place of the
// redirect, the base that it took away. So the result is a reconstruction, never the original
// entity.
//
// Documents stream by; memory is bounded by the scanners'.
package relink
