package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"quire/format/bytesource"
	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/zstdframe"
)

// MaxPeek is the most that Peek can show: longer than any header that is not an attack.
const MaxPeek = 4 << 20

const bufferSize = 128 << 10

// Options of a Reader. The zero value is good.
type Options struct {
	Report fault.Sink // told of every oddity of the compression; nil discards them
}

// Damage is the error of a member that cannot be inflated to its end. Reading can go on after [Reader.Resume].
type Damage struct {
	fault.Fault
	cause error
}

// Error says what is damaged and where.
func (d *Damage) Error() string { return d.Fault.Error() }

// Unwrap gives the *gzipmember.Damage or *zstdframe.Damage.
func (d *Damage) Unwrap() error { return d.cause }

// Reader gives the inflated bytes of a file.
type Reader struct {
	src    *bytesource.Source
	report fault.Sink
	kind   Compression
	gzip   *gzipmember.Reader
	zstd   *zstdframe.Reader
	open   bool // a member is being read

	buf    []byte
	lo, hi int   // unread bytes are buf[lo:hi]
	base   int64 // offset in the inflated stream of buf[lo]
	marks  []mark
	first  int   // marks[first] is the member of buf[lo]
	passed int64 // end in the file of the last member before it
	count  int64 // members met that held something
	err    error // what comes after the buffered bytes
}

// NewReader reads the file r from its present place, which counts as offset 0. Where r is an io.Seeker, a damaged member is
// searched again for members it may hide.
func NewReader(r io.Reader, o Options) *Reader {
	in := &Reader{src: bytesource.New(r), report: o.Report, kind: None, buf: make([]byte, bufferSize)}
	head, err := in.src.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		in.err = fmt.Errorf("reading the first bytes: %w", err)
	}
	switch {
	case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b:
		in.kind = Gzip
		in.gzip = gzipmember.NewReader(in.src, gzipmember.Options{Report: o.Report})
	case len(head) == 4 && isZstd(binary.LittleEndian.Uint32(head)):
		in.kind = Zstd
		in.zstd = zstdframe.NewReader(in.src, zstdframe.Options{Report: o.Report})
	default:
		in.marks = append(in.marks, mark{})
	}
	return in
}

func isZstd(magic uint32) bool { return magic == 0xFD2FB528 || magic&^0xF == 0x184D2A50 }

// Compression says how the file is compressed.
func (r *Reader) Compression() Compression { return r.kind }

// Members counts the gzip members or zstd frames met so far that held something; 0 for a plain file.
func (r *Reader) Members() int64 { return r.count }

// Close frees what the decoder holds. It does not close the file.
func (r *Reader) Close() error {
	if r.zstd != nil {
		return r.zstd.Close()
	}
	return nil
}

// Peek shows the next n inflated bytes without taking them, across members. It shows fewer only together with the error
// that follows them: io.EOF, a *Damage, or one of reading the file. n is at most MaxPeek. The slice is valid until the next
// call.
func (r *Reader) Peek(n int) ([]byte, error) {
	if n > MaxPeek {
		return nil, fmt.Errorf("peek of %d bytes; at most %d can be shown", n, MaxPeek)
	}
	for r.hi-r.lo < n && r.err == nil {
		r.makeRoom(n)
		r.fill()
	}
	if r.hi-r.lo < n {
		return r.buf[r.lo:r.hi], r.err
	}
	return r.buf[r.lo : r.lo+n], nil
}

// Buffered shows the bytes of the present member that can be had without reading on; at least one, unless an error follows.
func (r *Reader) Buffered() ([]byte, error) {
	if b, err := r.Peek(1); len(b) == 0 {
		return nil, err
	}
	return r.buf[r.lo : r.lo+r.inMember()], nil
}

// inMember is how many of the buffered bytes are of the present member.
func (r *Reader) inMember() int {
	r.dropMarks()
	if len(r.marks)-r.first > 1 {
		return int(r.marks[r.first+1].inflated - r.base)
	}
	return r.hi - r.lo
}

// Chunk takes up to limit bytes and returns them without copying; valid until the next call. A chunk never crosses a member
// boundary. At the end it returns io.EOF.
func (r *Reader) Chunk(limit int64) ([]byte, error) {
	if limit <= 0 {
		return nil, nil
	}
	if _, err := r.Peek(1); err != nil {
		return nil, err
	}
	n := min(int64(r.inMember()), limit)
	chunk := r.buf[r.lo : r.lo+int(n)]
	r.advance(int(n))
	return chunk, nil
}

// Discard takes n bytes and forgets them. It returns how many there were, and the error that came instead of the rest.
func (r *Reader) Discard(n int) (int, error) {
	done := 0
	for done < n {
		chunk, err := r.Chunk(int64(n - done))
		if err != nil {
			return done, err
		}
		done += len(chunk)
	}
	return done, nil
}

// Read implements io.Reader over the whole inflated stream.
func (r *Reader) Read(p []byte) (int, error) {
	chunk, err := r.Chunk(int64(len(p)))
	return copy(p, chunk), err
}

// Position says where the next byte lies. It reads on when nothing is buffered, so that after the last byte of a member it
// names the following one. At the end of the file the error is io.EOF and File is the file's size; after a damaged member
// it is the *Damage.
func (r *Reader) Position() (Position, error) {
	if _, err := r.Peek(1); err != nil {
		return Position{File: r.src.Offset(), Inflated: r.base, Member: r.count}, err
	}
	r.dropMarks()
	if r.kind == None {
		return Position{File: r.base, Inflated: r.base}, nil
	}
	m := r.marks[r.first]
	return Position{File: m.file, Inflated: r.base, Within: r.base - m.inflated, Member: m.index}, nil
}

// Resume goes on after a *Damage at the next member that can be found. Offsets in the inflated stream go on from where the
// damaged member broke off.
func (r *Reader) Resume() error {
	var d *Damage
	if !errors.As(r.err, &d) {
		return nil
	}
	r.err = nil
	if r.gzip != nil {
		return r.gzip.Resume()
	}
	return r.zstd.Resume()
}

// advance takes n buffered bytes.
func (r *Reader) advance(n int) {
	r.lo += n
	r.base += int64(n)
}

// PreviousEnd is the offset in the file just behind the last member that ended before the next byte; behind it lies the
// next member, unless something stands between them that is no member. 0 when no member has ended.
func (r *Reader) PreviousEnd() int64 {
	r.dropMarks()
	if r.lo == r.hi && r.first < len(r.marks) && r.marks[r.first].end > 0 {
		return r.marks[r.first].end
	}
	return r.passed
}

// dropMarks forgets the members that end before the next byte.
func (r *Reader) dropMarks() {
	for r.first+1 < len(r.marks) && r.marks[r.first+1].inflated <= r.base {
		r.passed = r.marks[r.first].end
		r.first++
	}
}

// addMark notes that a member begins behind the buffered bytes.
func (r *Reader) addMark(file int64) {
	if r.first > 64 && 2*r.first > len(r.marks) {
		r.marks = append(r.marks[:0], r.marks[r.first:]...)
		r.first = 0
	}
	r.marks = append(r.marks, mark{file: file, inflated: r.base + int64(r.hi-r.lo), index: r.count})
}

// memberDone notes where the member being read ended.
func (r *Reader) memberDone() {
	r.open = false
	r.marks[len(r.marks)-1].end = r.src.Offset()
}

// makeRoom makes the buffer hold n unread bytes.
func (r *Reader) makeRoom(n int) {
	if r.lo == r.hi {
		r.lo, r.hi = 0, 0
	}
	if len(r.buf)-r.lo >= n && r.hi < len(r.buf) {
		return
	}
	if n > len(r.buf) {
		bigger := make([]byte, min(2*max(n, len(r.buf)), MaxPeek+bufferSize))
		r.hi = copy(bigger, r.buf[r.lo:r.hi])
		r.buf = bigger
	} else {
		r.hi = copy(r.buf, r.buf[r.lo:r.hi])
	}
	r.lo = 0
}

// fill reads some bytes into the free end of the buffer, or sets err.
func (r *Reader) fill() {
	if r.kind == None {
		n, err := r.src.Read(r.buf[r.hi:])
		r.hi += n
		r.err = err
		return
	}
	if !r.open {
		r.nextMember()
		return
	}
	n, err := r.readMember(r.buf[r.hi:])
	r.hi += n
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		r.memberDone()
	default:
		r.stop(err)
	}
}

// nextMember opens the next member and reads its first bytes, or sets err.
func (r *Reader) nextMember() {
	at, err := r.openMember()
	if err != nil {
		r.stop(err)
		return
	}
	r.dropMarks()
	r.addMark(at)
	r.open = true
	r.count++
	// An empty member takes no part: its mark would hide the next one's.
	n, err := r.readMember(r.buf[r.hi:])
	r.hi += n
	if n == 0 && errors.Is(err, io.EOF) {
		r.open = false
		r.count--
		r.marks = r.marks[:len(r.marks)-1]
		r.first = min(r.first, max(len(r.marks)-1, 0))
		r.report.Add(fault.Fault{Code: r.emptyCode(), Offset: at, Detail: "a member that holds nothing"})
		return
	}
	if errors.Is(err, io.EOF) {
		r.memberDone()
	} else if err != nil {
		r.stop(err)
	}
}

func (r *Reader) emptyCode() fault.Code {
	if r.gzip != nil {
		return gzipmember.FaultEmptyMember
	}
	return zstdframe.FaultEmptyFrame
}

func (r *Reader) openMember() (int64, error) {
	if r.gzip != nil {
		m, err := r.gzip.Next()
		if err != nil {
			return 0, err
		}
		return m.Offset, nil
	}
	f, err := r.zstd.Next()
	if err != nil {
		return 0, err
	}
	return f.Offset, nil
}

func (r *Reader) readMember(p []byte) (int, error) {
	if r.gzip != nil {
		return r.gzip.Read(p)
	}
	return r.zstd.Read(p)
}

// stop sets the error that follows the buffered bytes.
func (r *Reader) stop(err error) {
	r.open = false
	var g *gzipmember.Damage
	var z *zstdframe.Damage
	switch {
	case errors.As(err, &g):
		err = &Damage{Fault: g.Fault, cause: err}
	case errors.As(err, &z):
		err = &Damage{Fault: z.Fault, cause: err}
	}
	r.err = err
}
