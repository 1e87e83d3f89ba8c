package exif

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The types of values (TIFF 6.0, section 2; Exif 3.0, 4.6.2) and their sizes in bytes.
var (
	types = map[uint16]string{
		1: "byte", 2: "ascii", 3: "short", 4: "long", 5: "rational", 6: "sbyte", 7: "undefined", 8: "sshort",
		9: "slong", 10: "srational",
		11: "float", 12: "double", 13: "ifd", 129: "utf-8",
	}
	sizes = map[uint16]int64{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 129: 1}
)

// entry is a field as written in its directory.
type entry struct {
	tag, kind uint16
	count     uint32
	raw       []byte // the value, or its beginning
	cut       bool
	order     binary.ByteOrder
	size      int // bytes of one value
}

// value returns the text of a field's value.
func (e *entry) value(length int64) string {
	var s string
	switch {
	case e.tag == tagMakerNote, e.tag == tagXMP, e.tag == tagIPTC, e.tag == tagPhotoshop:
		return fmt.Sprintf("(%d bytes)", length)
	case e.tag >= 0x9c9b && e.tag <= 0x9c9f: // from Windows: XPTitle to XPSubject
		s = wide(e.raw, binary.LittleEndian)
	case e.tag == tagComment:
		s = e.comment(length)
	case types[e.kind] == "ascii", types[e.kind] == "utf-8":
		s = text(e.raw)
	case types[e.kind] == "undefined" && printable(e.raw):
		s = text(e.raw)
	case types[e.kind] == "undefined" && length > MaxNumbers:
		return fmt.Sprintf("(%d bytes)", length)
	default:
		return e.numbers()
	}
	if e.cut {
		s += "…"
	}
	return s
}

// numbers returns the numbers, separated by spaces.
func (e *entry) numbers() string {
	var b strings.Builder
	for n := 0; len(e.raw) >= (n+1)*e.size; n++ {
		if n > 0 {
			b.WriteByte(' ')
		}
		if n == MaxNumbers {
			b.WriteString("…")
			return b.String()
		}
		b.WriteString(e.number(e.raw[n*e.size:]))
	}
	if e.cut {
		b.WriteString(" …")
	}
	return b.String()
}

func (e *entry) number(b []byte) string {
	switch types[e.kind] {
	case "sbyte":
		return strconv.Itoa(int(int8(b[0]))) //nolint:gosec // the same bits
	case "short":
		return strconv.Itoa(int(e.order.Uint16(b)))
	case "sshort":
		return strconv.Itoa(int(int16(e.order.Uint16(b)))) //nolint:gosec // the same bits
	case "long", "ifd":
		return strconv.FormatUint(uint64(e.order.Uint32(b)), 10)
	case "slong":
		return strconv.Itoa(int(int32(e.order.Uint32(b)))) //nolint:gosec // the same bits
	case "rational":
		return fmt.Sprintf("%d/%d", e.order.Uint32(b), e.order.Uint32(b[4:]))
	case "srational":
		return fmt.Sprintf("%d/%d", int32(e.order.Uint32(b)),
			int32(e.order.Uint32(b[4:]))) //nolint:gosec // the same bits
	case "float":
		return strconv.FormatFloat(float64(math.Float32frombits(e.order.Uint32(b))), 'g', -1, 32)
	case "double":
		return strconv.FormatFloat(math.Float64frombits(e.order.Uint64(b)), 'g', -1, 64)
	}
	return strconv.Itoa(int(b[0]))
}

// comment reads a UserComment, which begins with the name of its character code (Exif 3.0,
// 4.6.6.4).
func (e *entry) comment(length int64) string {
	const code = 8
	if len(e.raw) < code {
		return e.numbers()
	}
	rest := e.raw[code:]
	switch string(e.raw[:code]) {
	case "UNICODE\x00":
		return wide(rest, e.order)
	case "ASCII\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x00":
		return text(rest)
	}
	if printable(e.raw) { // written without a code, which is common
		return text(e.raw)
	}
	return fmt.Sprintf("(%d bytes)", length)
}

// text returns the text of bytes that should be ASCII: as UTF-8 if they are valid UTF-8, otherwise
// as ISO 8859-1. It ends at NUL. If more text follows a NUL, as in Copyright, a semicolon replaces
// the NUL.
func text(b []byte) string {
	var parts []string
	for _, part := range bytes.Split(b, []byte{0}) {
		if len(bytes.TrimSpace(part)) > 0 {
			parts = append(parts, clean(part))
		}
	}
	return strings.Join(parts, "; ")
}

func clean(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	r := make([]rune, len(b))
	for i, c := range b {
		r[i] = rune(c)
	}
	return string(r)
}

// wide returns the text of UTF-16.
func wide(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(b)/2)
	for ; len(b) >= 2; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\x00")
}

// printable reports whether the bytes are ASCII text, with NULs at the end.
func printable(b []byte) bool {
	b = bytes.TrimRight(b, "\x00")
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return len(b) > 1 // a single byte is a number: FileSource, SceneType
}
