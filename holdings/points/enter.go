package points

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sort"

	"quire/format/deflate"
	"quire/format/gzipmember"
	"quire/internal/disk"
	"quire/repository/stored"
)

// maxPacked is more than a window can have in this file.
const maxPacked = deflate.Window + 1<<10

// packed reads a window as it is stored.
func (x *File) packed(p *point) ([]byte, error) {
	if p.size > maxPacked {
		return nil, fmt.Errorf("%w: a window of %d bytes", ErrUnusable, p.size)
	}
	b := make([]byte, p.size)
	if err := x.readAt(b, p.window); err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(b) != p.crc {
		return nil, fmt.Errorf("%w: a window is damaged", ErrUnusable)
	}
	return b, nil
}

// windowOf reads the content before a point.
func (x *File) windowOf(p *point) ([]byte, error) {
	b, err := x.packed(p)
	if err != nil {
		return nil, err
	}
	window := make([]byte, deflate.Window)
	var d deflate.Decoder
	n, _, err := d.Inflate(window, b)
	if err != nil {
		return nil, fmt.Errorf("%w: a window: %w", ErrUnusable, err)
	}
	return window[:n], nil
}

// Body is the body of a record from a place on. Each piece is verified before its first byte is returned.
type Body struct {
	file   *File
	record *record
	in     io.Reader // the content, from a place before the wanted piece
	at     int64     // of in, in the body; negative before it
	piece  []byte
	rest   []byte // of the piece, not returned yet
	next   int64  // piece
	err    error
}

// Enter returns the body of a record from an offset on, as sent. It verifies the first piece before it returns. The
// error is [stored.ErrOther] if the container has other bytes than were stored, and [ErrUnusable] if the points cannot
// help. The container and the file must stay open while the Body is read.
func (x *File) Enter(ctx context.Context, container *os.File, rec *Record, offset int64) (*Body, error) {
	r, err := x.find(rec.key())
	switch {
	case err != nil:
		return nil, err
	case r == nil || r.kind == none || r.body != rec.Place.Body || offset < 0 || offset > r.body:
		return nil, fmt.Errorf("%w: it has no such record or place", ErrUnusable)
	}
	size := pieceSize(r.body)
	b := &Body{file: x, record: r, next: offset / size, piece: make([]byte, size)}
	if offset == r.body {
		b.err = io.EOF
		return b, nil
	}
	if b.in, b.at, err = x.open(ctx, container, r, rec.Place, b.next*size); err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, b.in, b.next*size-b.at); err != nil {
		return nil, other(err)
	}
	if err := b.read(); err != nil {
		return nil, err
	}
	b.rest = b.rest[offset%size:]
	return b, nil
}

// open opens the content of a record at the last place before an offset of its body at which that is possible. It
// returns the place as an offset of the body, which is negative before it.
func (x *File) open(ctx context.Context, f *os.File, r *record, p *stored.Place, offset int64) (io.Reader, int64,
	error) {
	section := func(from int64) io.Reader {
		s := io.NewSectionReader(f, from, p.Offset+p.Stored-from)
		return &disk.Counted{Ctx: ctx, From: s}
	}
	if r.kind == plain {
		return section(r.start + offset), offset, nil
	}
	at, err := x.before(r, r.start+offset)
	if err != nil {
		return nil, 0, err
	}
	if at == nil {
		in := gzipmember.NewReader(section(p.Offset), gzipmember.Options{})
		if _, err := in.Next(); err != nil {
			return nil, 0, other(err)
		}
		return in, -r.start, nil
	}
	window, err := x.windowOf(at)
	if err != nil {
		return nil, 0, err
	}
	if at.bits/8 >= p.Stored {
		return nil, 0, fmt.Errorf("%w: a point behind its member", ErrUnusable)
	}
	in, err := gzipmember.Enter(section(p.Offset+at.bits/8), gzipmember.Boundary{Bits: at.bits, Inflated: at.inflated},
		window)
	if err != nil {
		return nil, 0, other(err)
	}
	return in, at.inflated - r.start, nil
}

// before returns the last point that is not behind a place in the content of a member; nil if there is none.
func (x *File) before(r *record, place int64) (*point, error) {
	var failed error
	var p point
	row := make([]byte, pointRow)
	load := func(i int) bool {
		if failed == nil {
			failed = x.readAt(row, r.tables+int64(i)*pointRow)
		}
		if failed == nil {
			failed = p.read(row)
		}
		return failed == nil
	}
	i := sort.Search(int(r.points), func(i int) bool { return !load(i) || p.inflated > place })
	if failed != nil || i == 0 || !load(i-1) {
		return nil, failed
	}
	return &p, nil
}

// read reads the next piece, and compares its digest.
func (b *Body) read() error {
	size := pieceSize(b.record.body)
	from := b.next * size
	if from >= b.record.body {
		return io.EOF
	}
	b.rest = nil
	piece := b.piece[:min(size, b.record.body-from)]
	if _, err := io.ReadFull(b.in, piece); err != nil {
		return other(err)
	}
	row := make([]byte, pieceRow)
	if err := b.file.readAt(row, b.record.tables+int64(b.record.points)*pointRow+b.next*pieceRow); err != nil {
		return err
	}
	if !unbroken(row) {
		return fmt.Errorf("%w: a digest is damaged", ErrUnusable)
	}
	if sum := sha256.Sum256(piece); string(sum[:]) != string(row[:sha256.Size]) {
		return fmt.Errorf("the body %w (SHA-256 of bytes %d to %d)", stored.ErrOther, from, from+int64(len(piece)))
	}
	b.rest = piece
	b.next++
	return nil
}

// Read implements io.Reader. After an error the bytes read before are good.
func (b *Body) Read(p []byte) (int, error) {
	if len(b.rest) == 0 && b.err == nil {
		b.err = b.read()
	}
	if len(b.rest) == 0 {
		return 0, b.err
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// other returns the error of content that is not as it was: anything but an end of the context or a fault of the disk.
func other(err error) error {
	var corrupt *deflate.CorruptError
	var damage *gzipmember.Damage
	if errors.As(err, &corrupt) || errors.As(err, &damage) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the member %w: %w", stored.ErrOther, err)
	}
	return err
}
