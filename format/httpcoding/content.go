package httpcoding

import (
	"bytes"
	"errors"
	"io"
)

// looksLikeContent reports whether a body begins like pages, pictures and other web content, as
// coded bodies do not. It serves codings without a magic number, which would show that a body is
// not coded.
func looksLikeContent(head []byte) bool {
	for _, s := range signatures {
		if bytes.HasPrefix(head, []byte(s)) {
			return true
		}
	}
	for _, c := range head[:min(len(head), textBytes)] {
		if c < ' ' && (c < '\t' || c > '\r') && c != 0x1b {
			return false
		}
	}
	return true
}

// textBytes is how many bytes without control characters count as text.
const textBytes = 256

// signatures of content that servers send with br.
var signatures = []string{
	"\x89PNG\r\n", "GIF8", "\xff\xd8\xff", "%PDF-", "RIFF", "wOFF", "wOF2", "\x00asm", "PK\x03\x04", "\x00\x00\x01\x00",
	"\x00\x01\x00\x00",
	"OTTO", "\xef\xbb\xbf", "\xff\xfe", "\xfe\xff", "\x1f\x8b", "BM", "ID3", "OggS",
}

// trialBytes is the most that a trial unpacks.
const trialBytes = 64 << 10

// trial reports whether the beginning of a body is coded although it looks like plain content. more
// means that the body continues.
func trial(from io.Reader, more bool) bool {
	n, err := io.CopyN(io.Discard, from, trialBytes)
	if err == nil || errors.Is(err, io.EOF) {
		return true
	}
	return more && n > 0 && errors.Is(err, io.ErrUnexpectedEOF)
}
