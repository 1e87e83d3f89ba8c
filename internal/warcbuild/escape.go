package warcbuild

import (
	"fmt"
	"strconv"
	"strings"
)

const hexDigits = "0123456789ABCDEF"

// Escape encodes any bytes as the value of a named field that every reader returns unchanged. Bytes
// that are not printable ASCII, the percent sign, and spaces at the ends (which readers trim)
// become %XX.
func Escape(s string) string {
	return percent(s, func(i int) bool {
		atEnd := i == 0 || i == len(s)-1
		return s[i] < ' ' || s[i] >= 0x7f || s[i] == '%' || s[i] == ' ' && atEnd
	})
}

// percent writes the bytes at the positions that must accepts as %XX.
func percent(s string, must func(i int) bool) string {
	n := 0
	for i := range len(s) {
		if must(i) {
			n++
		}
	}
	if n == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 2*n)
	for i := range len(s) {
		if must(i) {
			b.Write([]byte{'%', hexDigits[s[i]>>4], hexDigits[s[i]&15]})
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// Unescape reverses Escape.
func Unescape(s string) (string, error) {
	if !strings.Contains(s, "%") {
		return s, nil
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", fmt.Errorf("an escape is incomplete in %.80q", s)
		}
		c, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q is not an escape, in %.80q", s[i:i+3], s)
		}
		b = append(b, byte(c))
		i += 2
	}
	return string(b), nil
}
