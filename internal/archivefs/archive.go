package archivefs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
)

// archive is a file that contains other files, on disk or within another archive.
type archive struct {
	Content
	size int64
}

// openArchive opens an archive. The first bytes decide its kind, never its name.
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
	head := make([]byte, min(f.size, archiveHead))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", nil, err
	}
	switch kind := kindOfArchive(head[:n]); kind {
	case Zip:
		k, err := openZip(f)
		return kind, k, err
	case Tar:
		return kind, &tarFile{file: f, size: f.size, close: f.Close}, nil
	case TarGzip:
		k, err := openTarGzip(f)
		return kind, k, err
	}
	return "", nil, ErrNotATree
}

// holdsTar reports whether the beginning of a gzip file's content is a tar header.
func holdsTar(head []byte) bool {
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return false
	}
	var block [tarBlock]byte
	_, err = io.ReadFull(z, block[:])
	return err == nil && isTar(block[:])
}
