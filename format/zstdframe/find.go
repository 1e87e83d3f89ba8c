package zstdframe

import (
	"bytes"
	"io"
)

// Bounds on the search for a frame by its content: the bytes decoded of one frame, and the number of
// candidates tried in a file full of frame headers.
const (
	findOutput = 4 << 10
	findTries  = 256
)

// Index returns the position in b, the beginning of a file, of the first frame with the expected
// content, or -1. The function holds checks the content's first bytes. Index is for files that do
// not begin with a frame.
func Index(b []byte, holds func(content []byte) bool) int {
	var r *Reader
	content := make([]byte, findOutput)
	at := 0
	for range findTries {
		i := bytes.Index(b[at:], frameMagic)
		if i < 0 {
			break
		}
		at += i
		if beginsFrame(b[at:]) {
			in := bytes.NewReader(b[at:])
			if r == nil {
				r = NewReader(in, Options{})
				defer r.Close() //nolint:errcheck // it only frees the decoder
			} else {
				r.Restart(in)
			}
			if _, err := r.Next(); err == nil {
				n, _ := io.ReadFull(r, content) // the beginning is enough, whatever follows
				if holds(content[:n]) {
					return at
				}
			}
		}
		at++
	}
	return -1
}
