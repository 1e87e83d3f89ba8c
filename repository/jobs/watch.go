package jobs

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/repository/place"
)

// WatchOptions say which deliveries become jobs.
type WatchOptions struct {
	// Sources are folders, and places such as s3://BUCKET/PREFIX. Each entry of one is a delivery, unless its name
	// begins with a dot.
	Sources  []string
	Spool    string        // an absolute folder, into which deliveries of places are fetched
	Complete Completeness  // when a delivery is complete
	Every    time.Duration // between two looks
	Once     bool          // look once
	// Call returns the job for a delivery, by its absolute path and its source.
	Call func(path, source string) (Call, error)
	Log  func(Arrival)
}

// Arrival is a delivery that was looked at.
type Arrival struct {
	Time    time.Time `json:"time"`
	Path    string    `json:"path"`              // or its address
	Fetched string    `json:"fetched,omitempty"` // where a delivery of a place is
	Job     int64     `json:"job,omitempty"`
	Error   string    `json:"error,omitempty"` // the delivery cannot be read, or its manifest does not match
}

// delivery is an entry of a source.
type delivery interface {
	// name returns the path or address of the delivery, and that of its source.
	name() (path, source string)
	// state returns a text that changes with the delivery, and the newest time of its files.
	state() (state string, newest time.Time, err error)
	// complete reports whether all of it is there. The error says that its manifest does not match.
	complete(ctx context.Context, by *Completeness, newest time.Time) (bool, error)
	// fetch returns a folder or file with it that a command can read, "" if it changed meanwhile.
	fetch(ctx context.Context, state string, by *Completeness) (path string, err error)
	// submitted keeps the job of what was fetched.
	submitted(path string, job int64) error
}

// Watch submits the deliveries that are complete, each once, until ctx ends. One that changes afterwards is
// submitted again. A source that cannot be read at the first look ends the watch; later, it is looked at again.
func (q *Queue) Watch(ctx context.Context, o WatchOptions) error {
	w := &watch{queue: q, options: o, wrong: map[string]string{}, failed: map[string]string{},
		forgotten: map[string]time.Time{}}
	known := map[string]bool{} // the sources that were read once
	for {
		if err := w.tidy(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		for _, source := range o.Sources {
			err := w.look(ctx, source)
			if err == nil && ctx.Err() == nil {
				known[source] = true
				err = w.forget(ctx, source)
			}
			var unreadable *unreadableError
			if errors.As(err, &unreadable) && known[source] && ctx.Err() == nil {
				w.failure(source, unreadable.err)
				continue
			}
			if err != nil && ctx.Err() == nil {
				return err
			}
		}
		if o.Once || stopped(ctx, o.Every) {
			return nil
		}
	}
}

type watch struct {
	queue   *Queue
	options WatchOptions
	wrong   map[string]string // path → the state that was reported
	failed  map[string]string // path → the failure that was reported; it is tried again

	forgotten map[string]time.Time // source → the last run of forget
}

// unreadableError reports a source or a delivery that cannot be read now. The next look tries again.
type unreadableError struct{ err error }

func (e *unreadableError) Error() string { return e.err.Error() }
func (e *unreadableError) Unwrap() error { return e.err }

// look looks at the deliveries of a source.
func (w *watch) look(ctx context.Context, source string) error {
	if place.IsURL(source) {
		return w.lookAtPlace(ctx, source)
	}
	folder, err := filepath.Abs(source)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return &unreadableError{err}
	}
	for _, e := range entries {
		if isHidden(e.Name()) || e.Type()&fs.ModeSymlink != 0 || isMarker(e.Name()) {
			continue
		}
		if stopped(ctx, 0) {
			break
		}
		if err := w.consider(ctx, inFolder(filepath.Join(folder, e.Name()))); err != nil {
			return err
		}
	}
	return nil
}

func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

// inFolder is a delivery in a folder, by its absolute path.
type inFolder string

func (d inFolder) name() (path, source string) { return string(d), filepath.Dir(string(d)) }

func (d inFolder) complete(_ context.Context, by *Completeness, newest time.Time) (bool, error) {
	return by.of(string(d), newest)
}

func (d inFolder) fetch(context.Context, string, *Completeness) (string, error) {
	return string(d), nil
}

func (d inFolder) submitted(string, int64) error { return nil }

// stopped waits, and reports whether the watch is stopped.
func stopped(ctx context.Context, d time.Duration) bool { return pause(ctx, d) != nil }

// consider submits a delivery, if it is complete and new. A delivery that cannot be read stops no other one.
func (w *watch) consider(ctx context.Context, d delivery) error {
	path, source := d.name()
	state, newest, err := d.state()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it was moved away meanwhile
	}
	if w.reported(path, "", err) {
		return nil
	}
	var was string
	err = w.queue.row(ctx, "SELECT state FROM jobs_arrivals WHERE path = ?", storable(path)).Scan(&was)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if was == state || w.wrong[path] == state {
		return nil
	}
	local, err := w.options.localOf(ctx, d, state, newest)
	var unreadable *unreadableError
	switch {
	case errors.As(err, &unreadable):
		if ctx.Err() == nil {
			w.failure(path, err)
		}
		return nil
	case w.reported(path, state, err) || local == "":
		return nil
	}
	delete(w.failed, path)
	call, err := w.options.Call(local, source)
	if err == nil {
		err = call.check()
	}
	if w.reported(path, state, err) {
		return nil
	}
	return w.submit(ctx, d, call, local, state)
}

// localOf returns the path of a delivery that is complete, "" if it is not.
func (o *WatchOptions) localOf(ctx context.Context, d delivery, state string, newest time.Time) (string, error) {
	complete, err := d.complete(ctx, &o.Complete, newest)
	if err != nil || !complete {
		return "", err
	}
	return d.fetch(ctx, state, &o.Complete)
}

// submit submits the job of a delivery.
func (w *watch) submit(ctx context.Context, d delivery, call Call, local, state string) error {
	made, err := w.queue.Submit(ctx, []Call{call})
	if err != nil {
		return err
	}
	path, _ := d.name()
	a := Arrival{Time: time.Now().UTC(), Path: path, Job: made[0].Job}
	if local != path {
		a.Fetched = local
	}
	w.options.Log(a)
	if err := d.submitted(local, made[0].Job); err != nil {
		return err
	}
	if made[0].Already { // that job may have begun before the change: the next look submits another one
		return nil
	}
	// A kill in between makes the job twice, if it has ended. The other way round, it would be lost.
	_, err = w.queue.exec(ctx, "INSERT INTO jobs_arrivals (path, state, job) VALUES (?, ?, ?) "+
		"ON CONFLICT (path) DO UPDATE SET state = excluded.state, job = excluded.job, gone = NULL", storable(path),
		state, made[0].Job)
	return err
}

// failure reports what the next look tries again, once for each reason.
func (w *watch) failure(path string, err error) {
	if w.failed[path] != err.Error() {
		w.options.Log(Arrival{Time: time.Now().UTC(), Path: path, Error: err.Error()})
	}
	w.failed[path] = err.Error()
}

// reported reports a wrong delivery, once for each of its states. It returns false without an error.
func (w *watch) reported(path, state string, err error) bool {
	if err == nil {
		return false
	}
	if state == "" || w.wrong[path] != state {
		w.options.Log(Arrival{Time: time.Now().UTC(), Path: path, Error: err.Error()})
	}
	w.wrong[path] = state
	return true
}

// state returns a digest of the names, sizes and times of a delivery, and the newest of the times.
func (d inFolder) state() (state string, newest time.Time, err error) {
	sum := sha256.New()
	err = filepath.WalkDir(string(d), func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		_, err = fmt.Fprintf(sum, "%q %v %d %d\n", name, info.Mode().Type(), info.Size(), info.ModTime().UnixNano())
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), newest, err
}
