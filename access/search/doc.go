// Package search finds pages, documents and images of a repository by what is written in them, and by their addresses, for readers who
// each see what they may see (docs/search.md).
//
//	s, err := search.Open(ctx, "repo/access/text", h, search.Options{})
//	result, err := s.Query(ctx, who, search.Query{Text: `harbour "steam tug" -museum host:example.org year:2015`})
//	for _, hit := range result.Hits {
//		fmt.Println(hit.URL, hit.Matching, "of", hit.Versions)
//	}
//
// What a reader may not see is in no hit, count, facet or snippet.
package search
