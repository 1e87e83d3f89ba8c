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

func (s *scripter) mark(at int, r rank, text string) { s.marks = append(s.marks, mark{at, r, text}) }

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
	if before.kind == dot {
		s.member(text, from)
		s.value(from, text, true)
		s.optional = s.optional || before.text == '?'
		return
	}
	switch text {
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
		if s.peek(to) == '(' && !(f.kind == object && (before.kind == open || before.kind == comma)) {
			s.with = true // its object may have any of the names
		}
	case "from":
		s.importing = false
	}
	if s.pattern == 2 && (windows[text] || text == "document") && text != "top" && !bytes.ContainsRune([]byte(".([?"),
		rune(s.peek(to))) {
		s.mark(from, wrapper, ofMark)
		s.mark(to, closes, ")")
	}
	if keywords[text] && !(f.kind == object && s.peek(to) == ':') {
		s.keyword(text, from)
		return
	}
	s.value(from, text, false)
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
	starts := before.kind == open || before.kind == comma
	switch {
	case before.word == "break" || before.word == "continue":
		return false
	case f.kind == classBody && before.kind != operator && before.kind != keyed:
		return false // the name of a member
	case f.kind == object && (starts || before.word == "get" || before.word == "set" || before.word == "async" ||
		before.text == '*' && before.kind == operator && s.starred):
		if next == ':' || next == '(' {
			f.named = f.named || next == ':'
			return false
		}
		if starts && (next == ',' || next == '}' || next == '=') {
			s.mark(from, prefix, text+":quire$")
			f.named = true
			return true
		}
	case f.kind == imports || f.kind == exports:
		return s.listed(f, text, from, to)
	case next == ':' && (before.kind == open || before.kind == start || before.kind == semicolon ||
		before.kind == closed):
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
		if s.exports {
			s.mark(len(s.src), prefix, "\nexport{quire$"+text+" as "+text+"};")
		}
	}
}

// evaluated handles a bare eval.
func (s *scripter) evaluated(f *frame, from, to int) {
	next, before := s.peek(to), s.last
	starts := before.kind == open || before.kind == comma
	switch {
	case s.with, f.kind == classBody && before.kind != operator, f.kind == imports, f.kind == exports,
		before.word == "function", f.kind == object && (starts || before.word == "get" || before.word == "set"):
	case next == '(':
		s.argument = "quire$js("
	case next == ':' || next == '=' && s.peekAt(to, 1) != '=':
	default:
		s.mark(from, prefix, "quire$")
	}
}

// keywords are the words that are no values. A slash after them begins a regular expression.
var keywords = map[string]bool{"return": true, "typeof": true, "instanceof": true, "in": true, "new": true,
	"delete": true, "void": true, "throw": true, "case": true, "do": true, "else": true, "await": true, "yield": true,
	"default": true, "extends": true, "const": true, "let": true, "var": true, "import": true, "export": true,
	"if": true, "while": true, "for": true, "with": true, "switch": true, "class": true, "function": true,
	"try": true, "finally": true, "catch": true, "break": true, "continue": true}
