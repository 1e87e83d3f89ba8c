package search

import (
	"context"
	"fmt"

	"quire/holdings"
)

// Engine is an index of texts, whatever holds it: SQLite ([Open]) or Solr ([OpenSolr]).
type Engine interface {
	// Query runs a query. Errors come only from machines: every input of a reader is valid.
	Query(ctx context.Context, who holdings.Reader, q Query) (*Result, error)
	// Links counts the pages that link to a host, and the hosts that its pages link to.
	Links(ctx context.Context, who holdings.Reader, q LinkQuery) (*HostLinks, error)
	// Update brings the index up to date with the holdings. It can be interrupted at any time.
	Update(ctx context.Context) error
	// Run calls Update until the context ends: after each signal on woken, and periodically.
	Run(ctx context.Context, woken <-chan struct{})
	// Behind describes the packages whose current state is not in the index; "" if all are indexed.
	Behind(ctx context.Context) (string, error)
	// Clear removes everything.
	Clear(ctx context.Context) error
	// Compact updates the index, and leaves no trace of removed texts in its files.
	Compact(ctx context.Context) error
	// Summary counts the content, for operators.
	Summary(ctx context.Context) (Summary, error)
	// Close ends the use of the index.
	Close() error
}

// The engines.
const (
	SQLite   = "sqlite"
	SolrName = "solr"
)

// Settings choose the engine of an index. The zero value means SQLite.
type Settings struct {
	Engine string // SQLite or SolrName
	Solr   SolrSettings
}

// Check returns an error if the settings lack something.
func (s *Settings) Check() error {
	if s.Engine != SolrName {
		if s.Solr != (SolrSettings{}) {
			return fmt.Errorf("search: url and collections are for Solr: add engine: solr")
		}
		return nil
	}
	return s.Solr.check()
}

// OpenEngine opens the index of a repository in the engine of the settings. A folder holds the files of
// SQLite; for Solr, it holds the note where the texts are.
func OpenEngine(ctx context.Context, dir string, house Holdings, s Settings, o Options) (Engine, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if s.Engine == SolrName {
		return OpenSolr(ctx, dir, house, s.Solr, o)
	}
	return Open(ctx, dir, house, o)
}
