package zstdframe

import (
	"errors"
	"fmt"
	"io"

	"quire/format/bytesource"
)

// doubt is about bytes of one frame that look like another frame. There are two explanations. The
// bytes are content, such as a container within the container. Or the frame lost bytes, and its
// last blocks absorbed the frames after it. The ends of the frames decide between them. Frames of
// the file follow one another up to the place where the first frame ended early, and beyond it.
// Frames of an inner container end earlier.
type doubt struct {
	until int64 // in the file: where the earlier frame ended, early or not
	left  int   // number of frames that may still be followed
}

// chainTries bounds how often frames are followed after one damage. Each time is charged as
// chainCost bytes read again.
const (
	chainTries = 1024
	chainCost  = 16 << 10
)

// isFrame reports whether the magic at the source, where window begins, starts a frame of the file.
// If not, pass is how far to continue.
func (r *Reader) isFrame(window []byte) (is bool, pass int, err error) {
	at := r.src.Offset()
	if at >= r.doubt.until {
		return true, 0, nil
	}
	if r.doubt.left == 0 || !beginsFrame(window) {
		return false, 1, nil
	}
	r.doubt.left--
	r.src.Charge(chainCost)
	return r.follow(at)
}

// beginsFrame reports whether b begins with a frame header and the header of a first block.
func beginsFrame(b []byte) bool {
	if len(b) < 6 || b[4]&0x08 != 0 { // Reserved_bit
		return false
	}
	n := headerSize(b[4])
	if len(b) < n+3 {
		return false
	}
	_, _, ok := blockSize(b[n:])
	return ok
}

// follow goes from frame to frame, beginning with the frame at this offset of the file. If the
// frames end too early, the caller need not try the first frames again: pass is the number of bytes
// to skip, up to the last frame.
func (r *Reader) follow(at int64) (is bool, pass int, err error) {
	b, err := r.src.Peek(bytesource.BufferSize)
	ended := errors.Is(err, io.EOF)
	if err != nil && !ended {
		return false, 0, fmt.Errorf("reading at byte %d: %w", at, err)
	}
	for here := 0; ; {
		n := frameLength(b[here:])
		if n == 0 && !ended {
			return r.followOn(at, here)
		}
		if n <= 0 {
			return false, here + 1, nil
		}
		next := b[here+n:]
		switch {
		case len(next) == 0 && ended:
			return true, 0, nil
		case len(next) < 4 && !ended:
			return r.followOn(at, here)
		case magicOf(next) != magicFrame:
			return false, here + 1, nil
		case at+int64(here+n) >= r.doubt.until:
			return true, 0, nil
		}
		here += n
	}
}

// frameLength returns the length of the frame at the start of b, by its headers. It returns 0 if b
// ends first, and -1 if it is not a frame.
func frameLength(b []byte) int {
	if len(b) < 6 {
		return 0
	}
	n := headerSize(b[4])
	for last := false; !last; {
		if len(b) < n+3 {
			return 0
		}
		size, isLast, ok := blockSize(b[n:])
		if !ok {
			return -1
		}
		n, last = n+size, isLast
	}
	if hasChecksum(b[4]) {
		n += checksumSize
	}
	if len(b) < n {
		return 0
	}
	return n
}

const checksumSize = 4

// followOn is follow for a frame that is longer than the window and begins here bytes after the
// first. It reads the frame, and goes back.
func (r *Reader) followOn(at int64, here int) (is bool, pass int, err error) {
	if _, err := r.src.Discard(here); err != nil {
		return false, 0, err
	}
	var f frameBytes
	if f.begin(r.src) == nil {
		_, err = io.Copy(io.Discard, &f)
	}
	next, peekErr := r.src.Peek(4)
	end := r.src.Offset()
	is = err == nil && (magicOf(next) == magicFrame && end >= r.doubt.until || len(next) == 0 &&
		errors.Is(peekErr, io.EOF))
	if r.src.Err() != nil {
		return false, 0, fmt.Errorf("reading at byte %d: %w", end, r.src.Err())
	}
	if err := r.src.GoBackTo(at); err != nil {
		return false, 0, err
	}
	if r.src.Offset() != at { // the source cannot go back: continue here
		return false, 0, nil
	}
	return is, here + 1, nil
}

// isChecksum reports whether a correct checksum follows the current frame, although the frame's
// header declares no checksum. end is the offset in the file where the checksum ends. The source is
// at this position before and after the call.
func (r *Reader) isChecksum(end int64) (bool, error) {
	if err := r.src.GoBackTo(r.frame.Offset); err != nil {
		return false, err
	}
	if r.src.Offset() != r.frame.Offset {
		return false, nil
	}
	r.src.Charge(r.frame.Inflated / inflatedPerByte)
	var f frameBytes
	err := f.begin(r.src)
	if err == nil {
		f.checksum = true
		err = r.decoder.Reset(&announced{from: &f})
	}
	if err == nil {
		_, err = io.Copy(io.Discard, struct{ io.Reader }{r.decoder})
	}
	if r.src.Err() != nil {
		return false, fmt.Errorf("reading at byte %d: %w", r.src.Offset(), r.src.Err())
	}
	return err == nil, r.src.GoBackTo(end)
}

// announced reads a frame's bytes, with a checksum declared in its header.
type announced struct {
	from io.Reader
	n    int // bytes returned
}

func (a *announced) Read(p []byte) (int, error) {
	n, err := a.from.Read(p)
	if i := 4 - a.n; i >= 0 && i < n {
		p[i] |= checksumFlag
	}
	a.n += n
	return n, err
}
