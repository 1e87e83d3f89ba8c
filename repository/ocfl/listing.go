package ocfl

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// eachEntry hands out the entries of a directory as the storage gives them, in no order, without
// holding them all: a directory may have millions. It stops at the first error, of the storage or
// of visit.
func eachEntry(fsys fs.FS, dir string, visit func(fs.DirEntry) error) (err error) {
	f, err := fsys.Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return &fs.PathError{Op: "readdir", Path: dir, Err: errors.New("not a directory")}
	}
	for {
		batch, err := d.ReadDir(256)
		for _, e := range batch {
			if err := visit(e); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readSmall reads a file of at most limit bytes. The limit is on what is read, not on what the
// storage says of its size.
func readSmall(fsys fs.FS, name string, limit int64) (b []byte, err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b, err = io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, fmt.Errorf("%s has more than the %d bytes that are read", name, limit)
	}
	return b, err
}

// entryKind sorts directory entries into what OCFL knows and what it does not allow.
type entryKind int

const (
	isFile entryKind = iota
	isDir
	isLink    // E090
	isSpecial // a pipe, a socket, a device: E089, and opening it might never return
)

func kindOfEntry(e fs.DirEntry) entryKind {
	switch t := e.Type(); {
	case t.IsDir():
		return isDir
	case t&fs.ModeSymlink != 0:
		return isLink
	case t.IsRegular():
		return isFile
	}
	return isSpecial
}

// misfit gives the code for an entry that is neither file nor directory, and what it is.
func (k entryKind) misfit() (code, what string) {
	switch k {
	case isLink:
		return "E090", "a symbolic link"
	case isSpecial:
		return "E089", "neither a file nor a directory"
	}
	return "", ""
}
