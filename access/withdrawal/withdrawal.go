// Package withdrawal withdraws content from all readers by a decision, and ends withdrawals. It
// records an event in each package concerned, and makes the certificate for the claimant.
package withdrawal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"quire/holdings"
	"quire/holdings/exports"
	"quire/holdings/rights"
	"quire/preserve/statements"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// file is the name of the file in the document of withdrawals.
const file = "withdrawals.json"

// Request describes a withdrawal.
type Request struct {
	Named     string         // a package id, or a URL pattern as in rules
	Package   string         // limits a URL pattern to this package; "" means all packages
	Access    rights.Verdict // Blocked (default) or Restricted: curators may see it
	Message   string         // for the public; "" hides the content from them
	Because   string
	Authority string
	By        string         // the person who withdraws; "" for none
	Until     statements.Day // the last day; "" means for ever
	Now       time.Time      // zero means the current time
}

// ErrNone reports that there is no withdrawal with an id.
var ErrNone = errors.New("no such withdrawal")

// ErrLifted reports that a withdrawal is lifted already.
var ErrLifted = errors.New("the withdrawal is lifted already")

// List returns all withdrawals, the first one first.
func List(ctx context.Context, s *store.Store) ([]Counted, error) {
	w, _, err := read(ctx, s)
	if err != nil {
		return nil, err
	}
	return allWithSums(ctx, s, w.List)
}

// read returns the withdrawals, and the version of their document; 0 if there is none.
func read(ctx context.Context, s *store.Store) (*rights.Withdrawals, int, error) {
	v, text, err := s.Document(ctx, store.WithdrawalsDocument, 0)
	if errors.Is(err, store.ErrNotFound) {
		return &rights.Withdrawals{}, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	w, err := rights.ReadWithdrawals(bytes.NewReader(text))
	return w, v.Version, err
}

// change stores a new version of the document. If another program changes it meanwhile, the change
// is made again from the new version.
func change(ctx context.Context, s *store.Store, because, by string, edit func(*rights.Withdrawals) error) error {
	for {
		w, version, err := read(ctx, s)
		if err != nil {
			return err
		}
		if err := edit(w); err != nil {
			return err
		}
		text, err := w.Marshal()
		if err != nil {
			return err
		}
		if _, err := rights.ReadWithdrawals(bytes.NewReader(text)); err != nil {
			return err // an unreadable document would close everything
		}
		_, err = s.SetDocument(ctx, store.WithdrawalsDocument,
			store.Change{File: file, Text: text, Because: because, By: by, Base: version})
		var busy *store.BusyError
		if decided(err) || !errors.Is(err, store.ErrChanged) && !errors.As(err, &busy) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// decided reports whether an error means that the change is decided, and that the next command finishes
// it.
func decided(err error) bool {
	var unplaced *store.UnplacedError
	return errors.As(err, &unplaced)
}

// held reports whether an error means that only a search engine lacks the withdrawal.
func held(err error) bool {
	var e *HeldError
	return errors.As(err, &e)
}

// Opener opens the holdings of the repository, for the captures of a withdrawal. The caller closes
// them. It is called after the content is closed: an unreadable rules file, or a missing index, must
// not delay that.
type Opener func() (*holdings.Holdings, error)

// Withdraw closes content at once, everywhere. Then it counts the captures, records an event in each
// package with one, and returns the certificate. If it ends early, the content is closed; the same
// request again completes the events. With a [HeldError] the certificate is returned, too.
func Withdraw(ctx context.Context, s *store.Store, open Opener, r Request) (*Certificate, error) {
	w, err := r.withdrawal(ctx, s)
	if err != nil {
		return nil, err
	}
	err = change(ctx, s, "withdrawal of "+w.Named+": "+w.Because, w.By, func(all *rights.Withdrawals) error {
		for i := range all.List {
			if o := &all.List[i]; o.InForce(statements.DayOf(w.At)) && o.Same(&w) {
				w = *o
				return nil
			}
		}
		w.ID = fmt.Sprintf("W%d", len(all.List)+1)
		all.List = append(all.List, w)
		return nil
	})
	if decided(err) {
		return nil, fmt.Errorf("the withdrawal of %s is decided, but is not in force yet; repeat the command to put "+
			"it in force and to complete its events: %w", w.Named, err)
	}
	if err != nil {
		return nil, fmt.Errorf("withdrawing %s: nothing was withdrawn: %w", w.Named, err)
	}
	c, err := complete(ctx, s, open, w)
	if held(err) {
		return c, fmt.Errorf("%s is withdrawn (%s); quire withdraw finish %s deletes the rest: %w", w.Named, w.ID, w.ID,
			err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is withdrawn (%s), but its events are incomplete; repeat the command: %w", w.Named,
			w.ID, err)
	}
	return c, nil
}

// Finish deletes the content of a withdrawal from a search engine that others ask, and records the events that are
// missing. It changes nothing if nothing is left to do. With a [HeldError] the certificate is returned, too.
func Finish(ctx context.Context, s *store.Store, open Opener, id string) (*Certificate, error) {
	all, _, err := read(ctx, s)
	if err != nil {
		return nil, err
	}
	w := all.Find(id)
	if w == nil {
		return nil, fmt.Errorf("%s: %w", id, ErrNone)
	}
	c, err := complete(ctx, s, open, *w)
	if err != nil {
		return c, fmt.Errorf("withdrawal %s is not finished: %w", id, err)
	}
	return c, nil
}

// withdrawal checks a request.
func (r *Request) withdrawal(ctx context.Context, s *store.Store) (w rights.Withdrawal, err error) {
	if r.Now.IsZero() {
		r.Now = time.Now()
	}
	w = rights.Withdrawal{Named: r.Named, Access: r.Access, Message: r.Message, Because: strings.TrimSpace(r.Because),
		Authority: strings.TrimSpace(r.Authority), By: r.By, At: r.Now.UTC().Truncate(time.Second), Until: r.Until}
	if w.Access == "" {
		w.Access = rights.Blocked
	}
	if w.Because == "" || w.Authority == "" {
		return w, errors.New("a withdrawal needs a reason and an authority")
	}
	if r.Until != "" && r.Until < statements.DayOf(r.Now) {
		return w, fmt.Errorf("the last day of the withdrawal, %s, is over", r.Until)
	}
	return w, r.scope(ctx, s, &w)
}

// scope decides whether a request names a package or a URL.
func (r *Request) scope(ctx context.Context, s *store.Store, w *rights.Withdrawal) error {
	for _, id := range []string{r.Package, r.Named} {
		if id == "" {
			continue
		}
		if _, ok := catalogue.DocumentName(id); ok {
			return fmt.Errorf("%s is a document of the repository; readers never see it", id)
		}
		card, err := s.History(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound) && id != r.Package:
			w.URL = id
		case err != nil:
			return err
		case card.Package.IsCollection():
			return fmt.Errorf("%s is a collection; withdraw the packages that it names", id)
		case w.Package != "" && id != w.Package:
			return fmt.Errorf("%s is a package; --package is for a URL", id)
		default:
			w.Package = id
		}
	}
	check := *w
	check.ID = "W1"
	if wrong := check.Check(); wrong != nil {
		return fmt.Errorf("%s is no package of the repository, and no URL: %w", r.Named, wrong)
	}
	return nil
}

// Planned is a withdrawal that Withdraw would make.
type Planned struct {
	Counted
	Exports []exports.Touched `json:"exports"` // with data of its packages
}

// Plan returns the withdrawal that Withdraw would make, with its captures, and writes nothing.
func Plan(ctx context.Context, s *store.Store, h *holdings.Holdings, r Request) (Planned, error) {
	w, err := r.withdrawal(ctx, s)
	if err != nil {
		return Planned{}, err
	}
	counts, err := count(ctx, h, &w)
	if err != nil {
		return Planned{}, err
	}
	touched, err := exports.With(ctx, s, slices.Collect(maps.Keys(counts)))
	return Planned{countedOf(&w, counts), touched}, err
}

// Lift ends a withdrawal, with an event in each package concerned.
func Lift(ctx context.Context, s *store.Store, open Opener, id string, l rights.Lifting) (*Certificate, error) {
	if l.At.IsZero() {
		l.At = time.Now()
	}
	l.At = l.At.UTC().Truncate(time.Second)
	l.Because, l.Authority = strings.TrimSpace(l.Because), strings.TrimSpace(l.Authority)
	if l.Because == "" || l.Authority == "" {
		return nil, errors.New("lifting a withdrawal needs a reason and an authority")
	}
	var w rights.Withdrawal
	err := change(ctx, s, "withdrawal "+id+" lifted: "+l.Because, l.By, func(all *rights.Withdrawals) error {
		o := all.Find(id)
		switch {
		case o == nil:
			return fmt.Errorf("%s: %w", id, ErrNone)
		case o.Lifted != nil && (o.Lifted.Because != l.Because || o.Lifted.Authority != l.Authority):
			return fmt.Errorf("%s: %w, on %s", id, ErrLifted, o.Lifted.At.Format(time.RFC3339))
		case o.Lifted == nil:
			o.Lifted = &l
		}
		w = *o
		return nil
	})
	if decided(err) {
		return nil, fmt.Errorf("the end of withdrawal %s is decided, but is not in force yet; repeat the command to "+
			"put it in force and to complete its events: %w", id, err)
	}
	if err != nil {
		return nil, err
	}
	c, err := complete(ctx, s, open, w)
	if err != nil {
		return nil, fmt.Errorf("withdrawal %s is lifted, but its events are incomplete; repeat the command: %w", id,
			err)
	}
	return c, nil
}
