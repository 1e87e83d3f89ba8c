package rewrite

import (
	"bytes"
	"cmp"
	"slices"
)

// mark is an insertion into a script.
type mark struct {
	at   int
	rank rank // of marks at one place
	text string
}

// rank is the order of marks at one place.
type rank uint8

const (
	definitions rank = iota
	closes           // a parenthesis of ours
	argument         // the function around an argument
	wrapper          // the function around an expression
	prefix           // before a name
)

func (s *scripter) mark(at int, r rank, text string) {
	if len(s.marks) >= maxMarks {
		s.failed = true
		return
	}
	s.marks = append(s.marks, mark{at, r, text})
}

func (s *scripter) order() {
	slices.SortStableFunc(s.marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank))
	})
}

const ofMark = "quire$of("

// windows are words before a dot that often mean a window.
var windows = map[string]bool{"window": true, "self": true, "globalThis": true, "frames": true, "parent": true,
	"top": true, "defaultView": true, "contentWindow": true, "this": true, "opener": true, "w": true, "win": true}

// word handles an identifier or keyword.
func (s *scripter) word(from, to int) {
	text := string(s.src[from:to])
	f := s.frame()
	before := s.last
	s.argument = ""
	if before.kind == dot {
		s.member(text, from)
		s.value(from, text, true)
		s.optional = s.optional || before.text == '?'
		return
	}
	if s.key(f, text, to) {
		s.keyed(f, text, from, to)
		return
	}
	switch text {
	case "async":
		s.async = before.word == "export"
	case "location", "top":
		if s.binding(f, text, from, to) {
			s.exported(text)
		}
	case "eval":
		s.evaluated(f, from, to)
	case "import":
		switch s.peek(to) {
		case '(':
			s.argument = "quire$import("
		case '.':
			s.meta = true
		}
	case "with":
		if s.peek(to) == '(' {
			s.with = true // its object may have any of the names
		}
	case "from":
		s.importing = false
	}
	if s.pattern == 2 && (windows[text] || text == "document") && text != "top" && s.ends(to) {
		s.mark(from, wrapper, ofMark)
		s.mark(to, closes, ")")
	}
	if keywords[text] {
		s.keyword(text, from)
		return
	}
	s.value(from, text, false)
}

// key reports whether a word is the name of a member, or a word before one, in a class or object.
func (s *scripter) key(f *frame, text string, to int) bool {
	before := s.last
	switch f.kind {
	case classBody:
		if f.value && (before.kind == operator || before.kind == keyed) {
			return false
		}
		f.value = false
		return true
	case object:
		if before.kind != open && before.kind != comma && !before.key {
			return false
		}
		switch next := s.peek(to); next {
		case '(', ':', ',', '}', ';':
			return true
		case '=':
			after := s.peekAt(to, 1)
			return after != '=' && after != '>'
		default:
			return accessors[text] && (isName(next) || isDigit(next) || bytes.IndexByte([]byte("\"'[*#\\"), next) >= 0)
		}
	default:
		return false
	}
}

var accessors = map[string]bool{"get": true, "set": true, "async": true, "static": true}

// keyed handles the name of a member. It stays, and only a shorthand gets a value of its own.
func (s *scripter) keyed(f *frame, text string, from, to int) {
	if (text == "location" || text == "top") && f.kind == object && !s.last.key {
		switch s.peek(to) {
		case ',', '}', '=':
			if f.exported {
				s.failed = true // the module would lose an export
			}
			if !s.with {
				s.mark(from, prefix, text+":quire$")
				f.named = true
			}
		case ':':
			f.named = true
		}
	}
	s.before, s.chain, s.optional = "", -1, false
	s.last = token{kind: operand, word: text, at: from, key: f.kind == object && accessors[text]}
}

// ends reports whether an expression surely ends after a word.
func (s *scripter) ends(to int) bool {
	next := s.peek(to)
	return next == 0 || isName(next) || bytes.IndexByte([]byte(";,)}"), next) >= 0
}

// member handles a name after a dot.
func (s *scripter) member(text string, from int) {
	chain := s.chain
	if chain < 0 || s.optional {
		return
	}
	wraps := false
	switch text {
	case "location":
		wraps = true
	case "postMessage":
		wraps = s.peek(from+len(text)) == '('
	case "top":
		wraps = windows[s.before]
	case "eval":
		wraps = windows[s.before] && s.peek(from+len(text)) == '('
	}
	if wraps {
		s.mark(chain, wrapper, ofMark)
		s.mark(s.last.at, closes, ")")
	}
}

// binding handles a bare location or top: a variable, a parameter, or the browser's own. It reports
// whether the name got the prefix.
func (s *scripter) binding(f *frame, text string, from, to int) bool {
	if s.with {
		return false
	}
	next, before := s.peek(to), s.last
	switch {
	case before.word == "break" || before.word == "continue", before.word == "as" && s.all:
		return false
	case f.exported, s.exports && len(s.stack) == 0 && before.kind == comma:
		s.failed = true // a later name of an exported declaration
		return false
	case f.kind == imports || f.kind == exports:
		return s.listed(f, text, from, to)
	case next == ':' && (before.kind == open || before.kind == start || before.kind == semicolon ||
		before.kind == closed || before.kind == operand || before.kind == operator && before.text == ':' ||
		before.word == "else" || before.word == "do"):
		return false // a label
	}
	s.mark(from, prefix, "quire$")
	return true
}

// listed handles a name in the braces of an import or export.
func (s *scripter) listed(f *frame, text string, from, to int) bool {
	follows := s.nextWord(to) == "as"
	switch after := s.last.word == "as"; {
	case f.kind == imports && !follows && !after:
		s.mark(from, prefix, text+" as quire$")
	case f.kind == imports && after:
		s.mark(from, prefix, "quire$")
	case f.kind == exports && !follows && !after:
		s.mark(from, prefix, "quire$")
		s.mark(to, prefix, " as "+text)
	case f.kind == exports && follows:
		s.mark(from, prefix, "quire$")
	}
	return false
}

// exported keeps the name of a declaration that a module exports.
func (s *scripter) exported(text string) {
	switch s.last.word {
	case "const", "let", "var", "function", "class":
	default:
		if s.last.text != '*' {
			return
		}
	}
	if s.exports && len(s.stack) == 0 {
		s.mark(len(s.src), prefix, "\nexport{quire$"+text+" as "+text+"};")
		s.exports = s.last.kind == keyed && s.last.word != "function" && s.last.word != "class"
	}
}

// evaluated handles a bare eval. It gets a mark only where it is surely a value.
func (s *scripter) evaluated(f *frame, from, to int) {
	next, before := s.peek(to), s.last
	switch {
	case s.with, f.kind == imports, f.kind == exports, before.word == "function":
	case next == '(':
		s.argument = "quire$js("
	case next == '=' && s.peekAt(to, 1) != '=': // its own variable
	case before.kind == operator && before.text != '.' && before.text != '+' && before.text != '-',
		before.kind == keyed && !declares[before.word],
		before.kind == comma && next == ')' && s.peek(s.skip(to)+1) == '(': // (0, eval)(text)
		s.mark(from, prefix, "quire$")
	}
}

var declares = map[string]bool{"const": true, "let": true, "var": true, "class": true, "import": true, "export": true,
	"catch": true, "break": true, "continue": true}

// keywords are the words that are no values. A slash after them begins a regular expression.
var keywords = map[string]bool{"return": true, "typeof": true, "instanceof": true, "in": true, "new": true,
	"delete": true, "void": true, "throw": true, "case": true, "do": true, "else": true, "await": true, "yield": true,
	"default": true, "extends": true, "const": true, "let": true, "var": true, "import": true, "export": true,
	"if": true, "while": true, "for": true, "with": true, "switch": true, "class": true, "function": true,
	"try": true, "finally": true, "catch": true, "break": true, "continue": true}
