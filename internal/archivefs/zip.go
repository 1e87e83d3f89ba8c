package archivefs

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
)

// zipFile is a zip on disk.
type zipFile struct {
	file archive
	zip  *zip.Reader
}

// openZip reads a zip by its directory or, if that is missing, by the headers of its entries.
func openZip(f archive) (keeper, error) {
	z, err := zip.NewReader(f, f.size)
	switch {
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return openTorn(f, err)
	case err != nil && !errors.Is(err, zip.ErrInsecurePath): // such paths are refused individually
		return nil, fmt.Errorf("the zip cannot be read: %w", err)
	}
	return &zipFile{f, z}, nil
}

// maxRatio is the most that deflate expands, plus a margin: an entry that states more is false.
const maxRatio = 1100

// encrypted is the flag of an entry that needs a password (APPNOTE 4.4.4, bit 0).
const encrypted = 1

// list reads the central directory.
func (k *zipFile) list(t *Tree) error {
	shared := k.shared()
	for i, e := range k.zip.File {
		name, ok := safe(e.Name)
		mode := e.Mode()
		at, err := e.DataOffset()
		switch {
		case mode.IsDir():
		case !mode.IsRegular():
			t.refuse(FaultLink, at, "%q is %s, not a file", e.Name, KindOf(mode))
		case !ok:
			t.refuse(FaultPath, at, "%q leads out of the source", e.Name)
		case err != nil:
			t.refuse(FaultTorn, 0, "%q has no local header at the place in the directory: %v", e.Name, err)
		case e.Method == zip.Store && e.UncompressedSize64 > uint64(max(k.file.size-at, 0)):
			t.refuse(FaultTorn, at, "%q should have %d bytes, but only %d are left", name, e.UncompressedSize64,
				max(k.file.size-at, 0))
		case shared[i]:
			t.refuse(FaultBomb, at, "%q shares its bytes with another entry", e.Name)
		case e.Flags&encrypted != 0: // its bytes would be mistaken for content
			t.refuse(FaultTorn, at, "%q is encrypted", e.Name)
		// It would be read into the bytes after it.
		case e.Method == zip.Store && e.UncompressedSize64 != e.CompressedSize64:
			t.refuse(FaultBomb, at, "%q is stored uncompressed, but states %d bytes instead of %d", e.Name, e.UncompressedSize64,
				e.CompressedSize64)
		case e.UncompressedSize64 > maxRatio*(e.CompressedSize64+1):
			t.refuse(FaultBomb, at, "%q claims %d bytes of %d", e.Name, e.UncompressedSize64, e.CompressedSize64)
		default:
			f := File{Path: name, Size: int64(e.UncompressedSize64), Compressed: e.Method != zip.Store, entry: e}
			if !e.Modified.IsZero() {
				f.Modified = e.Modified
			}
			t.add(f)
		}
	}
	return nil
}

// shared marks the entries with bytes that overlap with an earlier entry: the densest bombs are
// made so.
func (k *zipFile) shared() []bool {
	type place struct {
		i        int
		from, to int64
	}
	places := make([]place, 0, len(k.zip.File))
	for i, e := range k.zip.File {
		if at, err := e.DataOffset(); err == nil && e.CompressedSize64 > 0 {
			places = append(places, place{i, at, at + int64(e.CompressedSize64)})
		}
	}
	sort.SliceStable(places, func(i, j int) bool { return places[i].from < places[j].from })
	shared := make([]bool, len(k.zip.File))
	end := int64(0)
	for _, p := range places {
		shared[p.i] = p.from < end
		end = max(end, p.to)
	}
	return shared
}

// inMemory is the largest inflated entry that is kept in memory, in bytes.
const inMemory = 1 << 20

func entryOf(f *File) *zip.File {
	e, _ := f.entry.(*zip.File)
	return e
}

// open inflates an entry; it reads a stored one in place.
func (k *zipFile) open(f *File) (Content, error) {
	e := entryOf(f)
	if e.Method == zip.Store {
		at, err := e.DataOffset()
		return section{io.NewSectionReader(k.file, at, f.Size)}, err
	}
	r, err := e.Open()
	if err != nil {
		return nil, err
	}
	content, err := inflated(r, f.Size)
	return content, errors.Join(err, r.Close())
}

// inflated inflates an entry of that size into memory, or into a file without a name.
func inflated(r io.Reader, size int64) (Content, error) {
	if size <= inMemory {
		var b bytes.Buffer
		if _, err := io.Copy(&b, r); err != nil { // archive/zip stops at the size and compares the checksum
			return nil, err
		}
		return section{io.NewSectionReader(bytes.NewReader(b.Bytes()), 0, int64(b.Len()))}, nil
	}
	temp, err := newTemporary()
	if err != nil {
		return nil, err
	}
	if _, err = io.Copy(temp, r); err == nil {
		_, err = temp.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, temp.Close())
	}
	return temp, nil
}

func (k *zipFile) Close() error { return k.file.Close() }
