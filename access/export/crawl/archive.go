package crawl

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"time"

	"quire/access/export"
	"quire/internal/warcbuild"
)

// archive is a ZIP in the making. The same content gives the same bytes: entries have the date of
// the package.
type archive struct {
	zip       *zip.Writer
	date      time.Time
	scratch   string
	resources []resource
}

// resource is a file in it.
type resource struct {
	path   string
	size   int64
	sha256 string
}

func newArchive(to io.Writer, date time.Time, scratch string) *archive {
	return &archive{zip: zip.NewWriter(to), date: date.UTC().Truncate(2 * time.Second), scratch: scratch}
}

func (a *archive) close() error { return a.zip.Close() }

// stored adds a file as it is: readers fetch records out of it by their offset. It is read twice,
// for its checksum must stand before it: readers that stream cannot tell the end of a stored entry
// otherwise.
func (a *archive) stored(ctx context.Context, name, file string, progress export.Progress) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	crc, sum := crc32.NewIEEE(), sha256.New()
	size, err := export.Copy(ctx, io.MultiWriter(crc, sum), in, progress)
	if err != nil {
		return err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	to, err := a.zip.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Store, Modified: a.date, CRC32: crc.Sum32(), CompressedSize64: uint64(size),
		UncompressedSize64: uint64(size),
	})
	if err != nil {
		return err
	}
	a.list(name, size, sum)
	_, err = export.Copy(ctx, to, in, progress)
	return err
}

// deflated adds what a function writes, compressed.
func (a *archive) deflated(name string, write func(io.Writer) error) error {
	to, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.date})
	if err != nil {
		return err
	}
	sum := sha256.New()
	counted := &counter{to: io.MultiWriter(to, sum)}
	if err := write(counted); err != nil {
		return err
	}
	a.list(name, counted.n, sum)
	return nil
}

// spooled adds what is read, compressed, when it could be read to its end: nothing of it otherwise.
func (a *archive) spooled(name string, in io.Reader) error {
	held := warcbuild.Held{Dir: a.scratch}
	defer func() { _ = held.Close() }() // a temporary file
	if _, err := io.Copy(&held, in); err != nil {
		return err
	}
	return a.deflated(name, func(to io.Writer) error {
		_, err := io.Copy(to, held.Reader())
		return err
	})
}

// text adds a short file as it is.
func (a *archive) text(name string, text []byte) error {
	to, err := a.zip.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Store, Modified: a.date, CRC32: crc32.ChecksumIEEE(text),
		CompressedSize64: uint64(len(text)), UncompressedSize64: uint64(len(text)),
	})
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, _ = sum.Write(text) // a hash never fails
	a.list(name, int64(len(text)), sum)
	_, err = io.Copy(to, bytes.NewReader(text))
	return err
}

func (a *archive) list(name string, size int64, sum hash.Hash) {
	a.resources = append(a.resources, resource{name, size, hex.EncodeToString(sum.Sum(nil))})
}

// counter counts what is written.
type counter struct {
	to io.Writer
	n  int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
