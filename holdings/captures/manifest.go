package captures

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/disk"
	"quire/preserve/cdxj"
)

// manifestName is the file that says what the index is made of. What it does not name is not there:
// a file is written, then named.
const manifestName = "index.json"

// manifestVersion is that of the files. An index of another version is made again: it is a cache.
// Only where nobody may write one of version 1 is read, which has no files of places.
const manifestVersion = 2

// manifest is what stands in index.json.
type manifest struct {
	Version    int         `json:"version"`
	Next       int64       `json:"next"` // number of the next container, and of the next file
	Containers []Container `json:"containers"`
	Segments   []named     `json:"segments"` // the largest first
}

// named is a pair of sorted files.
type named struct {
	Name   string `json:"name"`             // "000012": 000012.cdxj, 000012.payloads and 000012.places
	Lines  int64  `json:"lines"`            // of captures, those of containers that are no longer there, too
	Bytes  int64  `json:"bytes"`            // of all its files
	Places bool   `json:"places,omitempty"` // it has the third file
}

// Container is one container of a package, as it stands in the index.
type Container struct {
	Package string `json:"package"`
	Path    string `json:"path"`              // in the package
	SHA512  string `json:"sha512"`            // of the file, hex: while it is the same, the container is not read again
	Harvest int    `json:"harvest,omitempty"` // in the package, from 1; 0 when it is of several, or of none

	Captures int64            `json:"captures"`           // lines that it has
	Unlisted int64            `json:"unlisted,omitempty"` // and those of records that are no captures for readers
	Left     map[string]int64 `json:"leftOut,omitempty"`  // records that are captures and have no line, by reason

	In int64 `json:"in"` // its number in the lines

	// Version is that of its lines: see [Readers] and [Full]. Who adds a container or reads its
	// lines says what it wants.
	Version int `json:"version,omitempty"`
	// PackageVersion is the version of the package in which a Reading looks for the container; 0 is
	// the newest.
	PackageVersion int `json:"-"`
	// Size is that of the file, in bytes, as the catalogue has it; 0 where nobody said.
	Size int64 `json:"-"`
}

// Versions of the lines of a container. Those of packages that were made before there was more have
// no dates as stated, flaws and framing, and no records of dns and whois. Where other records would
// be missing, too, the lines are of version Full.
const (
	Readers = 1
	Full    = 2
)

// Reasons why records that are captures have no line, in what was left out of a container.
const (
	LeftCut     = cdxj.LeftCut
	LeftSegment = cdxj.LeftSegment
	LeftLong    = cdxj.LeftLong
	LeftNoURL   = cdxj.LeftNoURL
	LeftWebsite = cdxj.LeftWebsite
)

// Suffices reports whether the lines of a container need not be read again by who wants a version
// of them. Those that an older quire put into the index, without ids, do not; nor do those of
// version 1 that leave out undated records, or ids, which have no other place to be found in.
func (c *Container) Suffices(version int) bool {
	return c.Version >= max(version, Readers) && (c.Version >= Full || c.Left[cdxj.LeftNoDate]+c.Left[cdxj.LeftID] == 0)
}

const (
	capturesExt = ".cdxj"
	payloadsExt = ".payloads"
	placesExt   = ".places"
)

// files are the open files of a segment.
type files struct {
	named
	captures, payloads *segment
	places             *segment // nil when it has none
	users              int      // snapshots that have it; Index.mu is held
}

// snapshot is what the index is at one moment. Who reads holds one, so that nothing changes under
// him.
type snapshot struct {
	manifest   manifest
	info       fs.FileInfo // of index.json
	segments   []*files
	containers map[int64]*Container
}

// load reads what index.json names; segments that are open already are taken over.
func load(dir string, open map[string]*files) (*snapshot, error) {
	path := filepath.Join(dir, manifestName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &snapshot{manifest: manifest{Version: manifestVersion, Next: 1}, containers: map[int64]*Container{}}, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &snapshot{info: info, containers: map[int64]*Container{}}
	if err := json.Unmarshal(text, &s.manifest); err != nil {
		return nil, &brokenError{fmt.Errorf("%s: %w", path, err)}
	}
	if v := s.manifest.Version; v < 1 || v > manifestVersion {
		return nil, &brokenError{fmt.Errorf("%s is of version %d, this quire has %d", path, s.manifest.Version,
			manifestVersion)}
	}
	for i := range s.manifest.Containers {
		c := &s.manifest.Containers[i]
		s.containers[c.In] = c
	}
	for _, n := range s.manifest.Segments {
		f := open[n.Name]
		if f == nil {
			if f, err = openFiles(dir, n); err != nil {
				s.closeBut(open)
				return nil, err
			}
		}
		s.segments = append(s.segments, f)
	}
	return s, nil
}

func openFiles(dir string, n named) (*files, error) {
	f := &files{named: n}
	size := int64(0)
	for _, part := range []struct {
		ext string
		to  **segment
	}{{capturesExt, &f.captures}, {payloadsExt, &f.payloads}, {placesExt, &f.places}} {
		if part.ext == placesExt && !n.Places {
			continue
		}
		s, err := openSegment(filepath.Join(dir, n.Name+part.ext))
		if err != nil {
			f.close()
			return nil, &brokenError{err}
		}
		*part.to = s
		size += s.size
	}
	if size != n.Bytes {
		f.close()
		return nil, &brokenError{fmt.Errorf("%s has %d bytes, written were %d", filepath.Join(dir, n.Name), size,
			n.Bytes)}
	}
	return f, nil
}

// segments are those that are open.
func (f *files) segments() []*segment {
	return slices.DeleteFunc([]*segment{f.captures, f.payloads, f.places}, func(s *segment) bool { return s == nil })
}

func (f *files) close() {
	for _, s := range f.segments() {
		s.close()
	}
}

func (s *snapshot) closeBut(open map[string]*files) {
	for _, f := range s.segments {
		if open[f.Name] != f {
			f.close()
		}
	}
}

// brokenError is what is wrong with an index that has to be made again.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "the capture index cannot be used: " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// write puts a manifest in force.
func (m *manifest) write(dir string) error {
	m.Version = manifestVersion
	slices.SortFunc(m.Segments, func(a, b named) int { return int(min(max(b.Bytes-a.Bytes, -1), 1)) })
	return disk.Write(filepath.Join(dir, manifestName), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		e.SetEscapeHTML(false)
		return e.Encode(m)
	})
}

// sweep takes away what a process left that was killed, and segments that nobody names any more.
func sweep(dir string, m *manifest) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, ext := e.Name(), filepath.Ext(e.Name())
		kept := !slices.Contains([]string{capturesExt, payloadsExt, placesExt}, ext) ||
			slices.ContainsFunc(m.Segments, func(n named) bool { return n.Name+ext == name })
		if kept && !strings.HasPrefix(name, ".sort-") && !strings.HasPrefix(name, ".quire-") {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
