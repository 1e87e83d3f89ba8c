package export

import (
	"context"
	"iter"

	"quire/holdings"
	"quire/holdings/captures"
)

// Search gives captures of the package by their keys, for a format that looks up what a link leads
// to, or wants all captures of one URL beside one another. As in Captures, Allowed is false of
// those that the reader may not have.
func (s *Source) Search(ctx context.Context, q captures.Query) iter.Seq2[holdings.Judged, error] {
	q.Packages = []string{s.ID()}
	return s.holdings.Captures(ctx, s.Who, q)
}
