package gzipmember

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"quire/format/bytesource"
	"quire/format/fault"
)

// Flag bits of a member header (RFC 1952, 2.3.1).
const (
	flagText     = 1 << 0
	flagCRC16    = 1 << 1
	flagExtra    = 1 << 2
	flagName     = 1 << 3
	flagComment  = 1 << 4
	flagReserved = 0xE0
)

// maxText bounds FNAME and FCOMMENT. The standard sets no bound; no known writer comes near this
// one.
const maxText = 64 << 10

// Header is the header of a member.
type Header struct {
	Flags   byte
	ModTime uint32 // seconds since 1970, 0 if unknown
	XFL     byte   // extra flags: 2 slowest, 4 fastest compression
	OS      byte   // 3 Unix, 255 unknown
	Extra   []byte // FEXTRA, without its length
	Name    string // FNAME, without NUL; ISO 8859-1 by the standard, any bytes in practice
	Comment string // FCOMMENT
	Length  int64  // bytes the header takes
}

// errNoHeader means that these bytes are not a member header.
var errNoHeader = errors.New("no gzip header")

// headerReader reads one header byte by byte and computes the CRC-32 for FHCRC.
type headerReader struct {
	src *bytesource.Source
	crc uint32
	one [1]byte
	n   int64
}

func (h *headerReader) next() (byte, error) {
	b, err := h.src.ReadByte()
	if err != nil {
		return 0, err
	}
	h.one[0] = b
	h.crc = crc32.Update(h.crc, crc32.IEEETable, h.one[:])
	h.n++
	return b, nil
}

func (h *headerReader) bytes(n int) ([]byte, error) {
	b := make([]byte, n)
	for i := range b {
		c, err := h.next()
		if err != nil {
			return nil, err
		}
		b[i] = c
	}
	return b, nil
}

// text reads a zero-terminated field.
func (h *headerReader) text() (string, error) {
	var b []byte
	for {
		c, err := h.next()
		if err != nil {
			return "", err
		}
		if c == 0 {
			return string(b), nil
		}
		if len(b) == maxText {
			return "", fmt.Errorf("a name or comment of more than %d bytes", maxText)
		}
		b = append(b, c)
	}
}

// looksLikeHeader reports whether b, the next bytes of the file, can start a member: magic, method
// 8, no reserved flag.
func looksLikeHeader(b []byte) bool {
	return len(b) >= 4 && b[0] == 0x1f && b[1] == 0x8b && b[2] == 8 && b[3]&flagReserved == 0
}

// readHeader reads the header at the source. It passes faults to report with the member's offset.
// If the magic is missing, it returns errNoHeader and consumes nothing. If the file ends within the
// header, it returns io.ErrUnexpectedEOF.
func readHeader(src *bytesource.Source, at int64, report fault.Sink) (Header, error) {
	var h Header
	fixed, err := src.Peek(10)
	if len(fixed) < 2 || fixed[0] != 0x1f || fixed[1] != 0x8b {
		return h, errNoHeader
	}
	if err != nil {
		return h, io.ErrUnexpectedEOF
	}
	if fixed[2] != 8 {
		report.Add(fault.Fault{Code: FaultMethod, Offset: at,
			Detail: fmt.Sprintf("compression method %d; only 8 (deflate) is defined", fixed[2])})
		return h, errNoHeader
	}
	h.Flags, h.XFL, h.OS = fixed[3], fixed[8], fixed[9]
	h.ModTime = binary.LittleEndian.Uint32(fixed[4:8])
	r := headerReader{src: src, crc: crc32.ChecksumIEEE(fixed), n: 10}
	if _, err := src.Discard(10); err != nil {
		return h, err
	}
	checkFixed(h, at, report)
	if err := h.readVariable(&r, at, report); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return h, err
	}
	h.Length = r.n
	return h, nil
}

// readVariable reads the optional parts in the order of RFC 1952, 2.3.
func (h *Header) readVariable(r *headerReader, at int64, report fault.Sink) error {
	if h.Flags&flagExtra != 0 {
		size, err := r.bytes(2)
		if err != nil {
			return err
		}
		if h.Extra, err = r.bytes(int(binary.LittleEndian.Uint16(size))); err != nil {
			return err
		}
		checkExtra(h.Extra, at, report)
	}
	var err error
	if h.Flags&flagName != 0 {
		if h.Name, err = r.text(); err != nil {
			return err
		}
		checkLatin(FaultName, h.Name, at, report)
	}
	if h.Flags&flagComment != 0 {
		if h.Comment, err = r.text(); err != nil {
			return err
		}
		checkLatin(FaultComment, h.Comment, at, report)
	}
	if h.Flags&flagCRC16 != 0 {
		want := uint16(r.crc)
		sum, err := r.bytes(2)
		if err != nil {
			return err
		}
		if got := binary.LittleEndian.Uint16(sum); got != want {
			report.Add(fault.Fault{Code: FaultHeaderCRC, Offset: at,
				Detail: fmt.Sprintf("header CRC16 is %04x, but the header's bytes give %04x", got, want)})
		}
	}
	return nil
}

func checkFixed(h Header, at int64, report fault.Sink) {
	if h.Flags&flagReserved != 0 {
		report.Add(fault.Fault{Code: FaultFlags, Offset: at,
			Detail: fmt.Sprintf("reserved flag bits %02x are set", h.Flags&flagReserved)})
	}
	if h.XFL != 0 && h.XFL != 2 && h.XFL != 4 {
		report.Add(fault.Fault{Code: FaultExtraFlags, Offset: at,
			Detail: fmt.Sprintf("extra flags %d; 0, 2 and 4 are defined", h.XFL)})
	}
	if h.OS > 13 && h.OS != 255 {
		report.Add(fault.Fault{Code: FaultOS, Offset: at,
			Detail: fmt.Sprintf("operating system %d is not defined", h.OS)})
	}
}

// checkLatin checks for bytes that are not printable characters of ISO 8859-1 (RFC 1952, 2.3.1). A
// comment may have line feeds. Names in UTF-8 occur: half of their bytes are control characters
// from 0x80 to 0x9f.
func checkLatin(code fault.Code, text string, at int64, report fault.Sink) {
	for i := range len(text) {
		if c := text[i]; c&0x7f < ' ' || c == 0x7f {
			if c == '\n' && code == FaultComment {
				continue
			}
			report.Add(fault.Fault{Code: code, Offset: at,
				Detail: fmt.Sprintf("byte %02x is not a printable character of ISO 8859-1: %.100q", c, text)})
			return
		}
	}
}

// checkExtra checks the subfields of FEXTRA (RFC 1952, 2.3.1.1): two bytes of identifier, two of
// length, data.
func checkExtra(extra []byte, at int64, report fault.Sink) {
	for rest := extra; len(rest) > 0; {
		if len(rest) < 4 || len(rest)-4 < int(binary.LittleEndian.Uint16(rest[2:])) {
			report.Add(fault.Fault{Code: FaultExtraField, Offset: at,
				Detail: fmt.Sprintf("the extra field of %d bytes does not consist of whole subfields", len(extra))})
			return
		}
		rest = rest[4+int(binary.LittleEndian.Uint16(rest[2:])):]
	}
}
