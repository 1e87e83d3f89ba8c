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

	most       = 1 << 50   // of a body, and of the bytes before it: more is damage
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

// ErrFile means that the new file of points cannot be written. The container is not at fault.
var ErrFile = errors.New("the file of points cannot be written")

// Record is a record of a container.
type Record struct {
	Path   string // of the container, in its package
	SHA512 string // of the container, hex
	Place  *stored.Place
	State  string // of the package: in another one, a record that could not be entered is tried again
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

// tried identifies the state of the package and the bytes of the container in which no points could be made.
func (r *Record) tried() digest { return sha256.Sum256(fmt.Appendf(nil, "%q %q", r.State, r.SHA512)) }

// The kinds of records in the directory.
const (
	packed uint32 = iota // in a gzip member
	plain                // not compressed
	none                 // cannot be entered: no tables; in is of Record.tried
)

// record is a row of the directory.
type record struct {
	key    digest
	in     digest // its container, and with none, the state, too
	body   int64  // its length
	start  int64  // of the body, in the content of the member; in the file, if that is not compressed
	tables int64  // of points, then of pieces, in this file
	points uint32 // their number
	kind   uint32
}

func (r *record) row() []byte {
	b := slices.Concat(r.key[:], r.in[:])
	for _, n := range []int64{r.body, r.start, r.tables} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	b = binary.BigEndian.AppendUint32(b, r.points)
	return sealed(binary.BigEndian.AppendUint32(b, r.kind))
}

func (r *record) read(b []byte) error {
	if !unbroken(b) {
		return fmt.Errorf("%w: a row of the directory is damaged", ErrUnusable)
	}
	n := copy(r.key[:], b)
	n += copy(r.in[:], b[n:])
	r.body, r.start, r.tables = int64At(b[n:]), int64At(b[n+8:]), int64At(b[n+16:])
	r.points, r.kind = binary.BigEndian.Uint32(b[n+24:]), binary.BigEndian.Uint32(b[n+28:])
	if r.body < Least || r.body > most || r.start < 0 || r.start > most || r.tables < 0 || r.points > mostPieces ||
		r.kind > none {
		return fmt.Errorf("%w: a row of the directory has impossible numbers", ErrUnusable)
	}
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
	if p.bits < 0 || p.inflated < 0 {
		return fmt.Errorf("%w: a point has impossible numbers", ErrUnusable)
	}
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
	if c.n += int64(n); err != nil {
		return n, fmt.Errorf("%w: %w", ErrFile, err)
	}
	return n, nil
}
