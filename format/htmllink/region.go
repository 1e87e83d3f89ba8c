package htmllink

import (
	"bytes"
	"io"
)

// region is the content of an element or comment that another scanner reads. The document's own
// tokens end it.
type region struct {
	s        *Scanner
	name     string // of the element; "" for a comment
	start    int64
	complete bool // its end was found
}

// Read returns the content.
func (r *region) Read(p []byte) (int, error) {
	mark := byte('<')
	if r.name == "" {
		mark = '-'
	}
	w, n := &r.s.w, 0
	for n < len(p) && !r.complete {
		rest := w.Rest()
		if len(rest) == 0 {
			break
		}
		i := bytes.IndexByte(rest, mark)
		if i < 0 {
			i = len(rest)
		}
		if i == 0 {
			if r.complete = r.ends(); r.complete {
				break
			}
			i = 1
		}
		took := copy(p[n:], rest[:i])
		w.Skip(took)
		n += took
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, r.s.end()
}

func (r *region) ends() bool {
	if r.name == "" {
		return r.s.commentEnd() > 0
	}
	return r.s.endOf(r.name)
}

// drain skips to the end of the region.
func (r *region) drain() {
	var buffer [512]byte
	for {
		if _, err := r.Read(buffer[:]); err != nil {
			return
		}
	}
}

// commentEnd returns the length of the next token if it ends a comment: --> or --!> (HTML,
// 13.2.5.50 and 51).
func (s *Scanner) commentEnd() int {
	switch {
	case s.w.At(0) != '-' || s.w.At(1) != '-':
		return 0
	case s.w.At(2) == '>':
		return 3
	case s.w.At(2) == '!' && s.w.At(3) == '>':
		return 4
	}
	return 0
}

// endOf reports whether the end tag of an element comes next (13.2.5.12 to 14).
func (s *Scanner) endOf(name string) bool {
	if s.w.At(0) != '<' || s.w.At(1) != '/' {
		return false
	}
	return s.isName(2, name)
}

// isName reports whether a name, in any case, comes i bytes ahead and ends there.
func (s *Scanner) isName(i int, name string) bool {
	for k := range len(name) {
		c := s.w.At(i + k)
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != int(name[k]) {
			return false
		}
	}
	c := s.w.At(i + len(name))
	return blank(c) || c == '/' || c == '>'
}

func blank(c int) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

// comment consumes the comment that comes next.
func (s *Scanner) comment() {
	start := s.w.Offset()
	s.w.Skip(4)
	switch {
	case s.w.At(0) == '>': // <!-->
		s.w.Skip(1)
		return
	case s.w.At(0) == '-' && s.w.At(1) == '>': // <!--->
		s.w.Skip(2)
		return
	case s.ahead("[if") && s.depth < maxDepth:
		s.enter(innerDocument, "", start, Conditional)
		return
	}
	s.name = s.name[:0]
	for {
		rest := s.w.Rest()
		if len(rest) == 0 {
			s.report(CommentUnclosed, start, "the document ends within a comment")
			return
		}
		i := bytes.IndexByte(rest, '-')
		if i < 0 {
			i = len(rest)
		}
		if i == 0 {
			if n := s.commentEnd(); n > 0 {
				s.w.Skip(n)
				s.passComment(start)
				return
			}
			i = 1
		}
		s.name = append(s.name, rest[:max(0, min(i, MaxComment-len(s.name)))]...)
		s.w.Skip(i)
		if s.Comment == nil || s.w.Offset()-start > MaxComment {
			s.settled = s.w.Offset()
		}
	}
}

func (s *Scanner) passComment(start int64) {
	if end := s.w.Offset(); s.Comment != nil && end-start <= MaxComment {
		s.Comment(start, end, s.name)
	}
}

var _ io.Reader = (*region)(nil)
