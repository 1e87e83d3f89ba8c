package rights

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Options holds the callbacks of a Live.
type Options struct {
	Problem  func(error) // called when the file becomes invalid or valid; may be nil
	Location *time.Location

	// Optional allows a missing file: until the file first exists, there are no rules. If the file
	// is removed later, all content that it may have closed stays closed.
	Optional bool
}

// Live is a rules file that is checked at each query. It is safe for concurrent use.
type Live struct {
	path    string
	options Options

	mu   sync.Mutex
	info fs.FileInfo // of the file as read; nil if there was none
	set  *Set
	err  error
}

// Follow reads a rules file; an empty path means no rules. An invalid file is an error.
func Follow(path string, o Options) (*Live, error) {
	l := &Live{path: path, options: o, set: &Set{}}
	if path == "" {
		return l, nil
	}
	if _, err := os.Stat(path); l.never(err) {
		return l, nil
	}
	l.read()
	return l, l.err
}

// Now returns the current rules of the file. If it is unreadable, everything that it may have
// closed is closed.
func (l *Live) Now() *Set {
	if l.path == "" {
		return l.set
	}
	info, err := os.Stat(l.path)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.never(err) {
		return l.set
	}
	if err != nil {
		l.lost(err)
		return l.set
	}
	if l.info == nil || !same(info, l.info) {
		l.read()
	}
	return l.set
}

// never reports whether the file is optional, and never existed.
func (l *Live) never(err error) bool {
	return l.options.Optional && l.info == nil && l.err == nil && errors.Is(err, fs.ErrNotExist)
}

// Err returns the error of the file, or nil.
func (l *Live) Err() error {
	l.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// same reports whether a file looks unchanged, by identity, size and modification time. It misses a
// second write of equal size within the resolution of the timestamp.
func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// lost records that the file is missing.
func (l *Live) lost(err error) {
	if l.info == nil && l.err != nil {
		return // already reported
	}
	l.info = nil
	l.become(&Set{closed: "the rules cannot be read: " + err.Error()}, err)
}

func (l *Live) read() {
	f, err := os.Open(l.path)
	if err != nil {
		l.lost(err)
		return
	}
	defer func() { _ = f.Close() }() // only read
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", l.path)
	}
	if err != nil {
		l.lost(err)
		return
	}
	set, err := Read(f, filepath.Base(l.path))
	l.info = info
	l.become(set, err)
}

// become installs rules, and calls the callbacks.
func (l *Live) become(set *Set, err error) {
	was := l.err
	if set.before = l.set; l.set.closed != "" {
		set.before = l.set.before
	}
	if set.closed == "" {
		set.before = nil
	}
	l.set, l.err = set, err
	if l.options.Problem == nil {
		return
	}
	switch {
	case err != nil && (was == nil || was.Error() != err.Error()):
		l.options.Problem(fmt.Errorf("access rules: %w; until this is repaired, everything that they may "+
			"have closed is withheld", err))
	case err == nil && was != nil:
		l.options.Problem(errors.New("the access rules are readable again, and apply"))
	}
}
