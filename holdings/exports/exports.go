// Package exports registers exports of data from a repository, so that a takedown can list those that
// hold data of its packages.
//
// Each export is a document of the repository ("export-1"): every copy has it, with all versions, and a
// rebuild of the catalogue restores it.
package exports

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"quire/holdings/rights"
	"quire/repository/store"
)

// Prefix begins the names of the documents of exports. The number of the export follows.
const Prefix = "export-"

// The files of a document: as JSON, or packed if it is long.
const (
	plainFile  = "export.json"
	packedFile = "export.json.gz"
	maxPlain   = 4 << 20   // bytes of JSON that are kept plain
	maxText    = 256 << 20 // bytes of JSON that are read
)

// format is the first member of each document.
const format = "quire-export-1"

// Export is a registered export.
type Export struct {
	Format   string       `json:"format"`
	ID       string       `json:"id"`     // "E1": its number in the repository
	Form     string       `json:"form"`   // "parquet"
	For      rights.Class `json:"for"`    // the class of its readers
	Tables   []string     `json:"tables"` // names of its tables
	Where    string       `json:"where"`  // its folder, absolute, on the machine that made it
	Host     string       `json:"host"`   // the name of that machine; "" if unknown
	By       string       `json:"by"`     // the person responsible; "" if unknown
	Software string       `json:"software"`
	Begun    time.Time    `json:"begun"` // of the first run
	Run      time.Time    `json:"run"`   // of the last run that changed it
	// Complete is false from the begin of a run that changes it to its end. Meanwhile the export may hold
	// data of any package.
	Complete bool `json:"complete"`
	// Key seals the digests in the manifest of the export: closed captures are part of them.
	Key      []byte    `json:"key"`
	Packages []Package `json:"packages"` // those with data in it, sorted by id
}

// Package is a package with data in an export.
type Package struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
}

// Touched is an export that holds data of packages of a takedown.
type Touched struct {
	ID       string       `json:"id"`
	Form     string       `json:"form"`
	For      rights.Class `json:"for"`
	Where    string       `json:"where,omitempty"`
	Host     string       `json:"host,omitempty"`
	Run      time.Time    `json:"run"`
	Complete bool         `json:"complete"` // false: it may hold data of any package
	Packages int64        `json:"packages"` // how many packages of the takedown it holds
}

// ErrNone reports that there is no export with an id.
var ErrNone = errors.New("no such export")

// Register stores a new state of an export. It sets the id of a new one (ID is "").
func Register(ctx context.Context, s *store.Store, e *Export) error {
	e.Format = format
	if e.Packages == nil {
		e.Packages = []Package{}
	}
	if e.ID != "" {
		return e.store(ctx, s, -1)
	}
	for n := 1; ; n++ {
		state, err := s.DocumentState(ctx, Prefix+strconv.Itoa(n))
		if err != nil {
			return err
		}
		if state != "" {
			continue
		}
		e.ID = "E" + strconv.Itoa(n)
		err = e.store(ctx, s, 0)
		if errors.Is(err, store.ErrChanged) { // another export has the number now
			continue
		}
		if err != nil {
			e.ID = ""
		}
		return err
	}
}

func (e *Export) store(ctx context.Context, s *store.Store, base int) error {
	name, err := document(e.ID)
	if err != nil {
		return err
	}
	c, err := e.change(base)
	if err != nil {
		return err
	}
	for {
		_, err = s.SetDocument(ctx, name, c)
		var busy *store.BusyError
		if !errors.As(err, &busy) {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	if err != nil {
		return fmt.Errorf("export %s cannot be registered: %w", e.ID, err)
	}
	return nil
}

// change returns the new version of the document.
func (e *Export) change(base int) (store.Change, error) {
	text, err := json.Marshal(e)
	c := store.Change{File: plainFile, Text: append(text, '\n'), By: e.By, Base: base,
		Because: fmt.Sprintf("export %s as %s for %s, with data of %d packages", e.ID, e.Form, e.For, len(e.Packages))}
	if !e.Complete {
		c.Because = fmt.Sprintf("export %s as %s for %s begins to change", e.ID, e.Form, e.For)
	}
	if err != nil || len(c.Text) <= maxPlain {
		return c, err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(c.Text)
	c.File, err = packedFile, errors.Join(err, w.Close())
	c.Text = packed.Bytes()
	return c, err
}

// document returns the name of the document of an export.
func document(id string) (string, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "E"))
	if err != nil || n < 1 || id != "E"+strconv.Itoa(n) {
		return "", fmt.Errorf("%q: %w", id, ErrNone)
	}
	return Prefix + strconv.Itoa(n), nil
}

// Get returns an export by its id. The error is [ErrNone] if there is none.
func Get(ctx context.Context, s *store.Store, id string) (*Export, error) {
	name, err := document(id)
	if err != nil {
		return nil, err
	}
	v, text, err := s.Document(ctx, name, 0)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%s: %w", id, ErrNone)
	}
	if err != nil {
		return nil, err
	}
	e, err := read(v.File, text)
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", name, err)
	}
	return e, nil
}

func read(file string, text []byte) (*Export, error) {
	if file == packedFile {
		r, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		text, err = io.ReadAll(io.LimitReader(r, maxText+1))
		if err != nil {
			return nil, err
		}
		if len(text) > maxText {
			return nil, fmt.Errorf("it has more than %d bytes", maxText)
		}
	}
	e := &Export{}
	if err := json.Unmarshal(text, e); err != nil {
		return nil, err
	}
	if e.Format != format {
		return nil, fmt.Errorf("its format is %.40q, not %s; a newer Quire may read it", e.Format, format)
	}
	return e, nil
}

// List returns all exports, the first one first. It reads the document of each.
func List(ctx context.Context, s *store.Store) ([]*Export, error) {
	all := []*Export{}
	for n := 1; ; n++ {
		state, err := s.DocumentState(ctx, Prefix+strconv.Itoa(n))
		if err != nil || state == "" {
			return all, err
		}
		e, err := Get(ctx, s, "E"+strconv.Itoa(n))
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
}

// With returns the exports that hold data of packages. An export whose run has not ended may hold data of
// any package, and is included.
func With(ctx context.Context, s *store.Store, packages []string) ([]Touched, error) {
	wanted := map[string]bool{}
	for _, id := range packages {
		wanted[id] = true
	}
	touched := []Touched{}
	all, err := List(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		t := Touched{ID: e.ID, Form: e.Form, For: e.For, Where: e.Where, Host: e.Host, Run: e.Run, Complete: e.Complete}
		for _, p := range e.Packages {
			if wanted[p.ID] {
				t.Packages++
			}
		}
		if t.Packages > 0 || !t.Complete && len(packages) > 0 {
			touched = append(touched, t)
		}
	}
	return touched, nil
}
