package archivefs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
)

// Only returns a Tree of the files that keep accepts, at the same place. It is open as long as t
// is, and closing it has no effect.
func (t *Tree) Only(keep func(path string) bool) *Tree {
	some := &Tree{path: t.path, kind: t.kind, keeper: part{t.keeper}, depth: t.depth, whole: t, around: t.around,
		inside: t.inside}
	n := slices.IndexFunc(t.files, func(f File) bool { return !keep(f.Path) })
	if n < 0 {
		some.files = t.files // a list can be long, and most Trees are kept whole
		return some
	}
	some.files = slices.Clone(t.files[:n])
	for _, f := range t.files[n+1:] {
		if keep(f.Path) {
			some.files = append(some.files, f)
		}
	}
	return some
}

// part is the keeper of a Tree that another Tree closes.
type part struct{ keeper }

func (part) Close() error { return nil }

func (p part) head(f *File, b []byte) (int, error) { return headOf(p.keeper, f, b) }

// header is a keeper that can read the beginning of a file at less cost than opening it.
type header interface {
	head(f *File, b []byte) (int, error)
}

// Head returns the first n bytes of a file, or fewer if it is shorter. Of a compressed file it
// inflates only as much.
func (t *Tree) Head(path string, n int) ([]byte, error) {
	f := t.Find(path)
	if f == nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	b := make([]byte, min(int64(n), f.Size))
	got, err := headOf(t.keeper, f, b)
	return b[:got], err
}

func headOf(k keeper, f *File, b []byte) (int, error) {
	if h, ok := k.(header); ok {
		return h.head(f, b)
	}
	c, err := k.open(f)
	if err != nil {
		return 0, err
	}
	n, err := beginning(c, b)
	return n, errors.Join(err, c.Close())
}

// beginning fills b from r, as far as r goes.
func beginning(r io.Reader, b []byte) (int, error) {
	n, err := io.ReadFull(r, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}

// head inflates only the first bytes.
func (k *zipFile) head(f *File, b []byte) (int, error) {
	r, err := entryOf(f).Open()
	if err != nil {
		return 0, err
	}
	n, err := beginning(r, b)
	return n, errors.Join(err, r.Close())
}

// archiveHead is how much of a file is examined to see whether it is an archive.
const archiveHead = 64 << 10

// IsArchive reports whether Nested would open a file, by its first bytes. The file may still be
// damaged.
func (t *Tree) IsArchive(path string) (bool, error) {
	b, err := t.Head(path, archiveHead)
	return kindOfArchive(b) != "", err
}

// kindOfArchive returns the kind of an archive by its first bytes, or "".
func kindOfArchive(b []byte) Kind {
	switch {
	case bytes.HasPrefix(b, []byte("PK\x03\x04")) || bytes.HasPrefix(b, []byte("PK\x05\x06")):
		return Zip
	case isTar(b):
		return Tar
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b, 8}) && holdsTar(b):
		return TarGzip
	}
	return ""
}
