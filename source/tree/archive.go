package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
)

// archive is a file that holds others, on the disk or within another archive.
type archive struct {
	Content
	size int64
}

// openArchive tells by the first bytes what a file is, never by its name.
func openArchive(path string) (Kind, keeper, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return "", nil, errors.Join(err, f.Close())
	}
	kind, k, err := archiveOf(archive{f, info.Size()})
	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return kind, k, nil
}

func archiveOf(f archive) (Kind, keeper, error) {
	var head [tarBlock]byte
	n, err := f.ReadAt(head[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", nil, err
	}
	switch b := head[:n]; {
	case bytes.HasPrefix(b, []byte("PK\x03\x04")) || bytes.HasPrefix(b, []byte("PK\x05\x06")):
		k, err := openZip(f)
		return Zip, k, err
	case isTar(b):
		return Tar, &tarFile{file: f, size: f.size, close: f.Close}, nil
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b, 8}) && holdsTar(f):
		k, err := openTarGzip(f)
		return TarGzip, k, err
	}
	return "", nil, ErrNotATree
}

// holdsTar looks at the first block of what a gzip file holds.
func holdsTar(f io.ReaderAt) bool {
	z, err := gzip.NewReader(io.NewSectionReader(f, 0, 1<<20))
	if err != nil {
		return false
	}
	var block [tarBlock]byte
	_, err = io.ReadFull(z, block[:])
	return err == nil && isTar(block[:])
}
