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

// The bounds of a body. A body is a bomb if it unpacks to more than FreeBytes and to more than
// MaxRatio times its own size. Deflate reaches 1032 to one, a page of a website rarely twenty. A
// whole film of zeros would count as a bomb, which is acceptable.
const (
	FreeBytes = 64 << 20
	MaxRatio  = 100
)

// maxCodings is how many codings are removed from one body. Servers apply one; a proxy may add one.
const maxCodings = 4

// FairRatio is how many bytes each byte of a body may unpack to without counting as excess. Few
// pages come near it.
const FairRatio = 20

// Decoder removes content codings from a body and passes the content on. The body is written to it,
// in chunks of any size. Reset prepares it for the next body.
//
// The decoders below it need a reader, but the body is written. So they run as a coroutine, which
// each Write resumes and which pauses when it needs more input. Nothing runs in parallel. The
// coroutine decodes one body after the other, until Stop.
type Decoder struct {
	Report    fault.Sink // receives, in Close, the faults of the body; may be nil
	MaxExcess int64      // bounds the Excess of the current body; 0: only this package's bounds

	resume func() (struct{}, bool)
	stop   func()
	pause  func() bool // called by the coroutine; false means that it must end
	input  input
	active bool // the current body is being decoded
	reader *bufio.Reader
	layers [maxCodings]*layer
	used   int // layers of the current body
	sink   io.Writer
	buf    []byte

	size    int64         // bytes passed on
	work    int64         // bytes produced by all its layers
	faults  []fault.Fault // at most one of a kind
	givenUp bool          // given up: the rest of the body is ignored
	known   bool          // all codings of the current body can be removed
	err     error         // of the sink
}

// NewDecoder returns a Decoder. It allocates buffers for the first body that needs them.
func NewDecoder() *Decoder { return &Decoder{} }

// Reset prepares the Decoder for a body with these codings, in the order of their application. It
// reports whether it can remove all of them. If not, it discards the body, and Close reports why.
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

// begin forgets the last body and stacks the layers of the next.
func (d *Decoder) begin(codings []string, sink io.Writer) bool {
	d.abandon()
	d.sink, d.size, d.work, d.used, d.givenUp, d.known, d.err = sink, 0, 0, 0, false, false, nil
	d.input, d.faults = input{d: d}, d.faults[:0]
	codings = slices.DeleteFunc(slices.Clone(codings), func(c string) bool { return c == "identity" })
	for _, coding := range codings {
		if makers[coding] == nil {
			d.fault(CodingUnknown, "%.40q is not a known coding", coding)
			return false
		}
	}
	if len(codings) > maxCodings {
		d.fault(CodingUnknown, "%d codings are applied; at most %d are removed", len(codings), maxCodings)
		return false
	}
	d.build(codings)
	d.known = true
	return true
}

// bufferSize is the size of the buffer between two layers, in bytes.
const bufferSize = 16 << 10

// build stacks a layer for each coding: the coding applied last is removed first.
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

// Write decodes the next bytes of the body. It fails only if the sink fails; all later calls then
// fail too. Write accepts bytes after damage, but does not pass them on.
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

// Close ends the body and reports the faults. The error is the one of the sink.
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

// abandon drops a body that was not closed.
func (d *Decoder) abandon() {
	if d.active {
		d.input.stopped = true
		d.resume()
	}
}

// Stop ends the coroutine. Callers of Reset must call Stop at the end. The Decoder can be reset
// again.
func (d *Decoder) Stop() {
	if d.stop != nil {
		d.stop()
		d.stop, d.resume, d.active = nil, nil, false
	}
}

// Size returns the number of bytes passed on.
func (d *Decoder) Size() int64 { return d.size }

// Excess returns how many bytes the body unpacked to so far, in all its codings, beyond FairRatio
// times its size.
func (d *Decoder) Excess() int64 { return max(0, d.work-FairRatio*d.input.taken) }

// Decoded reports whether a coding was removed, to the end of the body. The result is final after
// Close.
func (d *Decoder) Decoded() bool {
	if d.givenUp || d.active {
		return false
	}
	return slices.ContainsFunc(d.layers[:d.used], func(l *layer) bool { return l.state == coded })
}

// Complete reports whether the body was passed on to its end without any of its codings. The result is
// final after Close.
func (d *Decoder) Complete() bool { return d.known && !d.givenUp && !d.active }

// Removed appends to list the codings that were found and removed, in the order of removal: the
// coding applied last comes first.
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

// decode reads the output of the layers until the body ends.
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

// fault notes a fault. The layers above would report the failure of a layer again in other words.
// So only the first failure of a body is kept.
func (d *Decoder) fault(code fault.Code, format string, args ...any) {
	if !d.givenUp && !d.input.stopped {
		d.faults = append(d.faults, fault.Fault{Code: code, Detail: fmt.Sprintf(format, args...)})
	}
}

// errGivenUp ends the reading of a body.
var errGivenUp = errors.New("httpcoding: given up")

// giveUp notes a fault after which the rest of the body is ignored.
func (d *Decoder) giveUp(code fault.Code, format string, args ...any) error {
	d.fault(code, format, args...)
	d.givenUp = true
	return errGivenUp
}

// charge counts the bytes that a layer produced, and returns an error if they exceed a bound.
func (d *Decoder) charge(l *layer, n int) error {
	l.size += int64(n)
	d.work += int64(n)
	switch {
	case d.input.body != nil: // the caller reads and sets the limit
		return nil
	case l.size > FreeBytes && l.size > MaxRatio*d.input.taken:
		return d.giveUp(CodingBomb, "%d bytes of %s unpack to more than %d; they were not decoded further",
			d.input.taken, l.coding, l.size)
	case d.MaxExcess > 0 && d.Excess() > d.MaxExcess:
		return d.giveUp(CodingBomb,
			"the bodies of this file unpack to too much in total; %d bytes of %s were not decoded "+
				"further", d.input.taken,
			l.coding)
	}
	return nil
}

// input is the source of the body: bytes written to the coroutine, or the caller's reader.
type input struct {
	d       *Decoder
	body    io.Reader // nil if the body is written
	pending []byte
	taken   int64
	ended   bool
	stopped bool // abandoned
}

// Read reads more, or waits for the next Write.
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
