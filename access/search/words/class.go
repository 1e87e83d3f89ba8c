package words

import (
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// class is the role of a character in a text.
type class uint8

const (
	separator   class = iota
	letter            // of a word: letters and digits of scripts with spaces
	spaceless         // a letter of a script without spaces, or of Korean
	mark              // belongs to the letter before it
	attached          // a letter that belongs to the letter before it
	invisible         // ignored inside of a word
	nonJoiner         // ZWNJ: separates in Arabic script, ignored elsewhere
	hebrewQuote       // a mark of abbreviations between Hebrew letters, else a separator
	middleDot         // of Catalan, between two l
)

// tabled is the number of characters whose class and folding are looked up in tables.
const tabled = 0x3100

var (
	classes  [tabled]class
	foldings [tabled]folding
	steady   [tabled]bool // NFKC changes it neither alone nor beside others of these
)

// makeTables fills the tables at the first use: it takes some milliseconds.
var makeTables = sync.OnceFunc(func() {
	for r := range rune(tabled) {
		classes[r] = slowClass(r)
		foldings[r] = slowFold(r)
		steady[r] = norm.NFKC.IsNormalString(string(r)) && !unicode.Is(unicode.M, r) && (r < 0x1100 || r > 0x11ff)
	}
})

func classOf(r rune) class {
	switch {
	case r < tabled:
		return classes[r]
	case r >= 0x3400 && r <= 0x4dbf, r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // Han, Hangul
		return spaceless
	}
	return slowClass(r)
}

// withoutSpaces are the scripts without spaces between words. Korean has spaces, but its words carry
// particles: a reader looks for the word inside.
var withoutSpaces = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Bopomofo, unicode.Tai_Le,
	unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet}

func slowClass(r rune) class {
	switch {
	case r == '"' || r == '\'' || r == '’' || r == 'ʼ' || r == '׳' || r == '״':
		return hebrewQuote
	case r == '·':
		return middleDot
	case r == 'ʻ', r == 0x3164, r == 0xffa0: // an apostrophe, fillers
		return separator
	case r == 'ー', r == 'ｰ', r == '〆':
		return spaceless
	case r == 'ﾞ', r == 'ﾟ', r == 'ำ', r == 'ຳ', r >= 0x1160 && r <= 0x11ff, r >= 0xd7b0 && r <= 0xd7ff:
		return attached // voiced marks, vowels and finals
	case r == 0x200c:
		return nonJoiner
	case unicode.Is(unicode.Variation_Selector, r), r == 0x034f, unicode.Is(unicode.Cf, r):
		return invisible
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.Nd, r):
		return letter
	case unicode.IsLetter(r) && unicode.In(r, withoutSpaces...):
		return spaceless
	case unicode.IsLetter(r), unicode.Is(unicode.N, r), unicode.Is(unicode.Co, r):
		return letter
	}
	return separator
}
