package research

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"quire/holdings"
	"quire/internal/disk"
)

// The files of an export beside its tables. Spark and Hive skip names that begin with "_" or ".".
const (
	// ManifestName is the list of all files. It is written last: without it, the export is not complete.
	ManifestName = "manifest.json"
	baseName     = "_earlier.json"    // the manifest of the earlier run, while a run goes on
	journalName  = "_unfinished.json" // one line for each package that a run has finished
	lockName     = ".lock"
)

// manifestFormat is the first member of a manifest.
const manifestFormat = "quire-parquet-1"

// columnsVersion is the version of the columns of all tables. A package whose tables have those of another
// version is written again: programs read all files of a table with the columns of one.
//
//	1  the first; its number is absent
//	2  captures has the parts of a host, and its private suffix and domain
const columnsVersion = 2

// Manifest lists an export.
type Manifest struct {
	Format     string         `json:"format"`
	Export     string         `json:"export"`     // its id in the register of exports of the repository
	Repository string         `json:"repository"` // UUID
	For        holdings.Class `json:"for"`
	Tables     []string       `json:"tables"`
	Software   string         `json:"software"`
	Finished   time.Time      `json:"finished"` // the last run
	// Closed is a sealed digest of all captures that are not open to the readers.
	Closed   string  `json:"closed"`
	Packages []Entry `json:"packages"` // sorted by id
}

// Entry is a package in a manifest.
type Entry struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
	State   string `json:"state"` // a sealed digest of its content, and of access to it; "" if it was removed
	// Closed is the digest of closed captures for which its links were checked.
	Closed string `json:"closed"`
	// Columns is the version of the columns of its tables; absent for the first.
	Columns int `json:"columns,omitempty"`
	// Without reports that links or redirects are left out, because their targets are not open to the readers.
	Without bool   `json:"without,omitempty"`
	Files   []File `json:"files"`

	whole bool // the readers see the whole package
}

// folder is the folder of an export, locked for this process.
type folder struct {
	path    string
	head    Manifest          // of the earlier run, without packages
	entries map[string]*Entry // that the export has now
	journal *os.File
	resumed bool // an earlier run was broken off
}

// load reads the state of an export: the earlier manifest, and the packages that a broken-off run finished.
func load(path string) (*folder, error) {
	f := &folder{path: path, entries: map[string]*Entry{}}
	for _, name := range []string{baseName, ManifestName} {
		m, err := readManifest(filepath.Join(path, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := range m.Packages {
			f.entries[m.Packages[i].ID] = &m.Packages[i]
		}
		f.resumed = name == baseName
		m.Packages = nil
		f.head = *m
		break
	}
	return f, f.replay()
}

func readManifest(path string) (*Manifest, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	err = json.NewDecoder(bufio.NewReader(in)).Decode(m)
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w; export into another folder", path, err)
	}
	if m.Format != manifestFormat {
		return nil, fmt.Errorf("%s: its format is %.40q, not %s; export into another folder", path, m.Format,
			manifestFormat)
	}
	return m, nil
}

// replay applies the journal of a broken-off run. Its last line may be incomplete.
func (f *folder) replay() error {
	name := filepath.Join(f.path, journalName)
	in, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	f.resumed = true
	lines := bufio.NewReader(in)
	for first := true; ; first = false {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if first {
			if err := json.Unmarshal(line, &f.head); err != nil || f.head.Format != manifestFormat {
				return fmt.Errorf("%s: its first line is damaged; export into another folder", name)
			}
			continue
		}
		e := &Entry{}
		if err := json.Unmarshal(line, e); err != nil {
			return fmt.Errorf("%s: a line is damaged: %w; export into another folder", name, err)
		}
		f.put(e)
	}
}

// put sets the entry of a package, or removes it.
func (f *folder) put(e *Entry) {
	if e.State == "" {
		delete(f.entries, e.ID)
		return
	}
	f.entries[e.ID] = e
}

// begin starts to change the export: from here on it has no manifest.
func (f *folder) begin() error {
	manifest, base := filepath.Join(f.path, ManifestName), filepath.Join(f.path, baseName)
	if f.resumed { // the journal is joined with the base, so that a further break loses nothing
		if err := disk.Write(base, func(w io.Writer) error { return f.write(w, &f.head) }); err != nil {
			return err
		}
		if err := remove(filepath.Join(f.path, journalName), manifest); err != nil {
			return err
		}
	} else if err := os.Rename(manifest, base); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var err error
	if f.journal, err = os.OpenFile(filepath.Join(f.path, journalName), os.O_WRONLY|os.O_CREATE|os.O_TRUNC,
		0o644); err != nil {
		return err
	}
	if err := f.line(&f.head); err != nil {
		return err
	}
	return disk.SyncFolder(f.path)
}

func (f *folder) line(value any) error {
	text, err := json.Marshal(value)
	if err == nil {
		_, err = f.journal.Write(append(text, '\n'))
	}
	return errors.Join(err, f.journal.Sync())
}

// finished records a package of which all files are in place.
func (f *folder) finished(e *Entry) error {
	f.put(e)
	return f.line(e)
}

// end writes the manifest, and removes the files of the run.
func (f *folder) end(head *Manifest) error {
	err := f.journal.Close()
	f.journal = nil
	if err != nil {
		return err
	}
	err = disk.Write(filepath.Join(f.path, ManifestName), func(w io.Writer) error { return f.write(w, head) })
	if err != nil {
		return err
	}
	return remove(filepath.Join(f.path, journalName), filepath.Join(f.path, baseName))
}

// write writes a manifest, with one line for each package.
func (f *folder) write(to io.Writer, head *Manifest) error {
	head.Packages = []Entry{}
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(to)
	_, _ = w.Write(bytes.TrimSuffix(text, []byte("]}"))) // Flush returns the error
	for i, id := range f.ids() {
		if text, err = json.Marshal(f.entries[id]); err != nil {
			return err
		}
		if i > 0 {
			_ = w.WriteByte(',')
		}
		_ = w.WriteByte('\n')
		_, _ = w.Write(text)
	}
	_, _ = w.WriteString("\n]}\n")
	return w.Flush()
}

// ids returns the packages of the export, sorted.
func (f *folder) ids() []string { return slices.Sorted(maps.Keys(f.entries)) }

func remove(names ...string) error {
	for _, name := range names {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
