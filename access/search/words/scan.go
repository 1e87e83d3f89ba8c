package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds.
const (
	Word   Kind = iota // of a script with spaces between words
	Pair               // two neighbouring letters of a script without spaces
	Last               // the last letter of a run of such letters
	Single             // such a letter alone
)

// Scanner reads the tokens of a text. Letters of scripts without spaces give a token for each two
// neighbours, and one for the last letter of a run: 東京都 gives 東京, 京都 and 都. So a query, without the
// last token, is a phrase in each text that contains it.
type Scanner struct {
	text string
	at   int

	token         []byte
	kind          Kind
	from, mid, to int

	queue []piece // further tokens of the word at from

	running  bool // inside of a run without spaces
	pairs    bool // the run has a pair
	last     []byte
	lastFrom int
	lastTo   int
}

type piece struct {
	token string
	kind  Kind
}

// Scan returns a scanner of a text.
func Scan(text string) *Scanner {
	makeTables()
	return &Scanner{text: text}
}

// Token returns the current token. It is valid until the next call of Next.
func (s *Scanner) Token() []byte { return s.token }

// Kind returns the kind of the current token.
func (s *Scanner) Kind() Kind { return s.kind }

// Place returns the place of the current token in the text, in bytes. The first letter of a pair ends at
// mid; mid is to for other tokens.
func (s *Scanner) Place() (from, mid, to int) { return s.from, s.mid, s.to }

// Next advances to the next token. It returns false after the last.
func (s *Scanner) Next() bool {
	for {
		switch {
		case len(s.queue) > 0:
			s.token, s.kind = append(s.token[:0], s.queue[0].token...), s.queue[0].kind
			s.queue = s.queue[1:]
			return true
		case s.running:
			if s.inRun() {
				return true
			}
		case s.at >= len(s.text):
			return false
		case s.begin():
			return true
		}
	}
}

// begin reads the character at the current place. It returns true if a token is ready.
func (s *Scanner) begin() bool {
	r, n := s.rune(s.at)
	switch classOf(r) {
	case letter:
		return s.word()
	case spaceless, attached:
		s.running, s.pairs = true, false
		s.lastFrom = s.at
		s.lastTo = s.cluster(s.at, r, n)
		s.last = appendCluster(s.last[:0], s.text[s.lastFrom:s.lastTo])
		s.at = s.lastTo
		return false
	case separator:
		if (r == '.' || r == '．') && s.dotNet(n) {
			return true
		}
	}
	s.at += n
	return false
}

func (s *Scanner) rune(at int) (rune, int) {
	if at >= len(s.text) {
		return utf8.RuneError, 0
	}
	if c := s.text[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s.text[at:])
}

// inRun makes a token of the last letter of a run and the next one, or ends the run.
func (s *Scanner) inRun() bool {
	at := s.at
	r, n := s.rune(at)
	for n > 0 && (classOf(r) == invisible || classOf(r) == nonJoiner) {
		at += n
		r, n = s.rune(at)
	}
	if c := classOf(r); n > 0 && (c == spaceless || c == attached) {
		end := s.cluster(at, r, n)
		s.token = append(s.token[:0], s.last...)
		s.last = appendCluster(s.last[:0], s.text[at:end])
		s.token = append(s.token, s.last...)
		s.kind, s.from, s.mid, s.to = Pair, s.lastFrom, s.lastTo, end
		s.lastFrom, s.lastTo, s.at, s.pairs = at, end, end, true
		return true
	}
	s.running, s.at = false, at
	s.token, s.kind = append(s.token[:0], s.last...), Last
	s.from, s.mid, s.to = s.lastFrom, s.lastTo, s.lastTo
	if !s.pairs {
		s.kind = Single
	}
	return len(s.token) > 0
}

// cluster returns the end of a letter with its marks (Unicode Standard Annex 29, simplified). A Khmer coeng
// and a Burmese virama bind the next letter.
func (s *Scanner) cluster(at int, r rune, n int) int {
	const coeng, virama, nikhahit, niggahita = 0x17d2, 0x1039, 0x0e4d, 0x0ecd
	for {
		before := r
		at += n
		r, n = s.rune(at)
		if n == 0 {
			return at
		}
		switch c := classOf(r); {
		case c == mark || c == attached:
		case c == spaceless && (before == coeng || before == virama ||
			before == nikhahit && r == 'า' || before == niggahita && r == 'າ'):
		default:
			return at
		}
	}
}

// word reads a word of a script with spaces.
func (s *Scanner) word() bool {
	from := s.at
	end, ascii := s.wordEnd(from)
	raw := s.text[from:end]
	s.at, s.from, s.mid, s.to, s.kind = end, from, end, end, Word
	if ascii {
		s.token = s.token[:0]
		for _, c := range []byte(cut(raw, maxToken)) {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			s.token = append(s.token, c)
		}
		if end < len(s.text) && (s.text[end] == '+' || s.text[end] == '#') {
			s.symbol()
		}
		return true
	}
	s.queue = s.queue[:0]
	s.token = appendFolded(s.token[:0], raw, func(b []byte) []byte {
		if len(b) > 0 {
			s.queue = append(s.queue, piece{string(b), Word})
		}
		return b[:0]
	})
	if len(s.queue) > 0 {
		if len(s.token) > 0 {
			s.queue = append(s.queue, piece{string(s.token), Word})
		}
		return false
	}
	s.symbol()
	return len(s.token) > 0
}

// wordEnd returns the end of the word that begins at a place, and whether it is ASCII.
func (s *Scanner) wordEnd(at int) (end int, ascii bool) {
	for at < len(s.text) && s.text[at] < utf8.RuneSelf && classes[s.text[at]] == letter {
		at++
	}
	if at == len(s.text) || s.text[at] < utf8.RuneSelf && !s.quoteInside(at) {
		return at, true
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:at])
	ascii = true
	for {
		r, n := s.rune(at)
		if n == 0 {
			return at, ascii
		}
		switch classOf(r) {
		case letter, mark:
			before = r
		case invisible:
		case nonJoiner:
			if unicode.Is(unicode.Arabic, before) {
				return at, ascii
			}
		case hebrewQuote, middleDot:
			if !s.quoteInside(at) {
				return at, ascii
			}
		default:
			return at, ascii
		}
		ascii = ascii && r < utf8.RuneSelf
		at += n
	}
}

// quoteInside reports whether the mark at a place is inside of a word: a quotation mark between Hebrew
// letters (צה"ל), or the middle dot of Catalan (col·legi).
func (s *Scanner) quoteInside(at int) bool {
	r, n := s.rune(at)
	c := classOf(r)
	if c != hebrewQuote && c != middleDot {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:at])
	behind, _ := s.rune(at + n)
	if c == middleDot {
		return (before == 'l' || before == 'L') && (behind == 'l' || behind == 'L')
	}
	return unicode.Is(unicode.Hebrew, before) && unicode.Is(unicode.Hebrew, behind)
}

// symbol adds the signs of a name to a word: C++, C#. A longer name counts without them, too: Notepad++.
func (s *Scanner) symbol() {
	at, signs := s.to, 0
	r, n := s.rune(at)
	for n > 0 && (r == '+' || r == '＋') && signs < 3 {
		at, signs = at+n, signs+1
		r, n = s.rune(at)
	}
	const longest = 20
	name := signs == 2 && len(s.token) <= longest && !isASCIILetter(r)
	sharp := len(s.token) == 1 && signs == 0 && (r == '#' || r == '＃')
	if sharp {
		at += n
		if r, _ = s.rune(at); classOf(r) == letter && r != utf8.RuneError {
			return
		}
	}
	last := byte(0)
	if len(s.token) > 0 {
		last = s.token[len(s.token)-1]
	}
	if !name && !sharp || last < 'a' || last > 'z' {
		return
	}
	s.at, s.to, s.mid = at, at, at
	signed := string(s.token) + "++"
	if sharp {
		signed = string(s.token) + "#"
	}
	if len(s.token) == 1 {
		s.token = append(s.token[:0], signed...)
		return
	}
	s.queue = append(s.queue[:0], piece{signed, Word})
}

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// dotNet reads the name .NET at a full stop of n bytes.
func (s *Scanner) dotNet(n int) bool {
	if s.at > 0 {
		switch before, _ := utf8.DecodeLastRuneInString(s.text[:s.at]); classOf(before) {
		case letter, spaceless, attached, mark:
			return false
		default:
			if before == '.' { // "...net"
				return false
			}
		}
	}
	begin := s.at + n
	if r, _ := s.rune(begin); classOf(r) != letter {
		return false
	}
	end, _ := s.wordEnd(begin)
	if end-begin > maxToken || !strings.EqualFold(norm.NFKC.String(s.text[begin:end]), "net") {
		return false
	}
	s.token, s.kind = append(s.token[:0], ".net"...), Word
	s.from, s.mid, s.to, s.at = s.at, end, end, end
	return true
}
