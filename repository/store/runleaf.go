package store

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/repository/register"
)

// runLeaf is the leaf of a run: an audit, or a batch of copying.
type runLeaf struct {
	register.Batch
	index int64
}

// enteredRuns are the runs that the register has.
type enteredRuns struct {
	leaves map[[16]byte]runLeaf
	first  time.Time // end of the first of them: earlier ones have no leaf
}

// enteredRuns reads the leaves of runs.
func (s *Store) enteredRuns(ctx context.Context) (*enteredRuns, error) {
	e := &enteredRuns{leaves: map[[16]byte]runLeaf{}}
	if !s.registered() {
		return e, nil
	}
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	r, err := register.OpenReader(s.registerPath())
	if err == nil {
		err = s.ledger.index.refresh(ctx, r)
	}
	if err != nil {
		return nil, fmt.Errorf("the register of %s: %w", s.root, err)
	}
	for _, l := range s.ledger.index.runs {
		if _, twice := e.leaves[l.Run]; !twice {
			e.leaves[l.Run] = l
		}
		if e.first.IsZero() {
			e.first = l.Time
		}
	}
	return e, nil
}

// of returns the leaf of a run.
func (e *enteredRuns) of(run string) (runLeaf, bool) {
	id, ok := runID(run)
	if !ok {
		return runLeaf{}, false
	}
	l, ok := e.leaves[id]
	return l, ok
}

// enterRun appends the leaf of a run, and brings the copies up to date. Copies that fail get it later.
func (s *Store) enterRun(ctx context.Context, leaf register.Batch) error {
	err := s.withRegister(ctx, func(w *register.Writer) error {
		_, err := w.AppendLeaves(ctx, leaf)
		if err == nil {
			s.shareRegister(ctx, w)
		}
		return err
	})
	if err == nil {
		s.shareFarRegister(ctx)
	}
	return err
}

// signRun signs the digest over the lines of a run so far.
func (s *Store) signRun(ctx context.Context, document []byte) (signature string, err error) {
	err = s.withSigner(ctx, func(w *register.Writer) error {
		text, err := w.Sign(auditPurpose, document)
		signature = string(text)
		return err
	})
	return signature, err
}

// registerKeys returns the public keys of the register.
func (s *Store) registerKeys(ctx context.Context) (keys []string, err error) {
	if !s.registered() {
		return nil, nil
	}
	err = s.withRegister(ctx, func(w *register.Writer) error {
		for _, k := range w.Keys() {
			keys = append(keys, k.Key)
		}
		return nil
	})
	return keys, err
}

// isSigned reports whether one of the keys signed the digest over the lines of a run.
func isSigned(keys []string, signature string, document []byte) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		return register.CheckSignature([]byte(signature), auditPurpose, document, key) == nil
	})
}

// fault returns the difference between the record of a run and the register; "" if there is none. whole: each
// line is read, and else only the head. Runs of earlier versions of Quire have no leaf.
func (e *enteredRuns) fault(path string, whole bool) string {
	name := filepath.Base(path)
	run, _ := runOf(name)
	leaf, entered := e.of(run)
	var r *runRecord
	var err error
	if whole {
		r, err = readRecord(path)
	} else {
		r = &runRecord{}
		r.head, err = readHead(path)
	}
	started, _, _ := strings.Cut(name, "-")
	at, timeErr := time.Parse(eventTime, started)
	if at = at.UTC(); r != nil && r.foot.Finished.After(at) {
		at = r.foot.Finished
	}
	switch {
	case err != nil && entered:
		return "it cannot be read: " + err.Error()
	case err != nil:
		return "" // an older one: it counts for nothing
	case r.head.Run != run:
		return "it names run " + r.head.Run
	case !entered && r.head.Format >= saltedFormat:
		return "the register does not have this run"
	case !entered && !e.first.IsZero() && (timeErr != nil || !at.Before(e.first)):
		return "the register does not have this run, and has earlier ones"
	case entered && whole && r.leaf != leaf.Batch:
		return fmt.Sprintf("its lines differ from those that leaf %d of the register has", leaf.index)
	}
	return ""
}

// sorted returns the runs in the order of their leaves.
func (e *enteredRuns) sorted() []runLeaf {
	list := slices.Collect(maps.Values(e.leaves))
	slices.SortFunc(list, func(a, b runLeaf) int { return cmp.Compare(a.index, b.index) })
	return list
}

// runName returns the id of a run as names of files have it.
func runName(id [16]byte) string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
