package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"quire/internal/disk"
	"quire/repository/place"
)

// The spool has a folder for each state of a delivery of a place: STATE/NAME, and STATE.job with the number of its
// job. When the job is done, both are removed.
const (
	spooledState = 16     // characters
	jobEnd       = ".job" // behind the state
	partEnd      = ".part"
)

// errChanged reports a delivery that changed while it was fetched.
var errChanged = errors.New("the delivery changes")

// fetch copies the delivery into the spool, in one step. A manifest must match then.
func (d *inPlace) fetch(ctx context.Context, state string, by *Completeness) (string, error) {
	folder := filepath.Join(d.spool, state[:spooledState])
	target := filepath.Join(folder, d.base)
	if !filepath.IsLocal(d.base) || strings.ContainsAny(d.base, "\\\x00") {
		return "", fmt.Errorf("%q cannot be the name of a file", d.base)
	}
	if _, err := os.Lstat(target); err == nil { // fetched before, and not acknowledged
		return target, nil
	}
	part := folder + "." + newID() + partEnd
	if err := os.MkdirAll(part, 0o777); err != nil { //nolint:gosec // the umask decides, as for the repository
		return "", &unreadableError{err}
	}
	err := d.copyTo(ctx, part, state)
	if err == nil && by.kind == byManifest {
		var ok bool
		if ok, err = matchesManifest(filepath.Join(part, d.base)); err == nil && !ok {
			err = errChanged
		}
	}
	if err == nil {
		err = disk.SyncFolders(part)
	}
	if err == nil {
		if err = os.Rename(part, folder); errors.Is(err, fs.ErrExist) {
			err = nil // another watch was faster
		}
	}
	if err == nil {
		err = disk.SyncFolder(d.spool)
	}
	if failed := os.RemoveAll(part); err == nil {
		err = failed
	}
	switch {
	case errors.Is(err, errChanged):
		return "", nil
	case err == nil, errors.Is(err, errMismatch):
		return target, err
	}
	return "", &unreadableError{err}
}

// copyTo copies the files of the delivery, and then reads the list again: nothing may have changed.
func (d *inPlace) copyTo(ctx context.Context, folder, state string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // each file is closed
	for _, write := range []bool{true, false} {
		again := newInPlace(d.place, d.base, "")
		for e, err := range d.place.List(ctx, d.prefix()) {
			if err != nil {
				return err
			}
			if d.isFile && e.Name != d.base {
				continue
			}
			again.add(e)
			if write {
				if err := d.copyFile(ctx, root, e); err != nil {
					return err
				}
			}
		}
		if now, _, _ := again.state(); now != state {
			return errChanged
		}
	}
	return nil
}

// prefix begins the names of the files of the delivery.
func (d *inPlace) prefix() string {
	if d.isFile {
		return d.base
	}
	return d.base + "/"
}

// copyFile copies a file, and compares its size. A name that could lead out of the folder is an error of the root.
func (d *inPlace) copyFile(ctx context.Context, root *os.Root, e place.Entry) (err error) {
	name := filepath.FromSlash(e.Name)
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	from, err := d.place.Open(ctx, e.Name, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	n, err := io.Copy(to, io.LimitReader(from, e.Size+1))
	if err == nil && n != e.Size {
		err = fmt.Errorf("%s: %w", e.Name, errChanged)
	}
	if err == nil {
		err = to.Sync()
	}
	return errors.Join(err, to.Close())
}

// submitted keeps the job of a delivery, beside it.
func (d *inPlace) submitted(path string, job int64) error {
	return disk.Write(filepath.Dir(path)+jobEnd, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, job)
		return err
	})
}

// tidy removes deliveries from the spool whose jobs are done, and what killed watches left. Others stay, for people.
func (w *watch) tidy(ctx context.Context) error {
	if w.options.Spool == "" {
		return nil
	}
	entries, err := os.ReadDir(w.options.Spool)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(w.options.Spool, e.Name())
		if strings.HasSuffix(e.Name(), partEnd) {
			info, err := e.Info()
			if err == nil && time.Since(info.ModTime()) > day {
				err = os.RemoveAll(path)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if !strings.HasSuffix(e.Name(), jobEnd) {
			continue
		}
		if err := w.removeDone(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// removeDone removes a delivery from the spool, if its job is done, or a job that went on for it.
func (w *watch) removeDone(ctx context.Context, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	for err == nil && id > 0 {
		var j Job
		j, err = w.queue.Get(ctx, id)
		if errors.Is(err, ErrNoJob) {
			return nil // of another catalogue, or it ended long ago
		}
		if err == nil && j.State == Done {
			// The number goes last: without it, nothing would remove the rest.
			return errors.Join(os.RemoveAll(strings.TrimSuffix(path, jobEnd)), os.Remove(path))
		}
		id = j.Continued
	}
	return err
}
