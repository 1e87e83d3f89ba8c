package zstdframe

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"quire/format/fault"
)

// inflatedPerByte is how many bytes can be inflated in the time that reading one again takes,
// roughly.
const inflatedPerByte = 8

// Resume goes on after a *Damage, at the next frame that can be found, from the damaged frame's
// second byte on where the file can be read again: damaged blocks may have taken the following
// frames for their own content. What is content of the damaged frame is not taken for a frame of
// the file, see doubt.
func (r *Reader) Resume() error {
	var d *Damage
	if !errors.As(r.err, &d) {
		return nil
	}
	r.err = nil
	r.passFrame()
	if r.src.Err() != nil {
		return fmt.Errorf("reading at byte %d: %w", r.src.Offset(), r.src.Err())
	}
	r.src.Charge(r.frame.Inflated / inflatedPerByte)
	r.doubt = doubt{until: r.src.Offset(), left: chainTries}
	if err := r.src.GoBackTo(r.frame.Offset + 1); err != nil {
		return err
	}
	return r.search()
}

// passFrame goes on to the end of the damaged frame, as its block headers have it, when what they
// are of is all there.
func (r *Reader) passFrame() {
	if r.bytes.src != nil && r.frame.Offset == r.bytes.at { // otherwise it was no frame with blocks
		// an error of the file is kept by the source, and any other ends the frame here
		_, _ = io.Copy(io.Discard, &r.bytes)
	}
}

// skipGarbage passes over what is no frame, and reports it. Behind a frame without a checksum it
// may be the rest of a frame of which that one took the beginning, or the checksum itself.
func (r *Reader) skipGarbage(at int64) error {
	unchecked := r.frame.Length > 0 && r.frame.Offset+r.frame.Length == at && !r.bytes.checksum
	r.doubt = doubt{}
	if unchecked {
		r.doubt = doubt{until: at, left: chainTries}
		if err := r.src.GoBackTo(r.frame.Offset + 1); err != nil {
			return err
		}
	}
	if err := r.search(); err != nil {
		return err
	}
	found := r.src.Offset()
	f := fault.Fault{Code: FaultGarbage, Offset: at,
		Detail: fmt.Sprintf("%d bytes that are no Zstandard frame", found-at)}
	if unchecked && found < at {
		f = fault.Fault{Code: FaultFrame, Offset: r.frame.Offset,
			Detail: fmt.Sprintf("the frame is shorter than its blocks say: another begins within it, at byte %d",
				found)}
	} else if unchecked && found == at+checksumSize {
		is, err := r.isChecksum(found)
		if err != nil {
			return err
		}
		if is {
			f = fault.Fault{Code: FaultFrame, Offset: r.frame.Offset,
				Detail: "a checksum follows that the frame header does not announce"}
		}
	}
	r.report.Add(f)
	return nil
}

// search moves the source to the next frame, or to the end of the file.
func (r *Reader) search() error {
	for {
		window, err := r.src.Peek(searchWindow)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading at byte %d: %w", r.src.Offset(), err)
		}
		pass, found := len(window), false
		switch i := bytes.Index(window, frameMagic); {
		case i > 0:
			pass = i
		case i == 0:
			if found, pass, err = r.isFrame(window); err != nil {
				return err
			}
		case err == nil:
			pass -= len(frameMagic) - 1 // a magic may lie across the edge
		}
		if found || len(window) == 0 {
			return nil
		}
		if _, err := r.src.Discard(pass); err != nil {
			return err
		}
	}
}

// searchWindow is how many bytes are searched at once.
const searchWindow = 32 << 10
