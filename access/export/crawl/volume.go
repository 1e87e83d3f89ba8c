package crawl

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// volume is a temporary file for an entry of a ZIP. Its sums are known when it is complete, so that it
// is not read for them.
type volume struct {
	name, path string
	file       *os.File
	buffer     *bufio.Writer
	sums
}

// sums are the facts that a ZIP and a WACZ state of a file.
type sums struct {
	size   int64
	crc    hash.Hash32
	sha256 hash.Hash
}

// newVolume creates a temporary file. bounded limits its size.
func newVolume(dir, name string, bounded func(io.Writer) io.Writer) (*volume, error) {
	v := &volume{name: name, path: filepath.Join(dir, name), sums: sums{0, crc32.NewIEEE(), sha256.New()}}
	var err error
	if v.file, err = os.Create(v.path); err != nil {
		return nil, err
	}
	v.buffer = bufio.NewWriterSize(bounded(v.file), 256<<10)
	return v, nil
}

// Write implements io.Writer.
func (v *volume) Write(p []byte) (int, error) {
	n, err := v.buffer.Write(p)
	_, _ = v.crc.Write(p[:n]) // a hash never fails
	_, _ = v.sha256.Write(p[:n])
	v.size += int64(n)
	return n, err
}

// Close implements io.Closer.
func (v *volume) Close() error { return errors.Join(v.buffer.Flush(), v.file.Close()) }

var _ io.WriteCloser = (*volume)(nil)
