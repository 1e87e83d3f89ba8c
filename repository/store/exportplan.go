package store

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"quire/repository/catalogue"
)

// foresee lists the files of the export, with the copies that would have to stand in for another.
func (e *export) foresee(ctx context.Context) ([]ExportedFile, error) {
	files := []ExportedFile{}
	var wrong problems
	for _, path := range slices.Sorted(maps.Keys(e.state)) {
		size, err := e.store.catalogue.SizeOf(ctx, e.card.ID, e.state[path])
		if err != nil {
			return nil, err
		}
		e.look(path, size, &wrong)
		files = append(files, ExportedFile{Path: path, Size: size})
	}
	return files, wrong.err("package " + e.card.ID + " cannot be exported completely")
}

// Look returns a [*ContentError] if no copy has a file of the right size for one of the files of a
// version of a package. It reads no content.
func (s *Store) Look(ctx context.Context, id string, version int, files []catalogue.File) error {
	e, err := s.reading(ctx, id, version)
	if err != nil {
		return err
	}
	var wrong problems
	for _, f := range files {
		e.look(f.Path, f.Size, &wrong)
	}
	return wrong.err("package " + id + " cannot be exported completely")
}

// look finds the first copy that has a file of the right size.
func (e *export) look(path string, size int64, wrong *problems) {
	name := e.content[e.state[path]]
	var found []Finding
	for _, c := range e.copies {
		f := Finding{Copy: c.name, Package: e.card.ID, File: name}
		info, err := os.Lstat(filepath.Join(c.object(e.card.Path), filepath.FromSlash(name)))
		switch {
		case err != nil && notThere(err):
			f.Code, f.Detail = MissingFile, "is missing"
		case err != nil:
			f.Code, f.Detail = UnreadableFile, err.Error()
		case !info.Mode().IsRegular():
			f.Code, f.Detail = UnreadableFile, "is no file"
		case info.Size() != size:
			f.Code, f.Detail = WrongSize, "has the wrong size"
			f.Expected, f.Found = fmt.Sprintf("%d bytes", size), fmt.Sprintf("%d bytes", info.Size())
		default:
			e.result.Files++
			e.result.Bytes += size
			e.result.Fallbacks = append(e.result.Fallbacks, found...)
			return
		}
		found = append(found, f)
	}
	for _, f := range found {
		wrong.add(path, "%s", f)
	}
}
