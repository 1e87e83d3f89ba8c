package recordfile

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"quire/format/inflate"
	"quire/internal/disk"
)

// Unfinished is the ending of a file's name until the file is complete. Heritrix uses the same
// ending.
const Unfinished = ".open"

// file is a file that a Writer made.
type file struct {
	path string
	*os.File
	buffer *bufio.Writer
}

// Write collects bytes, which the end of each record flushes.
func (f *file) Write(p []byte) (int, error) { return f.buffer.Write(p) }

// cutAt truncates the file after its last complete record, and discards the collected bytes.
func (f *file) cutAt(whole int64) bool {
	f.buffer.Reset(f.File)
	if err := f.Truncate(whole); err != nil {
		return false
	}
	_, err := f.Seek(whole, io.SeekStart)
	return err == nil
}

// Create makes the file of that path. Until Close its name ends in [Unfinished]. Where o names no
// compression, the name does: .gz is gzip, .zst Zstandard. It fails with fs.ErrExist where a file
// of either name is there: a kill leaves the unfinished one, with whole records and at most one
// that is not.
func Create(path string, o Options) (*Writer, error) {
	if o.Compression == "" {
		o.Compression = CompressionOf(path)
	}
	if err := disk.Absent(path); err != nil {
		return nil, err
	}
	out, err := os.OpenFile(path+Unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // less the caller's umask
	if err != nil {
		return nil, err
	}
	f := &file{path: path, File: out, buffer: bufio.NewWriterSize(out, 64<<10)}
	w, err := NewWriter(f, o)
	if err != nil {
		return nil, errors.Join(err, out.Close(), os.Remove(out.Name()))
	}
	w.file = f
	return w, nil
}

// CompressionOf returns the compression that the ending of a file name indicates.
func CompressionOf(name string) inflate.Compression {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return inflate.Gzip
	case ".zst":
		return inflate.Zstd
	}
	return inflate.None
}

// Path returns the path of the file that Create makes, "" of any other Writer.
func (w *Writer) Path() string {
	if w.file == nil {
		return ""
	}
	return w.file.path
}

// Close ends the output. A file that Create made is synced and gets its name, whole; it does not
// replace another that was made meanwhile. After an error, the file keeps its unfinished name, with
// the whole records that were written, and Close returns that error. The output of NewWriter stays
// open.
func (w *Writer) Close() error {
	if w.closed {
		return w.closing
	}
	w.closed, w.closing = true, w.err
	if w.file != nil {
		w.closing = errors.Join(w.err, w.file.Sync(), w.file.File.Close())
		if w.closing == nil {
			w.closing = w.file.finish()
		}
	}
	w.err = cmp.Or(w.err, errClosed)
	return w.closing
}

func (f *file) finish() error {
	if err := disk.Absent(f.path); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return err
	}
	return disk.SyncFolder(filepath.Dir(f.path))
}

// Discard removes the file that Create made, unless it is closed. Later calls fail.
func (w *Writer) Discard() error {
	if w.closed {
		return nil
	}
	w.closed, w.err = true, cmp.Or(w.err, errClosed)
	if w.file == nil {
		return nil
	}
	return errors.Join(w.file.File.Close(), os.Remove(w.file.Name()))
}
