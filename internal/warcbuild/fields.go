package warcbuild

import (
	"crypto/sha256"
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"quire/format/warc"
)

// RecordID returns a UUID of version 8 (RFC 9562, 5.8) derived from named values, including the
// digest of the block.
func RecordID(values []warc.NameValue) string {
	h := sha256.New()
	for _, v := range values {
		_, _ = fmt.Fprintf(h, "%d %s %d %s\n", len(v.Name), v.Name, len(v.Value), v.Value) // a hash never fails
	}
	b := h.Sum(nil)[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// AppendField appends a field to a block of fields (Annex B). It omits empty values and values that
// a field cannot carry.
func AppendField(b []byte, name, value string) []byte {
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return b
		}
	}
	value = strings.Join(strings.Fields(value), " ") // metadata is indented over several lines
	if value == "" || !utf8.ValidString(value) {
		return b
	}
	return append(append(append(append(b, name...), ": "...), value...), "\r\n"...)
}

// StatedType returns the content type as found if it is valid, otherwise "": then a reader treats
// the block as bytes (5.6).
func StatedType(s string) string {
	s = strings.Trim(s, " ") // a line can have several spaces; a field value has none at its ends
	t, _, err := mime.ParseMediaType(s)
	if err != nil || !strings.Contains(t, "/") {
		return ""
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return ""
		}
	}
	return s
}

// TargetURI returns a URL in a form that a WARC header can carry. It percent-encodes spaces,
// control characters and bytes that are not ASCII (RFC 3986, 2.1), and changes nothing else. The
// URL as found is in [FieldLine].
func TargetURI(url string) string {
	return Percent(url, "")
}

// Percent percent-encodes the bytes that no URI can hold, and the given signs.
func Percent(s, signs string) string {
	return percent(s, func(i int) bool { return s[i] <= ' ' || s[i] >= 0x7f || strings.IndexByte(signs, s[i]) >= 0 })
}
