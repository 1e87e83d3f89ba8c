package inflate

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"quire/format/bytesource"
	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/zstdframe"
)

// MaxPeek is the most that Peek returns: longer than any header except an attack.
const MaxPeek = 4 << 20

// Options are the options of a Reader. The zero value is valid.
type Options struct {
	Report fault.Sink // receives all faults of the compression; may be nil

	// Holds reports whether content with this beginning is the expected content of the file. The
	// Reader calls Holds if the file begins neither with a member or frame nor with such content.
	// The first member's header may then be damaged, or other bytes may precede it. If a gzip
	// member near the beginning has such content, the file is read as gzip. If Holds is nil, the
	// Reader skips this test.
	Holds func(content []byte) bool

	// Ahead lets a second goroutine read and inflate ahead of the caller, if a processor is free
	// for it and the file is not small. The Reader's data and reports are the same, in the same
	// order. The file belongs to that goroutine until Close, which must be called.
	Ahead bool
}

// Damage is the error of a member that cannot be inflated to its end. [Reader.Resume] continues
// after it.
type Damage struct {
	fault.Fault
	cause error
}

// Error returns the damage and its place.
func (d *Damage) Error() string { return d.Fault.Error() }

// Unwrap returns the *gzipmember.Damage or *zstdframe.Damage.
func (d *Damage) Unwrap() error { return d.cause }

// Reader reads the inflated bytes of a file.
type Reader struct {
	report   fault.Sink
	producer producer
	ahead    *ahead // nil if the producer runs in this goroutine, piece by piece
	window   window

	base   int64 // offset in the inflated stream of the next byte
	marks  []mark
	first  int   // marks[first] is the member of the next byte
	passed int64 // end in the file of the last member before it
	count  int64 // non-empty members so far
	err    error // the error after the window
	closed bool

	noAheadUntil int64 // no reading ahead up to this inflated offset, see giveBack
}

// NewReader returns a Reader of the file r from its current position, which is offset 0 of the
// Reader. If r is an io.Seeker, the Reader searches a damaged member again for members that the
// damage may hide.
func NewReader(r io.Reader, o Options) *Reader {
	in := &Reader{report: o.Report, producer: producer{src: bytesource.New(r), kind: None}, window: newWindow()}
	if o.Ahead && runtime.GOMAXPROCS(0) > 1 {
		in.ahead = newAhead()
	}
	p := &in.producer
	var err error
	if p.kind, err = recognise(p.src, o.Holds); err != nil {
		in.err = fmt.Errorf("reading the first bytes: %w", err)
	}
	switch p.kind {
	case Gzip:
		p.gzip = gzipmember.NewReader(p.src, gzipmember.Options{Report: p.note})
	case Zstd:
		p.zstd = zstdframe.NewReader(p.src, zstdframe.Options{Report: p.note})
	default:
		in.marks = append(in.marks, mark{})
	}
	return in
}

// Compression returns the compression of the file.
func (r *Reader) Compression() Compression { return r.producer.kind }

// Members returns the number of non-empty gzip members or zstd frames so far; 0 for a plain file.
func (r *Reader) Members() int64 { return r.count }

// errClosed is the error after the window of a closed Reader.
var errClosed = errors.New("read from a closed inflate.Reader")

// Close ends the goroutine that inflates ahead, and frees the decoder's memory. It does not close
// the file.
func (r *Reader) Close() error {
	if r.ahead != nil {
		r.ahead.halt()
	}
	r.closed = true
	if r.err == nil {
		r.err = errClosed
	}
	if r.producer.zstd != nil {
		return r.producer.zstd.Close()
	}
	return nil
}

// Peek returns the next n inflated bytes without consuming them, across members. It returns fewer
// only with the error that follows them: io.EOF, a *Damage, or a read error. n is at most MaxPeek.
// The slice is valid until the next call.
func (r *Reader) Peek(n int) ([]byte, error) {
	if n > MaxPeek {
		return nil, fmt.Errorf("peek of %d bytes; the maximum is %d", n, MaxPeek)
	}
	w := &r.window
	for w.len() < n && r.err == nil {
		r.more()
	}
	if w.len() < n {
		return w.buf[w.lo:w.hi], r.err
	}
	return w.buf[w.lo : w.lo+n], nil
}

// Buffered returns the bytes of the current member that are available without reading; at least
// one, unless an error follows.
func (r *Reader) Buffered() ([]byte, error) {
	if b, err := r.Peek(1); len(b) == 0 {
		return nil, err
	}
	return r.window.buf[r.window.lo:][:r.inMember()], nil
}

// inMember returns how many of the buffered bytes belong to the current member.
func (r *Reader) inMember() int {
	r.dropMarks()
	if len(r.marks)-r.first > 1 {
		return int(r.marks[r.first+1].inflated - r.base)
	}
	return r.window.len()
}

// Chunk consumes up to limit bytes and returns them without copying; they are valid until the next
// call. A chunk never crosses a member boundary. At the end it returns io.EOF.
func (r *Reader) Chunk(limit int64) ([]byte, error) {
	if limit <= 0 {
		return nil, nil
	}
	if _, err := r.Peek(1); err != nil {
		return nil, err
	}
	n := min(int64(r.inMember()), limit)
	chunk := r.window.buf[r.window.lo:][:n]
	r.advance(int(n))
	return chunk, nil
}

// Discard skips n bytes. It returns the number skipped, and the error if they were fewer than n.
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

// Position returns the place of the next byte. If nothing is buffered it reads more, so after the
// last byte of a member it returns the place of the next. At the end of the file the error is
// io.EOF and File is the file's size. After a damaged member the error is the *Damage.
func (r *Reader) Position() (Position, error) {
	if _, err := r.Peek(1); err != nil {
		return Position{File: r.producer.src.Offset(), Inflated: r.base, Member: r.count}, err
	}
	r.dropMarks()
	if r.producer.kind == None {
		return Position{File: r.base, Inflated: r.base}, nil
	}
	m := r.marks[r.first]
	return Position{File: m.file, Inflated: r.base, Within: r.base - m.inflated, Member: m.index,
		Found: m.found}, nil
}

// Resume continues after a *Damage at the next member that it finds. Offsets in the inflated stream
// continue from the end of the damaged member's output.
func (r *Reader) Resume() error {
	var d *Damage
	if !errors.As(r.err, &d) {
		return nil
	}
	r.err, r.window.slab.err = nil, nil
	return r.producer.resume()
}

// advance consumes n bytes of the window.
func (r *Reader) advance(n int) {
	r.window.lo += n
	r.base += int64(n)
}

// more makes the next piece visible and reports its faults, or sets err.
func (r *Reader) more() {
	w := &r.window
	if w.exhausted() {
		r.supply()
	}
	from := r.base + int64(w.len())
	p := w.reach()
	for _, f := range p.faults {
		r.report.Add(f)
	}
	if p.begins {
		r.addMark(mark{file: p.member, inflated: from, found: p.found})
	}
	if p.ended > 0 {
		r.marks[len(r.marks)-1].end = p.ended
	}
	if w.exhausted() {
		r.err = w.slab.err
	}
}

// supply ensures that the slab has another piece, or moves to the next slab.
func (r *Reader) supply() {
	w := &r.window
	full := w.slab.full()
	if full {
		w.leave()
	}
	switch {
	case full && r.ahead != nil && (r.ahead.running || r.base >= r.noAheadUntil):
		if !r.ahead.running {
			r.ahead.start(&r.producer, w.slab)
		}
		w.enter(r.ahead.next(w.slab))
		return
	case full:
		w.slab.follow(w.slab)
		w.enter(w.slab)
	}
	r.producer.fill(w.slab)
}

// PreviousEnd returns the offset in the file just after the last member that ended before the next
// byte. The next member begins there, unless other bytes come between. It returns 0 if no member
// has ended.
func (r *Reader) PreviousEnd() int64 {
	r.dropMarks()
	if r.window.len() == 0 && r.first < len(r.marks) && r.marks[r.first].end > 0 {
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

// addMark notes the beginning of a member.
func (r *Reader) addMark(m mark) {
	r.dropMarks()
	if r.first > 64 && 2*r.first > len(r.marks) {
		r.marks = append(r.marks[:0], r.marks[r.first:]...)
		r.first = 0
	}
	m.index = r.count
	r.marks = append(r.marks, m)
	r.count++
}
