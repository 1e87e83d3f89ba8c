package detect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quire/format/fault"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/httrack"
	"quire/source/plain"
)

// Options control the interpretation of a source. Open uses the zero value.
type Options struct {
	// URLPrefix is the base URL for files of an undocumented website. With it, all unrecognised
	// files count as a website; without it, only files that look like one.
	URLPrefix string
	// Dumps are files on this machine: database dumps of the Web Curator Tool, PANDAS or
	// NetarchiveSuite. Dumps in a source, or beside it, are found automatically.
	Dumps []string

	readers []source.Reader // replaces all readers, in tests
}

// Open opens folders, archives and single files, and detects the harvests in them. Files of one
// folder form one unit, as if the folder held no other files. Files that are no containers, such as
// a log, join the only other folder. The error is about an unreadable path; refused parts of a
// source are findings.
func Open(ctx context.Context, paths ...string) (*Source, error) {
	return Options{}.Open(ctx, paths...)
}

// Open is like the function Open, with options.
func (o Options) Open(ctx context.Context, paths ...string) (*Source, error) {
	for _, dump := range o.Dumps { // a reader opens them only if it finds a harvest of that system
		if _, err := os.Stat(dump); err != nil {
			return nil, err
		}
	}
	if o.readers == nil {
		o.readers = readersWith(o.Dumps)
	}
	site, err := plain.New(o.URLPrefix)
	if err != nil {
		return nil, err
	}
	s := &Source{Paths: paths, told: map[model.Finding]bool{}}
	err = s.open(paths)
	if err == nil {
		err = (&detection{Options: o, Source: s, site: site}).run(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// OpenTree detects the harvests in an open Tree. Closing the Source closes the Tree.
func OpenTree(ctx context.Context, t *archivefs.Tree) (*Source, error) {
	site, err := plain.New("")
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	s := &Source{Paths: []string{t.Path()}, told: map[model.Finding]bool{}, trees: []*archivefs.Tree{t}}
	if err := (&detection{Options: Options{readers: readersWith(nil)}, Source: s, site: site}).run(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// open opens a Tree for each folder and archive, and one Tree for the single files of each folder.
func (s *Source) open(paths []string) error {
	distinct, err := outermost(paths)
	if err != nil {
		return err
	}
	alone := map[string][]string{} // by folder
	at := map[string]int{}         // the index of its Tree in s.trees
	for _, p := range distinct {
		t, err := openTree(p)
		var machine *fs.PathError
		switch {
		case err == nil:
			s.trees = append(s.trees, t)
			continue
		case errors.Is(err, archivefs.ErrNotATree):
		case errors.As(err, &machine):
			return err
		default:
			s.find(archivefs.FaultTorn, model.Error, p, 0,
				"is an archive that cannot be opened, and is treated as a file: %v", err)
		}
		dir := filepath.Dir(p)
		if alone[dir] == nil {
			at[dir] = len(s.trees)
			s.trees = append(s.trees, archivefs.Of(dir, nil, nil))
		}
		alone[dir] = append(alone[dir], p)
	}
	for dir, files := range alone {
		t, err := treeOf(dir, files)
		if err != nil {
			return err
		}
		s.trees[at[dir]] = t
	}
	s.joinBeside()
	return nil
}

// openTree opens a folder or an archive. A cache of HTTrack is a zip, but not an archive of files.
func openTree(p string) (*archivefs.Tree, error) {
	if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
		head := make([]byte, 4<<10)
		f, err := os.Open(p)
		if err != nil {
			return nil, err
		}
		n, err := io.ReadFull(f, head)
		if closing := f.Close(); closing != nil {
			return nil, closing
		}
		if (err == nil || errors.Is(err, io.ErrUnexpectedEOF)) && httrack.IsCache(head[:n]) {
			return nil, archivefs.ErrNotATree
		}
	}
	return archivefs.Open(p)
}

// outermost removes repeated paths, and paths below another given folder.
func outermost(paths []string) ([]string, error) {
	var distinct []string
	absolute := make([]string, len(paths))
	for i, p := range paths {
		var err error
		if absolute[i], err = filepath.Abs(p); err != nil {
			return nil, err
		}
	}
	for i, p := range paths {
		within := false
		for j, other := range absolute {
			within = within || other == absolute[i] && j < i ||
				strings.HasPrefix(absolute[i], strings.TrimSuffix(other, "/")+"/")
		}
		if !within {
			distinct = append(distinct, filepath.Clean(p))
		}
	}
	return distinct, nil
}

// treeOf returns one Tree of the given files of a folder.
func treeOf(dir string, files []string) (*archivefs.Tree, error) {
	var parts []archivefs.Part
	for _, p := range files {
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is neither a folder nor a file", p)
		}
		open := func() (archivefs.Content, error) { return os.Open(p) }
		parts = append(parts, archivefs.Part{File: archivefs.File{Path: filepath.Base(p), Size: info.Size(),
			Modified: info.ModTime()}, Open: open})
	}
	return archivefs.Of(dir, parts, nil), nil
}

// find adds a finding about a file or archive of the source, once.
func (s *Source) find(code fault.Code, severity model.Severity, path string, offset int64, format string, args ...any) {
	f := model.Finding{Code: string(code), Severity: severity, Path: path, Offset: offset,
		Message: fmt.Sprintf(format, args...)}
	if !s.told[f] {
		s.told[f] = true
		s.Findings = append(s.Findings, f)
	}
}

// refused adds the refused parts of a Tree to the findings.
func (s *Source) refused(t *archivefs.Tree) {
	for _, f := range t.Faults() {
		severity := model.Warning
		switch f.Code {
		case archivefs.FaultPath, archivefs.FaultBomb, archivefs.FaultTorn: // this may lose content
			severity = model.Error
		case archivefs.FaultAlias:
			severity = model.Info
		}
		s.find(f.Code, severity, t.Path(), f.Offset, "%s", f.Detail)
	}
}
