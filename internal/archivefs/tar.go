package archivefs

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

const tarBlock = 512

// isTar reports whether the block is the header of a tar entry: by its magic or, before POSIX, by
// its checksum.
func isTar(b []byte) bool {
	if len(b) < tarBlock {
		return false
	}
	if bytes.Equal(b[257:262], []byte("ustar")) {
		return true
	}
	want, err := strconv.ParseInt(strings.Trim(string(b[148:156]), " \x00"), 8, 64)
	sum := int64(0)
	for i, c := range b[:tarBlock] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
	}
	return err == nil && sum == want && sum > 8*' '
}

// tarFile is a tar on disk; its entries are read in place.
type tarFile struct {
	file  io.ReaderAt
	size  int64
	close func() error
	torn  error // why inflating ended early
}

// inflatedPerByte bounds the size of an inflated tar.gz. Deflate expands at most 1,032 times, real
// archives about ten times. The first gigabyte is not bounded.
const (
	inflatedPerByte = 200
	inflatedFree    = 1 << 30
)

// openTarGzip inflates the tar into a file without a name, which disappears with the process.
func openTarGzip(f archive) (*tarFile, error) {
	z, err := gzip.NewReader(io.NewSectionReader(f, 0, f.size))
	if err != nil {
		return nil, err
	}
	temp, err := newTemporary()
	if err != nil {
		return nil, err
	}
	t := &tarFile{file: temp, close: func() error { return errors.Join(temp.Close(), f.Close()) }}
	limit := inflatedFree + inflatedPerByte*f.size
	t.size, err = io.Copy(temp, io.LimitReader(z, limit))
	var disk *os.PathError
	switch {
	case errors.As(err, &disk):
		return nil, errors.Join(err, t.close())
	case err != nil:
		t.torn = err
	case t.size == limit:
		t.torn = errBomb
	}
	return t, nil
}

var errBomb = errors.New("it inflates to more than 200 times its size")

// list reads all headers.
func (k *tarFile) list(t *Tree) error {
	section := io.NewSectionReader(k.file, 0, k.size)
	r := tar.NewReader(section)
	for {
		h, err := r.Next()
		at, _ := section.Seek(0, io.SeekCurrent) // after the header; a SectionReader's Seek to its position cannot fail
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if k.torn == nil {
				t.refuse(FaultTorn, at, "the tar cannot be read further: %v", err)
			}
			break
		}
		k.add(t, h, at)
	}
	switch {
	case errors.Is(k.torn, errBomb):
		t.refuse(FaultBomb, 0, "%v", k.torn)
	case k.torn != nil:
		t.refuse(FaultTorn, 0, "the gzip cannot be read after %d inflated bytes: %v", k.size, k.torn)
	}
	return nil
}

// span is the place of an entry's bytes.
type span struct{ at, size int64 }

func (k *tarFile) add(t *Tree, h *tar.Header, at int64) {
	switch {
	case h.Typeflag == tar.TypeDir, h.Typeflag == tar.TypeXGlobalHeader:
		return
	case isSparse(h):
		t.refuse(FaultTorn, at,
			"%q is stored without its holes (tar -S) and cannot be read in place: pack it again without -S", h.Name)
		return
	case h.Typeflag == tar.TypeReg:
	case h.Typeflag == tar.TypeSymlink && validLink(h.Name):
		name, _ := safe(h.Name)
		t.link(link{name: name, target: h.Linkname, at: at, refusal: fmt.Sprintf(
			"%q is not a plain file, but has the tar type %q, to %q", h.Name, h.Typeflag, h.Linkname)})
		return
	default:
		t.refuse(FaultLink, at, "%q is not a plain file, but has the tar type %q, to %q", h.Name, h.Typeflag,
			h.Linkname)
		return
	}
	name, ok := safe(h.Name)
	switch {
	case !ok:
		t.refuse(FaultPath, at, "%q leads out of the source", h.Name)
	case h.Size > k.size-at:
		t.refuse(FaultTorn, at, "%q should have %d bytes, but only %d are left", name, h.Size, max(k.size-at, 0))
	default:
		t.add(File{Path: name, Size: h.Size, Modified: h.ModTime, entry: span{at, h.Size}})
	}
}

// isSparse reports whether the entry stores a map of its holes before or instead of its bytes, as
// GNU tar does with -S. It has its own type, or in POSIX archives it is a plain file with records
// GNU.sparse.*. The size in the header then differs from the stored size.
func isSparse(h *tar.Header) bool {
	for name := range h.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

func (k *tarFile) open(f *File) (Content, error) {
	s, _ := f.entry.(span)
	return section{io.NewSectionReader(k.file, s.at, s.size)}, nil
}

func (k *tarFile) Close() error { return k.close() }

// section is a part of an archive; closing it does not close the archive.
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

// validLink reports whether the name of a link is a place in the source.
func validLink(name string) bool {
	_, ok := safe(name)
	return ok
}
