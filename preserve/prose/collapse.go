package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// appendCollapsed appends the collapsed text of b, and returns the number of its words. It takes one pass.
func appendCollapsed(to, b []byte) (_ []byte, words int) {
	start := len(to)
	for i := 0; ; {
		for i < len(b) && asciiSpace[b[i]] {
			i++
		}
		begin := i
		for i < len(b) && !asciiSpace[b[i]] {
			if b[i] >= utf8.RuneSelf {
				return appendWide(to[:start], b)
			}
			i++
		}
		if i == begin {
			return to, words
		}
		if words++; words > 1 {
			to = append(to, ' ')
		}
		to = append(to, b[begin:i]...)
	}
}

// appendWide is appendCollapsed for a text that is not in ASCII.
func appendWide(to, b []byte) (_ []byte, words int) {
	if !utf8.Valid(b) {
		b = []byte(strings.ToValidUTF8(string(b), "\uFFFD"))
	}
	first, inWord, empty := true, false, true
	for i := 0; i < len(b); {
		r, n := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[i:])
		}
		space := r < utf8.RuneSelf && asciiSpace[r] || r >= utf8.RuneSelf && unicode.IsSpace(r)
		if !space && !inWord {
			if !first {
				to = append(to, ' ')
			}
			first, empty = false, true
		}
		if inWord = !space; inWord && !isInvisible(r) {
			if to = append(to, b[i:i+n]...); empty {
				words, empty = words+1, false
			}
		}
		i += n
	}
	return to, words
}

var asciiSpace = [256]bool{' ': true, '\t': true, '\n': true, '\v': true, '\f': true, '\r': true}

// isInvisible reports whether collapse removes a character.
func isInvisible(r rune) bool {
	return r == 0xad || r == 0x200b || r == 0x200e || r == 0x200f || r == 0xfeff
}
