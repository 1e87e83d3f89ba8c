package export

import (
	"context"
	"iter"

	"quire/access/holdings"
	"quire/access/index"
)

// Search gives captures of the package by their keys, for a format that looks up what a link leads to, or wants all captures of one URL
// beside one another. As in Captures, those that the reader may not have have Allowed=false.
func (s *Source) Search(ctx context.Context, q index.Query) iter.Seq2[holdings.Judged, error] {
	q.Packages = []string{s.ID()}
	return s.holdings.Captures(ctx, s.Who, q)
}

// Holding is what the reader can be told of the package: descriptions, rights, harvests, events, files.
func (s *Source) Holding(ctx context.Context) (*holdings.Package, error) {
	return s.holdings.Package(ctx, s.Who, s.ID())
}

// Document opens a log or document of the package. The error is a *holdings.DeniedError when the reader may not have it.
func (s *Source) Document(ctx context.Context, path string) (*holdings.Opened, error) {
	return s.holdings.OpenFile(ctx, s.Who, s.ID(), path)
}
