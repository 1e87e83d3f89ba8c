package xmlstream

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Character data that is too long to be held: it goes from the source to a writer past the XML
// parser, which would keep it whole. That can be done because encoding/xml takes byte by byte from
// a source that offers it, and so has read nothing behind the last markup.

// CopyText reads the element at hand to its end, as [Reader.Text] does, and writes its character
// data to w as it comes, however much it is. References are resolved, line ends are what XML says
// they are (clause 2.11), comments are left out. A child element is an error, and so is an
// instruction that keeps bytes XML could not carry: they would have to be put where something was
// written already.
func (r *Reader) CopyText(w io.Writer) (n int64, err error) {
	t := &plainText{out: w}
	err = r.copyTo(t)
	return t.n, err
}

// taker takes character data.
type taker interface {
	// take takes of p, which is as it stands in the document, what it can, and leaves what begins
	// with < or & or is not whole.
	take(p []byte) (n int, err error)

	// literal takes data that means itself: what a reference stood for, or a CDATA section.
	literal(p []byte) error

	// end is told that there is no more.
	end() error
}

// contentError is what is wrong with the text and not with the XML: after it the rest of the
// element can be skipped.
type contentError struct{ error }

func (e contentError) Unwrap() error { return e.error }

// copyTo hands the text of the element at hand to t.
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

// located says where err arose. What is wrong with the text alone does not end the reading.
func (r *Reader) located(err error) error {
	var content contentError
	if errors.As(err, &content) {
		return r.here(content.error)
	}
	return r.locate(err)
}

// streamTo hands on the text up to the next markup, unless the parser has a part of it.
func (r *Reader) streamTo(t taker) error {
	if r.pending != nil || r.empty || r.src.last == '<' {
		return nil
	}
	for short := 0; ; {
		p, err := r.src.ahead(short + 1)
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

// skipLong passes over text of which no end is in sight: the parser would keep it whole.
func (r *Reader) skipLong() error {
	if p, _ := r.src.ahead(1); len(p) == 0 || bytes.IndexByte(p, '<') >= 0 {
		return nil
	}
	return r.streamTo(&plainText{out: io.Discard})
}

// ahead deals with the end of the source: the parser has to say what is missing there.
func (r *Reader) ahead(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return r.locate(err)
}

// takeToken hands on what is neither text nor a reference as it stands: CDATA sections, and text
// that the parser has read. It tells whether the element has ended.
func (r *Reader) takeToken(t taker, tok xml.Token) (ended bool, err error) {
	switch tok := tok.(type) {
	case xml.EndElement:
		r.leave()
		return true, t.end()
	case xml.StartElement:
		return false, fmt.Errorf("element <%s> inside text", tok.Name.Local)
	case xml.CharData:
		return false, t.literal(tok)
	case xml.ProcInst:
		if tok.Target == target {
			return false, fmt.Errorf("<?%s?> in text that is read as a stream, where it cannot be put right", target)
		}
	}
	return false, nil
}

// maxReference is the most bytes of a reference, of which XML itself sets no bound: leading zeros
// are allowed.
const maxReference = 64

// reference resolves the reference that the source is at (XML 1.0, clauses 4.1, 4.6). Others than
// those that XML defines are not known, since there is no document type declaration.
func (r *Reader) reference(t taker) error {
	p, err := r.src.ahead(maxReference)
	length := bytes.IndexByte(p, ';')
	if length < 0 {
		if err := r.ahead(err); err != nil {
			return err
		}
		return r.Errorf("%q begins no reference: want &amp; for &", p[:min(len(p), 10)])
	}
	c, ok := referenced(string(p[1:length]))
	if !ok {
		return r.Errorf("%q is no reference to a character that XML allows", p[:length+1])
	}
	err = t.literal(utf8.AppendRune(nil, c))
	r.pass(length + 1)
	if err != nil {
		return r.located(err)
	}
	return nil
}

// referenced gives the character that a reference stands for.
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

// isChar is production Char of XML 1.0, clause 2.2.
func isChar(c rune) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= ' ' && utf8.ValidRune(c) && c != 0xFFFE && c != 0xFFFF
}

// plainText writes text on as XML means it.
type plainText struct {
	out      io.Writer
	n        int64
	brackets int  // that stand directly before, of "]]>", which must not stand in text (clause 2.4)
	cr       bool // a carriage return stands directly before: a line feed behind it belongs to it
}

func (t *plainText) take(p []byte) (int, error) {
	begin := 0 // p[begin:i] waits to be written
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
			return i, fmt.Errorf("byte %#02x, which XML does not allow", b)
		case b >= utf8.RuneSelf:
			if !utf8.FullRune(p[i:]) {
				return i, t.literal(p[begin:i])
			}
			var legal bool
			if size, legal = wideChar(string(p[i:min(len(p), i+utf8.UTFMax)])); !legal {
				return i, fmt.Errorf("%q is not UTF-8, or no character that XML allows", p[i:i+size])
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
