// Package search finds pages, documents and images of a repository by their text and addresses,
// within the rights of each reader (docs/reference/560_search.md).
//
// Closed content appears in no hit, count, facet or snippet.
package search
