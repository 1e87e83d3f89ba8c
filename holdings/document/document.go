// Package document stores the documents of an institution in its repository, after a check: access
// rules, policies, agreements.
package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"quire/holdings/exports"
	"quire/holdings/rights"
	"quire/preserve/policy"
	"quire/repository/store"
)

// policyDocument begins the names of documents that are policies: "policy", or "policy-" and more.
const policyDocument = "policy"

// ErrWithdrawals reports an attempt to replace the document of withdrawals.
var ErrWithdrawals = errors.New("withdrawals are added and lifted one by one: use quire withdraw")

// ErrDisposal reports an attempt to replace the document of purges or holds.
var ErrDisposal = errors.New("purges and holds are made one by one: use quire purge, quire hold")

// ErrExports reports an attempt to replace the document of an export.
var ErrExports = errors.New("exports register themselves: use quire export --as parquet")

// Set stores a new version of a document of the repository. Rules and policies must be
// readable; other documents are not checked.
func Set(ctx context.Context, s *store.Store, name string, c store.Change) (store.Receipt, error) {
	var err error
	switch kind, _, _ := strings.Cut(name, "-"); {
	case name == store.WithdrawalsDocument:
		err = ErrWithdrawals
	case strings.HasPrefix(name, exports.Prefix):
		err = ErrExports
	case name == store.PurgesDocument, name == store.HoldsDocument:
		err = ErrDisposal
	case name == store.RulesDocument:
		_, err = rights.Read(bytes.NewReader(c.Text), c.File)
	case kind == policyDocument:
		_, err = policy.Read(bytes.NewReader(c.Text))
	}
	if err != nil {
		return store.Receipt{}, fmt.Errorf("document %s was not stored: %w", name, err)
	}
	return s.SetDocument(ctx, name, c)
}
