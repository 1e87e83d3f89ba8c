package research

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"quire/holdings"
	"quire/holdings/captures"
)

// work brings all packages up to date: first those that the export has, because content that is closed
// now must go, then the new ones.
func (r *run) work(ctx context.Context) error {
	if r.resumed && !r.dry {
		if err := r.sweep(); err != nil {
			return err
		}
	}
	had := r.ids()
	for _, id := range had {
		if err := r.again(ctx, id); err != nil {
			return err
		}
	}
	ids, err := r.visible(ctx)
	if err != nil {
		return err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool {
		_, has := slices.BinarySearch(had, id)
		return has || r.request.Packages != nil && !slices.Contains(r.request.Packages, id)
	})
	for i, id := range ids {
		if r.request.Progress != nil {
			r.request.Progress(id, len(ids)-i)
		}
		e, err := r.entry(ctx, id)
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		r.result.Added = append(r.result.Added, Changed{Package: id, Version: e.Version})
		if err := r.writePackage(ctx, e); err != nil {
			return err
		}
	}
	return r.finish(ctx)
}

// visible returns the packages with content that is open to the readers, sorted.
func (r *run) visible(ctx context.Context) ([]string, error) {
	var ids []string
	for p, err := range r.h.Packages(ctx, r.who) {
		if err != nil {
			return nil, err
		}
		if p.Allowed {
			ids = append(ids, p.ID)
		}
	}
	for id := range r.scan.packages {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// entry returns the entry that a package should have, without files; nil if it should have none.
func (r *run) entry(ctx context.Context, id string) (*Entry, error) {
	p := r.scan.packages[id]
	r.wholeOf = r.h.Whole(r.who)
	whole := r.states[id] != "" && r.wholeOf(id)
	seen, err := r.h.Package(ctx, r.who, id)
	if err != nil || !seen.Allowed {
		whole = false // it is hidden, closed or gone
	}
	if p == nil && !whole {
		return nil, ctx.Err()
	}
	history, err := r.h.History(ctx, id)
	if err != nil && !errors.Is(err, captures.ErrNotFound) {
		return nil, err
	}
	e := &Entry{ID: id, Closed: r.closed, Columns: columnsVersion, whole: whole}
	if n := len(history.Versions); n > 0 {
		e.Version = history.Versions[n-1].Number
	}
	var events []holdings.Event
	if whole && r.wants(Events) {
		events = seen.Events
	}
	e.State = seal(r.registered.Key, r.states[id], whole, p.sum(), events)
	return e, ctx.Err()
}

// again checks a package that the export has.
func (r *run) again(ctx context.Context, id string) error {
	was := r.entries[id]
	e, err := r.entry(ctx, id)
	if err != nil {
		return err
	}
	if e == nil {
		r.result.Removed = append(r.result.Removed, Changed{Package: id, Version: was.Version,
			Why: "nothing of it is open to these readers, or it is gone"})
		return r.removePackage(ctx, id)
	}
	why, err := r.differs(ctx, was, e)
	if err != nil {
		return err
	}
	if why == "" {
		r.result.Kept++
		was.Closed = r.closed
		return nil
	}
	r.result.Rewritten = append(r.result.Rewritten, Changed{Package: id, Version: e.Version, Why: why})
	return r.writePackage(ctx, e)
}

// differs returns why a package must be written again; "" if it need not.
func (r *run) differs(ctx context.Context, was, e *Entry) (string, error) {
	switch {
	case was.Version != e.Version:
		return "it has a new version", nil
	case was.Columns != e.Columns:
		return "its tables have the columns of an earlier version of quire", nil
	case was.State != e.State:
		return "access to it, or its content or events changed", nil
	}
	if r.resumed && !r.dry {
		if whole, err := r.intact(was); !whole || err != nil {
			return "the run before was broken off while it was written", err
		}
	}
	if was.Closed == r.closed {
		return "", nil
	}
	if was.Without {
		return "access to the targets of its links may have changed", nil
	}
	for _, f := range was.Files {
		open, err := r.targetsOpen(ctx, was, f)
		if err != nil {
			return "", err
		}
		if !open {
			return "it has links to content that is closed now", nil
		}
	}
	return "", nil
}

// target is the part of a row that names another address.
type target struct {
	Time     time.Time `parquet:"fetch_time,timestamp(millisecond)"`
	Harvest  int32     `parquet:"harvest"`
	Target   string    `parquet:"target_url,optional"`
	Redirect string    `parquet:"fetch_redirect,optional"`
}

// targetsOpen reports whether all addresses that a file names may still be named.
func (r *run) targetsOpen(ctx context.Context, e *Entry, f File) (open bool, err error) {
	switch name, _, _ := strings.Cut(f.Path, "/"); name {
	case Captures, Links:
	case HostLinks:
		return r.wants(Links), nil // sums do not name pages; without the table links, they are made again
	default:
		return true, nil
	}
	in, err := os.Open(filepath.Join(r.out, filepath.FromSlash(f.Path)))
	if err != nil {
		return false, err
	}
	defer func() { _ = in.Close() }() // only read
	info, err := in.Stat()
	if err != nil {
		return false, err
	}
	file, err := parquet.OpenFile(in, info.Size())
	if err != nil {
		return false, err
	}
	rows := parquet.NewGenericReader[target](file)
	defer func() { _ = rows.Close() }() // only read
	some := [256]target{}
	for {
		n, err := rows.Read(some[:])
		for i := range some[:n] {
			t := &some[i]
			at := t.Time.UTC().Format("20060102150405")
			for _, url := range []string{t.Target, t.Redirect} {
				if url == "" {
					continue
				}
				may, err := r.mentions.May(ctx, e.ID, int(t.Harvest), at, url)
				if err != nil || !may {
					return false, err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// writePackage writes all files of a package, and removes its earlier ones.
func (r *run) writePackage(ctx context.Context, e *Entry) error {
	if r.dry {
		return nil
	}
	if err := r.change(ctx); err != nil {
		return err
	}
	w := &pkgWriter{run: r, id: e.ID, version: e.Version, generation: e.State[:8], whole: e.whole,
		byHost: map[string]map[[2]string]int64{}, containers: map[string]int64{}}
	if err := w.write(ctx, r.scan.packages[e.ID]); err != nil {
		w.abandon()
		return err
	}
	files, err := install(r.out, e.ID, r.tables, w.done)
	if err != nil {
		return err
	}
	e.Files, e.Without = files, w.without
	return r.finished(e)
}

// removePackage removes all files of a package.
func (r *run) removePackage(ctx context.Context, id string) error {
	if r.dry {
		return nil
	}
	if err := r.change(ctx); err != nil {
		return err
	}
	if err := clean(r.out, id, r.tables, nil); err != nil {
		return err
	}
	return r.finished(&Entry{ID: id})
}

// sweep removes files of packages that a broken-off run did not finish.
func (r *run) sweep() error {
	known := map[string]bool{}
	for id := range r.entries {
		known["crawl="+partition(id)] = true
	}
	for _, name := range r.tables {
		root := filepath.Join(r.out, name)
		entries, err := os.ReadDir(root)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if known[e.Name()] {
				continue
			}
			if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// intact removes files that an entry does not have, and reports whether those that it has are there.
func (r *run) intact(e *Entry) (bool, error) {
	keep := map[string]bool{}
	for _, f := range e.Files {
		name := filepath.Join(r.out, filepath.FromSlash(f.Path))
		info, err := os.Stat(name)
		if errors.Is(err, os.ErrNotExist) {
			return false, nil
		}
		if err != nil || info.Size() != f.Bytes {
			return false, err
		}
		keep[name] = true
	}
	return true, clean(r.out, e.ID, r.tables, keep)
}
