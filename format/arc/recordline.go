package arc

import (
	"bytes"
	"strings"
)

// schemes are those of the addresses in ARC files. Where a record does not stand at the beginning
// of a line, because the newline before it was lost, one of them is how it begins.
var schemes = [...]string{"http://", "https://", "dns:", "filedesc://", "ftp://", "whois:"}

// schemeAt is the one of the schemes that b begins with, "" when it does with none.
func schemeAt[T string | []byte](b T) string {
	for _, s := range schemes {
		if len(b) >= len(s) && string(b[:len(s)]) == s {
			return s
		}
	}
	return ""
}

// recordIn returns where in line, which stands without its newline, a URL-record begins, and the
// length it states: at the beginning as a rule, further on when something else stands before it; -1
// when nowhere. Only lines that leave no doubt count.
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

// schemeIn is where in url, what stands before the IP address of a line, an address with one of the
// schemes begins: 0, or the first place behind which nothing stands that no address holds. -1 when
// nowhere.
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

// skipWithinLine passes over what stands before a URL-record that begins within the line at hand,
// and returns how many bytes that were.
func (r *Reader) skipWithinLine() int64 {
	line, whole := r.peekLine()
	if !whole || schemeAt(line) != "" && bytes.IndexByte(line, ':') == bytes.LastIndexByte(line, ':') {
		return 0 // as nearly always
	}
	start, _ := recordIn(line[:len(line)-1])
	if start <= 0 {
		return 0
	}
	n, _ := r.discard(start)
	return n
}

// firstLine returns where in b the first URL-record line begins; -1 if there is none.
func firstLine(b []byte) int {
	if at, found := nextLine(b, true); found {
		return at
	}
	return -1
}

// lineIs reports whether b begins with a whole line that is a URL-record line of this quality.
func lineIs(b []byte, quality func(*parsed) bool) bool {
	line, _, whole := bytes.Cut(b, []byte{'\n'})
	if !whole || len(line) > MaxLine {
		return false
	}
	p, ok := parseHeader(string(line))
	return ok && quality(&p)
}
