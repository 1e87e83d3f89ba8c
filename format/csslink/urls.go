package csslink

import (
	"unicode/utf8"

	"quire/format/fault"
)

// url consumes the bytes after "url(": a string, which makes it a function, or the URL itself
// (4.3.4 and 4.3.6).
func (s *Scanner) url() bool {
	s.skipBlanks()
	if c := s.w.At(0); c == '"' || c == '\'' {
		s.enter(address)
		return false
	}
	s.begin(0)
	for {
		s.takeWhile(inURL)
		switch c := s.w.At(0); {
		case c < 0 || c == ')':
			s.finish()
			s.w.Skip(min(1, len(s.w.Rest())))
			return s.emit(s.urlKind())
		case isBlank(c):
			s.finish()
			s.skipTail()
			if c := s.w.At(0); c >= 0 && c != ')' {
				return s.badURL()
			}
			s.w.Skip(min(1, len(s.w.Rest())))
			return s.emit(s.urlKind())
		case s.startsEscape(0):
			s.takeEscape()
		default:
			return s.badURL()
		}
	}
}

// badURL skips the rest of an invalid url() (4.3.14).
func (s *Scanner) badURL() bool {
	s.Report.Add(fault.Fault{Code: BadURL, Offset: s.link.Start, Detail: "this url() is invalid"})
	for {
		switch c := s.w.At(0); {
		case c < 0:
			return false
		case c == ')':
			s.w.Skip(1)
			return false
		case s.startsEscape(0):
			s.escape(nil)
		default:
			s.move(1)
		}
	}
}

// skipTail skips the white space after a URL. If there is more than MaxValue, the URL is cut.
func (s *Scanner) skipTail() {
	for isBlank(s.w.At(0)) {
		s.w.Skip(1)
		if s.w.Offset()-s.link.End > MaxValue {
			s.cut()
		}
	}
}

// cut drops the text of the current link and the scanner's hold on its place.
func (s *Scanner) cut() {
	s.link.Cut = true
	s.settled = s.w.Offset()
}

// urlKind returns Import for the first URL in the prelude of an @import, otherwise URL.
func (s *Scanner) urlKind() Kind {
	switch s.prelude {
	case importRule:
		s.prelude = noPrelude
		return Import
	case unfetchable:
		return 0
	}
	return URL
}

// quoted consumes a string (4.3.5) and reports whether it is a link. A line end ends an unclosed
// string and makes it a bad string, which is never a link.
func (s *Scanner) quoted() bool {
	q := byte(s.w.At(0))
	s.w.Skip(1)
	s.begin(q)
	in := inDouble
	if q == '\'' {
		in = inSingle
	}
	for {
		s.takeWhile(in)
		switch c := s.w.At(0); {
		case c < 0:
			s.finish()
			return s.emit(s.stringKind())
		case c == int(q):
			s.finish()
			s.w.Skip(1)
			return s.emit(s.stringKind())
		case s.startsEscape(0):
			s.takeEscape()
		case c == '\\': // continued on the next line
			s.keepRaw('\\')
			s.w.Skip(1)
			if s.w.At(0) == '\r' && s.w.At(1) == '\n' {
				s.keepRaw('\r')
				s.w.Skip(1)
			}
			s.keepRaw(byte(s.w.At(0)))
			s.w.Skip(1)
		default: // a bad string
			if s.stringKind(); s.prelude == importRule {
				s.prelude = noPrelude
			}
			return false
		}
	}
}

// stringKind returns the kind of link of a string at this place, 0 for no link.
func (s *Scanner) stringKind() Kind {
	source := s.source
	s.source = 0
	switch inside := s.inside(); {
	case inside == address:
		s.open[len(s.open)-1] = plain // the rest are modifiers
		return s.urlKind()
	case inside == images && s.prelude == noPrelude:
		return Image
	case inside == alpha && source == 2:
		return Filter
	case len(s.open) == 0 && s.prelude == importRule:
		s.prelude = noPrelude
		return Import
	}
	return 0
}

// The bytes that continue a string or a URL without further checks.
var inDouble, inSingle, inURL = goesOn("\"\\\n\r\f"), goesOn("'\\\n\r\f"), notInURL()

func goesOn(not string) *[256]bool {
	var t [256]bool
	for c := range t {
		t[c] = true
	}
	for i := range len(not) {
		t[not[i]] = false
	}
	return &t
}

func notInURL() *[256]bool {
	t := goesOn(" \t\n\r\f\"'()\\")
	for c := 1; c < ' '; c++ { // the non-printable code points; NUL is already U+FFFD
		t[c] = false
	}
	t[0x7f] = false
	return t
}

func (s *Scanner) begin(q byte) {
	s.raw, s.value = s.raw[:0], s.value[:0]
	s.link = Link{Start: s.w.Offset(), Quote: q}
}

func (s *Scanner) finish() { s.link.End = s.w.Offset() }

func (s *Scanner) takeWhile(in *[256]bool) {
	for {
		rest := s.w.Rest()
		n := 0
		for n < len(rest) && in[rest[n]] {
			n++
		}
		room := min(n, MaxValue-len(s.raw))
		s.raw = append(s.raw, rest[:room]...)
		s.value = append(s.value, rest[:room]...)
		s.w.Skip(n)
		if room < n {
			s.cut()
		}
		if n == 0 || n < len(rest) {
			return
		}
	}
}

func (s *Scanner) keepRaw(c byte) {
	if len(s.raw) == MaxValue {
		s.cut()
		return
	}
	s.raw = append(s.raw, c)
}

func (s *Scanner) takeEscape() {
	before, next := len(s.raw), s.w.At(1)
	r := s.escape(s.keepRaw)
	switch {
	case len(s.raw) == before:
	case next >= 0x80:
		s.value = append(s.value, byte(r))
	default:
		s.value = utf8.AppendRune(s.value, r)
	}
}

// emit completes the current link, unless it is empty.
func (s *Scanner) emit(k Kind) bool {
	if k == 0 {
		return false
	}
	if s.link.Cut {
		s.Report.Add(fault.Fault{Code: URLTooLong, Offset: s.link.Start,
			Detail: "only the beginning of this URL is read"})
	}
	s.link.Kind, s.link.Raw, s.link.Value = k, s.raw, strip(s.value)
	return true
}

// strip removes the controls and spaces around a URL and the tabs and line ends in it, the first
// step of the URL Standard's parser (4.4, basic URL parser). It changes b.
func strip(b []byte) []byte {
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	kept := b[:0]
	for _, c := range b {
		if c != '\t' && c != '\n' && c != '\r' {
			kept = append(kept, c)
		}
	}
	return kept
}
