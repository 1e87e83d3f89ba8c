// Package facts reads the METS of one version of a package, or of a collection, for access to its
// content: the rights, the infected containers, the curators' descriptions, and further facts for
// readers.
package facts

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/statements"
	"quire/repository/store"
)

// Facts holds the statements in the METS of one version of a package. It omits personal and
// restricted statements.
type Facts struct {
	Rights       *statements.Set
	Title        string
	IsCollection bool
	TitleSource  *aip.TitleSource // source page of the title; nil for none
	Members      map[string]int   // of a collection: its packages, with their harvest numbers
	Containers   map[string]*Container
	Files        []File            // logs, documents, originals: all files except containers, in METS order
	Descriptions map[string][]byte // MODS by curators, not of pages, by the ID of the dmdSec
	Website      []string          // IDs of the descriptions of the website
	Harvests     []Harvest
	Pages        map[Place]string // IDs of descriptions of pages with a row in a sheet
	Events       []PackageEvent   // of the whole package

	Unsummed error // why the sums of a container cannot be read; nil from [Load], which reads none
}

// Harvest is a harvest of a package or collection.
type Harvest struct {
	ID, Label    string
	Descriptions []string // IDs
	Events       []string // IDs of its capture events
}

// Container is one container of one version.
type Container struct {
	Path       string
	Number     int               // from its ID in the METS, from 1; 0 in METS by other tools
	Harvest    int               // from 1; 0 if it belongs to several, or to none
	Never      string            // why it is never public; "" if it may be
	Restricted bool              // because it, or a part, is marked so; otherwise because of an infection
	Infected   int64             // bytestreams with a virus
	Viral      map[int64]bool    // their records
	ViralSums  []string          // their SHA-256, hex, as sent and as served, if known
	Scan       model.ScanOutcome // outcome of the virus check; not-scanned if there was none
	Events     []Event
	Sums       *containermd.Information // nil from [Load], without sums, and if they are restricted
}

// File is a file of a package other than a container.
type File struct {
	Path, Use, Type string // Use is the USE of its METS group: "Logfile"
	Size            int64  // bytes; -1 if unknown
	Harvest         int    // from 1; 0 for none
	Restricted      bool   // closed to the public
	Why             string // the reason
}

// Event is an event of a container, or of its package.
type Event struct {
	Type, Detail, Outcome string
	Time                  time.Time
}

// PackageEvent is an event of a package.
type PackageEvent struct {
	Event
	ID     string    // of its digiprovMD: "EVT-capture"
	End    time.Time // of an event with a duration; else zero
	Notes  []string
	Agents []string
}

// Place is a record in a container of a package.
type Place struct {
	Container string
	Order     int64 // from 1
}

// Load reads the METS of a version (0 is the newest) from the first intact copy.
func Load(ctx context.Context, s *store.Store, id string, version int) (*Facts, error) {
	return load(ctx, s, id, version, Read)
}

// LoadSums is [Load] with the sums of the containers (containerMD), in the same reading.
func LoadSums(ctx context.Context, s *store.Store, id string, version int) (*Facts, error) {
	return load(ctx, s, id, version, ReadSums)
}

func load(ctx context.Context, s *store.Store, id string, version int,
	read func(fs.FS) (*Facts, error)) (*Facts, error) {
	var failed error
	for fsys, err := range s.Views(ctx, id, version) {
		if err != nil {
			return nil, errors.Join(failed, err)
		}
		f, err := read(fsys)
		if err == nil {
			return f, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// Read reads the METS of a package folder once, and verifies its digest.
func Read(fsys fs.FS) (*Facts, error) { return read(fsys, false) }

// ReadSums is [Read] with the sums of the containers (containerMD), in the same reading. If sums break
// containerMD, it reads the METS again without them, so that they hide no other fact.
func ReadSums(fsys fs.FS) (*Facts, error) {
	f, err := read(fsys, true)
	if err == nil {
		return f, nil
	}
	if f, again := read(fsys, false); again == nil {
		f.Unsummed = err
		return f, nil
	}
	return nil, err
}

func read(fsys fs.FS, sums bool) (*Facts, error) {
	r := &reader{
		Facts: &Facts{Containers: map[string]*Container{}, Descriptions: map[string][]byte{},
			Pages: map[Place]string{}, Members: map[string]int{}},
		rights: statements.NewReader(),
		byFile: map[string]*Container{}, byNumber: map[int]*Container{}, files: map[string]int{},
		events: map[int][]Event{}, infected: map[int]int64{},
		scans: map[int]model.ScanOutcome{}, agents: map[string]string{},
	}
	if sums {
		r.sums = map[int]*containermd.Information{}
	}
	r.Rights = r.rights.Set()
	err := statements.Verified(fsys, mets.Handler{
		Root: r.root, Section: r.section, File: r.file, Div: r.div, EndDiv: r.endDiv, Fptr: r.fptr, Mptr: r.mptr,
		StructMap: r.structMap,
	})
	if err != nil {
		return nil, err
	}
	r.finish()
	return r.Facts, nil
}
