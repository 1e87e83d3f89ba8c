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

	"github.com/klauspost/compress/flate"

	"quire/access/export"
	"quire/internal/blockbuffer"
)

// archive writes a ZIP. Equal content gives equal bytes: entries have the date of the package.
type archive struct {
	zip       *zip.Writer
	date      time.Time
	scratch   string
	resources []resource
}

// resource is a file in the ZIP.
type resource struct {
	path   string
	size   int64
	sha256 string
}

func newArchive(to io.Writer, date time.Time, scratch string) *archive {
	z := zip.NewWriter(to)
	z.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.DefaultCompression) // twice as fast as the standard library's
	})
	return &archive{zip: z, date: date.UTC().Truncate(2 * time.Second), scratch: scratch}
}

func (a *archive) close() error { return a.zip.Close() }

// stored adds a file uncompressed: readers fetch its records by offset. sums are those of the file:
// the checksum must precede the data, because streaming readers cannot find the end of a stored entry
// otherwise.
func (a *archive) stored(ctx context.Context, name, file string, sums sums, progress export.Progress) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	to, err := a.zip.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Store, Modified: a.date, CRC32: sums.crc.Sum32(), CompressedSize64: uint64(sums.size),
		UncompressedSize64: uint64(sums.size),
	})
	if err != nil {
		return err
	}
	a.list(name, sums.size, sums.sha256)
	_, err = export.Copy(ctx, to, in, progress)
	return err
}

// deflated adds the output of a function, compressed.
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

// spooled adds the content of a reader, compressed. If reading fails, it adds nothing.
func (a *archive) spooled(name string, in io.Reader) error {
	held := blockbuffer.Buffer{Dir: a.scratch}
	defer func() { _ = held.Close() }() // a temporary file
	if _, err := io.Copy(&held, in); err != nil {
		return err
	}
	return a.deflated(name, func(to io.Writer) error {
		_, err := io.Copy(to, held.Reader())
		return err
	})
}

// text adds a short file uncompressed.
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

// counter counts written bytes.
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
