// Package reconcile compares the sources of a harvest: the crawl log, the indexes, the lists of
// containers, the reports, and the records themselves. A disagreement is a difference. Each
// difference is explained by another source, or is an explained loss, or is unexplained.
// docs/reference/455_reconcile.md has the rules.
//
// Each container is read once, in the pass that inspects it. Memory does not grow with the crawl:
// the statements of the sources are sorted on disk by URL and time, and compared there. A URL alone
// never matches two sources: crawls fetch the same URL repeatedly.
package reconcile
