// Package reconcile compares the witnesses of a harvest: the log of the crawler, the indexes, the
// lists of containers, the reports, and the records themselves. What they tell differently is a
// difference; each is explained by what another witness says, is a loss that is explained, or is
// not explained. docs/reference/455_reconcile.md has the rules.
//
// Each container is read once, in the pass that inspects it. Memory does not grow with the crawl:
// what the witnesses say is sorted on the disk by URL and time, and compared there. A URL alone
// never joins two witnesses: crawls fetch the same URL again.
package reconcile
