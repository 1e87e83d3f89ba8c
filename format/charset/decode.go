package charset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// Resolve returns the name of the encoding for a label (Encoding Standard, 4.2), or "" if the label
// is unknown.
func Resolve(label string) string {
	e, err := htmlindex.Get(label)
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(e)
	if err != nil {
		return ""
	}
	return name
}

// Decode decodes all of b to UTF-8, or returns the reason why it cannot. A byte order mark is
// removed.
func Decode(b []byte, name string) ([]byte, error) {
	switch name {
	case "us-ascii":
		return b, nil
	case "utf-8":
		b = bytes.TrimPrefix(b, []byte(bomUTF8))
		if !utf8.Valid(b) {
			return nil, broken(bytes.ToValidUTF8(b, []byte("\uFFFD")), 1)
		}
		return b, nil
	case "utf-16be":
		return decodeUTF16(b, binary.BigEndian)
	case "utf-16le":
		return decodeUTF16(b, binary.LittleEndian)
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, err
	}
	if e == encoding.Replacement {
		return nil, errors.New("that is not decoded, because it was misused to deceive browsers")
	}
	really := 0 // characters that were U+FFFD already
	if name == "gbk" || name == "gb18030" {
		e, really = simplifiedchinese.GB18030, bytes.Count(b, []byte("\x84\x31\xa4\x37"))
	}
	text, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(text, []byte("\uFFFD")) - really; n > 0 {
		return nil, broken(text, n)
	}
	return text, nil
}

// broken returns an error with the place of the first undecodable bytes.
func broken(text []byte, n int) error {
	i := bytes.Index(text, []byte("\uFFFD"))
	before := text[max(0, i-20):i]
	for len(before) > 0 && !utf8.RuneStart(before[0]) {
		before = before[1:]
	}
	return fmt.Errorf("the bytes after %q are not a valid character (errors: %d)", before, n)
}

func decodeUTF16(b []byte, order binary.ByteOrder) ([]byte, error) {
	if len(b)%2 != 0 {
		return nil, errors.New("it has an odd number of bytes")
	}
	text := make([]byte, 0, len(b))
	for i := 0; i < len(b); i += 2 {
		r := rune(order.Uint16(b[i:]))
		if utf16.IsSurrogate(r) {
			if i+4 <= len(b) {
				r = utf16.DecodeRune(r, rune(order.Uint16(b[i+2:])))
			}
			if utf16.IsSurrogate(r) || r == utf8.RuneError {
				return nil, broken(append(text, "\uFFFD"...), 1)
			}
			i += 2
		}
		text = utf8.AppendRune(text, r)
	}
	return bytes.TrimPrefix(text, []byte("\uFEFF")), nil
}

// DecodeLossy decodes b and replaces undecodable bytes by U+FFFD.
func DecodeLossy(b []byte, name string) []byte {
	switch name {
	case "utf-16be", "utf-16le":
		order := binary.ByteOrder(binary.LittleEndian)
		if name == "utf-16be" {
			order = binary.BigEndian
		}
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = order.Uint16(b[2*i:])
		}
		return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\uFEFF"))
	case "utf-8", "us-ascii", "":
		if b = bytes.TrimPrefix(b, []byte(bomUTF8)); utf8.Valid(b) { // this test is many times as fast
			return b
		}
		return bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	text, err := e.NewDecoder().Bytes(b) // the decoders of the web insert U+FFFD and do not fail
	if err != nil {
		return bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	return text
}
