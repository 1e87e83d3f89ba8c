package harvest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"quire/internal/disk"
	"quire/internal/filelock"
	"quire/source/oaiharvest"
)

// folder is the folder of a harvest: the state, and its growing lists.
type folder struct {
	path string
	lock *os.File

	mu    sync.Mutex
	lists map[string]*list
}

// openFolder creates or opens the folder, and locks it.
func openFolder(path string) (*folder, error) {
	if err := os.Mkdir(path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	lock, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if errors.Is(filelock.Try(lock), filelock.ErrHeld) {
		return nil,
			errors.Join(fmt.Errorf("another quire is harvesting to %s: wait for it, or choose another folder",
				path), lock.Close())
	}
	return &folder{path: path, lock: lock, lists: map[string]*list{}}, nil
}

func (f *folder) close() error {
	var errs []error
	for _, l := range f.lists {
		errs = append(errs, l.file.Close())
	}
	return errors.Join(append(errs, f.lock.Close())...)
}

func (f *folder) at(name string) string { return filepath.Join(f.path, name) }

// load reads the state. It returns nil if the folder is empty.
func (f *folder) load() (*oaiharvest.State, error) {
	file, err := os.Open(f.at(oaiharvest.StateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.mustBeEmpty()
	}
	if err != nil {
		return nil, err
	}
	s, err := oaiharvest.ReadState(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return s, nil
}

// mustBeEmpty refuses a folder with other content. Leftovers of a run killed before its first page
// are allowed.
func (f *folder) mustBeEmpty() error {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == oaiharvest.DeletedFile, name == oaiharvest.FindingsFile, name == oaiharvest.FilesFile,
			name == oaiharvest.RefusedDir,
			isSeen(name), isContainer(name), name == oaiharvest.ContentDir:
		default:
			return fmt.Errorf("%s has %s in it, but no %s: choose a folder that is new, empty, or has a "+
				"harvest", f.path,
				name, oaiharvest.StateFile)
		}
	}
	return nil
}

// save writes the state atomically.
func (f *folder) save(s *oaiharvest.State) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, l := range f.lists {
		if err := l.sync(); err != nil {
			return err
		}
		s.Lengths[name] = l.size
	}
	return disk.Write(f.at(oaiharvest.StateFile), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(s)
	})
}

// list is a file of lines of JSON.
type list struct {
	file  *os.File
	out   *bufio.Writer
	size  int64
	dirty bool
}

// add writes a line. Before that, it removes the bytes that follow the length recorded in the
// state, because they were not committed.
func (f *folder) add(s *oaiharvest.State, name string, v any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.lists[name]
	if l == nil {
		file, err := os.OpenFile(f.at(name), os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return err
		}
		l = &list{file: file, out: bufio.NewWriter(file), size: s.Lengths[name]}
		f.lists[name] = l
		if err := cut(file, l.size); err != nil {
			return err
		}
	}
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	l.size += int64(len(line))
	l.dirty = true
	_, err = l.out.Write(line)
	return err
}

func (l *list) sync() error {
	if !l.dirty {
		return nil
	}
	l.dirty = false
	return errors.Join(l.out.Flush(), l.file.Sync())
}

// cut truncates a file to the length in its state and sets the write position there.
func cut(file *os.File, size int64) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < size {
		return fmt.Errorf("%s has %d bytes, but %d according to %s: the file was changed, or the disk "+
			"lost data",
			file.Name(), info.Size(), size, oaiharvest.StateFile)
	}
	if err := file.Truncate(size); err != nil {
		return err
	}
	_, err = file.Seek(size, io.SeekStart)
	return err
}
