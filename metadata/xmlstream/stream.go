package xmlstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Character data that is too long for memory goes from the scanner's window to a writer and bypasses
// the scanner, which would hold all of it. This is possible because the scanner's position is at the
// end of its last token.

// CopyText reads the current element to its end, like [Reader.Text], and writes its character data
// to w as it reads, whatever the length. It resolves references, normalizes line ends (clause
// 2.11), and omits comments. A child element is an error. So is an instruction that keeps bytes XML
// could not carry, because the text to restore is already written.
func (r *Reader) CopyText(w io.Writer) (n int64, err error) {
	t := &plainText{out: w}
	err = r.copyTo(t)
	return t.n, err
}

// taker consumes character data.
type taker interface {
	// take consumes as much of p, raw data of the document, as it can. It leaves the rest from < or
	// &, and incomplete characters.
	take(p []byte) (n int, err error)

	// literal consumes literal data: the meaning of a reference, or a CDATA section.
	literal(p []byte) error

	// end is called at the end of the data.
	end() error
}

// contentError is an error in the text, not in the XML: after it the rest of the element can be
// skipped.
type contentError struct{ error }

func (e contentError) Unwrap() error { return e.error }

// copyTo passes the text of the current element to t.
func (r *Reader) copyTo(t taker) error {
	if _, err := r.begin(); err != nil {
		return err
	}
	for {
		if err := r.streamTo(t); err != nil {
			return err
		}
		tok, err := r.token()
		if err != nil {
			return err
		}
		ended, err := r.takeToken(t, tok)
		if err != nil {
			return r.located(err)
		}
		if ended {
			return nil
		}
	}
}

// located adds the place to err. An error only in the text does not end the reading.
func (r *Reader) located(err error) error {
	var content contentError
	if errors.As(err, &content) {
		return r.here(content.error)
	}
	return r.locate(err)
}

// streamTo passes on the text up to the next markup.
func (r *Reader) streamTo(t taker) error {
	s := r.scanner
	if r.pending || s.empty || s.pos < s.end && s.buf[s.pos] == '<' {
		return nil
	}
	for short := 0; ; {
		p, err := r.scanner.ahead(short + 1)
		if len(p) == short {
			return r.ahead(err)
		}
		n, err := t.take(p)
		r.pass(n)
		if err != nil {
			return r.located(err)
		}
		short = 0
		switch rest := p[n:]; {
		case len(rest) == 0:
		case rest[0] == '<':
			return nil
		case rest[0] == '&':
			if err := r.reference(t); err != nil {
				return err
			}
		default:
			short = len(rest)
		}
	}
}

// skipLong skips text with no end in sight: the scanner would hold all of it.
func (r *Reader) skipLong() error {
	s := r.scanner
	if r.pending || s.empty || s.pos < s.end && s.buf[s.pos] == '<' {
		return nil
	}
	if p, _ := s.ahead(1); len(p) == 0 || bytes.IndexByte(p, '<') >= 0 {
		return nil
	}
	return r.streamTo(&plainText{out: io.Discard})
}

// ahead handles the end of the source: the parser must report the missing part.
func (r *Reader) ahead(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return r.locate(err)
}

// takeToken passes on everything except raw text and references: CDATA sections. It reports whether
// the element has ended.
func (r *Reader) takeToken(t taker, tok kind) (ended bool, err error) {
	switch tok {
	case endTag:
		r.leave()
		return true, t.end()
	case startTag:
		return false, fmt.Errorf("element <%s> inside text", r.scanner.name.local)
	case charData:
		return false, t.literal(r.scanner.content())
	case instruction:
		if r.scanner.ours {
			return false, fmt.Errorf("<?%s?> in streamed text, where its bytes cannot be restored", target)
		}
	}
	return false, nil
}

// maxReference is the longest accepted reference, in bytes. XML itself sets no bound: leading zeros
// are allowed.
const maxReference = 64

// reference resolves the reference at the source's position (XML 1.0, clauses 4.1, 4.6). It knows
// only the references of XML itself, because document type declarations are not accepted.
func (r *Reader) reference(t taker) error {
	p, err := r.scanner.ahead(maxReference)
	length := bytes.IndexByte(p, ';')
	if length < 0 {
		if err := r.ahead(err); err != nil {
			return err
		}
		return r.Errorf("%q does not begin a reference: want &amp; for &", p[:min(len(p), 10)])
	}
	c, ok := referenced(string(p[1:length]))
	if !ok {
		return r.Errorf("%q is not a reference to a character that XML allows", p[:length+1])
	}
	err = t.literal(utf8.AppendRune(nil, c))
	r.pass(length + 1)
	if err != nil {
		return r.located(err)
	}
	return nil
}

// referenced returns the character of a reference.
func referenced(name string) (c rune, ok bool) {
	switch name {
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
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return 0, false
	}
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	return rune(v), err == nil && v <= utf8.MaxRune && isChar(rune(v)) && !strings.ContainsAny(digits, "+_")
}

// isChar reports whether c matches production Char of XML 1.0, clause 2.2.
func isChar(c rune) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= ' ' && utf8.ValidRune(c) && c != 0xFFFE && c != 0xFFFF
}

// plainText writes text by the rules of XML.
type plainText struct {
	out      io.Writer
	n        int64
	brackets int  // preceding brackets of "]]>", which is not allowed in text (clause 2.4)
	cr       bool // the last byte was a carriage return; a line feed after it is dropped
}

func (t *plainText) take(p []byte) (int, error) {
	begin := 0 // p[begin:i] is still to be written
	for i := 0; i < len(p); {
		size := 1
		switch b := p[i]; {
		case b == '<' || b == '&':
			t.brackets, t.cr = 0, false
			return i, t.literal(p[begin:i])
		case b == '\r' || b == '\n' && t.cr:
			if err := t.literal(p[begin:i]); err != nil {
				return i, err
			}
			if b == '\r' {
				if err := t.literal([]byte{'\n'}); err != nil {
					return i, err
				}
			}
			begin = i + 1
		case b == '>' && t.brackets >= 2:
			return i, errors.New("]]> in text, where XML does not allow it")
		case classes[b] == forbidden && b != '\t' && b != '\n':
			return i, fmt.Errorf("XML does not allow byte %#02x", b)
		case b >= utf8.RuneSelf:
			if !utf8.FullRune(p[i:]) {
				return i, t.literal(p[begin:i])
			}
			var legal bool
			if size, legal = wideChar(string(p[i:min(len(p), i+utf8.UTFMax)])); !legal {
				return i, fmt.Errorf("%q is not UTF-8, or not a character that XML allows", p[i:i+size])
			}
		}
		if t.cr = p[i] == '\r'; p[i] == ']' {
			t.brackets++
		} else {
			t.brackets = 0
		}
		i += size
	}
	return len(p), t.literal(p[begin:])
}

func (t *plainText) literal(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	n, err := t.out.Write(p)
	t.n += int64(n)
	if err != nil {
		return fmt.Errorf("writing the text: %w", err)
	}
	return nil
}

func (t *plainText) end() error { return nil }
