package pdf

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// text decodes a text string: UTF-16 or UTF-8 with its mark, or PDFDocEncoding (7.9.2.2).
func (d *document) text(o any) string {
	b, ok := d.follow(o).(text)
	if !ok {
		return ""
	}
	b = b[:min(len(b), maxValue)]
	switch {
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return wide(b[2:], 0)
	case bytes.HasPrefix(b, []byte("\xff\xfe")): // not allowed, but it occurs
		return wide(b[2:], 1)
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return strings.ToValidUTF8(string(b[3:]), string(utf8.RuneError))
	}
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(fromPDFDoc(c))
	}
	return strings.TrimRight(s.String(), "\x00")
}

// wide decodes UTF-16, with its high byte first or second. It omits language escapes (7.9.2.2.2).
func wide(b []byte, high int) string {
	units := make([]uint16, 0, len(b)/2)
	escaped := false
	for ; len(b) >= 2; b = b[2:] {
		unit := uint16(b[high])<<8 | uint16(b[1-high])
		if unit == 0x1b {
			escaped = !escaped
			continue
		}
		if !escaped {
			units = append(units, unit)
		}
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\x00")
}

// pdfDoc are the characters of PDFDocEncoding that differ from ISO 8859-1 (annex D.3), from 0x18
// and from 0x80.
var (
	pdfDocLow  = []rune("˘ˇˆ˙˝˛˚˜")
	pdfDocHigh = []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\uFFFD€")
)

func fromPDFDoc(c byte) rune {
	switch {
	case c >= 0x18 && c < 0x20:
		return pdfDocLow[c-0x18]
	case c >= 0x80 && c <= 0xa0:
		return pdfDocHigh[c-0x80]
	}
	return rune(c)
}

// date converts a date (7.9.4) to RFC 3339; other text stays unchanged. Without a zone in the input
// the result has none.
func date(s string) string {
	digits := strings.TrimPrefix(s, "D:")
	n := 0
	for n < len(digits) && isDigit(digits[n]) {
		n++
	}
	zone := strings.ReplaceAll(digits[n:], "'", "")
	digits = digits[:n]
	if n < 4 || n > 14 || n%2 != 0 {
		return s
	}
	const begin = "00000101000000"
	t, err := time.Parse("20060102150405", digits+begin[n:])
	if err != nil {
		return s
	}
	switch {
	case zone == "" && n <= 8:
		return t.Format(time.DateOnly)[:len("2006-01-02")-(8-n)/2*3]
	case zone == "":
		return t.Format("2006-01-02T15:04:05")
	case zone[0] == 'Z':
		return t.Format("2006-01-02T15:04:05Z")
	case len(zone) == 3:
		zone += "00"
	}
	offset, err := time.Parse("-0700", zone)
	if err != nil {
		return s
	}
	return t.Format("2006-01-02T15:04:05") + offset.Format("-07:00")
}
