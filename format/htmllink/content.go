package htmllink

import (
	"bytes"

	"quire/format/csslink"
)

// content selects the scanner for the text after the current start tag (HTML, 13.2.6.4).
func (s *Scanner) content() {
	if s.tag.foreign && s.tag.selfClosing {
		return
	}
	name := s.tag.name
	if name == "title" && s.Element != nil && (!s.tag.foreign || s.options.XML) {
		s.takeTitle()
		return
	}
	switch name {
	case "script":
		s.skipScript()
		return
	case "style":
		s.enter(styleText, name, s.tag.start, 0)
		return
	}
	if s.tag.foreign {
		return
	}
	switch name {
	case "title", "textarea", "xmp":
		s.skipElement(name)
	case "noscript", "noframes", "noembed", "iframe":
		if s.depth < maxDepth {
			s.enter(innerDocument, name, s.tag.start, Fallback)
			return
		}
		s.report(TooDeep, s.tag.start, "the content of "+name+" is not scanned")
		s.skipElement(name)
	case "plaintext":
		for n := len(s.w.Rest()); n > 0; n = len(s.w.Rest()) {
			s.w.Skip(n)
			s.settled = s.w.Offset()
		}
	}
}

// enter passes the input to another scanner until the end of an element or of a comment.
func (s *Scanner) enter(who within, name string, start int64, as Flags) {
	s.within = who
	s.region = region{s: s, name: name, start: start}
	if who == styleText {
		s.useCSS().Reset(&s.region, s.w.Offset())
		return
	}
	inner := s.useInner()
	inner.Reset(&s.region, s.w.Offset(), s.options)
	inner.flags = s.flags | as
	inner.shift.on = s.shift.on
	inner.begun = true // a byte order mark can only begin a file
}

func (s *Scanner) useCSS() *csslink.Scanner {
	if s.css == nil {
		s.css = csslink.NewScanner(nil)
	}
	s.css.Report = s.Report
	return s.css
}

func (s *Scanner) useInner() *Scanner {
	if s.inner == nil {
		s.inner = &Scanner{depth: s.depth + 1}
	}
	s.inner.Report = s.Report
	return s.inner
}

// skipElement skips to the end tag of an element that holds only text.
func (s *Scanner) skipElement(name string) {
	for s.toMark(false) {
		if s.endOf(name) {
			return
		}
		s.w.Skip(1)
	}
	s.report(TextUnclosed, s.tag.start, "the document ends within the content of "+name)
}

// settle notes that the bytes before are settled, except for the text of a script that is wanted.
func (s *Scanner) settle() {
	if s.options.Scripts && s.held >= 0 {
		if s.w.Offset()-s.held <= MaxInline {
			s.settled = s.held
			return
		}
		s.held = -1
	}
	s.settled = s.w.Offset()
}

// passScript makes the link of the text of a script.
func (s *Scanner) passScript() {
	if s.held >= 0 && s.held < s.w.Offset() {
		s.links = append(s.links, Link{Kind: Inline, Flags: s.flags, Element: "script", Foreign: s.tag.foreign,
			Start: s.held, End: s.w.Offset(), TagStart: s.tag.start, TagEnd: s.tag.end})
	}
	s.held = -1
}

// toMark skips to the next less-than sign, or to the next hyphen if hyphens is set.
func (s *Scanner) toMark(hyphens bool) bool {
	for {
		rest := s.w.Rest()
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			i = len(rest)
		}
		if hyphens {
			if k := bytes.IndexByte(rest[:i], '-'); k >= 0 {
				i = k
			}
		}
		s.w.Skip(i)
		s.settle()
		if i < len(rest) {
			return true
		}
		if len(rest) == 0 {
			return false
		}
	}
}

// skipScript skips to the end tag of a script. Within a comment-like section, a nested script tag
// hides the end tag of the outer script (13.2.5.18 to 31, the script data escaped states).
func (s *Scanner) skipScript() {
	s.held = -1
	if s.options.Scripts {
		s.held = s.w.Offset()
	}
	escaped, double := false, false
	for s.toMark(escaped) {
		switch {
		case s.w.At(0) == '-':
			if s.w.At(1) == '-' && s.w.At(2) == '>' {
				escaped, double = false, false
			}
		case !escaped && s.ahead("<!--"):
			escaped = true
			s.w.Skip(1) // the hyphens of <!--> also close it
		case s.endOf("script"):
			if !double {
				s.passScript()
				return
			}
			double = false
		case escaped && !double && s.isName(1, "script"):
			double = true
		}
		s.w.Skip(1)
	}
	s.held = -1
	s.report(TextUnclosed, s.tag.start, "the document ends within the content of script")
}
