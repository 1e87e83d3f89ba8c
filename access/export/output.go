package export

import (
	"bufio"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"quire/internal/extsort"
)

// Output is the destination of an export: a folder that gets its name when complete. It digests
// every file while writing, and syncs it to disk on close. It is not safe for concurrent use.
type Output struct {
	Options Options

	dir      string
	above    *Output // the parent output; nil for the top
	within   string  // path in the parent
	scratch  string
	files    *extsort.Sorter // path, then File
	count    int64
	bytes    int64
	progress Progress
	written  *bound // of all files of the export
	beside   *bound // of temporary data in Scratch: see Bounded
}

// File is one written file.
type File struct {
	Path   string `json:"path"` // in the export, slash-separated
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // lower-case hex
	SHA512 string `json:"sha512"`
}

// Writer is a file that is being written.
type Writer struct {
	out    *Output
	file   *os.File
	buffer *bufio.Writer
	path   string
	size   int64
	sha256 hash.Hash
	sha512 hash.Hash
	done   bool
}

// Scratch returns a folder for temporary files; it is removed after the export.
func (o *Output) Scratch() string { return o.scratch }

// Below returns a folder of the output, for a format that contains another. Its files are listed in
// both. The caller closes it.
func (o *Output) Below(dir string) *Output {
	return &Output{
		Options: o.Options, dir: filepath.Join(o.dir, filepath.FromSlash(dir)), above: o, within: dir,
		scratch: o.scratch, progress: o.progress, written: o.written, beside: o.beside,
		files: extsort.New(extsort.Options{Dir: o.scratch}),
	}
}

// Close releases the list of a folder.
func (o *Output) Close() error { return o.files.Close() }

// Written returns the number of files and bytes written.
func (o *Output) Written() (files, bytes int64) { return o.count, o.bytes }

// Progress returns the receiver for the progress of a format: Source and Writer do not count their
// work.
func (o *Output) Progress() Progress { return o.progress }

// Create creates a file, and its folders. The path must be new, and valid on every file system
// (quire/internal/portable).
func (o *Output) Create(name string) (*Writer, error) {
	if name != path.Clean(name) || path.IsAbs(name) || name == "." || name == ".." || strings.HasPrefix(name, "../") ||
		strings.ContainsAny(name, "\\\x00") {
		return nil, fmt.Errorf("%q is not a valid path in an export", name)
	}
	target := filepath.Join(o.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &Writer{out: o, file: f, buffer: bufio.NewWriterSize(f, 64<<10), path: name, sha256: sha256.New(),
		sha512: sha512.New()}, nil
}

// Write writes the output of the function to a file.
func (o *Output) Write(name string, write func(io.Writer) error) (File, error) {
	w, err := o.Create(name)
	if err != nil {
		return File{}, err
	}
	if err := write(w); err != nil {
		w.Abandon()
		return File{}, err
	}
	return w.Finish()
}

// Copy writes the content of a reader to a file.
func (o *Output) Copy(ctx context.Context, name string, r io.Reader) (File, error) {
	return o.Write(name, func(w io.Writer) error {
		_, err := Copy(ctx, w, r, o.progress)
		return err
	})
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	if err := w.out.written.take(len(p)); err != nil {
		return 0, err
	}
	n, err := w.buffer.Write(p)
	w.size += int64(n)
	_, _ = w.sha256.Write(p[:n]) // a hash never fails
	_, _ = w.sha512.Write(p[:n])
	return n, err
}

// Size returns the number of bytes written.
func (w *Writer) Size() int64 { return w.size }

// Finish ends the file, syncs it to disk, and lists it.
func (w *Writer) Finish() (File, error) {
	w.done = true
	if err := errors.Join(w.buffer.Flush(), w.file.Sync(), w.file.Close()); err != nil {
		return File{}, err
	}
	f := File{Path: w.path, Size: w.size, SHA256: hex.EncodeToString(w.sha256.Sum(nil)),
		SHA512: hex.EncodeToString(w.sha512.Sum(nil))}
	return f, w.out.list(&f)
}

// Abandon removes the file, unless it is finished.
func (w *Writer) Abandon() {
	if w.done {
		return
	}
	w.done = true
	_ = w.file.Close()           // the file is discarded
	_ = os.Remove(w.file.Name()) // if this fails, the removal of the folder follows
}

// list records a file.
func (o *Output) list(f *File) error {
	o.count++
	o.bytes += f.Size
	if o.above != nil {
		above := *f
		above.Path = path.Join(o.within, f.Path)
		if err := o.above.list(&above); err != nil {
			return err
		}
	}
	return o.files.Add([]byte(f.Path), []byte(fmt.Sprintf("%d %s %s", f.Size, f.SHA256, f.SHA512)))
}

// Files visits the files written so far, sorted by path. Afterwards no file can be added.
func (o *Output) Files(visit func(File) error) error {
	return o.files.Each(func(key, value []byte) error {
		f := File{Path: string(key)}
		if _, err := fmt.Sscan(string(value), &f.Size, &f.SHA256, &f.SHA512); err != nil {
			return err
		}
		return visit(f)
	})
}
