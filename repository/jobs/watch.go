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
)

// WatchOptions say which deliveries become jobs.
type WatchOptions struct {
	Folders  []string      // each entry is a delivery, unless its name begins with a dot
	Complete Completeness  // when a delivery is complete
	Every    time.Duration // between two looks
	Once     bool          // look once
	// Call returns the job for a delivery, by its absolute path.
	Call func(path string) (Call, error)
	Log  func(Arrival)
}

// Arrival is a delivery that was looked at.
type Arrival struct {
	Time  time.Time `json:"time"`
	Path  string    `json:"path"`
	Job   int64     `json:"job,omitempty"`
	Error string    `json:"error,omitempty"` // the delivery cannot be read, or its manifest does not match
}

// Watch submits the deliveries that are complete, each once, until ctx ends. One that changes afterwards is
// submitted again.
func (q *Queue) Watch(ctx context.Context, o WatchOptions) error {
	w := &watch{queue: q, options: o, wrong: map[string]string{}}
	for {
		for _, folder := range o.Folders {
			if err := w.look(ctx, folder); err != nil {
				return err
			}
		}
		if o.Once || pause(ctx, o.Every) != nil {
			return nil
		}
	}
}

type watch struct {
	queue   *Queue
	options WatchOptions
	wrong   map[string]string // path → the state that was reported
}

// look looks at the deliveries of a folder.
func (w *watch) look(ctx context.Context, folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Type()&fs.ModeSymlink != 0 || isMarker(e.Name()) {
			continue
		}
		if ctx.Err() != nil {
			return nil // stopped, as asked
		}
		if err := w.consider(ctx, filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// consider submits a delivery, if it is complete and new. A delivery that cannot be read stops no other one.
func (w *watch) consider(ctx context.Context, path string) error {
	state, newest, err := stateOf(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it was moved away meanwhile
	}
	if err != nil {
		w.report(path, "", err)
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
	complete, err := w.options.Complete.of(path, newest)
	if err != nil {
		w.report(path, state, err)
	}
	if err != nil || !complete {
		return nil
	}
	call, ok := w.callFor(path, state)
	if !ok {
		return nil
	}
	made, err := w.queue.Submit(ctx, []Call{call})
	if err != nil {
		return err
	}
	// A kill in between makes the job twice, if it has ended. The other way round, it would be lost.
	_, err = w.queue.exec(ctx, "INSERT INTO jobs_arrivals (path, state) VALUES (?, ?) "+
		"ON CONFLICT (path) DO UPDATE SET state = excluded.state", storable(path), state)
	w.options.Log(Arrival{Time: time.Now().UTC(), Path: path, Job: made[0].Job})
	return err
}

// callFor returns the call for a delivery, if it is one that can be submitted.
func (w *watch) callFor(path, state string) (Call, bool) {
	call, err := w.options.Call(path)
	if err == nil {
		err = call.check()
	}
	if err != nil {
		w.report(path, state, err)
	}
	return call, err == nil
}

// report reports a wrong delivery, once for each of its states.
func (w *watch) report(path, state string, err error) {
	if state == "" || w.wrong[path] != state {
		w.options.Log(Arrival{Time: time.Now().UTC(), Path: path, Error: err.Error()})
	}
	w.wrong[path] = state
}

// stateOf returns a digest of the names, sizes and times of a delivery, and the newest of the times.
func stateOf(path string) (state string, newest time.Time, err error) {
	sum := sha256.New()
	err = filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
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
