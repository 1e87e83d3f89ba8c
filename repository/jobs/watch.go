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
		if o.Once || stopped(ctx, o.Every) {
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
		if stopped(ctx, 0) {
			break
		}
		if err := w.consider(ctx, filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// stopped waits, and reports whether the watch is stopped.
func stopped(ctx context.Context, d time.Duration) bool { return pause(ctx, d) != nil }

// consider submits a delivery, if it is complete and new. A delivery that cannot be read stops no other one.
func (w *watch) consider(ctx context.Context, path string) error {
	state, newest, err := stateOf(path)
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
	complete, err := w.options.Complete.of(path, newest)
	if w.reported(path, state, err) || !complete {
		return nil
	}
	call, err := w.options.Call(path)
	if err == nil {
		err = call.check()
	}
	if w.reported(path, state, err) {
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
