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

// Options have the callbacks of a Live.
type Options struct {
	Problem  func(error) // called when the file has become wrong, or is right again; may be nil
	Location *time.Location

	// Optional says that the file need not be there: while it never was there are no rules. When it
	// goes away it closes all that it may have closed, as any other.
	Optional bool
}

// Live is a file of rules that is checked at each question. It is used from many goroutines.
type Live struct {
	path    string
	options Options

	mu   sync.Mutex
	info fs.FileInfo // of the file read; nil without a file
	set  *Set
	err  error
}

// Follow reads a file of rules; without a path there are none, ever. A file with an error is one.
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

// Now gives the rules as they stand in the file at this moment. When it cannot be read, they close
// all that it may have closed.
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

// never says whether looking for the file shows that it need not be there, and never was.
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

// same reports whether a file is unchanged. One written within the second may be written again in
// it.
func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// lost notes that the file is not there.
func (l *Live) lost(err error) {
	if l.info == nil && l.err != nil {
		return // it was reported
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
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", l.path)
	}
	if err != nil {
		l.lost(err)
		return
	}
	set, err := Read(f, filepath.Base(l.path))
	l.info = info
	l.become(set, err)
}

// become takes over rules, and calls the callbacks.
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
		l.options.Problem(fmt.Errorf("the rules of access: %w; until that is mended, nothing is handed out that they "+
			"may have closed", err))
	case err == nil && was != nil:
		l.options.Problem(errors.New("the rules of access can be read again: they hold"))
	}
}
