package httpcoding

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"quire/format/fault"
)

// Bounds of a body. One that unpacks to more than FreeBytes, and to more than MaxRatio times what
// it has, is a bomb. Deflate reaches 1032 to one, a page of a website rarely twenty. A whole film
// of zeros would be called a bomb, and may be.
const (
	FreeBytes = 64 << 20
	MaxRatio  = 100
)

// maxCodings is how many codings are removed from one body. Servers apply one; a proxy may add one.
const maxCodings = 4

// FairRatio is what a body may unpack to for each of its bytes without it being held against it:
// few pages come near it.
const FairRatio = 20

// Decoder removes content codings from a body that is written to it, in chunks of any size, and
// passes the content on. It is reused from body to body by Reset.
//
// The decoders that it is built upon want to read, while the body is written to it. They run as a
// coroutine: it is resumed by each Write, and pauses when it wants more. Nothing runs at the same
// time. It serves one body after the other, until Stop.
type Decoder struct {
	Report    fault.Sink // told, in Close, what the body broke; may be nil
	MaxExcess int64      // bounds the Excess of the present body; 0 is no bound but those of this package

	resume func() (struct{}, bool)
	stop   func()
	pause  func() bool // called by the coroutine; false says that it is to end
	input  input
	active bool // the present body is wanted, to its end
	reader *bufio.Reader
	layers [maxCodings]*layer
	used   int // layers of the present body
	sink   io.Writer
	buf    []byte

	size   int64         // bytes passed on
	work   int64         // bytes that came out of all its layers
	faults []fault.Fault // at most one of a kind
	given  bool          // given up: the rest of the body means nothing
	known  bool          // all codings of the present body can be removed
	err    error         // of the sink
}

// NewDecoder makes a Decoder. Buffers are taken when the first body needs them.
func NewDecoder() *Decoder { return &Decoder{} }

// Reset makes the Decoder ready for a body that was coded by these codings, in the order in which
// they were applied. It reports whether it can remove all of them; if not, the body is discarded,
// and Close tells why.
func (d *Decoder) Reset(codings []string, sink io.Writer) bool {
	if !d.begin(codings, sink) {
		return false
	}
	d.active = true
	if d.resume == nil {
		d.resume, d.stop = iter.Pull(d.run)
	}
	return true
}

// begin forgets the body before, and stacks the layers of the next.
func (d *Decoder) begin(codings []string, sink io.Writer) bool {
	d.abandon()
	d.sink, d.size, d.work, d.used, d.given, d.known, d.err = sink, 0, 0, 0, false, false, nil
	d.input, d.faults = input{d: d}, d.faults[:0]
	codings = slices.DeleteFunc(slices.Clone(codings), func(c string) bool { return c == "identity" })
	for _, coding := range codings {
		if makers[coding] == nil {
			d.fault(CodingUnknown, "%.40q is not a coding that is known here", coding)
			return false
		}
	}
	if len(codings) > maxCodings {
		d.fault(CodingUnknown, "%d codings, one upon the other; at most %d are removed", len(codings), maxCodings)
		return false
	}
	d.build(codings)
	d.known = true
	return true
}

// bufferSize is what lies between two layers, in bytes.
const bufferSize = 16 << 10

// build stacks a layer for each coding: the last that was applied is removed first.
func (d *Decoder) build(codings []string) {
	if d.reader == nil {
		d.reader, d.buf = bufio.NewReaderSize(&d.input, bufferSize), make([]byte, 2*bufferSize)
	}
	d.reader.Reset(&d.input)
	from := d.reader
	for _, coding := range slices.Backward(codings) {
		if d.layers[d.used] == nil {
			d.layers[d.used] = &layer{d: d}
		}
		from = d.layers[d.used].reset(coding, from)
		d.used++
	}
}

// Write takes the next bytes of the body. It fails only where the sink fails, and then for good:
// what follows damage is taken and not passed on.
func (d *Decoder) Write(p []byte) (int, error) {
	if d.active && len(p) > 0 {
		d.input.pending = p
		d.input.taken += int64(len(p))
		d.resume()
		d.input.pending = nil
	}
	if d.err != nil {
		return 0, d.err
	}
	return len(p), nil
}

// Close says that the body is complete, and tells the faults. The error is that of the sink.
func (d *Decoder) Close() error {
	if d.active {
		d.input.ended = true
		d.resume()
	}
	for _, f := range d.faults {
		d.Report.Add(f)
	}
	d.faults = d.faults[:0]
	return d.err
}

// abandon lets go of a body that was not closed.
func (d *Decoder) abandon() {
	if d.active {
		d.input.stopped = true
		d.resume()
	}
}

// Stop ends the coroutine. Whoever resets a Decoder must stop it, at last; it may be reset again.
func (d *Decoder) Stop() {
	if d.stop != nil {
		d.stop()
		d.stop, d.resume, d.active = nil, nil, false
	}
}

// Size is how many bytes were passed on.
func (d *Decoder) Size() int64 { return d.size }

// Excess is what the body unpacked to so far, in all its codings, beyond FairRatio times what it
// has.
func (d *Decoder) Excess() int64 { return max(0, d.work-FairRatio*d.input.taken) }

// Decoded reports whether a coding was removed, to the end of the body. It is final after Close.
func (d *Decoder) Decoded() bool {
	if d.given || d.active {
		return false
	}
	return slices.ContainsFunc(d.layers[:d.used], func(l *layer) bool { return l.state == coded })
}

// Whole reports whether the body was passed on to its end, without any coding that it really had.
// It is final after Close.
func (d *Decoder) Whole() bool { return d.known && !d.given && !d.active }

// Removed adds the codings that were found and removed to list, in the order in which they were:
// the last that was applied comes first.
func (d *Decoder) Removed(list []string) []string {
	for _, l := range d.layers[:d.used] {
		if l.state == coded {
			list = append(list, strings.TrimPrefix(l.coding, "x-"))
		}
	}
	return list
}

// run is the coroutine: it decodes one body after the other.
func (d *Decoder) run(yield func(struct{}) bool) {
	d.pause = func() bool { return yield(struct{}{}) }
	for {
		d.decode()
		d.active = false
		if !d.pause() {
			return
		}
	}
}

// decode reads what the layers make of the body, until it ends.
func (d *Decoder) decode() {
	var from io.Reader = d.reader
	if d.used > 0 {
		from = d.layers[d.used-1].out
	}
	for {
		n, err := from.Read(d.buf)
		if n > 0 {
			d.size += int64(n)
			if _, werr := d.sink.Write(d.buf[:n]); werr != nil {
				d.err = werr
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// fault notes a fault. What one layer reports, those above it would report again in other words:
// only the first of a body's failures is told.
func (d *Decoder) fault(code fault.Code, format string, args ...any) {
	if !d.given && !d.input.stopped {
		d.faults = append(d.faults, fault.Fault{Code: code, Detail: fmt.Sprintf(format, args...)})
	}
}

// errGivenUp ends the reading of a body.
var errGivenUp = errors.New("httpcoding: given up")

// giveUp notes a fault after which the rest of the body means nothing.
func (d *Decoder) giveUp(code fault.Code, format string, args ...any) error {
	d.fault(code, format, args...)
	d.given = true
	return errGivenUp
}

// charge counts bytes that came out of a layer, and says when they are too many.
func (d *Decoder) charge(l *layer, n int) error {
	l.size += int64(n)
	d.work += int64(n)
	switch {
	case d.input.body != nil: // who reads decides when it is too much
		return nil
	case l.size > FreeBytes && l.size > MaxRatio*d.input.taken:
		return d.giveUp(CodingBomb, "%d bytes of %s unpack to more than %d; they were not decoded further",
			d.input.taken, l.coding, l.size)
	case d.MaxExcess > 0 && d.Excess() > d.MaxExcess:
		return d.giveUp(CodingBomb,
			"the bodies of this file unpack to too much in all; %d bytes of %s were not decoded further", d.input.taken,
			l.coding)
	}
	return nil
}

// input is the end at which the body comes in: of the coroutine, or of who reads.
type input struct {
	d       *Decoder
	body    io.Reader // nil where the body is written
	pending []byte
	taken   int64
	ended   bool
	stopped bool // let go of
}

// Read reads on, or waits for the next Write.
func (in *input) Read(p []byte) (int, error) {
	if in.body != nil {
		n, err := in.body.Read(p)
		in.taken += int64(n)
		return n, err
	}
	for len(in.pending) == 0 {
		if in.ended {
			return 0, io.EOF
		}
		if in.stopped || !in.d.pause() {
			in.stopped = true
			return 0, errGivenUp
		}
	}
	n := copy(p, in.pending)
	in.pending = in.pending[n:]
	return n, nil
}

var _ io.WriteCloser = (*Decoder)(nil)
