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

// magic is what each member begins with: ID1, ID2 and the only compression method (RFC 1952,
// 2.3.1).
var magic = []byte{0x1f, 0x8b, 8}

// inflatedPerByte is how many bytes can be inflated in the time that reading one again takes,
// roughly.
const inflatedPerByte = 8

// Resume goes on after a *Damage: it looks for the next member and makes it the one that Next
// returns. Where the file can be read again it searches from just behind the damaged member's first
// byte, because damaged data may have been inflated into the members that follow. Where the file
// just ends, members that were content of the last one are passed over. It returns nil also when
// none is left; then Next returns io.EOF.
func (r *Reader) Resume() error {
	if r.state != broken {
		return nil
	}
	var d *Damage
	if errors.As(r.err, &d) && d.Code != FaultTruncated {
		// What was inflated behind the damage may be the following members themselves, taken for a
		// stored block.
		r.content.Reset()
	}
	r.src.Charge(r.member.Inflated / inflatedPerByte)
	if err := r.src.GoBackTo(r.member.Offset + 1); err != nil {
		return err
	}
	r.state, r.err, r.chainLeft = between, nil, chainWork
	return r.search()
}

// skipGarbage passes over bytes that cannot start a member, and reports them.
func (r *Reader) skipGarbage() error {
	b, _ := r.src.Peek(10)
	switch {
	case r.src.Err() != nil:
		return r.readError()
	case len(b) == 0:
		return io.EOF
	case b[0] == 0x1f && (len(b) == 1 || b[1] == 0x8b && (len(b) == 2 || b[2] == 8)):
		return nil // a header, or the beginning of one at the end of the file
	}
	at := r.src.Offset()
	code, what := FaultGarbage, "bytes that are no gzip member"
	if len(b) > 2 && b[0] == 0x1f && b[1] == 0x8b {
		code, what = FaultMethod, fmt.Sprintf("bytes compressed with method %d; only 8 (deflate) is defined", b[2])
	}
	zeros := true
	if err := r.searchNoting(&zeros); err != nil {
		return err
	}
	skipped := r.src.Offset() - at
	_, err := r.src.Peek(1)
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

// searchNoting moves the source to the next plausible member, or to the end of the file. zeros is
// cleared when anything but a zero byte was passed over.
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
				pass = i // decide with the whole window in sight, next time round
				break
			}
			held := r.content.Has(window[i:])
			if r.plausible(window[i:]) && (!held || r.chainToEnd(i)) {
				pass, found = i, true
				break
			}
			window, _ = r.src.Peek(len(window)) // they stand elsewhere now
			from = i + 1
		}
		if !found && pass == len(window) && !last {
			pass -= len(magic) - 1 // a magic may lie across the edge
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

// trialWindow is how many bytes a candidate member is judged by; trialOutput how many inflated
// bytes convince.
const (
	trialWindow = 8 << 10
	trialOutput = 128
)

// plausible tries to inflate the first bytes of b as a member. Damaged data is full of bytes that
// look like a magic; data that also inflates is rare enough.
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
	// Short content: it must be content that ends in its trailer, unless what is in sight ends
	// before.
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

// headerLength is the length of the member header that b starts with, -1 when it is none or does
// not end within b.
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
