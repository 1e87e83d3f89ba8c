package aip

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"quire/internal/archivefs"
	"quire/internal/humanize"
	"strings"
)

// maxDepth is how many levels of folders are read.
const maxDepth = 200

// batch is how many entries of a folder are held at a time.
const batch = 1024

// walker visits everything in a package folder and opens no file.
type walker struct {
	ctx   context.Context
	root  *os.Root
	file  func(name string, info fs.FileInfo) // called for each regular file
	wrong func(*breach)                       // called for unexpected and unreadable entries
}

// walk goes through the folder. The error is from the context, or means that the folder itself
// cannot be read.
func (w *walker) walk() error {
	folders := []string{"."} // still to read
	for len(folders) > 0 {
		last := len(folders) - 1
		folder := folders[last]
		inside, err := w.folder(folder)
		if w.ctx.Err() != nil || err != nil && folder == "." {
			return fmt.Errorf("reading the folder %s: %w", w.root.Name(), cmp.Or(w.ctx.Err(), err))
		}
		if err != nil {
			w.wrong(breaks(CodeExtraFolder, folder, "is a folder that cannot be read: %v", err))
		}
		folders = append(folders[:last], inside...)
	}
	return nil
}

// folder visits the entries of one folder, and returns the folders among them.
func (w *walker) folder(name string) (inside []string, err error) {
	f, err := w.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	empty := true
	for err == nil && w.ctx.Err() == nil {
		var entries []fs.DirEntry
		entries, err = f.ReadDir(batch)
		for _, e := range entries {
			empty = false
			if child := path.Join(name, e.Name()); e.IsDir() {
				inside = append(inside, child)
			} else {
				w.entry(child)
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		return inside, err
	}
	if empty && name != "." {
		w.wrong(breaks(CodeExtraFolder, name, "is an empty folder"))
	}
	if len(inside) > 0 && strings.Count(name, "/") >= maxDepth {
		w.wrong(breaks(CodeExtraFolder, name, "has folders more than %d deep, which are not read", maxDepth))
		inside = nil
	}
	return inside, nil
}

// entry checks an entry that is not a folder.
func (w *walker) entry(name string) {
	info, err := w.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The entry was removed meanwhile. If the METS lists it, reading the file reports this.
	case err != nil:
		w.wrong(breaks(CodeFileRead, name, "cannot be examined: %v", err))
	case !info.Mode().IsRegular():
		w.wrong(breaks(CodeExtraKind, name, "is %s; a package holds files and folders only",
			archivefs.KindOf(info.Mode())))
	default:
		w.file(name, info)
	}
}

// start reports the number of bytes to read to Start.
func (v *validation) start() error {
	if v.o.Start == nil {
		return nil
	}
	total := int64(0)
	w := walker{ctx: v.ctx, root: v.root, file: func(_ string, info fs.FileInfo) {
		total += info.Size()
	}, wrong: func(*breach) {}}
	if err := w.walk(); err != nil {
		return err
	}
	v.o.Start(total)
	return nil
}

// checkExtra looks for files that the description does not list (clause 1.1). If the description
// was not read to its end, files are only counted.
func (v *validation) checkExtra(d *description) error {
	w := walker{ctx: v.ctx, root: v.root, wrong: v.findings.add, file: func(name string, info fs.FileInfo) {
		v.files++
		v.bytes += info.Size()
		if _, known := d.listing.paths[keyOf(name)]; !known && !d.broken && name != METSName && name != DigestName {
			v.findings.add(breaks(CodeExtraFile, name, "is in the folder, but %s does not list it", METSName))
		}
	}}
	err := w.walk()
	v.done[CheckExtra] = fmt.Sprintf("%s in the folder, %s", humanize.Count(v.files, "file"),
		humanize.Count(v.bytes, "byte"))
	return err
}
