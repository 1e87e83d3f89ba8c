package store

import (
	"context"
	"errors"
	"fmt"
)

// Rules are the conditions of a repository for each package before it stores it. They are written in
// quire-repository.json, and in each copy, for a rebuild.
type Rules struct {
	// Validation requires [IngestOptions.Validate].
	Validation bool `json:"requireValidation,omitempty"`
	// Require is the number of copies that a package needs before it is acknowledged; 0 means all. The
	// other copies are owed the package: a repair brings it.
	Require int `json:"requireCopies,omitempty"`

	// AuditSchedule says which audits are due when; empty: none. See [Schedule].
	AuditSchedule Schedule `json:"auditSchedule,omitempty"`
}

// checkRequire checks a requested number of copies.
func (r Rules) checkRequire(copies int) error {
	if r.Require < 0 || r.Require > copies {
		return fmt.Errorf("%d copies cannot be required: the repository has %d", r.Require, copies)
	}
	return nil
}

// Required returns the number of copies that an ingest must write before it acknowledges a package.
func (s *Store) Required() int {
	if n := s.rules.Require; n > 0 && n < len(s.copies) {
		return n
	}
	return len(s.copies)
}

// ErrNotValidated reports that the repository stores validated packages only, and that the program
// gave no validation.
var ErrNotValidated = errors.New("this repository stores packages only after validation")

// RequiresValidation reports whether the repository stores packages only after validation.
func (s *Store) RequiresValidation() bool { return s.rules.Validation }

// validate validates a package folder, before anything is written. Its error ends the ingest.
func (s *Store) validate(ctx context.Context, dir string, o IngestOptions) error {
	if o.Validate != nil {
		return o.Validate(ctx, dir)
	}
	if s.rules.Validation {
		return fmt.Errorf("repository %s: %w", s.root, ErrNotValidated)
	}
	return nil
}
