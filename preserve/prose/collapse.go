package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// collapser collapses white space, and keeps its memory for the next text.
type collapser struct{ buffer []byte }

// words is collapse with the number of words in the result. It takes one pass.
func (c *collapser) words(b []byte) (text string, words int) {
	to := c.buffer[:0]
	for i := 0; ; {
		for i < len(b) && asciiSpace[b[i]] {
			i++
		}
		begin := i
		for i < len(b) && !asciiSpace[b[i]] {
			if b[i] >= utf8.RuneSelf {
				return c.wide(b)
			}
			i++
		}
		if i == begin {
			c.buffer = to
			return string(to), words
		}
		if words++; words > 1 {
			to = append(to, ' ')
		}
		to = append(to, b[begin:i]...)
	}
}

// wide collapses a text that is not in ASCII.
func (c *collapser) wide(b []byte) (text string, words int) {
	if !utf8.Valid(b) {
		b = []byte(strings.ToValidUTF8(string(b), "\uFFFD"))
	}
	to := c.buffer[:0]
	first, inWord, empty := true, false, true
	for i := 0; i < len(b); {
		r, n := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[i:])
		}
		space := unicode.IsSpace(r)
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
	c.buffer = to
	return string(to), words
}

var asciiSpace = [256]bool{' ': true, '\t': true, '\n': true, '\v': true, '\f': true, '\r': true}

// isInvisible reports whether collapse removes a character.
func isInvisible(r rune) bool { return r == 0xad || 0x200b <= r && r <= 0x200f || r == 0xfeff }
