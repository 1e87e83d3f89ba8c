package zstdframe

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"quire/format/fault"
)

// inflatedPerByte is how many bytes can be inflated in the time that reading one again takes, roughly.
const inflatedPerByte = 8

// Resume goes on after a *Damage, at the next frame that can be found: where the block headers of the damaged frame lead,
// if a frame stands there; otherwise at the next magic behind the frame's first byte, where the file can be read again.
func (r *Reader) Resume() error {
	var d *Damage
	if !errors.As(r.err, &d) {
		return nil
	}
	r.err = nil
	if r.frameIsWhole() {
		return nil
	}
	if r.src.Err() != nil {
		return fmt.Errorf("reading at byte %d: %w", r.src.Offset(), r.src.Err())
	}
	r.src.Charge(r.frame.Inflated / inflatedPerByte)
	if err := r.src.GoBackTo(r.frame.Offset + 1); err != nil {
		return err
	}
	_, err := r.search()
	return err
}

// frameIsWhole walks the blocks of the damaged frame and says whether another frame, or the end of the file, follows them:
// then only what they hold is damaged, and what looks like a frame within them is content.
func (r *Reader) frameIsWhole() bool {
	if r.bytes.src == nil || r.frame.Offset != r.bytes.at {
		return false // it was no frame with blocks
	}
	if _, err := io.Copy(io.Discard, &r.bytes); err != nil {
		return false
	}
	next, err := r.src.Peek(4)
	return len(next) == 0 && errors.Is(err, io.EOF) || magicOf(next) == magicFrame
}

func (r *Reader) skipGarbage(at int64) error {
	n, err := r.search()
	if n > 0 {
		r.report.Add(fault.Fault{Code: FaultGarbage, Offset: at, Detail: fmt.Sprintf("%d bytes that are no Zstandard frame", n)})
	}
	return err
}

// search moves the source to the next frame magic, or to the end of the file.
func (r *Reader) search() (skipped int64, err error) {
	for {
		window, err := r.src.Peek(searchWindow)
		if err != nil && !errors.Is(err, io.EOF) {
			return skipped, fmt.Errorf("reading at byte %d: %w", r.src.Offset(), err)
		}
		pass, done := len(window), err != nil
		if i := r.indexFrame(window); i >= 0 {
			pass, done = i, true
		} else if !done {
			pass -= echoEdge
		}
		if _, err := r.src.Discard(pass); err != nil {
			return skipped, err
		}
		skipped += int64(pass)
		if done {
			return skipped, nil
		}
	}
}

// searchWindow is how many bytes are searched at once; echoEdge how many at its end are searched again with the next, so that
// a frame can be compared with what was content.
const (
	searchWindow = 32 << 10
	echoEdge     = 32
)

// indexFrame is where in window a frame begins that was not content of the damaged one; -1 when nowhere.
func (r *Reader) indexFrame(window []byte) int {
	for from := 0; ; from++ {
		i := bytes.Index(window[from:], frameMagic)
		if i < 0 {
			return -1
		}
		if from += i; !r.content.Has(window[from:]) {
			return from
		}
	}
}
