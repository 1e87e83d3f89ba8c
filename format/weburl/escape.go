package weburl

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// set is a set of bytes that are percent-encoded (clause 1.3). Bytes from 0x7F are in every set.
type set [128]bool

func newSet(of *set, more string) *set {
	var s set
	if of != nil {
		s = *of
	}
	for i := range 0x20 {
		s[i] = true
	}
	s[0x7f] = true
	for i := range len(more) {
		s[more[i]] = true
	}
	return &s
}

var (
	controlSet      = newSet(nil, "")
	fragmentSet     = newSet(controlSet, " \"<>`")
	querySet        = newSet(controlSet, " \"#<>")
	specialQuerySet = newSet(querySet, "'")
	pathSet         = newSet(querySet, "?^`{}")
	userinfoSet     = newSet(pathSet, "/:;=@[\\]|")
)

const hexDigits = "0123456789ABCDEF"

// escape percent-encodes the bytes in a set.
func escape(s string, in *set) string {
	i := 0
	for i < len(s) && s[i] < 0x80 && !in[s[i]] {
		i++
	}
	if i == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)+16), s[:i]...)
	for ; i < len(s); i++ {
		b = appendEscaped(b, s[i], in)
	}
	return string(b)
}

func appendEscaped(b []byte, c byte, in *set) []byte {
	if c < 0x80 && !in[c] {
		return append(b, c)
	}
	return append(b, '%', hexDigits[c>>4], hexDigits[c&15])
}

// escapeIn is escape in the encoding of a page (clause 1.3, percent-encode after encoding). A
// character that the encoding lacks becomes a reference, as in a form.
func escapeIn(s string, encode Encoder, in *set) string {
	b := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		encoded, ok := []byte(s[i:i+n]), true
		if r >= 0x80 && (r != utf8.RuneError || n > 1) {
			encoded, ok = encode(r)
		}
		if !ok {
			b = append(b, "%26%23"+strconv.Itoa(int(r))+"%3B"...)
			encoded = nil
		}
		for _, c := range encoded {
			b = appendEscaped(b, c, in)
		}
		i += n
	}
	return string(b)
}

// Unescape decodes percent-encoding. A percent sign that is not an escape stays.
func Unescape(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:i]...)
	for ; i < len(s); i++ {
		if c, ok := Escaped(s[i:]); ok {
			b = append(b, c)
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// Escaped returns the percent-encoded byte at the beginning of s, or false if s does not begin with
// one.
func Escaped(s string) (c byte, ok bool) {
	if len(s) < 3 || s[0] != '%' || hex(s[1]) < 0 || hex(s[2]) < 0 {
		return 0, false
	}
	return byte(hex(s[1])<<4 | hex(s[2])), true
}

func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
