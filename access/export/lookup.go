package export

import (
	"context"
	"iter"

	"quire/holdings"
	"quire/holdings/captures"
)

// Search returns captures of the package by key, for formats that look up the target of a link, or
// need all captures of a URL together. As in Captures, Allowed is false for captures closed to the
// reader.
func (s *Source) Search(ctx context.Context, q captures.Query) iter.Seq2[holdings.Judged, error] {
	q.Packages = []string{s.ID()}
	return s.holdings.Captures(ctx, s.Who, q)
}
