package xmlstream

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bytes that end the fast loops over text and values.
const (
	endsText  = 1 << iota // in text: < & > CR, control characters, beyond ASCII
	endsValue             // in values: < & quotes CR, control characters, beyond ASCII
	inName                // may be in a name
)

var stops = func() (t [256]uint8) {
	for b := range t {
		c := byte(b)
		if b >= utf8.RuneSelf || b < ' ' && c != '\t' && c != '\n' || c == '<' || c == '&' {
			t[b] = endsText | endsValue
		}
		if b >= utf8.RuneSelf || nameBytes[b] != 0 || c == ':' {
			t[b] |= inName
		}
	}
	t['>'] |= endsText
	t['"'] |= endsValue
	t['\''] |= endsValue
	return t
}()

// The results of a scan of characters.
type chars uint8

const (
	mustRewrite chars = 1 << iota // references or carriage returns
	mustCheck                     // characters that XML may not allow
	isIllegal                     // a reference to a character that XML does not allow
)

// scanText scans text up to the next markup (XML 1.0, production 14).
func (s *scanner) scanText(b []byte) (int, error) {
	var found chars
	i := 0
scan:
	for {
		for i < len(b) && stops[b[i]]&endsText == 0 {
			i++
		}
		if i == len(b) {
			if !errors.Is(s.fail, io.EOF) {
				return 0, errMore
			}
			break
		}
		switch b[i] {
		case '<':
			break scan
		case '&':
			n, illegal, err := scanReference(b[i:])
			if err != nil {
				return i + n, err
			}
			found |= mustRewrite | illegal
			i += n
			continue
		case '>':
			if i >= 2 && b[i-1] == ']' && b[i-2] == ']' {
				return i + 1, errors.New("unescaped ]]> not in CDATA section")
			}
		case '\r':
			found |= mustRewrite
		default:
			found |= mustCheck
		}
		i++
	}
	s.kind, s.cdata, s.data, s.rough = charData, false, b[:i], found&mustRewrite != 0
	if found&(mustCheck|isIllegal) != 0 {
		return i, checkChars(s.data, found)
	}
	return i, nil
}

// scanChars scans an attribute value up to its quote, whose index it returns.
func scanChars(b []byte, i int, quote byte) (int, chars, error) {
	var found chars
	for {
		for i < len(b) && stops[b[i]]&endsValue == 0 {
			i++
		}
		if i == len(b) {
			return 0, 0, errMore
		}
		switch c := b[i]; c {
		case quote:
			return i, found, nil
		case '"', '\'':
		case '<':
			return i + 1, 0, errors.New("unescaped < inside quoted string")
		case '&':
			n, illegal, err := scanReference(b[i:])
			if err != nil {
				return i + n, 0, err
			}
			found |= mustRewrite | illegal
			i += n
			continue
		case '\r':
			found |= mustRewrite
		default:
			found |= mustCheck
		}
		i++
	}
}

// checkChars checks that raw text has only characters that XML allows (clause 2.2). found says
// the meaning of its references.
func checkChars(b []byte, found chars) error {
	for i := 0; i < len(b); {
		c := b[i]
		if c >= ' ' && c < utf8.RuneSelf || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return errors.New("invalid UTF-8")
		}
		if !isChar(r) {
			return fmt.Errorf("illegal character code %U", r)
		}
		i += size
	}
	if found&isIllegal != 0 {
		return errors.New("illegal character code in a reference")
	}
	return nil
}

// scanReference scans the reference at the beginning of b (XML 1.0, clause 4.1), and returns its
// length, or with an error that of the part before the error.
func scanReference(b []byte) (n int, found chars, err error) {
	if n = referenceEnd(b); n == len(b) {
		return 0, 0, errMore
	}
	if b[n] != ';' {
		return n, 0, fmt.Errorf("invalid character entity %.100q (no semicolon)", b[:n])
	}
	r, ok := meant(b[1:n])
	if !ok {
		return n + 1, 0, fmt.Errorf("invalid character entity %.100q", b[:n+1])
	}
	if !isChar(r) {
		found = isIllegal
	}
	return n + 1, found, nil
}

// referenceEnd returns the index after the name or number of a reference.
func referenceEnd(b []byte) int {
	n := 1
	if len(b) < 2 || b[1] != '#' {
		for n < len(b) && stops[b[n]]&inName != 0 {
			n++
		}
		return n
	}
	hex := len(b) > 2 && b[2] == 'x'
	if n = 2; hex {
		n = 3
	}
	for n < len(b) && isDigit(b[n], hex) {
		n++
	}
	return n
}

func isDigit(b byte, hex bool) bool {
	return '0' <= b && b <= '9' || hex && ('a' <= b && b <= 'f' || 'A' <= b && b <= 'F')
}

// meant returns the character of a reference, without & and semicolon. The number of a surrogate
// means U+FFFD.
func meant(ref []byte) (rune, bool) {
	switch string(ref) {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(ref) < 2 || ref[0] != '#' {
		return 0, false
	}
	digits, base := ref[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	v, err := strconv.ParseUint(string(digits), base, 64)
	if err != nil || v > utf8.MaxRune {
		return 0, false
	}
	if r := rune(v); utf8.ValidRune(r) {
		return r, true
	}
	return utf8.RuneError, true
}

// appendMeaning appends the meaning of checked raw text: references are resolved, and line ends
// normalized (XML 1.0, clause 2.11). A CDATA section has no references.
func appendMeaning(dst, raw []byte, cdata bool) []byte {
	start := 0 // raw[start:i] is still to be copied
	for i := 0; i < len(raw); {
		length := 1
		switch c := raw[i]; {
		case c == '\r':
			dst = append(append(dst, raw[start:i]...), '\n')
			if i+1 < len(raw) && raw[i+1] == '\n' {
				length = 2
			}
		case c == '&' && !cdata:
			end := referenceEnd(raw[i:])
			r, _ := meant(raw[i+1 : i+end])
			dst = utf8.AppendRune(append(dst, raw[start:i]...), r)
			length = end + 1
		default:
			i++
			continue
		}
		i += length
		start = i
	}
	return append(dst, raw[start:]...)
}

// checkDeclaration checks the version and the encoding of an XML declaration.
func checkDeclaration(content string) error {
	if v := pseudo("version", content); v != "" && v != "1.0" {
		return fmt.Errorf("unsupported version %q; only version 1.0 is supported", v)
	}
	if enc := pseudo("encoding", content); enc != "" && !strings.EqualFold(enc, "utf-8") {
		return fmt.Errorf("encoding %q is declared; only UTF-8 is supported", enc)
	}
	return nil
}

// pseudo returns the value of a pseudo-attribute of the XML declaration, or "".
func pseudo(name, content string) string {
	for rest := content; ; {
		_, after, found := strings.Cut(rest, name+"=")
		if !found || after == "" {
			return ""
		}
		if quote := after[0]; quote == '"' || quote == '\'' {
			value, _, closed := strings.Cut(after[1:], string(quote))
			if !closed {
				return ""
			}
			return value
		}
		rest = after[1:]
	}
}
