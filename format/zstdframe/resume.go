package zstdframe

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"quire/format/fault"
)

// inflatedPerByte is roughly how many bytes can be inflated in the time of reading one byte again.
const inflatedPerByte = 8

// Resume continues after a *Damage at the next frame that it finds. If the file can be read again,
// the search starts at the damaged frame's second byte, because damaged blocks may have absorbed
// the next frames. Frames in the content of the damaged frame do not count as frames of the file,
// see doubt.
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

// passFrame skips to the end of the damaged frame, by its block headers, if all its blocks are
// there.
func (r *Reader) passFrame() {
	if r.bytes.src != nil && r.frame.Offset == r.bytes.at { // otherwise it is not a frame with blocks
		// The source keeps an error of the file; any other error ends the frame here.
		_, _ = io.Copy(io.Discard, &r.bytes)
	}
}

// skipGarbage skips and reports bytes that are not a frame. After a frame without a checksum, these
// bytes can be the checksum. They can also be the rest of a later frame whose beginning the earlier
// frame absorbed.
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
		Detail: fmt.Sprintf("%d bytes that are not a Zstandard frame", found-at)}
	if unchecked && found < at {
		f = fault.Fault{Code: FaultFrame, Offset: r.frame.Offset,
			Detail: fmt.Sprintf("the frame is shorter than its blocks state: another begins within it, "+
				"at byte %d",
				found)}
	} else if unchecked && found == at+checksumSize {
		is, err := r.isChecksum(found)
		if err != nil {
			return err
		}
		if is {
			f = fault.Fault{Code: FaultFrame, Offset: r.frame.Offset,
				Detail: "a checksum follows that the frame header does not declare"}
		}
	}
	r.report.Add(f)
	return nil
}

// search moves the source to the next frame, or to the end of the file.
func (r *Reader) search() error {
	r.found = true
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
			pass -= len(frameMagic) - 1 // a magic may cross the edge
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
