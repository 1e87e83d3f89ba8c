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
		// A space or a quote ends a URL, so that none is cut there.
		if cut := bytes.LastIndexAny(w.line, ` "<>`) + 1; cut > 0 {
			rest := bytes.Clone(w.line[cut:])
			w.line = w.line[:cut]
			w.pass(nil)
			w.line = append(w.line, rest...)
		} else {
			w.pass(nil)
		}
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
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
// closer look.
func suspect(text []byte) (begin, end int) {
	at := bytes.IndexByte(text, '@')
	if at < 0 {
		return len(text), len(text)
	}
	begin = bytes.LastIndexByte(text[:at], '\n') + 1
	if end = bytes.IndexByte(text[at:], '\n'); end < 0 {
		return begin, len(text)
	}
	return begin, at + end + 1
}

// Flush passes on a last line without its end.
func (w *Writer) Flush() error {
	w.pass(nil)
	return w.err
}
