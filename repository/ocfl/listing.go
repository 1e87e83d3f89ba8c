package ocfl

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// eachEntry calls visit for the entries of a directory, in the order of the storage. It does not
// hold them all: a directory may have millions. It stops at the first error, from the storage or
// from visit.
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

// readSmall reads a file of at most limit bytes. It counts the bytes read and does not rely on the
// size that the storage reports.
func readSmall(fsys fs.FS, name string, limit int64) (b []byte, err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b, err = io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, fmt.Errorf("%s is larger than the limit of %d bytes", name, limit)
	}
	return b, err
}

// entryKind sorts directory entries into kinds that OCFL has and kinds that it forbids.
type entryKind int

const (
	isFile entryKind = iota
	isDir
	isLink    // E090
	isSpecial // a pipe, a socket, a device: E089; opening it might block forever
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

// misfit returns the code and the kind of an entry that is neither file nor directory.
func (k entryKind) misfit() (code, what string) {
	switch k {
	case isLink:
		return "E090", "a symbolic link"
	case isSpecial:
		return "E089", "neither a file nor a directory"
	}
	return "", ""
}
