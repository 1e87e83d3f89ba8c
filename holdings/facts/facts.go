// Package facts reads the METS of one version of a package, or of a collection, for access to its
// content: the rights, the infected containers, the curators' descriptions, and further facts for
// readers.
package facts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"quire/metadata/mets"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/statements"
	"quire/repository/store"
)

// Facts has the statements of the METS of one version of a package, without personal and restricted
// ones.
type Facts struct {
	Rights       *statements.Set
	Title        string
	IsCollection bool
	TitleSource  *aip.TitleSource // the page that gave the title; nil when none did
	Members      map[string]int   // of a collection: its packages, each with the number of the harvest that it is of
	Containers   map[string]*Container
	Files        []File            // logs, documents, originals: all that are no containers, in the order of the METS
	Descriptions map[string][]byte // MODS, by the ID of the dmdSec: of curators, not of pages
	Website      []string          // the IDs of those of the website
	Harvests     []Harvest
	Pages        map[Place]string // and of pages that a sheet has a row for
	Events       []PackageEvent   // of the package as a whole
}

// Harvest is one of the harvests of a package, or of a collection.
type Harvest struct {
	ID, Label    string
	Descriptions []string // IDs
	Events       []string // IDs of its captures
}

// Container is one container of one version.
type Container struct {
	Path       string
	Number     int               // by its ID in the METS, from 1; 0 where others wrote that
	Harvest    int               // from 1; 0 when it is of several, or of none
	Never      string            // why nothing of it is shown to everyone; "" when nothing forbids it
	Restricted bool              // that is because it, or a part of it, is marked so; otherwise because of an infection
	Infected   int64             // bytestreams in which the scanner found something
	Viral      map[int64]bool    // the records that they are of
	ViralSums  []string          // SHA-256 of them, hex, as sent and as served, where they are known
	Scan       model.ScanOutcome // outcome of the virus check; not-scanned without one
	Events     []Event
}

// File is a file of a package that is no container.
type File struct {
	Path, Use, Type string // Use is that of its group: "Logfile"
	Size            int64  // bytes; -1 when unknown
	Harvest         int    // from 1; 0 when it is of none
	Restricted      bool   // it must not be shown to everyone
	Why             string // that is so
}

// Event is something that happened to a container, or to the package it is in.
type Event struct {
	Type, Detail, Outcome string
	Time                  time.Time
}

// PackageEvent is something that happened to a package.
type PackageEvent struct {
	Event
	ID     string    // of its digiprovMD: "EVT-capture"
	End    time.Time // of an event that took a span of time; zero otherwise
	Notes  []string
	Agents []string
}

// Place is a record in a container of a package.
type Place struct {
	Container string
	Order     int64 // from 1
}

// Load reads the METS of a version (0 is the newest) from the first copy that has it as it was
// stored.
func Load(ctx context.Context, s *store.Store, id string, version int) (*Facts, error) {
	var failed error
	for fsys, err := range s.Views(ctx, id, version) {
		if err != nil {
			return nil, errors.Join(failed, err)
		}
		f, err := Read(fsys)
		if err == nil {
			return f, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// Read reads the METS of a package folder, twice: for the rights, which checks it against its
// digest, and for the rest.
func Read(fsys fs.FS) (*Facts, error) {
	set, err := statements.Load(fsys)
	if err != nil {
		return nil, err
	}
	in, err := aip.Open(fsys, aip.METSName)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := &reader{
		Facts: &Facts{Rights: set, Containers: map[string]*Container{}, Descriptions: map[string][]byte{},
			Pages: map[Place]string{}, Members: map[string]int{}},
		byFile: map[string]*Container{}, byNumber: map[int]*Container{}, files: map[string]int{},
		events: map[int][]Event{}, infected: map[int]int64{},
		scans: map[int]model.ScanOutcome{}, agents: map[string]string{},
	}
	err = mets.Read(in, mets.Handler{
		Root: r.root, Section: r.section, File: r.file, Div: r.div, EndDiv: r.endDiv, Fptr: r.fptr, Mptr: r.mptr,
		StructMap: r.structMap,
		Problem:   func(mets.Problem) {}, // quire validate reports them
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", aip.METSName, err)
	}
	r.finish()
	return r.Facts, nil
}
