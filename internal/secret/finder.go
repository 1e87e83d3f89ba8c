package secret

import "bytes"

// Finder looks for passwords in the URLs of a text that is written to it, line by line.
type Finder struct {
	Found bool
	line  []byte // not yet complete
}

// Write implements io.Writer. It never fails.
func (f *Finder) Write(p []byte) (int, error) {
	n := len(p)
	if f.Found {
		return n, nil
	}
	if end := bytes.LastIndexByte(p, '\n') + 1; end > 0 {
		f.look(p[:end])
		f.line, p = f.line[:0], p[end:]
	}
	f.line = append(f.line, p...)
	if len(f.line) > maxLine { // an overlap, so that a URL at the cut is found
		f.look(nil)
		f.line = append(f.line[:0], f.line[len(f.line)-maxURL:]...)
	}
	return n, nil
}

// maxURL is the length of the longest user information that is found across a cut.
const maxURL = 4 << 10

// Close looks at a last line without its end. It never fails.
func (f *Finder) Close() error {
	f.look(nil)
	return nil
}

// look looks at the kept line, and at a text that follows it.
func (f *Finder) look(text []byte) {
	if len(f.line) > 0 {
		f.line = append(f.line, text...)
		text = f.line
	}
	for len(text) > 0 && !f.Found {
		begin, end := suspect(text)
		f.Found = InURL(text[begin:end])
		text = text[end:]
	}
}
