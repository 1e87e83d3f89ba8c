package points

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/flate"

	"quire/format/gzipmember"
	"quire/format/http1"
	"quire/format/warc"
	"quire/internal/disk"
	"quire/repository/stored"
)

// maxHeader is the longest record header, in bytes.
const maxHeader = 64 << 10

// mostRatio is how much longer than its member a body with points may be. No film comes near; a bomb does.
const mostRatio = 200

// Maker writes a file of points.
type Maker struct {
	Progress func(bytes int64) // is called after each read of a container; may be nil

	out     *counted
	buf     *bufio.Writer
	records []record
	window  bytes.Buffer
	deflate *flate.Writer
}

// Write writes the points of a package to a new file, and replaces an earlier one. Only its owner may read it, because
// it has content. The state names the version of
// the package and is asked at the end ([File.Is]); add adds the records.
func Write(path string, state func() string, add func(*Maker) error) error {
	return disk.WriteSecret(path, func(to io.Writer) error {
		m := &Maker{buf: bufio.NewWriterSize(to, 64<<10)}
		m.out = &counted{to: m.buf}
		if _, err := io.WriteString(m.out, magic); err != nil {
			return err
		}
		if err := add(m); err != nil {
			return err
		}
		return m.finish(state())
	})
}

// finish writes the directory and the trailer.
func (m *Maker) finish(state string) error {
	slices.SortFunc(m.records, func(a, b record) int { return bytes.Compare(a.key[:], b.key[:]) })
	m.records = slices.CompactFunc(m.records, func(a, b record) bool { return a.key == b.key })
	directory := m.out.n
	for i := range m.records {
		if _, err := m.out.Write(m.records[i].row()); err != nil {
			return err
		}
	}
	if _, err := m.out.Write(trailerOf(directory, int64(len(m.records)), state)); err != nil {
		return err
	}
	if err := m.buf.Flush(); err != nil {
		return fmt.Errorf("%w: %w", ErrFile, err)
	}
	return nil
}

// Suits reports whether Make can make points of a record: it is long, and alone in its member.
func Suits(p *stored.Place) bool {
	return p.Body >= Least && p.Body <= most && p.Stored > 0 && p.Body/mostRatio <= p.Stored &&
		p.Head <= http1.MaxHead && len(p.SHA256) == sha256.Size
}

// Make reads a record of a container once, and adds its points. The error is [stored.ErrOther] if the body does not
// have its digest, and [ErrUnusable] if the record has a form that cannot be entered; the file then has nothing of it.
func (m *Maker) Make(ctx context.Context, container *os.File, rec *Record) error {
	p := rec.Place
	if !Suits(p) {
		return fmt.Errorf("%w: the record is short, shares its member, or is a bomb", ErrUnusable)
	}
	section := io.NewSectionReader(container, p.Offset, p.Stored)
	in := &disk.Counted{Ctx: ctx, From: section, Progress: m.Progress}
	var head [4]byte
	if _, err := container.ReadAt(head[:], p.Offset); err != nil {
		return err
	}
	w := &pass{maker: m, place: p, whole: sha256.New(), piece: sha256.New(),
		record: record{key: rec.key(), in: rec.container(), body: p.Body}}
	var err error
	switch {
	case head[0] == 0x1f && head[1] == 0x8b:
		err = w.gzip(in)
	case string(head[:]) == "WARC":
		w.record.kind = plain
		err = w.plain(in)
	default:
		err = fmt.Errorf("%w: the record is not in a gzip member, and does not begin with WARC", ErrUnusable)
	}
	if err == nil {
		err = w.finish()
	}
	return err
}

// pass is the pass over one record.
type pass struct {
	maker  *Maker
	place  *stored.Place
	record record

	header       []byte // until the body begins
	start        int64  // of the body, in the record; 0 if it is not known yet
	begun        bool
	left         int64 // of the body
	seen         int64 // bytes of the record
	whole, piece hash.Hash
	inPiece      int64
	points       []byte // rows
	pieces       []byte // rows
	last         int64  // content before the last point
}

// gzip inflates the member, and keeps points.
func (w *pass) gzip(in io.Reader) error {
	r := gzipmember.NewReader(in, gzipmember.Options{})
	if _, err := r.Next(); err != nil {
		return other(err)
	}
	buf, at := make([]byte, 8*gzipmember.Window), 0
	for {
		if at == len(buf) {
			at = copy(buf, buf[len(buf)-gzipmember.Window:])
		}
		n, err := r.ReadInto(buf, at)
		before := w.seen
		if b, ok := r.Boundary(); ok && n > 0 {
			if err := w.point(b, buf[:at+int(b.Inflated-before)]); err != nil {
				return err
			}
		}
		if err := w.take(buf[at : at+n]); err != nil {
			return err
		}
		if at += n; errors.Is(err, io.EOF) || w.complete() {
			return nil
		}
		if err != nil {
			return other(err)
		}
	}
}

// plain reads the record as it is stored.
func (w *pass) plain(in io.Reader) error {
	buf := make([]byte, 8*gzipmember.Window)
	for {
		n, err := in.Read(buf)
		if err := w.take(buf[:n]); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) || w.complete() {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// complete reports whether the whole body was read: the pass reads nothing behind it.
func (w *pass) complete() bool { return w.begun && w.left == 0 }

// take takes the next bytes of the record.
func (w *pass) take(b []byte) error {
	w.seen += int64(len(b))
	if !w.begun {
		searched := len(w.header)
		w.header = append(w.header, b...)
		if w.start == 0 {
			end, whole := warc.HeaderEnd(w.header, searched)
			switch {
			case end < 0 && len(w.header) > maxHeader, end >= 0 && !whole,
				!bytes.HasPrefix(w.header, []byte("WARC/")[:min(5, len(w.header))]):
				return fmt.Errorf("%w: the record has no header of a WARC record", ErrUnusable)
			case end < 0:
				return nil
			}
			w.start = int64(end) + w.place.Head
		}
		if int64(len(w.header)) < w.start {
			return nil
		}
		b, w.header, w.begun, w.left, w.record.start = w.header[w.start:], nil, true, w.place.Body, w.start
		if w.record.kind == plain {
			w.record.start += w.place.Offset
		}
	}
	b = b[:min(int64(len(b)), w.left)]
	w.left -= int64(len(b))
	w.whole.Write(b)
	for size := pieceSize(w.record.body); len(b) > 0; {
		n := min(int64(len(b)), size-w.inPiece)
		w.piece.Write(b[:n])
		b = b[n:]
		if w.inPiece += n; w.inPiece == size {
			w.endPiece()
		}
	}
	return nil
}

func (w *pass) endPiece() {
	w.pieces = append(w.pieces, sealed(w.piece.Sum(nil))...)
	w.piece.Reset()
	w.inPiece = 0
}

// point keeps a point, if the last one is far enough. before is the content before it.
func (w *pass) point(b gzipmember.Boundary, before []byte) error {
	if b.Inflated-w.last < spacing*pieceSize(w.record.body) || w.complete() {
		return nil
	}
	before = before[max(0, len(before)-gzipmember.Window):]
	packed, err := w.maker.pack(before)
	if err != nil {
		return err
	}
	p := point{bits: b.Bits, inflated: b.Inflated, window: w.maker.out.n, size: uint32(len(packed)),
		crc: crc32.ChecksumIEEE(packed)}
	if _, err := w.maker.out.Write(packed); err != nil {
		return err
	}
	w.points = append(w.points, p.row()...)
	w.record.points++
	w.last = b.Inflated
	return nil
}

// pack compresses a window.
func (m *Maker) pack(window []byte) ([]byte, error) {
	m.window.Reset()
	if m.deflate == nil {
		var err error
		if m.deflate, err = flate.NewWriter(&m.window, flate.BestSpeed); err != nil {
			return nil, err
		}
	}
	m.deflate.Reset(&m.window)
	if _, err := m.deflate.Write(window); err != nil {
		return nil, err
	}
	if err := m.deflate.Close(); err != nil {
		return nil, err
	}
	return m.window.Bytes(), nil
}

// finish adds the tables of a record, if its body is the known one.
func (w *pass) finish() error {
	if w.inPiece > 0 {
		w.endPiece()
	}
	if !w.begun || w.left > 0 || !bytes.Equal(w.whole.Sum(nil), w.place.SHA256) {
		return fmt.Errorf("the body %w (SHA-256)", stored.ErrOther)
	}
	w.record.tables = w.maker.out.n
	for _, b := range [][]byte{w.points, w.pieces} {
		if _, err := w.maker.out.Write(b); err != nil {
			return err
		}
	}
	w.maker.records = append(w.maker.records, w.record)
	return nil
}
