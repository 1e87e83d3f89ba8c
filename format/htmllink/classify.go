package htmllink

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"quire/format/csslink"
	"quire/format/fault"
)

// classify makes the links of the current tag.
func (s *Scanner) classify() {
	for i := range s.tag.attributes {
		s.linksOf(&s.tag.attributes[i])
	}
	if s.options.NoFollow && len(s.links) > 0 && slices.Contains(strings.Fields(s.hint("rel")), "nofollow") {
		for i := range s.links {
			s.links[i].Flags |= NoFollow
		}
	}
	if s.tag.name == "meta" && !s.shift.on {
		s.shift.on = isShifting(s.declaredCharset())
	}
}

// linksOf makes the links of one attribute.
func (s *Scanner) linksOf(a *attribute) {
	if a.role == hint && s.options.Guards && guards[a.name] == s.tag.name {
		s.one(a, Guard)
	}
	if a.role == hint || a.role == describing {
		return
	}
	if a.cut {
		s.report(ValueTooLong, a.start, "only the beginning of this "+a.name+" is read")
	}
	switch a.role {
	case href:
		k := s.hrefKind()
		s.one(a, k)
		if k == Preload {
			s.links[len(s.links)-1].As = s.preloaded()
		}
	case source:
		s.one(a, s.tag.of.src)
	case wherever, governing, handling:
		s.one(a, a.kind)
	case onElement:
		if elementOnly[a.name][s.tag.name] {
			s.one(a, a.kind)
		}
	case set, lazySet:
		s.several(a, s.candidates)
	case list:
		s.several(a, s.words)
	case declarations:
		s.several(a, s.styles)
	case paint:
		if bytes.IndexByte(s.raw(a), '(') >= 0 {
			s.several(a, s.styles)
		}
	case document:
		switch {
		case s.tag.name != "iframe":
		case s.options.Documents && !a.cut:
			s.document(a)
		default:
			s.several(a, s.documentLinks)
		}
	case content:
		s.contentLinks(a)
	case value:
		if s.tag.name == "param" && (parameters[s.hint("name")] || s.hint("valuetype") == "ref") {
			s.one(a, a.kind)
		}
	case unwanted, hint, describing:
	}
}

func (s *Scanner) raw(a *attribute) []byte { return s.values[a.lo:a.hi] }

// hint returns the value of a hint attribute, in lower case.
func (s *Scanner) hint(name string) string {
	for i := range s.tag.attributes {
		if a := &s.tag.attributes[i]; a.name == name && !a.again {
			return string(bytes.ToLower(bytes.TrimSpace(s.decode(s.raw(a)).b)))
		}
	}
	return ""
}

func (s *Scanner) hrefKind() Kind {
	if s.tag.name != "link" {
		return s.tag.of.href
	}
	for _, word := range bytes.Fields([]byte(s.hint("rel"))) {
		if k, ok := byRel[string(word)]; ok {
			return k
		}
	}
	return Relation
}

// preloaded returns the destination of the current link element. Modules are scripts unless they
// state otherwise (HTML, 4.6.7.8).
func (s *Scanner) preloaded() string {
	if as := s.hint("as"); as != "" || !strings.Contains(s.hint("rel"), "modulepreload") {
		return as
	}
	return "script"
}

// declaredCharset returns the charset that the current meta element declares.
func (s *Scanner) declaredCharset() string {
	if c := s.hint("charset"); c != "" {
		return c
	}
	if s.hint("http-equiv") != "content-type" {
		return ""
	}
	_, c, _ := bytes.Cut([]byte(s.hint("content")), []byte("charset="))
	return string(bytes.Trim(c, `"'`))
}

// one makes the link of a value that is a single URL.
func (s *Scanner) one(a *attribute, k Kind) {
	t := s.decode(s.raw(a))
	s.add(a, k, t, 0, len(t.b), alone)
}

// several makes the links of a value that holds more than a URL, unless the value is cut.
func (s *Scanner) several(a *attribute, read func(*attribute, text)) {
	if a.cut {
		s.one(a, a.kind)
		return
	}
	read(a, s.decode(s.raw(a)))
}

// add makes a link of a part of a value.
func (s *Scanner) add(a *attribute, k Kind, t text, from, to int, in syntax) *Link {
	at := len(s.urls)
	s.urls = append(s.urls, t.b[from:to]...)
	clean := strip(s.urls[at:])
	lo, hi := t.raw(from), t.raw(to)
	s.links = append(s.links, Link{Kind: k, Flags: s.flagsOf(a), Element: s.tag.name, Attribute: a.name,
		Start: a.start + int64(lo), End: a.start + int64(hi), Named: a.named, TagStart: s.tag.start, TagEnd: s.tag.end,
		Quote: a.quote,
		Raw:   s.raw(a)[lo:hi], Value: clean, syntax: in})
	l := &s.links[len(s.links)-1]
	if a.cut {
		l.End = a.end
	}
	return l
}

func (s *Scanner) flagsOf(a *attribute) Flags {
	f := s.flags | cutFlag(a.cut)
	if a.again {
		f |= Duplicate
	}
	return f
}

// styles scans CSS in an attribute.
func (s *Scanner) styles(a *attribute, t text) {
	css := s.useCSS()
	css.Report = nil
	if s.Report != nil {
		css.Report = func(f fault.Fault) {
			f.Offset = a.start + int64(t.raw(int(f.Offset)))
			s.Report(f)
		}
	}
	s.small.Reset(t.b)
	css.Reset(&s.small, 0)
	for {
		l, err := css.Next()
		if errors.Is(err, csslink.ErrUTF16) {
			continue
		}
		if err != nil {
			return
		}
		made := s.add(a, kindInCSS(l.Kind), t, int(l.Start), int(l.End), inCSS)
		at := len(s.urls)
		s.urls = append(s.urls, l.Value...)
		made.Value = s.urls[at:]
		made.css = &csslink.Link{Kind: l.Kind, Quote: l.Quote}
	}
}

// document makes the link of a srcdoc as a whole.
func (s *Scanner) document(a *attribute) {
	s.one(a, Document)
	l := &s.links[len(s.links)-1]
	l.Value = nil
	for i := range s.tag.attributes {
		if b := &s.tag.attributes[i]; b.name == "sandbox" && !b.again && !shares(s.decode(s.raw(b)).b) {
			l.Flags |= Sandboxed
		}
	}
}

// shares reports whether the words of a sandbox let its document share the origin of the page.
func shares(sandbox []byte) bool {
	words := bytes.FieldsFunc(sandbox, func(c rune) bool { return blank(int(c)) })
	return slices.ContainsFunc(words, func(word []byte) bool { return equalASCII(word, "allow-same-origin") })
}

// equalASCII reports whether a word is a name, in any case of ASCII letters.
func equalASCII(word []byte, name string) bool {
	if len(word) != len(name) {
		return false
	}
	for i, c := range word {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != name[i] {
			return false
		}
	}
	return true
}

// documentLinks scans the document in a srcdoc.
func (s *Scanner) documentLinks(a *attribute, t text) {
	if s.depth >= maxDepth {
		s.report(TooDeep, a.start, "this srcdoc is not scanned")
		return
	}
	inner := &Scanner{depth: s.depth + 1}
	inner.Report = func(f fault.Fault) {
		f.Offset = a.start + int64(t.raw(int(f.Offset)))
		s.Report.Add(f)
	}
	inner.Reset(bytes.NewReader(t.b), 0, Options{Charset: s.options.Charset, Guards: s.options.Guards,
		NoFollow: s.options.NoFollow})
	inner.begun = true
	for {
		l, err := inner.Next()
		if err != nil {
			return
		}
		if l.Flags&Srcdoc != 0 {
			continue // links this deep cannot be written back
		}
		s.addInner(a, t, l)
	}
}

func (s *Scanner) addInner(a *attribute, t text, l *Link) {
	lo, hi := t.raw(int(l.Start)), t.raw(int(l.End))
	at := len(s.urls)
	s.urls = append(s.urls, l.Value...)
	made := *l
	made.Flags |= s.flagsOf(a) | Srcdoc
	made.Start, made.End = a.start+int64(lo), a.start+int64(hi)
	made.Named = a.start + int64(t.raw(int(l.Named)))
	made.TagStart, made.TagEnd = a.start+int64(t.raw(int(l.TagStart))), a.start+int64(t.raw(int(l.TagEnd)))
	made.Raw, made.Value, made.outer = s.raw(a)[lo:hi], s.urls[at:], a.quote
	if l.css != nil {
		place := *l.css
		made.css = &place
	}
	s.links = append(s.links, made)
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
	if bytes.IndexByte(b, '\n') < 0 && bytes.IndexByte(b, '\t') < 0 && bytes.IndexByte(b, '\r') < 0 {
		return b
	}
	kept := b[:0]
	for _, c := range b {
		if c != '\t' && c != '\n' && c != '\r' {
			kept = append(kept, c)
		}
	}
	return kept
}
