package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// scanner finds tags in an answer, bytewise and fast. It decodes nothing and assumes little. An XML
// parser reads the bytes between two offsets afterwards, record by record, so that an error in one
// does not affect the next.
type scanner struct {
	src  io.ReaderAt
	size int64
	buf  []byte // src[base:base+len(buf)]
	base int64
	at   int64 // start of the next search

	found map[string]seen // results of far searches, so that an answer cannot provoke the same search a thousand times
}

// seen is the result of a search that began at offset from. Where is the offset of the match, or -1
// if there was no match before limit.
type seen struct{ from, where, limit int64 }

// window is the number of bytes of an answer in memory at a time; maxTag is the maximum size of one
// tag.
const (
	window = 256 << 10
	maxTag = 64 << 10
)

// markup is the kind of a piece of markup.
type markup uint8

const (
	startTag markup = iota
	emptyTag
	endTag
	aside // comment, CDATA section, processing instruction, document type: without elements
)

// tag is one piece of markup.
type tag struct {
	kind       markup
	name       string // with its prefix; "" for an aside
	start, end int64
	raw        []byte // of a start tag: valid until the next search
}

// local returns a name without its prefix.
func local(name string) string {
	for i := range len(name) {
		if name[i] == ':' {
			return name[i+1:]
		}
	}
	return name
}

// broken is the error of malformed markup.
type broken struct {
	at  int64
	why string
}

func (b *broken) Error() string { return fmt.Sprintf("byte %d: %s", b.at, b.why) }

func newScanner(src io.ReaderAt, size int64) *scanner { return &scanner{src: src, size: size} }

// fill moves the window to an offset and loads at least n bytes, if available.
func (s *scanner) fill(at int64, n int) ([]byte, error) {
	if at >= s.base && at+int64(n) <= s.base+int64(len(s.buf)) {
		return s.buf[at-s.base:], nil
	}
	if left := s.size - at; left <= 0 {
		return nil, io.EOF
	} else if at >= s.base && s.base+int64(len(s.buf)) == s.size && len(s.buf) > 0 {
		return s.buf[at-s.base:], nil
	}
	if cap(s.buf) < window {
		s.buf = make([]byte, window)
	}
	s.buf = s.buf[:min(int64(window), s.size-at)]
	s.base = at
	got, err := s.src.ReadAt(s.buf, at)
	if got < len(s.buf) {
		s.buf = s.buf[:0]
		return nil, fmt.Errorf("rereading the answer: %w", err)
	}
	return s.buf, nil
}

// find returns the offset of the bytes from an offset on, before limit, or -1.
func (s *scanner) find(at, limit int64, what []byte) (int64, error) {
	for at < limit {
		b, err := s.fill(at, len(what))
		if errors.Is(err, io.EOF) {
			return -1, nil
		}
		if err != nil {
			return -1, err
		}
		if over := limit - at; int64(len(b)) > over {
			b = b[:over]
		}
		var i int
		if len(what) == 1 {
			i = bytes.IndexByte(b, what[0])
		} else {
			i = bytes.Index(b, what)
		}
		if i >= 0 {
			return at + int64(i), nil
		}
		if len(b) < len(what) {
			return -1, nil
		}
		at += int64(len(b) - len(what) + 1)
	}
	return -1, nil
}

// findFar is find for distant matches.
func (s *scanner) findFar(at, limit int64, what string) (int64, error) {
	if k, ok := s.found[what]; ok && k.from <= at && k.limit == limit && (k.where < 0 || at <= k.where) {
		return k.where, nil
	}
	where, err := s.find(at, limit, []byte(what))
	if err != nil {
		return -1, err
	}
	if s.found == nil {
		s.found = map[string]seen{}
	}
	s.found[what] = seen{at, where, limit}
	return where, nil
}

// next returns the next piece of markup before limit. It returns io.EOF at the end, and a *broken
// for malformed markup.
func (s *scanner) next(limit int64) (tag, error) {
	at, err := s.find(s.at, limit, []byte{'<'})
	if err != nil {
		return tag{}, err
	}
	if at < 0 {
		s.at = limit
		return tag{}, io.EOF
	}
	b, err := s.fill(at, maxTag)
	if err != nil {
		return tag{}, err
	}
	if over := limit - at; int64(len(b)) > over {
		b = b[:over]
	}
	if len(b) < 2 {
		return tag{}, &broken{at, "it ends in a tag"}
	}
	t := tag{start: at}
	switch b[1] {
	case '!', '?':
		t.kind = aside
		t.end, err = s.aside(at, limit, b)
	case '/':
		t.kind = endTag
		err = t.readEnd(b)
	default:
		err = t.readStart(b)
	}
	if err != nil {
		return tag{}, err
	}
	s.at = t.end
	return t, nil
}

// aside skips a comment, a CDATA section, an instruction or a document type.
func (s *scanner) aside(at, limit int64, b []byte) (int64, error) {
	for _, kind := range []struct{ begin, end, name string }{
		{"<!--", "-->", "comment"}, {"<![CDATA[", "]]>", "CDATA section"}, {"<?", "?>", "instruction"},
	} {
		if !bytes.HasPrefix(b, []byte(kind.begin)) {
			continue
		}
		end, err := s.findFar(at+int64(len(kind.begin)), limit, kind.end)
		if err == nil && end < 0 {
			err = &broken{at, "the " + kind.name + " does not end"}
		}
		return end + int64(len(kind.end)), err
	}
	if bytes.HasPrefix(b, []byte("<!DOCTYPE")) || bytes.HasPrefix(b, []byte("<!doctype")) {
		if i := bytes.IndexByte(b, '>'); i > 0 && bytes.IndexByte(b[:i], '[') < 0 {
			return at + int64(i) + 1, nil
		}
		return 0, &broken{at, "a document type with internal declarations"}
	}
	return 0, &broken{at, "<! does not begin any XML markup"}
}

// readEnd reads </name>.
func (t *tag) readEnd(b []byte) error {
	n := nameLen(b[2:])
	i := 2 + n
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	if n == 0 || i >= len(b) || b[i] != '>' {
		return &broken{t.start, "a malformed end tag"}
	}
	t.name, t.end = string(b[2:2+n]), t.start+int64(i)+1
	return nil
}

// readStart reads <name attributes>. An attribute value contains no <, so an unclosed quote ends at
// the next tag.
func (t *tag) readStart(b []byte) error {
	n := nameLen(b[1:])
	if n == 0 {
		return &broken{t.start, "a < that does not begin a tag"}
	}
	t.name = string(b[1 : 1+n])
	var quote byte
	for i := 1 + n; i < len(b); i++ {
		switch c := b[i]; {
		case c == '<':
			return &broken{t.start, fmt.Sprintf("the tag <%.40s does not end", t.name)}
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			if b[i-1] == '/' {
				t.kind = emptyTag
			}
			t.raw, t.end = b[:i+1], t.start+int64(i)+1
			return nil
		}
	}
	if len(b) >= maxTag {
		return &broken{t.start, fmt.Sprintf("the tag <%.40s has more than %d bytes", t.name, maxTag)}
	}
	return &broken{t.start, fmt.Sprintf("it ends in the tag <%.40s", t.name)}
}

// nameLen returns the length of a name in bytes. It accepts every non-ASCII character; the parser
// checks them later.
func nameLen(b []byte) int {
	for i, c := range b {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == ':', c >= 0x80:
		case i > 0 && ('0' <= c && c <= '9' || c == '-' || c == '.'):
		default:
			return i
		}
	}
	return len(b)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
