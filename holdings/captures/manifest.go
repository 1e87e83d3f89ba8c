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

// manifestName is the file that lists the parts of the index. Other files do not count: a file is
// first written, then listed.
const manifestName = "index.json"

// manifestVersion is the version of the files. An index of another version is rebuilt, because it
// is a cache. Without write permission, version 1 is still read; it has no places files.
const manifestVersion = 2

// manifest is the content of index.json.
type manifest struct {
	Version    int         `json:"version"`
	Next       int64       `json:"next"` // next number of containers and files
	Containers []Container `json:"containers"`
	Segments   []named     `json:"segments"` // largest first
}

// named is a pair of sorted files.
type named struct {
	Name   string `json:"name"`             // "000012": 000012.cdxj, 000012.payloads and 000012.places
	Lines  int64  `json:"lines"`            // lines of captures, including captures of removed containers
	Bytes  int64  `json:"bytes"`            // of all its files
	Places bool   `json:"places,omitempty"` // the places file exists
}

// Container is one indexed container of a package.
type Container struct {
	Package string `json:"package"`
	Path    string `json:"path"`              // in the package
	SHA512  string `json:"sha512"`            // of the file, hex: if unchanged, the container is not read again
	Harvest int    `json:"harvest,omitempty"` // in the package, from 1; 0 if it belongs to several, or to none

	Captures int64            `json:"captures"`           // its lines
	Unlisted int64            `json:"unlisted,omitempty"` // its lines of records that are not captures for readers
	Left     map[string]int64 `json:"leftOut,omitempty"`  // captures without a line, by reason
	Segments int64            `json:"segments,omitempty"` // parts of segmented records in it

	In int64 `json:"in"` // its number in the lines

	// Version is the version of its lines: see [Readers] and [Full]. Callers that add a container
	// or read its lines set the wanted version.
	Version int `json:"version,omitempty"`
	// PackageVersion is the version of the package in which a Reading finds the container. 0 means
	// the newest version.
	PackageVersion int `json:"-"`
	// Harvests are the harvests of all containers of the package, by path: segments are joined within one
	// harvest. [Index.Add] sets it; nil joins segments of all containers.
	Harvests map[string]int `json:"-"`
	// Size is the size of the file in the catalogue, in bytes; 0 if not set.
	Size int64 `json:"-"`
}

// Versions of the lines of a container. Lines of older packages (Readers) lack exact dates, flaws
// and framing, and dns and whois records. If they would lack other records too, the container is
// read again, and its lines are Full.
const (
	Readers = 1
	Full    = 2

	// segmented is the version for containers with parts of segmented records, also of parts that cannot be joined.
	segmented = 3
)

// Reasons for captures without a line, in Container.Left.
const (
	LeftCut     = cdxj.LeftCut
	LeftSegment = cdxj.LeftSegment
	LeftLong    = cdxj.LeftLong
	LeftNoURL   = cdxj.LeftNoURL
	LeftWebsite = cdxj.LeftWebsite
)

// versionOf returns the version of lines. A file that counts its segments has a line for each that can be joined: to
// read its container again would find no other.
func versionOf(h *cdxj.Header) int {
	if h.Version == Full && h.Segments != nil && h.Left[LeftSegment] > 0 {
		return segmented
	}
	return h.Version
}

// Suffices reports whether the stored lines of a container are sufficient for a wanted version, so
// that the container need not be read again. Lines of an older quire without ids are not
// sufficient. Lines of version 1 that omit undated records or ids are not sufficient either,
// because this data is stored nowhere else. Neither are lines of version 2 that omit segments.
func (c *Container) Suffices(version int) bool {
	switch {
	case c.Version < max(version, Readers) || c.Version < segmented && c.Left[LeftSegment] > 0:
		return false
	case c.Version < Full:
		return c.Left[cdxj.LeftNoDate]+c.Left[cdxj.LeftID] == 0
	}
	return true
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
	places             *segment // nil if missing
	users              int      // snapshots that use it; guarded by Index.mu
}

// snapshot is the immutable state of the index at one moment. Each reader holds one.
type snapshot struct {
	manifest   manifest
	info       fs.FileInfo // of index.json
	segments   []*files
	containers map[int64]*Container
}

// load opens the files listed in index.json, and reuses open segments.
func load(dir string, open map[string]*files) (*snapshot, error) {
	path := filepath.Join(dir, manifestName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &snapshot{manifest: manifest{Version: manifestVersion, Next: 1}, containers: map[int64]*Container{}}, nil
	}
	if err != nil {
		return nil, err
	}
	s := &snapshot{info: info}
	if s.manifest, err = readManifest(path); err != nil {
		return nil, err
	}
	if v := s.manifest.Version; v < 1 || v > manifestVersion {
		return nil, &brokenError{fmt.Errorf("%s has version %d, this quire requires %d", path, s.manifest.Version,
			manifestVersion)}
	}
	s.containers = make(map[int64]*Container, len(s.manifest.Containers))
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
			if errors.Is(err, fs.ErrNotExist) {
				err = &brokenError{err}
			}
			return nil, err // too many open files, for example, say nothing of the index
		}
		*part.to = s
		size += s.size
	}
	if size != n.Bytes {
		f.close()
		return nil, &brokenError{fmt.Errorf("%s has %d bytes instead of %d", filepath.Join(dir, n.Name), size,
			n.Bytes)}
	}
	return f, nil
}

// segments returns the open segments.
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

// brokenError reports that the index must be rebuilt.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "the capture index is unusable: " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// write puts a manifest into force.
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

// sweep removes leftovers of killed processes, and segments no longer listed.
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
