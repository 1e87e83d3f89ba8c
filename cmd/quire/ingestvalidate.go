package main

import (
	"context"

	"quire/preserve/aip"
	"quire/preserve/collection"
	"quire/repository/store"
)

// validateFlags are the flags of ingest about validation.
type validateFlags struct {
	Validate bool   `help:"Validate each package first, as quire validate does; an invalid one is refused. A repository can require this (quire init --require-validation)."`
	Schemas  string `env:"QUIRE_SCHEMAS" placeholder:"FOLDER" help:"When validating: folder of XML schemas (with drivers/mets-all.xsd)."`
}

// check returns the validation for ingests into a repository, or nil if none is asked for.
func (f validateFlags) check(t *terminal, s *store.Store) func(context.Context, string) error {
	if !f.Validate && !s.RequiresValidation() {
		return nil
	}
	return func(ctx context.Context, dir string) error {
		defer t.clear()
		if collection.Is(dir) {
			return f.checkCollection(ctx, s, dir)
		}
		return aip.Require(ctx, dir, aip.Options{
			Schemas: f.Schemas, Start: func(total int64) { t.begin("validating", total) }, Progress: t.progress,
		})
	}
}

// checkCollection checks the METS of a collection. The packages that it lists may be stored later.
func (f validateFlags) checkCollection(ctx context.Context, s *store.Store, dir string) error {
	r, err := collection.Validate(ctx, dir, heldBy(ctx, s), collection.ValidateOptions{Schemas: f.Schemas})
	if err != nil || r.Outcome != collection.Invalid {
		return err
	}
	return &aip.InvalidError{Report: &aip.Report{Path: dir, ID: r.ID, Findings: r.Findings}}
}
