package store

import (
	"context"
	"slices"

	"quire/internal/postgres"
	"quire/repository/catalogue"
)

// Job is a job of a queue, which this process does. The queue may give it to another process: then this one may
// write no more.
type Job interface {
	// Holds returns an error if this process has the job no more.
	Holds(ctx context.Context, db catalogue.Asker) error
	// Done ends the job, in the transaction that writes its rows into the catalogue.
	Done(ctx context.Context, tx catalogue.Changer) error
}

// alive returns an error if this process lost its locks, or its job. It asks before it moves content into place.
func (s *Store) alive(ctx context.Context) error {
	if err := s.locks.alive(ctx); err != nil || s.job == nil {
		return err
	}
	return s.job.Holds(ctx, s.catalogue.Asker())
}

// Catalogue returns the absolute folder of the repository, and the place of its catalogue: a file, or a database.
func (s *Store) Catalogue() (root, file string, database *postgres.Place) {
	if s.database != nil {
		return s.root, "", s.database
	}
	return s.root, s.cataloguePath(), nil
}

// endingJob returns a context in which the record of an object ends the job of this process, too. Far copies come
// after the record, so a repository with some ends no job there.
func (in *ingest) endingJob(ctx context.Context) context.Context {
	if in.store.job == nil || !in.options.EndsJob || slices.ContainsFunc(in.store.copies, (*copyFolder).isFar) {
		return ctx
	}
	return catalogue.Also(ctx, in.store.job.Done)
}
