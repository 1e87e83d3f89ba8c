package wct

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// mended is a document that was made readable, with the list of changes.
type mended struct {
	text  []byte
	flaws []flaw
	total int // number of flaws; fewer are listed
}

type flaw struct {
	offset int64
	what   string
}

// maxFlaws bounds the listed flaws of one document.
const maxFlaws = 20

func (m *mended) flaw(at int, format string, args ...any) {
	if m.total++; len(m.flaws) < maxFlaws {
		m.flaws = append(m.flaws, flaw{int64(at), fmt.Sprintf(format, args...)})
	}
}

// surrogates matches the halves of a character beyond U+FFFF, each written as a separate reference,
// which XML forbids. WCT's escaping works on Java's characters.
var surrogates = regexp.MustCompile(`&#(5[5-7][0-9]{3});&#(5[5-7][0-9]{3});`)

// control matches a reference to a character that XML does not have.
var control = regexp.MustCompile(`&#(?:x0*(?:[0-8bBcCeEfF]|1[0-9a-fA-F])|0*(?:[0-8]|1[124-9]|2[0-9]|3[01]));`)

// mend replaces bytes that XML forbids but curators type: control characters, and bytes in a UTF-8
// document that are not UTF-8. The document itself stays unchanged.
func mend(b []byte) mended {
	m := mended{text: b}
	if utf8.Valid(b) && bytes.IndexFunc(b, forbidden) < 0 && !bytes.Contains(b, []byte("&#")) {
		return m
	}
	if !declaresOther(b) {
		m.text = m.characters(b)
	}
	m.text = m.replace(surrogates, m.text, func(found []byte) []byte {
		parts := surrogates.FindSubmatch(found)
		high, _ := strconv.Atoi(string(parts[1])) // five digits
		low, _ := strconv.Atoi(string(parts[2]))
		r := utf16.DecodeRune(rune(high), rune(low))
		return utf8.AppendRune(nil, r)
	}, "two references for one character")
	m.text = m.replace(control, m.text, func([]byte) []byte {
		return []byte("\uFFFD")
	}, "a reference to a control character, read as U+FFFD")
	return m
}

// replace replaces each match.
func (m *mended) replace(what *regexp.Regexp, b []byte, by func([]byte) []byte, flaw string) []byte {
	places := what.FindAllIndex(b, -1)
	if places == nil {
		return b
	}
	var out []byte
	last := 0
	for _, p := range places {
		out = append(out, b[last:p[0]]...)
		out = append(out, by(b[p[0]:p[1]])...)
		last = p[1]
		m.flaw(p[0], "%s", flaw)
	}
	return append(out, b[last:]...)
}

// declaresOther reports whether the XML declaration names another encoding than UTF-8.
func declaresOther(b []byte) bool {
	declaration, _, _ := bytes.Cut(b[:min(len(b), 200)], []byte("?>"))
	_, encoding, ok := bytes.Cut(declaration, []byte("encoding="))
	return ok && !bytes.HasPrefix(bytes.ToLower(bytes.Trim(encoding, `"' `)), []byte("utf-8"))
}

func forbidden(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}

func (m *mended) characters(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/16)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			m.flaw(i, "byte 0x%02X is not UTF-8, read as ISO 8859-1", b[i])
			out = utf8.AppendRune(out, rune(b[i]))
		case forbidden(r):
			m.flaw(i, "the control character 0x%02X, read as U+FFFD", r)
			out = utf8.AppendRune(out, utf8.RuneError)
		default:
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}
