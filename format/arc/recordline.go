package arc

import (
	"bytes"
	"strings"
)

// schemes are the schemes of addresses in ARC files. If the newline before a record was lost, the
// record is found by its scheme within a line.
var schemes = [...]string{"http://", "https://", "dns:", "filedesc://", "ftp://", "whois:"}

// schemeAt returns the known scheme at the beginning of b, or "".
func schemeAt[T string | []byte](b T) string {
	for _, s := range schemes {
		if len(b) >= len(s) && string(b[:len(s)]) == s {
			return s
		}
	}
	return ""
}

// recordIn returns the position of a URL-record in line, which has no newline, and the length that
// it states. The position is usually 0, or larger if other bytes come first, or -1 if there is no
// record. Only unmistakable lines count.
func recordIn(line []byte) (start int, length int64) {
	text := bytes.TrimRight(line, " \r")
	if len(text) == 0 || text[len(text)-1] < '0' || text[len(text)-1] > '9' {
		return -1, 0
	}
	lead := len(text) - len(bytes.TrimLeft(text, " "))
	if at := joinedAt(text[lead:]); at > 0 {
		lead += at
	}
	p, ok := parseHeader(string(text[lead:]))
	if !ok || !p.ip || !p.date || !p.length {
		return -1, 0
	}
	if at := schemeIn(p.URL); at >= 0 {
		return lead + at, p.BlockLength
	}
	if !p.scheme {
		return -1, 0
	}
	return lead, p.BlockLength
}

// schemeIn returns the position in url of an address with a known scheme. url is the text before
// the IP address of a line. The result is 0, or the first position after which all bytes are
// allowed in an address, or -1.
func schemeIn(url string) int {
	if schemeAt(url) != "" {
		return 0
	}
	clean := len(url)
	for clean > 0 && url[clean-1] > ' ' && url[clean-1] < 0x7f && strings.IndexByte(`"<>`, url[clean-1]) < 0 {
		clean--
	}
	for at := clean; at < len(url); at++ {
		if schemeAt(url[at:]) != "" {
			return at
		}
	}
	return -1
}

// skipWithinLine skips the bytes before a URL-record that begins within the current line, and
// returns their number.
func (r *Reader) skipWithinLine() int64 {
	line, whole := r.peekLine()
	if !whole || schemeAt(line) != "" && bytes.IndexByte(line, ':') == bytes.LastIndexByte(line, ':') {
		return 0 // the usual case
	}
	start, _ := recordIn(line[:len(line)-1])
	if start <= 0 {
		return 0
	}
	n, _ := r.discard(start)
	return n
}

// Index returns the position in b, some inflated bytes of a file, of the first URL-record line after
// its first line, or -1.
func Index(b []byte) int { return firstLine(b) }

// firstLine returns the position in b of the first URL-record line, or -1.
func firstLine(b []byte) int {
	if at, found := nextLine(b, true); found {
		return at
	}
	return -1
}

// lineIs reports whether b begins with a complete URL-record line of this quality.
func lineIs(b []byte, quality func(*parsed) bool) bool {
	line, _, whole := bytes.Cut(b, []byte{'\n'})
	if !whole || len(line) > MaxLine {
		return false
	}
	p, ok := parseHeader(string(line))
	return ok && quality(&p)
}
