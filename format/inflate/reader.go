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

// MaxPeek is the most that Peek can show: longer than any header that is not an attack.
const MaxPeek = 4 << 20

// Options of a Reader. The zero value is good.
type Options struct {
	Report fault.Sink // told of every oddity of the compression; nil discards them

	// Holds says whether content that begins so is what the file should hold. It is asked where the
	// file begins with no member or frame, and not with such content either: the first member's
	// header may be damaged, or something may stand before it. When a gzip member near the
	// beginning holds it, the file is read as gzip. nil asks nobody.
	Holds func(content []byte) bool

	// Ahead lets a second goroutine read and inflate ahead of the caller, where there is a
	// processor for it and the file is not small. What the Reader gives and reports is the same, in
	// the same order. The file then belongs to that goroutine until Close, which must be called.
	Ahead bool
}

// Damage is the error of a member that cannot be inflated to its end. Reading can go on after
// [Reader.Resume].
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
	report   fault.Sink
	producer producer
	ahead    *ahead // nil when the producer is asked from here, piece by piece
	window   window

	base   int64 // offset in the inflated stream of the next byte
	marks  []mark
	first  int   // marks[first] is the member of the next byte
	passed int64 // end in the file of the last member before it
	count  int64 // members met that held something
	err    error // what comes after the window

	aloneUntil int64 // up to this inflated offset nobody inflates ahead, see giveBack
}

// NewReader reads the file r from its present place, which counts as offset 0. Where r is an
// io.Seeker, a damaged member is searched again for members it may hide.
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

// Compression says how the file is compressed.
func (r *Reader) Compression() Compression { return r.producer.kind }

// Members counts the gzip members or zstd frames met so far that held something; 0 for a plain
// file.
func (r *Reader) Members() int64 { return r.count }

// errClosed is what comes behind the window of a Reader that was closed.
var errClosed = errors.New("read from a closed inflate.Reader")

// Close ends the goroutine that inflates ahead, and frees what the decoder holds. It does not close
// the file.
func (r *Reader) Close() error {
	if r.ahead != nil {
		r.ahead.halt()
	}
	if r.err == nil {
		r.err = errClosed
	}
	if r.producer.zstd != nil {
		return r.producer.zstd.Close()
	}
	return nil
}

// Peek shows the next n inflated bytes without taking them, across members. It shows fewer only
// together with the error that follows them: io.EOF, a *Damage, or one of reading the file. n is at
// most MaxPeek. The slice is valid until the next call.
func (r *Reader) Peek(n int) ([]byte, error) {
	if n > MaxPeek {
		return nil, fmt.Errorf("peek of %d bytes; at most %d can be shown", n, MaxPeek)
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

// Buffered shows the bytes of the present member that can be had without reading on; at least one,
// unless an error follows.
func (r *Reader) Buffered() ([]byte, error) {
	if b, err := r.Peek(1); len(b) == 0 {
		return nil, err
	}
	return r.window.buf[r.window.lo:][:r.inMember()], nil
}

// inMember is how many of the buffered bytes are of the present member.
func (r *Reader) inMember() int {
	r.dropMarks()
	if len(r.marks)-r.first > 1 {
		return int(r.marks[r.first+1].inflated - r.base)
	}
	return r.window.len()
}

// Chunk takes up to limit bytes and returns them without copying; valid until the next call. A
// chunk never crosses a member boundary. At the end it returns io.EOF.
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

// Discard takes n bytes and forgets them. It returns how many there were, and the error that came
// instead of the rest.
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

// Position says where the next byte lies. It reads on when nothing is buffered, so that after the
// last byte of a member it names the following one. At the end of the file the error is io.EOF and
// File is the file's size; after a damaged member it is the *Damage.
func (r *Reader) Position() (Position, error) {
	if _, err := r.Peek(1); err != nil {
		return Position{File: r.producer.src.Offset(), Inflated: r.base, Member: r.count}, err
	}
	r.dropMarks()
	if r.producer.kind == None {
		return Position{File: r.base, Inflated: r.base}, nil
	}
	m := r.marks[r.first]
	return Position{File: m.file, Inflated: r.base, Within: r.base - m.inflated, Member: m.index}, nil
}

// Resume goes on after a *Damage at the next member that can be found. Offsets in the inflated
// stream go on from where the damaged member broke off.
func (r *Reader) Resume() error {
	var d *Damage
	if !errors.As(r.err, &d) {
		return nil
	}
	r.err, r.window.slab.err = nil, nil
	return r.producer.resume()
}

// advance takes n bytes of the window.
func (r *Reader) advance(n int) {
	r.window.lo += n
	r.base += int64(n)
}

// more makes the next piece visible, and tells what there is to tell of it; or sets err.
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
		r.addMark(p.member, from)
	}
	if p.ended > 0 {
		r.marks[len(r.marks)-1].end = p.ended
	}
	if w.exhausted() {
		r.err = w.slab.err
	}
}

// supply sees to it that the slab has a further piece, or goes on to the next slab.
func (r *Reader) supply() {
	w := &r.window
	full := w.slab.full()
	if full {
		w.leave()
	}
	switch {
	case full && r.ahead != nil && (r.ahead.running || r.base >= r.aloneUntil):
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

// PreviousEnd is the offset in the file just behind the last member that ended before the next
// byte; behind it lies the next member, unless something stands between them that is no member. 0
// when no member has ended.
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

// addMark notes that a member begins.
func (r *Reader) addMark(file, inflated int64) {
	r.dropMarks()
	if r.first > 64 && 2*r.first > len(r.marks) {
		r.marks = append(r.marks[:0], r.marks[r.first:]...)
		r.first = 0
	}
	r.marks = append(r.marks, mark{file: file, inflated: inflated, index: r.count})
	r.count++
}
