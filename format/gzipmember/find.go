package gzipmember

import (
	"bytes"

	"quire/format/deflate"
)

// Bounds of looking for a member by its content: how much of one is inflated, and how many are
// tried in a file that is made of nothing but beginnings.
const (
	findOutput = 4 << 10
	findTries  = 4096
)

// Index is where in b, the beginning of a file, the first member stands whose content is what the
// file should hold, as holds says of its first bytes; -1 when none does. It is for files whose own
// first bytes are no member.
func Index(b []byte, holds func(content []byte) bool) int {
	var decoder *deflate.Decoder
	var content []byte
	at := 0
	for range findTries {
		i := bytes.Index(b[at:], magic)
		if i < 0 {
			break
		}
		at += i
		if n := headerLength(b[at:]); n > 0 {
			if decoder == nil { // seldom needed
				decoder, content = new(deflate.Decoder), make([]byte, findOutput)
			}
			got, _, _ := decoder.Inflate(content, b[at+n:]) // a beginning is enough, however it goes on
			if holds(content[:got]) {
				return at
			}
		}
		at++
	}
	return -1
}
