package place

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Folder is a place in a file system in which files are written one by one: the mount of a remote disk
// that cannot rename a folder with files in it.
type Folder struct {
	Path string // an existing folder
	// Fault is called before each change, and its error replaces the change. It is for tests; nil
	// outside of them.
	Fault func(op, name string) error
}

// URL implements [Place].
func (f *Folder) URL() string { return fileScheme + filepath.ToSlash(f.Path) }

func (f *Folder) file(name string) string { return filepath.Join(f.Path, filepath.FromSlash(name)) }

// partial is the folder of files that are being written. List omits it.
const partial = ".quire-partial"

// partialAge is the age at which a partial file is a leftover of a killed process.
const partialAge = 24 * time.Hour

// List implements [Place].
func (f *Folder) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		stop := errors.New("stop")
		if _, err := os.Stat(f.Path); err != nil {
			yield(Entry{}, err)
			return
		}
		err := f.walk(ctx, "", prefix, func(e Entry) error {
			if !yield(e, nil) {
				return stop
			}
			return nil
		})
		if err != nil && !errors.Is(err, stop) {
			yield(Entry{}, err)
		}
	}
}

// walk visits the files below a folder that have a prefix. It sorts as S3 does: by the whole name.
func (f *Folder) walk(ctx context.Context, folder, prefix string, visit func(Entry) error) error {
	entries, err := os.ReadDir(f.file(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !strings.HasPrefix(name, prefix) && !strings.HasPrefix(prefix, name) {
			continue
		}
		if below, ok := strings.CutSuffix(name, "/"); ok && below != partial {
			err = f.walk(ctx, below, prefix, visit)
		} else if !ok && strings.HasPrefix(name, prefix) {
			err = f.visit(name, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) visit(name string, visit func(Entry) error) error {
	e, err := f.Stat(context.Background(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	return visit(e)
}

// Stat implements [Place].
func (f *Folder) Stat(_ context.Context, name string) (Entry, error) {
	if err := checkName(name); err != nil {
		return Entry{}, err
	}
	info, err := os.Lstat(f.file(name))
	if err != nil {
		return Entry{}, err
	}
	if !info.Mode().IsRegular() {
		return Entry{}, fmt.Errorf("%s is not a regular file", f.file(name))
	}
	return Entry{Name: name, Size: info.Size(), Modified: info.ModTime()}, nil
}

// Open implements [Place].
func (f *Folder) Open(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	if _, err := f.Stat(ctx, name); err != nil {
		return nil, err
	}
	file, err := os.Open(f.file(name))
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Write implements [Place]. A hard link puts the file in place: unlike a rename, it replaces nothing.
func (f *Folder) Write(ctx context.Context, name string, from io.ReaderAt, c Content) error {
	return f.put(name, func(temp *os.File) error {
		h := sha512.New()
		n, err := io.Copy(io.MultiWriter(temp, h), &stoppable{ctx, io.NewSectionReader(from, 0, c.Size)})
		if err == nil && (n != c.Size || hex.EncodeToString(h.Sum(nil)) != c.SHA512) {
			err = fmt.Errorf("%s: the bytes differ from their SHA-512", name)
		}
		return err
	}, func(temp, target string) error {
		if err := os.Link(temp, target); err != nil {
			return err
		}
		return os.Remove(temp)
	})
}

// Replace implements [Place].
func (f *Folder) Replace(_ context.Context, name string, text []byte) error {
	return f.put(name, func(temp *os.File) error {
		_, err := io.Copy(temp, bytes.NewReader(text))
		return err
	}, os.Rename)
}

// put writes a temporary file, syncs it, and puts it in place.
func (f *Folder) put(name string, write func(*os.File) error, install func(temp, target string) error) error {
	if err := checkName(name); err != nil {
		return err
	}
	target := f.file(name)
	if err := errors.Join(f.mkdir(path.Dir(name)), f.mkdir(partial)); err != nil {
		return err
	}
	if err := f.allow("write", name); err != nil {
		return err
	}
	file, err := os.CreateTemp(f.file(partial), "write-")
	if err != nil {
		return err
	}
	temp := file.Name()
	if err = file.Chmod(0o640); err == nil {
		err = write(file)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		if err = f.allow("install", name); err == nil {
			err = install(temp, target)
		}
	}
	if err != nil {
		_ = os.Remove(temp) // a leftover does no harm: List omits it, and a probe removes it
		return err
	}
	return f.sync(path.Dir(name))
}

// mkdir makes a folder and its parents below the place, never the place itself: it may be a mount point
// whose disk is missing.
func (f *Folder) mkdir(folder string) error {
	if folder == "." {
		_, err := os.Stat(f.Path)
		return err
	}
	if _, err := os.Stat(f.file(folder)); err == nil {
		return nil
	}
	if err := f.mkdir(path.Dir(folder)); err != nil {
		return err
	}
	if err := f.allow("mkdir", folder); err != nil {
		return err
	}
	if err := os.Mkdir(f.file(folder), 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return f.sync(path.Dir(folder))
}

func (f *Folder) sync(folder string) error {
	d, err := os.Open(f.file(folder))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func (f *Folder) allow(op, name string) error {
	if f.Fault == nil {
		return nil
	}
	return f.Fault(op, name)
}

// Rename implements [Place].
func (f *Folder) Rename(ctx context.Context, from, to string) error {
	if err := errors.Join(checkName(from), checkName(to)); err != nil {
		return err
	}
	if _, err := f.Stat(ctx, from); err != nil {
		return err
	}
	if err := f.mkdir(path.Dir(to)); err != nil {
		return err
	}
	if err := f.allow("rename", to); err != nil {
		return err
	}
	if err := os.Link(f.file(from), f.file(to)); err != nil {
		return err
	}
	if err := f.sync(path.Dir(to)); err != nil {
		return err
	}
	return f.Remove(ctx, from)
}

// Remove implements [Place].
func (f *Folder) Remove(_ context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := f.allow("remove", name); err != nil {
		return err
	}
	err := os.Remove(f.file(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if os.Remove(f.file(folder)) != nil { // not empty
			return f.sync(folder)
		}
	}
	return f.sync(".")
}

// Erase implements [Place]: a folder keeps no earlier versions.
func (f *Folder) Erase(ctx context.Context, prefix string, only func(name string) bool) error {
	for e, err := range f.List(ctx, prefix) {
		if err == nil && (only == nil || only(e.Name)) {
			err = f.Remove(ctx, e.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Probe implements [Place].
func (f *Folder) Probe(ctx context.Context) (Traits, error) {
	entries, err := os.ReadDir(f.file(partial))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Traits{}, err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > partialAge {
			_ = os.Remove(f.file(path.Join(partial, e.Name()))) // it does no harm
		}
	}
	t, err := probe(ctx, f)
	t.Checks = true
	return t, err
}
