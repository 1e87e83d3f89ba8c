package htmllink

import (
	"bytes"
	"errors"
	"io"

	"quire/format/csslink"
	"quire/format/fault"
	"quire/format/lookahead"
)

// Options describe the document's environment. The zero value is for a text/html document.
type Options struct {
	// XML means that the document is XHTML or SVG, by its media type. Then a start tag can close
	// its element, and text can be CDATA.
	XML bool
	// Charset is the charset in the HTTP header. Only ISO-2022-JP matters, because in it the bytes
	// of < and " are parts of characters. A meta element that declares this charset has the same
	// effect.
	Charset string
	// Guards requests links of kind Guard for attributes that govern the use of a URL. They are
	// integrity, nonce, crossorigin, referrerpolicy, csp, attributionsrc, target and formtarget;
	// http-equiv and name of meta; and type of script. Such an attribute need not have a value.
	Guards bool
	// Scripts requests links of kind Inline for the texts of scripts, of at most MaxInline bytes, and of
	// kind Handler for the attributes with scripts. A link of kind Inline has no Raw and no Value.
	Scripts bool
	// Documents requests one link of kind Document for a srcdoc, instead of the links in it. It has no Value.
	// The link has the flag Sandboxed if its frame shares nothing with the page. Documents needs Guards.
	Documents bool
	// NoFollow requests the flag NoFollow for links with this type (HTML, 4.6.7.13).
	NoFollow bool
}

// Scanner finds the links of one document. Report, Comment and Element may be set before the first
// Next.
type Scanner struct {
	Report fault.Sink
	// Comment receives each comment of at most MaxComment bytes, before the links after it. start
	// and end include its marks; text is valid only during the call. Comments in nested documents
	// are not passed.
	Comment func(start, end int64, text []byte)
	// Element receives each html, meta, base and title element, before the links of its tag; a
	// title after its text. It is valid only during the call. Elements in nested documents are not
	// passed.
	Element func(*Element)
	// Text receives the text between tags, in pieces, and End the name of each end tag, in lower
	// case. Both are valid only during the call. Text of nested documents is not passed.
	Text func(text []byte)
	End  func(name []byte)

	options Options
	depth   int
	flags   Flags // of all links
	w       lookahead.Window
	begun   bool
	settled int64
	held    int64 // where the text of the current script begins; -1 if it is not wanted
	shift   shift
	foreign []context

	links  []Link // of the current tag
	next   int
	opened bool // the current tag is complete; its content is next
	tag    tag
	name   []byte // of the current tag or attribute, or the comment's text

	values  []byte // of the attributes of the tag
	urls    []byte // the values of the links
	decoded []byte
	places  []int32

	within  within // the language that another scanner reads
	region  region
	css     *csslink.Scanner
	cssLink csslink.Link
	inner   *Scanner
	small   bytes.Reader
}

// within is the language of the current content if that language has its own scanner, such as CSS.
type within uint8

const (
	markup within = iota
	styleText
	innerDocument
)

// NewScanner returns a Scanner of a document.
func NewScanner(in io.Reader, o Options) *Scanner {
	s := &Scanner{}
	s.Reset(in, 0, o)
	return s
}

// Reset makes the Scanner read another document. The offset is the one of its first byte. Report,
// Comment and Element stay.
func (s *Scanner) Reset(in io.Reader, offset int64, o Options) {
	s.w.Reset(in, offset)
	s.options, s.begun, s.settled, s.within = o, false, offset, markup
	s.shift = shift{on: isShifting(o.Charset)}
	s.foreign, s.links, s.next, s.opened, s.flags = s.foreign[:0], s.links[:0], 0, false, 0
	s.held = -1
}

// Offset returns where the current token begins. No later link or comment starts before it, unless
// it is Cut.
func (s *Scanner) Offset() int64 {
	switch s.within {
	case styleText:
		return s.css.Offset()
	case innerDocument:
		return s.inner.Offset()
	case markup:
	}
	return s.settled
}

// Next returns the next link, or io.EOF. Links come in the order of their tags, and within a tag by
// position. The link is valid until the next call.
func (s *Scanner) Next() (*Link, error) {
	if !s.begun {
		s.begun = true
		if a, b := s.w.At(0), s.w.At(1); a == 0xfe && b == 0xff || a == 0xff && b == 0xfe {
			s.w.Reset(bytes.NewReader(nil), s.w.Offset())
			return nil, ErrUTF16
		}
	}
	for {
		if s.next < len(s.links) {
			s.next++
			return &s.links[s.next-1], nil
		}
		s.links, s.next, s.urls = s.links[:0], 0, s.urls[:0]
		if s.opened {
			s.opened = false
			if s.content(); len(s.links) > 0 {
				continue // the text of a script
			}
		}
		switch s.within {
		case styleText:
			if err := s.nextInStyle(); err != nil {
				return nil, err
			}
		case innerDocument:
			if l, err := s.nextInside(); l != nil || err != nil {
				return l, err
			}
		case markup:
			if !s.token() {
				return nil, s.end()
			}
		}
	}
}

func (s *Scanner) end() error {
	if err := s.w.Err(); err != nil {
		return err
	}
	return io.EOF
}

func (s *Scanner) report(code fault.Code, at int64, detail string) {
	s.Report.Add(fault.Fault{Code: code, Offset: at, Detail: detail})
}

// token consumes text up to a tag, and the tag (HTML, 13.2.5.1 and 13.2.5.6).
func (s *Scanner) token() bool {
	if !s.skipText() {
		return false
	}
	switch c := s.w.At(1); {
	case letter(c):
		s.startTag()
	case c == '/' && letter(s.w.At(2)):
		s.endTag()
	case c == '/' && s.w.At(2) >= 0, c == '!', c == '?':
		s.declaration(c)
	default:
		s.w.Skip(1)
	}
	return true
}

// skipText skips to the next less-than sign.
func (s *Scanner) skipText() bool {
	for {
		rest := s.w.Rest()
		i := s.shift.index(rest, '<')
		if s.Text != nil && i > 0 && s.depth == 0 {
			s.Text(rest[:i])
		}
		s.w.Skip(i)
		s.settled = s.w.Offset()
		if i < len(rest) {
			return true
		}
		if len(rest) == 0 {
			return false
		}
	}
}

// declaration consumes a token that begins with <! or <?, or an end tag without a name: a comment,
// CDATA, or a bogus comment.
func (s *Scanner) declaration(c int) {
	switch {
	case c == '!' && s.w.At(2) == '-' && s.w.At(3) == '-':
		s.comment()
	case c == '!' && s.isForeign() && s.ahead("<![CDATA["):
		s.skipTo("]]>")
	case c == '?' && s.options.XML && s.ahead("<?xml-stylesheet"):
		s.startTag()
	default:
		s.skipTo(">")
	}
}

// ahead reports whether these bytes come next.
func (s *Scanner) ahead(want string) bool {
	for i := range len(want) {
		if s.w.At(i) != int(want[i]) {
			return false
		}
	}
	return true
}

// skipTo skips to the end of the mark that ends a section, and reports whether it found the mark.
func (s *Scanner) skipTo(end string) bool {
	for {
		rest := s.w.Rest()
		if len(rest) == 0 {
			return false
		}
		i := bytes.IndexByte(rest, end[0])
		if i < 0 {
			i = len(rest)
		}
		s.w.Skip(i)
		s.settled = s.w.Offset()
		if i == len(rest) {
			continue
		}
		if s.ahead(end) {
			s.w.Skip(len(end))
			return true
		}
		s.w.Skip(1)
	}
}

// nextInStyle returns the next link of a style element.
func (s *Scanner) nextInStyle() error {
	l, err := s.css.Next()
	switch {
	case err == nil:
		s.cssLink = *l
		s.links = append(s.links, Link{Kind: kindInCSS(l.Kind), Flags: s.flags | cutFlag(l.Cut), Element: s.tag.name,
			Start: l.Start, End: l.End, TagStart: s.tag.start, TagEnd: s.tag.end,
			Raw: l.Raw, Value: l.Value, syntax: inCSS, css: &s.cssLink})
		return nil
	case errors.Is(err, io.EOF):
		s.leave()
		return nil
	case errors.Is(err, csslink.ErrUTF16): // the two bytes have no meaning here
		return nil
	}
	return err
}

func cutFlag(cut bool) Flags {
	if cut {
		return Cut
	}
	return 0
}

func kindInCSS(k csslink.Kind) Kind {
	if k == csslink.Import {
		return Import
	}
	return CSS
}

// nextInside returns the next link of a nested document.
func (s *Scanner) nextInside() (*Link, error) {
	l, err := s.inner.Next()
	switch {
	case errors.Is(err, io.EOF):
		s.leave()
		return nil, nil
	case errors.Is(err, ErrUTF16):
		return nil, nil
	}
	return l, err
}

// leave continues after the part that another scanner has read.
func (s *Scanner) leave() {
	s.region.drain()
	s.within, s.settled = markup, s.w.Offset()
	if s.region.complete {
		if s.region.name == "" {
			s.skipTo(">")
		}
		return
	}
	if s.region.name == "" {
		s.report(CommentUnclosed, s.region.start, "the document ends within a conditional comment")
	} else {
		s.report(TextUnclosed, s.region.start, "the document ends within the content of "+s.region.name)
	}
}
