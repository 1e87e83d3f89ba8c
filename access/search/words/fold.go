package words

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded are the letters that readers write with other letters, and that Unicode does not decompose.
var folded = map[rune]string{
	'ß': "ss", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l", 'æ': "ae", 'œ': "oe", 'ı': "i", 'İ': "i",
	'þ': "th",
	'ħ': "h", 'ŧ': "t", 'ŋ': "n", 'ĸ': "k", 'ə': "e", 'ǝ': "e",
	'ɓ': "b", 'ɗ': "d", 'ƙ': "k", 'ƴ': "y", 'ɛ': "e",
	'ɔ': "o", 'ς': "σ",
	'ё': "е", 'ѐ': "е", 'ѝ': "и", // Russian writes ё mostly as е; the others only carry a stress
	'ٱ': "ا", 'ى': "ي", 'ی': "ي", 'ې': "ي", 'ے': "ي", 'ک': "ك", 'ڪ': "ك",
	'ة': "ه", 'ہ': "ه", 'ۃ': "ه", 'ە': "ه",
	'װ': "וו", 'ױ': "וי", 'ײ': "יי",
	'ـ': "", // tatweel only lengthens a word
}

// unmarked are the scripts whose marks are no letters of their own: accents, vowel points.
var unmarked = []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Hebrew, unicode.Arabic}

// folding is the folded form of a character.
type folding struct {
	text string
	bare bool // marks after it are dropped
}

// foldRune folds a character of a text in NFKC.
func foldRune(r rune) folding {
	if r < tabled {
		return foldings[r]
	}
	return slowFold(r)
}

func slowFold(r rune) folding {
	if value, ok := digit(r); ok {
		return folding{text: value, bare: true}
	}
	if text, ok := folded[r]; ok {
		return folding{text: text, bare: true}
	}
	r = unicode.ToLower(r)
	if text, ok := folded[r]; ok {
		return folding{text: text, bare: true}
	}
	if unicode.Is(unicode.Cyrillic, r) {
		return folding{text: string(r), bare: true}
	}
	if !unicode.In(r, unmarked...) {
		return folding{text: string(r)}
	}
	var b []byte
	for _, part := range norm.NFD.String(string(r)) {
		switch text, ok := folded[part]; {
		case ok:
			b = append(b, text...)
		case !unicode.Is(unicode.M, part):
			b = utf8.AppendRune(b, part)
		}
	}
	return folding{text: string(b), bare: true}
}

// digit returns a decimal digit of any script as one of ASCII. The digits of a script are in order, from
// zero (Unicode Standard, section 4.6).
func digit(r rune) (string, bool) {
	if r < utf8.RuneSelf {
		return string(r), r >= '0' && r <= '9'
	}
	for _, g := range unicode.Nd.R16 {
		if r >= rune(g.Lo) && r <= rune(g.Hi) {
			return string('0' + (r-rune(g.Lo))%10), true
		}
	}
	for _, g := range unicode.Nd.R32 {
		if r >= rune(g.Lo) && r <= rune(g.Hi) { //nolint:gosec // characters are less than 2^21
			return string('0' + (r-rune(g.Lo))%10), true //nolint:gosec // as above
		}
	}
	return "", false
}

// Limits of one token: a word of a megabyte counts by its beginning.
const (
	maxRaw     = 512 // bytes of a word as written
	maxToken   = 128 // bytes of a token
	maxCluster = 32  // bytes of a letter with its marks
)

// normal returns a text in NFKC.
func normal(s string) string {
	for _, r := range s {
		if r < tabled && !steady[r] || r >= tabled && (r < 0x3400 || r > 0xd7a3 || r > 0x9fff && r < 0xac00) {
			return norm.NFKC.String(s)
		}
	}
	return s
}

// appendFolded appends the folded form of a word. It calls split where a character in the word becomes a
// separator: ½ is 1⁄2.
func appendFolded(to []byte, raw string, split func([]byte) []byte) []byte {
	raw = cut(raw, maxRaw)
	raw = normal(raw)
	bare := true // a mark without a letter is dropped
	for _, r := range raw {
		switch classOf(r) {
		case letter, spaceless, attached:
			f := foldRune(r)
			bare = f.bare
			if len(to)+len(f.text) <= maxToken {
				to = append(to, f.text...)
			}
		case mark:
			if !bare && len(to)+utf8.RuneLen(r) <= maxToken {
				to = utf8.AppendRune(to, r)
			}
		case separator:
			to, bare = split(to), true
		}
	}
	return to
}

// written returns a word in lower case and NFC, with its accents, without points and lengthening. In Russian
// words, ё is е: the algorithm of Snowball expects this.
func written(raw string) string {
	var b []byte
	cyrillic := false
	for _, r := range normal(raw) {
		r = unicode.ToLower(r)
		switch c := classOf(r); {
		case r == 'ё':
			r = 'е'
		case c != letter && c != mark, r == 'ـ', c == mark && (cyrillic || unicode.In(r, unicode.Arabic)),
			r >= 0x64b && r <= 0x65f:
			continue
		}
		if classOf(r) == letter {
			cyrillic = unicode.Is(unicode.Cyrillic, r)
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b)
}

// appendCluster appends the folded form of a letter of a script without spaces, with its marks.
func appendCluster(to []byte, raw string) []byte {
	raw = cut(raw, maxCluster)
	raw = normal(raw)
	for _, r := range raw {
		switch classOf(r) {
		case letter, spaceless, attached, mark:
			to = utf8.AppendRune(to, unicode.ToLower(r))
		}
	}
	return to
}

// cut returns the beginning of a text, without breaking a character.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
