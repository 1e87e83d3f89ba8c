package htmllink

import (
	"bytes"
	"errors"
	"io"

	"quire/format/csslink"
	"quire/format/fault"
	"quire/format/lookahead"
)

// Options say what the document does not say itself. The zero value is for a text/html document.
type Options struct {
	// XML: the document is XHTML or SVG, by its media type. An element can then be closed in its
	// start tag, and text be CDATA.
	XML bool
	// Charset is the one that the HTTP header names. It matters only when it is ISO-2022-JP, in
	// which the bytes of < and " are parts of characters; a meta element that says so is heeded
	// too.
	Charset string
	// Guards: attributes that hold no URL, but govern how one is used, are told too, as links of
	// the kind Guard: integrity, nonce, crossorigin, referrerpolicy, csp, attributionsrc, target
	// and formtarget; of meta http-equiv and name; of script type. Such an attribute need not have
	// a value.
	Guards bool
}

// Scanner finds the links of one document. Report, Comment and Element may be set before the first
// Next.
type Scanner struct {
	Report fault.Sink
	// Comment is told of each comment of at most MaxComment bytes, before the links behind it:
	// where it begins and ends, with its marks, and its text, which is valid during the call. Those
	// in documents within the document are not told.
	Comment func(start, end int64, text []byte)
	// Element is told of each html, meta, base and title element, before the links of its tag; of a
	// title when its text was read. It is valid during the call. Those in documents within the
	// document are not told.
	Element func(*Element)

	options Options
	depth   int
	flags   Flags // of all links
	w       lookahead.Window
	begun   bool
	settled int64
	shift   shift
	foreign []context

	links  []Link // of the tag at hand
	next   int
	opened bool // the tag at hand is whole, and its content not yet looked at
	tag    tag
	name   []byte // of the tag or attribute at hand, or the text of the comment

	values  []byte // of the attributes of the tag
	urls    []byte // the values of the links
	decoded []byte
	places  []int32

	within  within // what is scanned by another
	region  region
	css     *csslink.Scanner
	cssLink csslink.Link
	inner   *Scanner
	small   bytes.Reader
}

// within says who reads at the moment: the content of some elements is a language of its own.
type within uint8

const (
	markup within = iota
	styleText
	innerDocument
)

// NewScanner makes a Scanner of a document.
func NewScanner(in io.Reader, o Options) *Scanner {
	s := &Scanner{}
	s.Reset(in, 0, o)
	return s
}

// Reset makes the Scanner read another document, whose first byte has the offset given. Report,
// Comment and Element stay.
func (s *Scanner) Reset(in io.Reader, offset int64, o Options) {
	s.w.Reset(in, offset)
	s.options, s.begun, s.settled, s.within = o, false, offset, markup
	s.shift = shift{on: isShifting(o.Charset)}
	s.foreign, s.links, s.next, s.opened, s.flags = s.foreign[:0], s.links[:0], 0, false, 0
}

// Offset is where what is at hand begins: no link and no comment that is yet to come starts before,
// unless it is Cut.
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

// Next gives the next link, or io.EOF. Links come in the order of their tags, and in a tag of their
// places. The link is valid until the next call.
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
			s.content()
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

// token takes text up to a tag, and the tag (HTML, 13.2.5.1 and 13.2.5.6).
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

// skipText goes to the next smaller-than sign.
func (s *Scanner) skipText() bool {
	for {
		rest := s.w.Rest()
		i := s.shift.index(rest, '<')
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

// declaration takes what begins with <! or <?, or is an end tag of no element: a comment, CDATA, or
// what counts as a comment.
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

// ahead: does this come next?
func (s *Scanner) ahead(want string) bool {
	for i := range len(want) {
		if s.w.At(i) != int(want[i]) {
			return false
		}
	}
	return true
}

// skipTo goes behind what ends a stretch, and says whether it is there.
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

// nextInStyle gets the next link of a style element.
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
	case errors.Is(err, csslink.ErrUTF16): // two bytes that mean nothing here
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

// nextInside gets the next link of a document within the document.
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

// leave goes on behind what another scanner has read.
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
