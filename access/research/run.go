package research

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/holdings"
	"quire/holdings/exports"
	"quire/internal/filelock"
	"quire/repository/store"
)

// run is a running export.
type run struct {
	st      *store.Store
	h       *holdings.Holdings
	who     holdings.Reader
	request *Request
	dry     bool

	*folder
	tables     []string
	out        string
	repository string
	software   string
	exportID   string // its id in the register
	registered *exports.Export
	changing   bool // the register states that the export changes
	result     *Result

	scan     *scan
	closed   string            // sealed
	states   map[string]string // the content of each package of the repository, by the index
	mentions *holdings.Mentions
	wholeOf  func(pkg string) bool
	hosts    hosts
}

func (r *run) wants(table string) bool { return slices.Contains(r.tables, table) }

// Run makes an export, or brings it up to date.
func Run(ctx context.Context, st *store.Store, h *holdings.Holdings, request Request) (*Result, error) {
	if err := st.Writable(); err != nil {
		return nil, fmt.Errorf("the export cannot be registered in the repository: %w", err)
	}
	return export(ctx, st, h, &request, false)
}

// Plan returns the result that Run would have. It writes nothing.
func Plan(ctx context.Context, st *store.Store, h *holdings.Holdings, request Request) (*Result, error) {
	if err := st.WouldWrite(); err != nil {
		return nil, fmt.Errorf("the export cannot be registered in the repository: %w", err)
	}
	return export(ctx, st, h, &request, true)
}

func export(ctx context.Context, st *store.Store, h *holdings.Holdings, request *Request, dry bool) (*Result, error) {
	if err := request.check(st); err != nil {
		return nil, err
	}
	r := &run{st: st, h: h, who: holdings.Reader{Class: request.For}, request: request, dry: dry, out: request.Out,
		repository: st.ID(), software: st.Software()}
	unlock, err := r.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	if r.folder, err = load(r.out); err != nil {
		return nil, err
	}
	if err := r.fits(); err != nil {
		return nil, err
	}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	if err := r.work(ctx); err != nil {
		if r.journal != nil {
			err = errors.Join(err, r.journal.Close())
		}
		return nil, err
	}
	return r.result, nil
}

// lock makes the folder, and locks it for this process.
func (r *run) lock() (unlock func(), err error) {
	entries, err := os.ReadDir(r.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	ours := func(e os.DirEntry) bool {
		return e.Name() == ManifestName || e.Name() == baseName || e.Name() == journalName || e.Name() == lockName
	}
	if len(entries) > 0 && !slices.ContainsFunc(entries, ours) {
		return nil, fmt.Errorf("%s has files, and is no earlier export as parquet: name an empty folder", r.out)
	}
	if r.dry {
		return func() {}, nil
	}
	if err := os.MkdirAll(r.out, folderMode); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(r.out, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := filelock.Try(f); err != nil {
		err = errors.Join(err, f.Close())
		if errors.Is(err, filelock.ErrHeld) {
			err = fmt.Errorf("another process exports into %s: wait until it ends", r.out)
		}
		return nil, err
	}
	return func() { _ = f.Close() }, nil // this releases the lock
}

// fits refuses a request that differs from the earlier runs.
func (r *run) fits() error {
	head := &r.head
	if head.Format == "" {
		r.tables = r.request.Tables
		if r.tables == nil {
			r.tables = Usual()
		}
		slices.Sort(r.tables)
		return nil
	}
	switch {
	case head.Repository != r.repository:
		return fmt.Errorf("%s is an export of another repository (%s)", r.out, head.Repository)
	case head.For != r.who.Class:
		return fmt.Errorf("%s is an export for %s, not for %s: name another folder", r.out, head.For, r.who.Class)
	case r.request.Tables != nil && !slices.Equal(r.request.Tables, head.Tables):
		return fmt.Errorf("%s has the tables %s: name another folder for others", r.out, strings.Join(head.Tables, ","))
	}
	r.tables = head.Tables
	return nil
}

// prepare reads the register, and judges all captures.
func (r *run) prepare(ctx context.Context) (err error) {
	r.result = &Result{Path: r.out, For: r.who.Class, Tables: r.tables, Added: []Changed{}, Rewritten: []Changed{},
		Removed: []Changed{}}
	if err := r.h.Ready(ctx); err != nil {
		return err
	}
	if _, known := r.h.Epoch(); !known {
		return errors.New("the access rules or a collection cannot be read now: everything would count as closed; " +
			"mend them first")
	}
	if err := r.register(ctx); err != nil {
		return err
	}
	if r.states, err = r.h.Indexed(ctx); err != nil {
		return err
	}
	if r.scan, err = lookThrough(ctx, r.h, r.who); err != nil {
		return err
	}
	r.closed = seal(r.registered.Key, r.scan.closed.Sum(nil))
	r.mentions = r.h.Mentions(r.who)
	return nil
}

// register finds the export in the register, or adds it.
func (r *run) register(ctx context.Context) (err error) {
	if id := r.head.Export; id != "" {
		if r.registered, err = exports.Get(ctx, r.st, id); err != nil {
			return fmt.Errorf("%s: the repository does not know this export; export into another folder: %w", r.out,
				err)
		}
		r.exportID, r.result.Export = id, id
		return nil
	}
	host, _ := os.Hostname() // "" if unknown
	all, err := exports.List(ctx, r.st)
	if err != nil {
		return err
	}
	for _, e := range all { // a run that was broken off before its first file
		if !e.Complete && len(e.Packages) == 0 && e.Where == r.out && e.Host == host && e.For == r.who.Class &&
			slices.Equal(e.Tables, r.tables) {
			r.registered = e
		}
	}
	if r.registered == nil {
		now := time.Now().UTC().Truncate(time.Second)
		r.registered = &exports.Export{Form: Form, For: r.who.Class, Tables: r.tables, Where: r.out, Host: host,
			By: r.request.By, Software: r.software, Begun: now, Run: now, Key: []byte(rand.Text())}
		if r.dry {
			return nil
		}
		if err := exports.Register(ctx, r.st, r.registered); err != nil {
			return err
		}
	}
	r.changing = true
	r.exportID, r.result.Export = r.registered.ID, r.registered.ID
	return nil
}

// change prepares the export for its first change. The register states it before: a takedown meanwhile
// finds the export.
func (r *run) change(ctx context.Context) error {
	if !r.changing {
		r.registered.Complete, r.registered.By = false, r.request.By
		r.registered.Run, r.registered.Software = time.Now().UTC().Truncate(time.Second), r.software
		if err := exports.Register(ctx, r.st, r.registered); err != nil {
			return err
		}
		r.changing = true
	}
	return r.open()
}

// open begins the journal.
func (r *run) open() error {
	if r.journal != nil {
		return nil
	}
	r.head = Manifest{Format: manifestFormat, Export: r.exportID, Repository: r.repository, For: r.who.Class,
		Tables: r.tables, Software: r.software, Finished: r.head.Finished, Closed: r.head.Closed}
	return r.begin()
}

// finish registers the export, and writes its manifest.
func (r *run) finish(ctx context.Context) error {
	r.sums()
	if r.dry {
		return nil
	}
	if r.journal == nil && r.head.Closed == r.closed && r.head.Format != "" {
		return nil // nothing changed
	}
	if err := r.open(); err != nil {
		return err
	}
	if r.changing {
		e := r.registered
		e.Complete, e.Packages = true, []exports.Package{}
		for _, id := range r.ids() {
			if entry := r.entries[id]; len(entry.Files) > 0 {
				e.Packages = append(e.Packages, exports.Package{ID: id, Version: entry.Version})
			}
		}
		if err := exports.Register(ctx, r.st, e); err != nil {
			return err
		}
	}
	head := r.head
	head.Closed, head.Finished = r.closed, time.Now().UTC().Truncate(time.Second)
	return r.end(&head)
}

// sums adds up the whole export.
func (r *run) sums() {
	if r.dry {
		return
	}
	r.result.Rows = map[string]int64{}
	for _, name := range r.tables {
		r.result.Rows[name] = 0
	}
	for _, e := range r.entries {
		for _, f := range e.Files {
			name, _, _ := strings.Cut(f.Path, "/")
			r.result.Rows[name] += f.Rows
			r.result.Files++
			r.result.Bytes += f.Bytes
		}
	}
}
