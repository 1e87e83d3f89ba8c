package pdf

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
)

// The objects of PDF (ISO 32000-2, 7.3). Numbers are int64 or float64, booleans bool, null is nil.
type (
	name  string
	text  []byte // a string, as its bytes
	array []any
	dict  map[name]any
	ref   struct{ number, generation int64 }
)

// The bounds of one object.
const (
	maxDepth   = 50       // nested arrays and dictionaries
	maxObject  = 2 << 20  // bytes of an object as written
	maxLiteral = 64 << 10 // bytes of a string or name that are kept
	maxCost    = 500_000  // objects in one document; a dictionary adds dictCost
	dictCost   = 16
)

var (
	errShort  = errors.New("it does not end within the bytes")
	errSyntax = errors.New("not a PDF object")
	errDeep   = errors.New("too many objects, or nested too deeply")
)

// lexer parses objects in memory.
type lexer struct {
	b    []byte
	at   int
	cost int // of the objects made: a dictionary takes much more memory than its text

	parts []operand // of the last array of operands
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

// isRegular are the characters of words: neither white space nor delimiters (7.2.3).
var isRegular = func() (is [256]bool) {
	for i := range is {
		c := byte(i)
		is[c] = !isSpace(c) && strings.IndexByte("()<>[]{}/%", c) < 0
	}
	return is
}()

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// space skips white space and comments.
func (l *lexer) space() {
	for l.at < len(l.b) {
		switch c := l.b[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			n := bytes.IndexAny(l.b[l.at:], "\r\n")
			if n < 0 {
				n = len(l.b) - l.at
			}
			l.at += n
		default:
			return
		}
	}
}

// word returns the bytes up to the next white space or delimiter.
func (l *lexer) word() string { return string(l.wordBytes()) }

func (l *lexer) wordBytes() []byte {
	begin := l.at
	for l.at < len(l.b) && isRegular[l.b[l.at]] {
		l.at++
	}
	return l.b[begin:min(l.at, begin+maxLiteral)]
}

// next reports whether a keyword comes next, and skips it.
func (l *lexer) next(keyword string) bool {
	l.space()
	if !bytes.HasPrefix(l.b[l.at:], []byte(keyword)) {
		return false
	}
	l.at += len(keyword)
	return true
}

// object parses an object.
func (l *lexer) object(depth int) (any, error) {
	l.space()
	if l.at >= len(l.b) {
		return nil, errShort
	}
	if l.cost++; depth > maxDepth || l.cost > maxCost {
		return nil, errDeep
	}
	switch c := l.b[l.at]; {
	case c == '/':
		return l.name(), nil
	case c == '(':
		return l.literal()
	case bytes.HasPrefix(l.b[l.at:], []byte("<<")):
		return l.dict(depth)
	case c == '<':
		return l.hexadecimal()
	case c == '[':
		return l.array(depth)
	case isDigit(c) || c == '+' || c == '-' || c == '.':
		return l.number(), nil
	}
	begin := l.at
	switch l.word() {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	}
	if l.at == len(l.b) {
		return nil, errShort
	}
	l.at = begin
	return nil, errSyntax
}

func (l *lexer) name() name {
	l.at++
	word := l.word()
	if !bytes.Contains([]byte(word), []byte("#")) {
		return name(word)
	}
	out := make([]byte, 0, len(word))
	for i := 0; i < len(word); i++ {
		if word[i] == '#' && i+2 < len(word) {
			if n, err := strconv.ParseUint(word[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, word[i])
	}
	return name(out)
}

// number parses a number, or a reference, which begins with two.
func (l *lexer) number() any {
	f, n, whole := l.plainOrOdd()
	if !whole {
		if f == 0 && n != 0 {
			return int64(0)
		}
		return f
	}
	if r, is := l.reference(n); is {
		return r
	}
	return n
}

// plainOrOdd parses a number. A whole number is in n, another number in f.
func (l *lexer) plainOrOdd() (f float64, n int64, whole bool) {
	word := l.wordBytes()
	f, whole, plain := plainNumber(word)
	if plain {
		return f, int64(f), whole
	}
	return oddNumber(string(word))
}

// reference parses the rest of a reference whose first number was n. Without one it stays in place.
func (l *lexer) reference(n int64) (r ref, is bool) {
	begin := l.at
	l.space()
	if l.at < len(l.b) && isDigit(l.b[l.at]) && n >= 0 {
		generation, whole, plain := plainNumber(l.wordBytes())
		l.space()
		if plain && whole && generation <= math.MaxInt32 && string(l.wordBytes()) == "R" {
			return ref{n, int64(generation)}, true
		}
	}
	l.at = begin
	return r, false
}

// plainNumber parses a number with at most fifteen digits, which a float64 has exactly. So has it the
// power of ten, and their quotient is the value that strconv returns.
func plainNumber(word []byte) (n float64, whole, ok bool) {
	const most = 15
	digits, fraction, sum, point := 0, 0, int64(0), false
	for i, c := range word {
		switch {
		case isDigit(c):
			sum = sum*10 + int64(c-'0')
			if digits++; point {
				fraction++
			}
		case c == '.' && !point:
			point = true
		case (c == '-' || c == '+') && i == 0:
		default:
			return 0, false, false
		}
		if digits > most {
			return 0, false, false
		}
	}
	if digits == 0 {
		return 0, false, false
	}
	if n = float64(sum) / tens[fraction]; word[0] == '-' {
		n = -n
	}
	return n, !point, true
}

var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// oddNumber parses a long number, or one that is written in error. Zero stands for any other word:
// then n is not zero, and whole is false.
func oddNumber(word string) (f float64, n int64, whole bool) {
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return 0, n, true
	}
	f, err := strconv.ParseFloat(word, 64)
	if err != nil || f > 1e15 || f < -1e15 || f != f {
		return 0, 1, false
	}
	return f, 0, false
}

func (l *lexer) array(depth int) (any, error) {
	l.at++
	a := array{}
	for {
		l.space()
		if l.at < len(l.b) && l.b[l.at] == ']' {
			l.at++
			return a, nil
		}
		o, err := l.object(depth + 1)
		if err != nil {
			return nil, err
		}
		a = append(a, o)
	}
}

func (l *lexer) dict(depth int) (any, error) {
	l.at += 2
	l.cost += dictCost
	d := dict{}
	for {
		if l.next(">>") {
			return d, nil
		}
		if l.at >= len(l.b) {
			return nil, errShort
		}
		if l.b[l.at] != '/' {
			return nil, errSyntax
		}
		key := l.name()
		value, err := l.object(depth + 1)
		if errors.Is(err, errSyntax) && l.next(">>") { // a key without a value
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		d[key] = value
	}
}

func (l *lexer) hexadecimal() (any, error) {
	end := bytes.IndexByte(l.b[l.at:], '>')
	if end < 0 {
		return nil, errShort
	}
	var out []byte
	half, odd := byte(0), false
	for _, c := range l.b[l.at+1 : l.at+end] {
		n := hexDigit(c)
		switch {
		case n < 0 || len(out) >= maxLiteral:
			continue
		case odd:
			out = append(out, half<<4|byte(n))
		}
		half, odd = byte(n), !odd
	}
	if odd {
		out = append(out, half<<4)
	}
	l.at += end + 1
	return text(out), nil
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// escapes are the one-letter escapes of a literal string (7.3.4.2).
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

func (l *lexer) literal() (any, error) {
	var out []byte
	open := 0
	for ; l.at < len(l.b); l.at++ {
		c := l.b[l.at]
		switch c {
		case '(':
			if open++; open == 1 {
				continue
			}
		case ')':
			if open--; open == 0 {
				l.at++
				return text(out), nil
			}
		case '\\':
			var ok bool
			if c, ok = l.escape(); !ok {
				continue
			}
		case '\r': // every end of line becomes a line feed
			if l.at+1 < len(l.b) && l.b[l.at+1] == '\n' {
				l.at++
			}
			c = '\n'
		}
		if len(out) < maxLiteral {
			out = append(out, c)
		}
	}
	return nil, errShort
}

// escape parses the bytes after a backslash and stops at the last one. An escaped end of line is
// ignored.
func (l *lexer) escape() (byte, bool) {
	l.at++
	if l.at >= len(l.b) {
		return 0, false
	}
	c := l.b[l.at]
	if e, ok := escapes[c]; ok {
		return e, true
	}
	switch {
	case c == '\n':
		return 0, false
	case c == '\r':
		if l.at+1 < len(l.b) && l.b[l.at+1] == '\n' {
			l.at++
		}
		return 0, false
	case c < '0' || c > '7':
		return c, true
	}
	n := 0
	for i := 0; i < 3 && l.at < len(l.b) && l.b[l.at] >= '0' && l.b[l.at] <= '7'; i++ {
		n = n*8 + int(l.b[l.at]-'0')
		l.at++
	}
	l.at--
	return byte(n), true //nolint:gosec // high bits are ignored (7.3.4.2)
}
