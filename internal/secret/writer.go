package secret

import (
	"bytes"
	"io"
)

// Writer conceals the passwords in the URLs of a text, line by line. It passes a line on when it is
// complete, and the rest in Flush.
type Writer struct {
	to   io.Writer
	line []byte // not yet complete
	err  error
}

// NewWriter returns a Writer to another one.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// maxLine bounds the part of a line that is kept: a longer line is passed on in parts.
const maxLine = 64 << 10

// Write implements io.Writer. An error ends the writing: all later calls return it.
func (w *Writer) Write(p []byte) (int, error) {
	end := bytes.LastIndexByte(p, '\n') + 1
	if end > 0 {
		w.pass(p[:end])
	}
	w.line = append(w.line, p[end:]...)
	if len(w.line) > maxLine {
		rest := bytes.Clone(w.line[cutOf(w.line):])
		w.line = w.line[:len(w.line)-len(rest)]
		w.pass(nil)
		w.line = append(w.line, rest...)
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

// cutOf returns where a long line can be cut without cutting a URL: behind a character that ends one, or
// else in front of the last that begins. A URL with a longer password is none.
func cutOf(line []byte) int {
	tail := max(len(line)-maxURL, 0)
	if cut := bytes.LastIndexAny(line[tail:], " \t\"<>',;"); cut >= 0 {
		return tail + cut + 1
	}
	if cut := bytes.LastIndex(line[tail:], []byte("//")); cut >= 0 {
		return max(tail+cut-1, 0) // with the colon
	}
	return len(line)
}

// pass passes on the kept line and a text that follows it.
func (w *Writer) pass(text []byte) {
	if len(w.line) > 0 {
		w.line = append(w.line, text...)
		text = w.line
	}
	for len(text) > 0 && w.err == nil {
		begin, end := suspect(text)
		if begin > 0 {
			_, w.err = w.to.Write(text[:begin])
		}
		if begin < end && w.err == nil {
			_, w.err = io.WriteString(w.to, Conceal(string(text[begin:end])))
		}
		text = text[end:]
	}
	w.line = w.line[:0]
}

// suspect returns the first line that may have a password in a URL: most lines have no @, and need no
// closer look. It looks at each line once, so that a text with a sign in every line costs no more.
func suspect(text []byte) (begin, end int) {
	for ; begin < len(text); begin = end {
		end = len(text)
		if i := bytes.IndexByte(text[begin:], '\n'); i >= 0 {
			end = begin + i + 1
		}
		if line := text[begin:end]; bytes.IndexByte(line, '@') >= 0 || bytes.Contains(line, []byte("%40")) {
			return begin, end
		}
	}
	return len(text), len(text)
}

// Flush passes on a last line without its end.
func (w *Writer) Flush() error {
	w.pass(nil)
	return w.err
}
