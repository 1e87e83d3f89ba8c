package gzipmember

import (
	"bytes"

	"quire/format/deflate"
)

// Bounds on the search for a member by its content: the bytes inflated of one member, and the
// number of candidates tried in a file full of member headers.
const (
	findOutput = 4 << 10
	findTries  = 4096
)

// Index returns the position in b, the beginning of a file, of the first member with the expected
// content, or -1. The function holds checks the content's first bytes. Index is for files that do
// not begin with a member.
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
			got, _, _ := decoder.Inflate(content, b[at+n:]) // the beginning is enough, whatever follows
			if holds(content[:got]) {
				return at
			}
		}
		at++
	}
	return -1
}

// LostHeader reports whether b, the beginning of a file, is a member with a damaged header: deflate
// data with the expected content begins near its start. The Reader then checks the whole member.
func LostHeader(b []byte, holds func(content []byte) bool) bool {
	var decoder *deflate.Decoder
	var content []byte
	for _, n := range headerLengths(b, true) {
		if n >= len(b) {
			continue
		}
		if decoder == nil {
			decoder, content = new(deflate.Decoder), make([]byte, findOutput)
		}
		if got, _, _ := decoder.Inflate(content, b[n:]); holds(content[:got]) {
			return true
		}
	}
	return false
}
