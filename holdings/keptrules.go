package holdings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"quire/holdings/rights"
	"quire/repository/store"
)

// keptRules reads the rules that the repository keeps in its copies: the documents rules and
// withdrawals. It reads them again when the catalogue has another version.
type keptRules struct {
	store *store.Store

	mu      sync.Mutex
	changes int64 // of the catalogue, when the documents were last compared
	known   bool
	states  [2]string // of the documents when read
	set     *rights.Set
}

// documents are the documents with rules, in the order of states.
var documents = [2]string{store.RulesDocument, store.WithdrawalsDocument}

// now returns the current rules. After an error it tries again at the next call.
func (k *keptRules) now() (*rights.Set, error) {
	ctx := context.Background() // a cancelled query would look like unreadable rules
	k.mu.Lock()
	defer k.mu.Unlock()
	changes, err := k.store.Changes(ctx)
	if err != nil {
		return nil, err
	}
	if k.known && changes == k.changes {
		return k.set, nil
	}
	k.known = false
	var states [2]string
	for i, name := range documents {
		if states[i], err = k.store.DocumentState(ctx, name); err != nil {
			return nil, err
		}
	}
	if k.set == nil || states != k.states {
		set, err := readKept(ctx, k.store)
		if err != nil {
			return nil, err
		}
		k.set, k.states = set, states
	}
	k.known, k.changes = true, changes
	return k.set, nil
}

// readKept reads both documents.
func readKept(ctx context.Context, s *store.Store) (*rights.Set, error) {
	set := &rights.Set{}
	v, text, err := s.Document(ctx, store.RulesDocument, 0)
	switch {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		return nil, err
	default:
		name := fmt.Sprintf("rules of the repository, version %d", v.Version)
		if set, err = rights.Read(bytes.NewReader(text), name); err != nil {
			return nil, err
		}
	}
	_, text, err = s.Document(ctx, store.WithdrawalsDocument, 0)
	if errors.Is(err, store.ErrNotFound) {
		return set, nil
	}
	if err != nil {
		return nil, err
	}
	w, err := rights.ReadWithdrawals(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	withdrawn, err := w.Rules()
	if err != nil {
		return nil, err
	}
	return rights.Join(set, withdrawn), nil
}
