package gzipmember

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"

	"quire/format/fault"
)

// magic is the first bytes of each member: ID1, ID2 and the only compression method (RFC 1952,
// 2.3.1).
var magic = []byte{0x1f, 0x8b, 8}

// inflatedPerByte is roughly how many bytes can be inflated in the time of reading one byte again.
const inflatedPerByte = 8

// Resume continues after a *Damage: it searches for the next member, which Next then returns. If
// the file can be read again, the search starts just after the damaged member's first byte, because
// damaged data may have absorbed the members after it. If the file only ends early, members within
// the content of the last member are skipped. Resume also returns nil if no member is left; then
// Next returns io.EOF.
func (r *Reader) Resume() error {
	if r.state != broken {
		return nil
	}
	var d *Damage
	if errors.As(r.err, &d) && d.Code != FaultTruncated {
		// Bytes inflated after the damage may be the following members, read as a stored block.
		r.content.Reset()
	}
	r.src.Charge(r.member.Inflated / inflatedPerByte)
	if d != nil && d.Code == FaultHeader {
		if found, err := r.findLost(); found || err != nil {
			return err
		}
	}
	if err := r.src.GoBackTo(r.member.Offset + 1); err != nil {
		return err
	}
	r.state, r.err, r.chainLeft, r.found = between, nil, chainWork, true
	return r.search()
}

// findLost goes back to the damaged member, and reports whether only its header is damaged. Next
// then returns it.
func (r *Reader) findLost() (bool, error) {
	end := r.src.Offset()
	if err := r.src.GoBackTo(r.member.Offset); err != nil || r.src.Offset() != r.member.Offset {
		return false, err
	}
	n, err := r.lostHeader()
	if n == 0 || err != nil {
		return false, errors.Join(err, r.src.GoBackTo(end))
	}
	r.state, r.err, r.lostAt = between, nil, n
	return true, nil
}

// skipGarbage skips bytes that cannot start a member, and reports them.
func (r *Reader) skipGarbage() error {
	b, _ := r.src.Peek(10)
	switch {
	case r.src.Err() != nil:
		return r.readError()
	case len(b) == 0:
		return io.EOF
	case b[0] == 0x1f && (len(b) == 1 || b[1] == 0x8b && (len(b) == 2 || b[2] == 8)):
		return nil // a header, or its beginning at the end of the file
	}
	n, err := r.lostHeader()
	if r.lostAt = n; n > 0 || err != nil {
		return err
	}
	at := r.src.Offset()
	code, what := FaultGarbage, "bytes that are not a gzip member"
	if len(b) > 2 && b[0] == 0x1f && b[1] == 0x8b {
		code, what = FaultMethod, fmt.Sprintf("bytes compressed with method %d; only 8 (deflate) is defined", b[2])
	}
	zeros := true
	r.found = true
	if err := r.searchNoting(&zeros); err != nil {
		return err
	}
	skipped := r.src.Offset() - at
	_, err = r.src.Peek(1)
	atEnd := errors.Is(err, io.EOF)
	if zeros && atEnd {
		r.report.Add(fault.Fault{Code: FaultPadding, Offset: at,
			Detail: fmt.Sprintf("%d zero bytes after the last member", skipped)})
	} else {
		r.report.Add(fault.Fault{Code: code, Offset: at, Detail: fmt.Sprintf("%d %s", skipped, what)})
	}
	if atEnd {
		return io.EOF
	}
	return nil
}

func (r *Reader) search() error {
	var zeros bool
	return r.searchNoting(&zeros)
}

// searchNoting moves the source to the next plausible member, or to the end of the file. It clears
// zeros if it skips any other byte than zero.
func (r *Reader) searchNoting(zeros *bool) error {
	for {
		window, err := r.src.Peek(searchWindow)
		if r.src.Err() != nil {
			return r.readError()
		}
		if len(window) == 0 {
			return nil
		}
		last := err != nil
		pass, found := len(window), false
		for from := 0; ; {
			i := bytes.Index(window[from:], magic)
			if i < 0 {
				break
			}
			i += from
			if !last && i > 0 && len(window)-i < trialWindow {
				pass = i // decide in the next round, with the whole window
				break
			}
			held := r.content.Has(window[i:])
			if r.plausible(window[i:]) && (!held || r.chainToEnd(i)) {
				pass, found = i, true
				break
			}
			window, _ = r.src.Peek(len(window)) // the bytes have moved
			from = i + 1
		}
		if !found && pass == len(window) && !last {
			pass -= len(magic) - 1 // a magic may cross the edge
		}
		if *zeros && bytes.ContainsFunc(window[:pass], func(c rune) bool { return c != 0 }) {
			*zeros = false
		}
		if _, err := r.src.Discard(pass); err != nil {
			return err
		}
		if found || last && pass == len(window) {
			return nil
		}
	}
}

// searchWindow is how many bytes are searched at once.
const searchWindow = 32 << 10

// trialWindow is how many bytes of a candidate are tried. trialOutput is how many inflated bytes
// make it plausible.
const (
	trialWindow = 8 << 10
	trialOutput = 128
)

// plausible reports whether the first bytes of b inflate as a member. Damaged data contains many
// accidental magics; few of them also inflate.
func (r *Reader) plausible(b []byte) bool {
	b = b[:min(len(b), trialWindow)]
	n := headerLength(b)
	if n < 0 {
		return false
	}
	in := bytes.NewReader(b[n:])
	if r.trial == nil {
		r.trial = flate.NewReader(in)
	} else if err := r.trial.(flate.Resetter).Reset(in, nil); err != nil {
		return false
	}
	got, err := io.ReadFull(r.trial, r.trialOut[:])
	if err == nil {
		return true
	}
	// Short content must end in its trailer, unless the window ends first.
	_, end := r.trial.Read(make([]byte, 1))
	switch {
	case errors.Is(end, io.ErrUnexpectedEOF):
		return got > 0 || in.Len() == 0
	case !errors.Is(end, io.EOF):
		return false
	}
	trailer := b[len(b)-in.Len():]
	return len(trailer) < 8 || binary.LittleEndian.Uint32(trailer[4:]) == uint32(got) ||
		binary.LittleEndian.Uint32(trailer) == crc32.ChecksumIEEE(r.trialOut[:got])
}

// headerLength returns the length of the member header at the beginning of b, or -1 if it is not a
// header or does not end within b.
func headerLength(b []byte) int {
	if len(b) < 18 || !looksLikeHeader(b) {
		return -1
	}
	flags, n := b[3], 10
	if flags&flagExtra != 0 {
		n += 2 + int(binary.LittleEndian.Uint16(b[n:]))
	}
	for _, flag := range []byte{flagName, flagComment} {
		if flags&flag == 0 {
			continue
		}
		if n > len(b) {
			return -1
		}
		i := bytes.IndexByte(b[n:], 0)
		if i < 0 {
			return -1
		}
		n += i + 1
	}
	if flags&flagCRC16 != 0 {
		n += 2
	}
	if n >= len(b) {
		return -1
	}
	return n
}
