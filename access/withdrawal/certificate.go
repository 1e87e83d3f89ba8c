package withdrawal

import (
	"bytes"
	"context"
	"crypto/sha512"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"quire/holdings/exports"
	"quire/holdings/rights"
	"quire/internal/disk"
	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// Certificate states a withdrawal for the claimant, with digests of its evidence in the repository.
type Certificate struct {
	Repository string    `json:"repository"` // UUID
	Software   string    `json:"software"`
	Issued     time.Time `json:"issued"`
	Withdrawal Counted   `json:"withdrawal"`
	// the version of the document that closed the content
	Document store.DocumentVersion `json:"document"`
	Copies   []Copy                `json:"copies"` // of the repository, with the state of the document in each
	Events   []Event               `json:"events"` // of the first [MaxWithin] packages
	// the events that should be there, but are in no present copy
	Missing []MissingEvent `json:"missing"`
	// Exports are the registered exports that have data of these packages. They are not part of the archive:
	// their makers repeat them, which removes the data.
	Exports []exports.Touched `json:"exports"`
}

// Copy is the state of the document of withdrawals in a copy of the repository.
type Copy struct {
	Name   string           `json:"name"`
	Status catalogue.Status `json:"status"` // away: it has the document as far as known, but cannot be read now
}

// MissingEvent is an event of a withdrawal that is gone, or was never recorded.
type MissingEvent struct {
	Package string `json:"package"`
	Type    string `json:"type"`
}

// Keeping returns the names of the copies that have the document now.
func (c *Certificate) Keeping() []string {
	var names []string
	for _, k := range c.Copies {
		if k.Status == catalogue.Good {
			names = append(names, k.Name)
		}
	}
	return names
}

// Everywhere reports whether all copies have the document.
func (c *Certificate) Everywhere() bool { return len(c.Keeping()) == len(c.Copies) }

// Event is the event of a withdrawal, or of its end, in a package.
type Event struct {
	Package string    `json:"package"`
	Type    string    `json:"type"`
	ID      string    `json:"id"`
	Time    time.Time `json:"time"`
	File    string    `json:"file"` // in the log of the package
	SHA512  string    `json:"sha512"`
}

// Certify returns the certificate of a withdrawal, from the documents and events in the repository.
func Certify(ctx context.Context, s *store.Store, id string) (*Certificate, error) {
	all, _, err := read(ctx, s)
	if err != nil {
		return nil, err
	}
	w := all.Find(id)
	if w == nil {
		return nil, fmt.Errorf("%s: %w", id, ErrNone)
	}
	c := &Certificate{Repository: s.ID(), Software: s.Software(), Issued: time.Now().UTC().Truncate(time.Second),
		Copies: []Copy{}, Events: []Event{}, Missing: []MissingEvent{}}
	if c.Withdrawal, err = withSums(ctx, s, *w); err != nil {
		return nil, err
	}
	if c.Document, err = firstWith(ctx, s, id); err != nil {
		return nil, err
	}
	if err := c.addCopies(ctx, s); err != nil {
		return nil, err
	}
	within, err := s.PackagesWith(ctx, model.Withdrawing, mark(id), MaxWithin)
	if err != nil {
		return nil, err
	}
	if w.Package != "" && !slices.Contains(within, w.Package) {
		within = append(within, w.Package) // the event of this package may be missing
	}
	for _, in := range within {
		if err := c.addEvents(ctx, s, in); err != nil {
			return nil, err
		}
	}
	return c, c.addExports(ctx, s)
}

// addExports adds the exports with data of all packages that have the event.
func (c *Certificate) addExports(ctx context.Context, s *store.Store) error {
	w := &c.Withdrawal
	all, err := s.PackagesWith(ctx, model.Withdrawing, mark(w.ID), math.MaxInt32)
	if err != nil {
		return err
	}
	if w.Package != "" {
		all = append(all, w.Package)
	}
	c.Exports, err = exports.With(ctx, s, all)
	return err
}

// addCopies adds the copies of the repository. A copy that is away has the state that was last known.
func (c *Certificate) addCopies(ctx context.Context, s *store.Store) error {
	d, err := s.Show(ctx, catalogue.DocumentPrefix+store.WithdrawalsDocument)
	if err != nil {
		return err
	}
	for _, k := range d.Copies {
		if k.Status == catalogue.Away && k.Last != catalogue.Good && k.Last != catalogue.AsListed {
			k.Status = k.Last
		}
		c.Copies = append(c.Copies, Copy{Name: k.Name, Status: k.Status})
	}
	return nil
}

// firstWith returns the first version of the document with a withdrawal.
func firstWith(ctx context.Context, s *store.Store, id string) (store.DocumentVersion, error) {
	versions, err := s.DocumentHistory(ctx, store.WithdrawalsDocument)
	if err != nil {
		return store.DocumentVersion{}, err
	}
	low, high := 0, len(versions)-1 // the newest version has it, and no version drops one
	for low < high {
		middle := (low + high) / 2
		_, text, err := s.Document(ctx, store.WithdrawalsDocument, versions[middle].Version)
		if err != nil {
			return store.DocumentVersion{}, err
		}
		w, err := rights.ReadWithdrawals(bytes.NewReader(text))
		if err != nil {
			return store.DocumentVersion{}, err
		}
		if w.Find(id) != nil {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return versions[low], nil
}

// addEvents adds the events of the withdrawal in a package.
func (c *Certificate) addEvents(ctx context.Context, s *store.Store, id string) error {
	r, err := s.History(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil // it is no longer in the repository
	}
	if err != nil {
		return err
	}
	lifted := c.Withdrawal.Withdrawal
	lifted.Lifted = nil
	expected := []*rights.Withdrawal{&lifted}
	if c.Withdrawal.Lifted != nil {
		expected = append(expected, &c.Withdrawal.Withdrawal)
	}
	for _, kind := range expected {
		missing := MissingEvent{Package: id, Type: string(eventType(kind))}
		e := eventOf(r.Events, eventType(kind), kind.ID)
		if e == nil {
			c.Missing = append(c.Missing, missing)
			continue
		}
		text, err := s.EventFile(ctx, id, e.File)
		if errors.Is(err, fs.ErrNotExist) {
			c.Missing = append(c.Missing, missing)
			continue
		}
		if err != nil {
			return err
		}
		if kind == &lifted {
			c.Withdrawal.In = append(c.Withdrawal.In, rights.WithdrawnWithin{Package: id, Captures: capturesOf(text)})
		}
		sum := sha512.Sum512(text)
		c.Events = append(c.Events, Event{Package: id, Type: e.Type, ID: e.ID, Time: e.Time, File: e.File,
			SHA512: hex.EncodeToString(sum[:])})
	}
	return nil
}

//go:embed certificate.html
var pageText string

var page = template.Must(template.New("certificate").Funcs(template.FuncMap{"day": day, "state": state,
	"time": func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04:05 UTC") }}).Parse(pageText))

// HTML writes the certificate as a page that needs no other file.
func (c *Certificate) HTML(w io.Writer) error { return page.Execute(w, c) }

// Write writes the certificate to a new file: JSON if the name ends in .json, else HTML. It is for the
// claimant, so it does not name the folders and machines of exports.
func (c *Certificate) Write(path string) error {
	outside := *c
	outside.Exports = []exports.Touched{}
	for _, e := range c.Exports {
		e.Where, e.Host = "", ""
		outside.Exports = append(outside.Exports, e)
	}
	c = &outside
	return disk.WriteNew(path, func(w io.Writer) error {
		if !strings.HasSuffix(strings.ToLower(path), ".json") {
			return c.HTML(w)
		}
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(c)
	})
}
