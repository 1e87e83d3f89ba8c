package pages

import (
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// byteOrder is the byte order of a page in UTF-16.
type byteOrder uint8

const (
	littleEndian byteOrder = iota
	bigEndian
)

// wide converts UTF-16 to UTF-8, and keeps the position of each byte. A UTF-8 character of up to
// three bytes is two bytes of UTF-16, and one of four is four. It keeps its output from the
// position of the scanner on.
type wide struct {
	in      io.Reader
	order   byteOrder
	settled func() int64
	buffer  [4 << 10]byte
	from    int // start of the bytes not decoded yet
	to      int
	kept    []byte
	at      int64 // offset of kept[0] in UTF-8
	source  int64 // and in the page
	given   int   // returned part of kept
	err     error
}

// Read returns UTF-8. An incomplete pair becomes U+FFFD.
func (w *wide) Read(p []byte) (int, error) {
	w.forget(w.settled())
	for w.given == len(w.kept) {
		if w.err != nil {
			return 0, w.err
		}
		w.more()
	}
	n := copy(p, w.kept[w.given:])
	w.given += n
	return n, nil
}

// more reads and decodes once.
func (w *wide) more() {
	w.to = copy(w.buffer[:], w.buffer[w.from:w.to])
	w.from = 0
	n, err := w.in.Read(w.buffer[w.to:])
	w.to += n
	w.err = err
	for w.to-w.from >= 2 {
		unit := w.unit(w.from)
		if !utf16.IsSurrogate(unit) {
			w.add(unit, 2)
			continue
		}
		if w.to-w.from < 4 && w.err == nil {
			return
		}
		if w.to-w.from >= 4 {
			if r := utf16.DecodeRune(unit, w.unit(w.from+2)); r != utf8.RuneError {
				w.add(r, 4)
				continue
			}
		}
		w.add(utf8.RuneError, 2)
	}
	if w.err != nil && w.to > w.from { // an incomplete character
		w.add(utf8.RuneError, 1)
	}
}

func (w *wide) add(r rune, n int) {
	w.kept = utf8.AppendRune(w.kept, r)
	w.from += n
}

func (w *wide) unit(i int) rune {
	if w.order == bigEndian {
		return rune(w.buffer[i])<<8 | rune(w.buffer[i+1])
	}
	return rune(w.buffer[i+1])<<8 | rune(w.buffer[i])
}

// forget drops the data before an offset in UTF-8.
func (w *wide) forget(before int64) {
	n := min(int(before-w.at), w.given)
	if n <= 0 {
		return
	}
	w.source += width(w.kept[:n])
	w.at += int64(n)
	w.kept = w.kept[:copy(w.kept, w.kept[n:])]
	w.given -= n
}

// places converts two offsets in UTF-8 to offsets in the page. The first offset must not be before
// the offsets of earlier calls.
func (w *wide) places(begin, end int64) (int64, int64) {
	w.forget(begin)
	return w.source + width(w.kept[:begin-w.at]), w.source + width(w.kept[:end-w.at])
}

// width returns how many bytes of UTF-16 the complete UTF-8 characters were.
func width(b []byte) (n int64) {
	for _, c := range b {
		switch {
		case c >= 0xf0:
			n += 4
		case c < 0x80 || c >= 0xc0:
			n += 2
		}
	}
	return n
}
