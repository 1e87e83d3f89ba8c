package points

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"quire/repository/stored"
)

// The file: magic, then for each record its windows, its rows of points, and its rows of pieces; the directory, which
// has a row for each record, sorted by key; and the trailer. Each row ends with its CRC32.
const (
	magic = "quire points 1\r\n"

	directoryRow = 2*sha256.Size + 8 + 8 + 8 + 4 + 4 + 4
	pointRow     = 8 + 8 + 8 + 4 + 4 + 4
	pieceRow     = sha256.Size + 4
	trailer      = 8 + 8 + sha256.Size + 4
)

// Sizes, in bytes of content.
const (
	// Least is the shortest body with points.
	Least = 4 << 20

	leastPiece = 256 << 10 // of a body of up to mostPieces pieces
	mostPieces = 1 << 18   // in a record: longer bodies have longer pieces
	spacing    = 32        // pieces between two points
)

// pieceSize returns the size of the pieces of a body.
func pieceSize(body int64) int64 {
	size := int64(leastPiece)
	for body > size*mostPieces {
		size *= 2
	}
	return size
}

// ErrUnusable means that a file of points is damaged, or has nothing of the record. The stored record may be good.
var ErrUnusable = errors.New("points of entry cannot be used")

// Record is a record of a container.
type Record struct {
	Path   string // of the container, in its package
	SHA512 string // of the container, hex
	Place  *stored.Place
}

// digest identifies something by a SHA-256.
type digest = [sha256.Size]byte

// key finds a record in a file: by its container and place, and by the digest of its body.
func (r *Record) key() digest {
	p := r.Place
	return sha256.Sum256(fmt.Appendf(nil, "%q %d %d %d %d %x", r.Path, p.Offset, p.Stored, p.Head, p.Body, p.SHA256))
}

// container identifies the bytes of the container.
func (r *Record) container() digest { return sha256.Sum256([]byte(r.SHA512)) }

// record is a row of the directory.
type record struct {
	key    digest
	in     digest // its container
	body   int64  // its length
	start  int64  // of the body, in the content of the member; in the file, if that is not compressed
	tables int64  // of points, then of pieces, in this file
	points uint32 // their number
	plain  bool   // not compressed
}

func (r *record) row() []byte {
	b := slices.Concat(r.key[:], r.in[:])
	for _, n := range []int64{r.body, r.start, r.tables} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	b = binary.BigEndian.AppendUint32(b, r.points)
	kind := uint32(0)
	if r.plain {
		kind = 1
	}
	return sealed(binary.BigEndian.AppendUint32(b, kind))
}

func (r *record) read(b []byte) error {
	if !unbroken(b) {
		return fmt.Errorf("%w: a row of the directory is damaged", ErrUnusable)
	}
	n := copy(r.key[:], b)
	n += copy(r.in[:], b[n:])
	r.body, r.start, r.tables = int64At(b[n:]), int64At(b[n+8:]), int64At(b[n+16:])
	r.points, r.plain = binary.BigEndian.Uint32(b[n+24:]), binary.BigEndian.Uint32(b[n+28:]) == 1
	return nil
}

// pieces returns the number of pieces.
func (r *record) pieces() int64 {
	size := pieceSize(r.body)
	return (r.body + size - 1) / size
}

// point is a row of points.
type point struct {
	bits     int64 // before it, from the beginning of the member
	inflated int64 // bytes of the member before it
	window   int64 // its place in this file
	size     uint32
	crc      uint32 // of the window as stored here
}

func (p *point) row() []byte {
	var b []byte
	for _, n := range []int64{p.bits, p.inflated, p.window} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	return sealed(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, p.size), p.crc))
}

func (p *point) read(b []byte) error {
	if !unbroken(b) {
		return fmt.Errorf("%w: a point is damaged", ErrUnusable)
	}
	p.bits, p.inflated, p.window = int64At(b), int64At(b[8:]), int64At(b[16:])
	p.size, p.crc = binary.BigEndian.Uint32(b[24:]), binary.BigEndian.Uint32(b[28:])
	return nil
}

func int64At(b []byte) int64 { return int64(binary.BigEndian.Uint64(b)) }

// sealed returns a row with its CRC32.
func sealed(b []byte) []byte { return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)) }

// unbroken reports whether a row has its CRC32.
func unbroken(b []byte) bool {
	n := len(b) - 4
	return crc32.ChecksumIEEE(b[:n]) == binary.BigEndian.Uint32(b[n:])
}

// counted counts the bytes written.
type counted struct {
	to io.Writer
	n  int64
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
