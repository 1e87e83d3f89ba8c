package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a word of a text, unchanged. Words are letters and digits, with apostrophes, hyphens and
// marks inside. In scripts without spaces between words, each two adjacent letters count as one
// word.
type Word struct {
	Text   string
	Joined bool // only white space separates it from the previous word
}

// Fold returns the form of a word for comparison.
func Fold(word string) string { return strings.ToLower(strings.ReplaceAll(word, "’", "'")) }

// Words returns the words of a text.
func Words(s string) (all []Word) {
	eachWord(s, func(w Word) { all = append(all, w) })
	return all
}

func eachWord(s string, yield func(Word)) {
	joined, none := false, true
	for at := 0; at < len(s); {
		r, n := utf8.DecodeRuneInString(s[at:])
		if !isLetter(r) {
			joined = joined && unicode.IsSpace(r)
			at += n
			continue
		}
		end := wordEnd(s, at)
		if WithoutSpaces(r) {
			end = at + n
			if next, m := utf8.DecodeRuneInString(s[end:]); WithoutSpaces(next) {
				yield(Word{s[at : end+m], joined})
				none = false
			} else if none || !joined {
				yield(Word{s[at:end], joined})
				none = false
			}
		} else {
			yield(Word{s[at:end], joined})
			none = false
		}
		at, joined = end, true
	}
}

// wordEnd returns the end of the word that begins at an offset.
func wordEnd(s string, at int) int {
	for at < len(s) {
		if asciiLetter[s[at]] {
			at++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[at:])
		switch {
		case isLetter(r) && !WithoutSpaces(r), unicode.IsMark(r):
		case r == '\'' || r == '’' || r == '-' || r == '‐' || r == '·': // inside only
			next, _ := utf8.DecodeRuneInString(s[at+n:])
			if !isLetter(next) || WithoutSpaces(next) {
				return at
			}
		default:
			return at
		}
		at += n
	}
	return at
}

// asciiLetter are the letters and digits of ASCII.
var asciiLetter = func() (is [256]bool) {
	for c := range utf8.RuneSelf {
		is[c] = unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
	}
	return is
}()

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// WithoutSpaces reports whether a letter belongs to a script without spaces between words.
func WithoutSpaces(r rune) bool {
	const longVowel = 'ー' // Unicode assigns it to all scripts
	return r > 0x0e00 && (r == longVowel ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
			unicode.Myanmar))
}

// spaceless reports whether most of a text is in scripts without spaces.
func spaceless(s string) bool {
	n, letters := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
			if WithoutSpaces(r) {
				n++
			}
		}
	}
	return n*3 > letters
}

// Spaceless reports whether the text is written without spaces between words.
func (t *Text) Spaceless() bool {
	n := 0
	for _, p := range t.Paragraphs {
		if spaceless(p) {
			n += len(p)
		} else {
			n -= len(p)
		}
	}
	return n > 0
}

// Sentences splits a paragraph into sentences: after a full stop, an exclamation or question mark
// with its closing marks, if a space and a possible sentence start follow; but not after initials
// and common abbreviations.
func Sentences(p string) (all []string) {
	begin, passed := 0, 0
	end := func(at int) {
		if s := strings.TrimSpace(p[begin:at]); s != "" {
			all = append(all, s)
		}
		begin = at
	}
	for i, r := range p {
		if i < passed {
			continue
		}
		switch r {
		case '。', '！', '？', '｡':
			passed = closing(p, i+utf8.RuneLen(r))
			end(passed)
		case '.', '!', '?', '…':
			passed = closing(p, i+utf8.RuneLen(r))
			if passed < len(p) && p[passed] == ' ' && begins(p[passed+1:]) && (r != '.' || !abbreviated(p[begin:i])) {
				end(passed)
			}
		}
	}
	end(len(p))
	return all
}

// closing skips further marks, and closing quotation marks and brackets.
func closing(p string, at int) int {
	for at < len(p) {
		r, n := utf8.DecodeRuneInString(p[at:])
		if !strings.ContainsRune(".!?…\"'”’»)]」』", r) {
			return at
		}
		at += n
	}
	return at
}

// begins reports whether s can start a sentence: not with a small letter.
func begins(s string) bool {
	for _, r := range s {
		if strings.ContainsRune("\"'“‘«„(¿¡[", r) {
			continue
		}
		return !unicode.IsLower(r) && isLetter(r)
	}
	return false
}

// abbreviations are words with a full stop that does not end a sentence, in several languages.
var abbreviations = set(`mr mrs ms dr prof st jr sr vs etc fig no vol pp ed eds al cf inc ltd co dept approx ` +
	`jan feb mar apr jun jul aug sep sept oct nov dec
	hr fr str nr bzw ca usw evtl ggf vgl abb dhr mevr bv blz ir ing mme mlle av art chap sig sigg dott avv ` +
	`sra srta ud uds pág núm`)

// abbreviated reports whether a text ends in an abbreviation or initial.
func abbreviated(s string) bool {
	word := s[strings.LastIndexAny(s, " (")+1:]
	if i := strings.LastIndexByte(word, '.'); i >= 0 {
		word = word[i+1:]
	}
	r, n := utf8.DecodeRuneInString(word)
	if n == len(word) && unicode.IsLetter(r) {
		return true
	}
	return len(word) < 8 && abbreviations[strings.ToLower(word)]
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
