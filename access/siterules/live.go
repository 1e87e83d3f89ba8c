package siterules

import (
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed own.yaml
var own string

// OwnText returns the file of our rules.
func OwnText() string { return own }

// Own returns our rules.
var Own = sync.OnceValue(func() *Set {
	s, err := Read(strings.NewReader(own), "Quire")
	if err != nil {
		panic(err) // it is part of the program, and tested
	}
	return s
})

// Live is our rules and those of a file, which is checked at each query. It is safe for concurrent
// use.
type Live struct {
	path    string
	problem func(error)

	mu   sync.Mutex
	info fs.FileInfo // of the file as read
	set  *Set
	err  error
}

// Follow reads a file; an empty path means our rules alone. An invalid file is an error. If the file
// becomes invalid later, problem is called once, and the rules before stay in force: they do not
// decide on access.
func Follow(path string, problem func(error)) (*Live, error) {
	if problem == nil {
		problem = func(error) {}
	}
	l := &Live{path: path, problem: problem, set: Own()}
	if path == "" {
		return l, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	set, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	l.info, l.set = info, Join(set, Own())
	return l, nil
}

// ReadFile reads the rules of a file.
func ReadFile(path string) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return Read(f, filepath.Base(path))
}

// Now returns the rules in force.
func (l *Live) Now() *Set {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.path == "" {
		return l.set
	}
	info, err := os.Stat(l.path)
	if err == nil && l.info != nil && os.SameFile(info, l.info) && info.Size() == l.info.Size() &&
		info.ModTime().Equal(l.info.ModTime()) {
		return l.set
	}
	var set *Set
	if err == nil {
		set, err = ReadFile(l.path)
	}
	l.info = info
	switch {
	case err == nil:
		l.set = Join(set, Own())
		if l.err != nil {
			l.problem(fmt.Errorf("the site rules in %s can be read again, and apply", l.path))
		}
	case l.err == nil || l.err.Error() != err.Error():
		l.problem(fmt.Errorf("site rules: %w; the rules before stay in force", err))
	}
	l.err = err
	return l.set
}
