package atomicdir

import (
	"io"
	"os"
	"path/filepath"
)

// For returns a workplace next to out. For a dry run, the workplace is in the system's folder of
// temporary files. All files created in it are counted and discarded, and Install does nothing.
func For(out string, dryRun bool) (*Workplace, error) {
	if !dryRun {
		return Beside(out)
	}
	w, err := newIn(os.TempDir(), 0o700) // nobody else may look into it, or has to remove it
	if err != nil {
		return nil, err
	}
	w.trial = true
	return w, nil
}

// File is a file of the result while it is written.
type File interface {
	io.Writer
	Sync() error
	Close() error
}

// PlannedFile is a file that a dry run would have made.
type PlannedFile struct {
	Path string `json:"path"`  // below the folder of the result, with slashes
	Size int64  `json:"bytes"` // as it would have been
}

// Create makes a file of the result, and the folders above it. The name is a path below the result,
// with slashes. An existing file is an error.
func (w *Workplace) Create(name string) (File, error) {
	if w.trial {
		return &discarded{w: w, made: PlannedFile{Path: name}}, nil
	}
	path := filepath.Join(w.path, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// Planned returns the files of a dry run that were closed, in that order.
func (w *Workplace) Planned() []PlannedFile { return w.discarded }

// discarded counts the bytes written to it and discards them.
type discarded struct {
	w      *Workplace
	made   PlannedFile
	closed bool
}

// Write implements io.Writer.
func (d *discarded) Write(p []byte) (int, error) {
	d.made.Size += int64(len(p))
	return len(p), nil
}

// Sync implements File.
func (d *discarded) Sync() error { return nil }

// Close implements File.
func (d *discarded) Close() error {
	if !d.closed {
		d.closed = true
		d.w.discarded = append(d.w.discarded, d.made)
	}
	return nil
}
