package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quire/holdings/rights"
	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// MaxWithin is the maximum number of packages that a certificate lists.
const MaxWithin = 1000

// Counted is a withdrawal with the content that it closed at the time of the decision. The sums are in
// an event of the document of withdrawals, so a decision makes one version of the document.
type Counted struct {
	rights.Withdrawal
	Counted  bool  `json:"counted"` // false: it ended before its captures were counted; the command again counts them
	Captures int64 `json:"captures"`
	Packages int64 `json:"packages"`
	// In has the first [MaxWithin] packages that still have the event; only certificates and plans list them.
	In []rights.WithdrawnWithin `json:"in"`
}

// sumsForm is the form of the detail of the event with the sums, after the mark.
const sumsForm = "%d captures in %d packages"

// capturesNote begins the note with the number of captures in the event of a package.
const capturesNote = "captures in this package: "

// note records the sums of a withdrawal, unless the last event has them.
func note(ctx context.Context, s *store.Store, w *rights.Withdrawal, counts map[string]int64) error {
	now := countedOf(w, counts)
	was, err := withSums(ctx, s, *w)
	if err != nil || was.Counted && was.Captures == now.Captures && was.Packages == now.Packages {
		return err
	}
	_, err = s.Record(ctx, catalogue.DocumentPrefix+store.WithdrawalsDocument, store.Action{Type: model.Withdrawing,
		By: w.By, Detail: mark(w.ID) + fmt.Sprintf(sumsForm, now.Captures, now.Packages)})
	return err
}

// countedOf returns a withdrawal with the sums of its counts, and the first of its packages.
func countedOf(w *rights.Withdrawal, counts map[string]int64) Counted {
	c := Counted{Withdrawal: *w, Counted: true, Packages: int64(len(counts)), In: []rights.WithdrawnWithin{}}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		c.Captures += counts[id]
		if len(c.In) < MaxWithin {
			c.In = append(c.In, rights.WithdrawnWithin{Package: id, Captures: counts[id]})
		}
	}
	return c
}

// withSums adds the recorded sums to withdrawals.
func withSums(ctx context.Context, s *store.Store, w rights.Withdrawal) (Counted, error) {
	all, err := allWithSums(ctx, s, []rights.Withdrawal{w})
	if err != nil {
		return Counted{}, err
	}
	return all[0], nil
}

func allWithSums(ctx context.Context, s *store.Store, list []rights.Withdrawal) ([]Counted, error) {
	r, err := s.History(ctx, catalogue.DocumentPrefix+store.WithdrawalsDocument)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	sums := map[string][2]int64{} // by withdrawal; the last event counts
	for _, e := range r.Events {
		id, text, ok := strings.Cut(strings.TrimPrefix(e.Detail, markStart), ": ")
		var n [2]int64
		if _, err := fmt.Sscanf(text, sumsForm, &n[0], &n[1]); ok && err == nil && e.Type == string(model.Withdrawing) {
			sums[id] = n
		}
	}
	all := make([]Counted, 0, len(list))
	for _, w := range list {
		n, ok := sums[w.ID]
		if !ok {
			n, ok = [2]int64{w.Captures, w.Packages}, w.Packages > 0 // an earlier version of Quire
		}
		all = append(all, Counted{Withdrawal: w, Counted: ok, Captures: n[0], Packages: n[1],
			In: []rights.WithdrawnWithin{}})
	}
	return all, nil
}

var capturesIn = regexp.MustCompile(capturesNote + `([0-9]+)`)

// capturesOf returns the number of captures that the event of a package states.
func capturesOf(event []byte) int64 {
	found := capturesIn.FindSubmatch(event)
	if found == nil {
		return 0
	}
	n, _ := strconv.ParseInt(string(found[1]), 10, 64) // 0 for a forged event
	return n
}
