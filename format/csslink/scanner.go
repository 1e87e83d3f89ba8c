package csslink

import (
	"io"

	"quire/format/fault"
	"quire/format/lookahead"
)

// Scanner finds the links of one style sheet. Report may be set before the first Next.
type Scanner struct {
	Report fault.Sink

	w       lookahead.Window
	begun   bool
	link    Link
	raw     []byte // of the current link
	value   []byte
	name    []byte     // of the current identifier: lower case, escapes decoded
	prelude prelude    // of the current at-rule
	open    []function // functions with open parentheses
	unkept  int        // open functions above maxOpen
	source  int        // within AlphaImageLoader: how much of "src=" was read
	settled int64      // no later link starts before this offset
}

// function is the meaning of strings within a pair of parentheses.
type function uint8

const (
	plain   function = iota
	address          // url() and src(): the first string is a URL
	images           // image-set() and image(): each string is a URL
	alpha            // AlphaImageLoader()
)

// prelude is the part between the name of an at-rule and its block or semicolon.
type prelude uint8

const (
	noPrelude   prelude = iota
	importRule          // the first URL is the import
	unfetchable         // URLs are names or patterns: @namespace, @document
)

// maxOpen bounds the nested functions that are remembered. Functions nested more deeply are only
// counted.
const maxOpen = 64

// NewScanner returns a Scanner of a style sheet.
func NewScanner(in io.Reader) *Scanner {
	s := &Scanner{}
	s.Reset(in, 0)
	return s
}

// Reset makes the Scanner read another style sheet. The offset is the one of its first byte. Report
// stays.
func (s *Scanner) Reset(in io.Reader, offset int64) {
	s.w.Reset(in, offset)
	s.begun, s.prelude, s.open, s.unkept, s.source, s.settled = false, noPrelude, s.open[:0], 0, 0, offset
}

// Offset returns where the current token begins. No later link starts before it, unless it is Cut.
func (s *Scanner) Offset() int64 { return s.settled }

// Next returns the next link, or io.EOF. The link is valid until the next call.
func (s *Scanner) Next() (*Link, error) {
	if !s.begun {
		s.begun = true
		if a, b := s.w.At(0), s.w.At(1); a == 0xfe && b == 0xff || a == 0xff && b == 0xfe {
			s.w.Reset(nothing{}, s.w.Offset())
			return nil, ErrUTF16
		}
	}
	for {
		s.settled = s.w.Offset()
		c := s.w.At(0)
		if c < 0 {
			if err := s.w.Err(); err != nil {
				return nil, err
			}
			return nil, io.EOF
		}
		if s.token(byte(c)) {
			return &s.link, nil
		}
	}
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// token consumes one token (CSS Syntax 3, 4.3.1) and reports whether it was, or ended, a link.
func (s *Scanner) token(c byte) bool {
	switch class[c] {
	case blank:
		s.skipBlanks()
	case quote:
		return s.quoted()
	case starter, dash, backslash:
		return s.nameOrMark(c)
	case digit:
		s.number()
	default:
		s.punctuation(c)
	}
	return false
}

// nameOrMark consumes a token that begins with a letter, a hyphen or a backslash: an identifier, a
// function, a number or a delimiter.
func (s *Scanner) nameOrMark(c byte) bool {
	switch {
	case c == '-' && s.w.At(1) == '-' && s.w.At(2) == '>': // CDC: the end of an HTML comment, which CSS skips
		s.w.Skip(3)
	case c == '-' && s.startsNumber(1):
		s.w.Skip(1)
		s.number()
	case s.startsName(0):
		return s.identifier()
	default:
		s.w.Skip(1)
	}
	return false
}

func (s *Scanner) punctuation(c byte) {
	switch {
	case c == '/' && s.w.At(1) == '*':
		s.comment()
		return
	case c == '@':
		s.w.Skip(1)
		if s.startsName(0) {
			s.atRule()
		}
		return
	case c == '#': // the name after it belongs to it: #url( is not a function
		s.w.Skip(1)
		if n := s.w.At(0); n >= 0 && (named(byte(n)) || s.startsEscape(0)) {
			s.takeName()
		}
		return
	case (c == '+' || c == '.') && s.startsNumber(1), c == '.' && s.isDigit(1):
		s.w.Skip(1)
		s.number()
		return
	}
	s.w.Skip(1)
	s.structure(c)
}

// structure follows parentheses and the ends of declarations. An open parenthesis ends with its
// declaration here. A browser would ignore the rest, but a link that is found in vain costs less
// than a missed link.
func (s *Scanner) structure(c byte) {
	switch c {
	case '(':
		s.enter(plain)
	case ')':
		s.leave()
	case '=':
		if s.source == 1 {
			s.source = 2
			return
		}
		s.source = 0
	case ';', '{', '}':
		s.prelude, s.open, s.unkept, s.source = noPrelude, s.open[:0], 0, 0
	default:
		s.source = 0
	}
}

func (s *Scanner) enter(f function) {
	if len(s.open) == maxOpen {
		s.unkept++
		return
	}
	s.open = append(s.open, f)
}

func (s *Scanner) leave() {
	switch {
	case s.unkept > 0:
		s.unkept--
	case len(s.open) > 0:
		s.open = s.open[:len(s.open)-1]
	}
}

// inside returns the innermost function with open parentheses.
func (s *Scanner) inside() function {
	if s.unkept > 0 || len(s.open) == 0 {
		return plain
	}
	return s.open[len(s.open)-1]
}

// atRule consumes the name of an at-rule.
func (s *Scanner) atRule() {
	s.takeName()
	s.open, s.unkept = s.open[:0], 0
	switch string(s.name) {
	case "import":
		s.prelude = importRule
	case "namespace", "document", "-moz-document":
		s.prelude = unfetchable
	default:
		s.prelude = noPrelude
	}
}

// identifier consumes a name, and the parenthesis that makes it a function (4.3.4).
func (s *Scanner) identifier() bool {
	s.takeName()
	if s.w.At(0) != '(' {
		s.source = 0
		if s.inside() == alpha && string(s.name) == "src" {
			s.source = 1
		}
		return false
	}
	s.w.Skip(1)
	s.source = 0
	switch string(s.name) {
	case "url":
		return s.url()
	case "src":
		s.enter(address)
	case "image-set", "-webkit-image-set", "image":
		s.enter(images)
	case "alphaimageloader":
		s.enter(alpha)
	default:
		s.enter(plain)
	}
	return false
}
