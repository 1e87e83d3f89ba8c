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

	// Kept returns the rules that the repository itself keeps, such as withdrawals; nil means none. It
	// is called at each query, and returns the same Set until they change. They apply in addition to
	// the file.
	Kept func() (*Set, error)
}

// Live is a rules file that is checked at each query. It is safe for concurrent use.
type Live struct {
	path    string
	options Options

	mu   sync.Mutex
	info fs.FileInfo // of the file as read; nil if there was none
	set  *Set
	err  error

	kept    *Set // the rules of the repository as last read, or those that close everything after an error
	keptErr error
	joined  joined
}

// joined is the rules of the file and of the repository together.
type joined struct{ file, kept, all *Set }

// Follow reads a rules file; an empty path means no rules. An invalid file is an error.
func Follow(path string, o Options) (*Live, error) {
	l := &Live{path: path, options: o, set: &Set{}, kept: &Set{}}
	l.keep()
	if path == "" {
		return l, l.keptErr
	}
	if _, err := os.Stat(path); l.never(err) {
		return l, l.keptErr
	}
	l.read()
	return l, errors.Join(l.err, l.keptErr)
}

// Now returns the current rules: those of the file, and those of the repository. If some are
// unreadable, everything that they may have closed is closed.
func (l *Live) Now() *Set {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keep()
	file := l.ofFile()
	if l.joined.file != file || l.joined.kept != l.kept {
		l.joined = joined{file, l.kept, Join(file, l.kept)}
	}
	return l.joined.all
}

// ofFile returns the current rules of the file.
func (l *Live) ofFile() *Set {
	if l.path == "" {
		return l.set
	}
	info, err := os.Stat(l.path)
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

// keep reads the rules of the repository, if it may have others than before.
func (l *Live) keep() {
	if l.options.Kept == nil {
		return
	}
	set, err := l.options.Kept()
	switch {
	case err == nil:
		l.kept = set
	case l.keptErr == nil || l.keptErr.Error() != err.Error():
		l.kept = &Set{closed: "the rules in the repository cannot be read: " + err.Error(), before: l.kept.hiding()}
	}
	was := l.keptErr
	l.keptErr = err
	l.report(was, err)
}

// Err returns the error of the file or of the rules in the repository, or nil.
func (l *Live) Err() error {
	l.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.err, l.keptErr)
}

// File returns the path of the file if it has rules, which only this file keeps; "" if it has none.
func (l *Live) File() string {
	l.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.set.Empty() {
		return ""
	}
	return l.path
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
	l.report(was, err)
}

// report calls the callback if rules became unreadable or readable.
func (l *Live) report(was, err error) {
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
