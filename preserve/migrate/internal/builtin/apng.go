package builtin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/gif"
	"image/png"
	"io"
	"sync"
)

// encoder writes PNG. It reuses its buffers, which are large compared with most images of the old
// web.
var encoder = png.Encoder{BufferPool: &buffers{}}

type buffers struct{ sync.Pool }

// Get implements png.EncoderBufferPool.
func (b *buffers) Get() *png.EncoderBuffer {
	e, _ := b.Pool.Get().(*png.EncoderBuffer)
	return e
}

// Put implements png.EncoderBufferPool.
func (b *buffers) Put(e *png.EncoderBuffer) { b.Pool.Put(e) }

// pngHead is the size of the signature and IHDR, which begin every PNG of Go's encoder.
const pngHead = 8 + 12 + 13

// writeAPNG writes an animation as an animated PNG. Each frame is a whole image that replaces the
// one before, so the result does not depend on how a program composes frames.
func writeAPNG(out io.Writer, g *gif.GIF) error {
	w := apng{out: out}
	err := frames(g, func(i int, m *image.NRGBA) error {
		var one bytes.Buffer
		if err := encoder.Encode(&one, neverOpaque{m}); err != nil {
			return err
		}
		if i == 0 {
			w.begin(one.Bytes()[:pngHead], len(g.Image), plays(g.LoopCount))
		}
		return w.frame(one.Bytes()[pngHead:], m.Bounds().Size(), g.Delay[i], i == 0)
	})
	if err != nil {
		return err
	}
	w.chunk("IEND", nil)
	return w.err
}

// plays returns how often an animation is shown; 0 is endless (acTL). Go uses -1 for a GIF without
// a repeat count: it is shown once.
func plays(loop int) uint32 {
	switch {
	case loop < 0:
		return 1
	case loop == 0:
		return 0
	}
	return uint32(loop) + 1 //nolint:gosec // a count of 16 bits
}

// apng writes the chunks of an animated PNG.
type apng struct {
	out      io.Writer
	sequence uint32
	err      error
}

func (w *apng) begin(head []byte, frames int, plays uint32) {
	_, w.err = w.out.Write(head)
	w.chunk("acTL", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(frames)), plays))
}

// frame writes a frame from the chunks after the head of its PNG. The delay is in hundredths of a
// second.
func (w *apng) frame(chunks []byte, size image.Point, delay int, first bool) error {
	control := w.next(nil)
	for _, v := range []int{size.X, size.Y, 0, 0} {
		control = binary.BigEndian.AppendUint32(control, uint32(v))
	}
	control = binary.BigEndian.AppendUint16(control, uint16(delay))
	control = binary.BigEndian.AppendUint16(control, 100)
	w.chunk("fcTL", append(control, 0, 0)) // it stays, and replaces the frame before
	for len(chunks) >= 12 {
		n := binary.BigEndian.Uint32(chunks)
		kind, data := string(chunks[4:8]), chunks[8:8+n]
		chunks = chunks[12+n:]
		switch {
		case kind == "IEND":
			return w.err
		case kind != "IDAT":
			return fmt.Errorf("a frame has the chunk %s", kind)
		case first:
			w.chunk(kind, data)
		default:
			w.chunk("fdAT", append(w.next(nil), data...))
		}
	}
	return w.err
}

// next appends the next sequence number.
func (w *apng) next(b []byte) []byte {
	w.sequence++
	return binary.BigEndian.AppendUint32(b, w.sequence-1)
}

func (w *apng) chunk(kind string, data []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(appendChunk(nil, kind, data))
	}
}

// appendChunk appends a chunk: length, type, data and CRC (PNG, 5.3).
func appendChunk(b []byte, kind string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	from := len(b)
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[from:]))
}

// withChunks inserts chunks after the head of a PNG.
func withChunks(file, chunks []byte) []byte {
	return append(append(append(make([]byte, 0, len(file)+len(chunks)), file[:pngHead]...), chunks...),
		file[pngHead:]...)
}
