// Package search finds pages, documents and images of a repository by what is written in them, and
// by their addresses, for readers who each see what they may see (docs/reference/560_search.md).
//
// What a reader may not see is in no hit, count, facet or snippet.
package search
