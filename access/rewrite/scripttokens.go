package rewrite

import "bytes"

// scripter reads the tokens of a script (ECMAScript, 12), as far as it must to tell names from
// text, and divisions from regular expressions. It knows no grammar: brackets and the token before
// decide. Time is linear.
type scripter struct {
	src   []byte
	marks []mark
	stack []frame
	last  token
	pos   int
	first int // where the statements begin, after directives; -1 if not yet known

	// The member expression that ends here: where it begins (-1: unknown), the word at its end, and
	// whether it has "?.".
	chain    int
	before   string
	optional bool

	argument  string // of the next parenthesis: the function around its first argument
	with      bool   // a with statement was seen
	meta      bool   // import.meta was seen
	exports   bool   // the declaration is exported
	async     bool   // the word async stands after export
	all       bool   // export * was seen: a name after "as" is an export
	importing bool   // within an import statement
	pattern   int    // 1: after a pattern that takes location from an object; 2: after its equals sign
	failed    bool
	root      frame
}

// sort is the sort of a token, as far as it matters for the next.
type sort uint8

const (
	start    sort = iota
	operand       // a value ends here
	operator      // an operand follows
	keyed         // a keyword
	dot           // . or ?.
	open          // a bracket
	comma
	semicolon
	closed // the end of a block, or of the parenthesis of a statement: a statement may follow
)

// token is the token before.
type token struct {
	kind sort
	text byte   // of an operator or bracket
	word string // of a word
	key  bool   // a word or star before the name of a member: get, async, *
	at   int
}

// purpose is the purpose of a bracket.
type purpose uint8

const (
	group     purpose = iota // ( and [
	control                  // the parenthesis of if, while, for, with, switch, catch
	call                     // ( or [ after a value
	block                    // {
	object                   // { of an object or pattern
	classBody                // {
	imports                  // { of import
	exports                  // { of export
	within                   // ${ of a template
)

// frame is an open bracket.
type frame struct {
	kind      purpose
	at        int
	chain     int // of the expression before it, or its own beginning
	optional  bool
	questions int  // open conditional operators
	named     bool // an object pattern with one of the names
	exported  bool // a pattern of names that a module exports
	value     bool // of a class body: within the value of a field
	classes   int  // classes in it whose bodies have not begun
	marks     int  // the marks before it

	argument string // the function around its first argument
	comma    int    // after its first argument; 0: not yet
}

// maxNesting bounds the open brackets.
const maxNesting = 4096

func (s *scripter) frame() *frame {
	if len(s.stack) == 0 {
		return &s.root
	}
	return &s.stack[len(s.stack)-1]
}

// scan reads the whole script. It reports whether all brackets match.
func (s *scripter) scan() bool {
	if bytes.HasPrefix(s.src, []byte("#!")) {
		s.line()
	}
	for s.pos < len(s.src) {
		if !s.step() || s.failed {
			return false
		}
	}
	return len(s.stack) == 0
}

// begin returns where the definitions go: after the directives ("use strict").
func (s *scripter) begin() int { return max(s.first, 0) }

// step reads one token, or white space.
func (s *scripter) step() bool {
	c := s.src[s.pos]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
		s.pos++
		return true
	case s.pos == 0 && bytes.HasPrefix(s.src, []byte(markUTF8)): // it is white space
		s.pos = len(markUTF8)
		return true
	case c == '/' && s.at(1) == '/':
		s.line()
		return true
	case c == '/' && s.at(1) == '*':
		return s.comment()
	case c == '<' && bytes.HasPrefix(s.src[s.pos:], []byte("<!--")) && s.beginsLine():
		s.line()
		return true
	case c == '-' && bytes.HasPrefix(s.src[s.pos:], []byte("-->")) && s.beginsLine():
		s.line()
		return true
	}
	s.directive(c)
	if s.pattern > 0 && c != '=' && !isName(c) || s.pattern == 1 && c != '=' {
		s.pattern = 0
	}
	switch {
	case isName(c) || c == '#' || c == '\\':
		from := s.pos
		for s.pos++; s.pos < len(s.src); s.pos++ {
			if c := s.src[s.pos]; !isName(c) && !isDigit(c) && c != '\\' {
				break
			}
		}
		s.word(from, s.pos)
		s.pattern = 0
	case isDigit(c) || c == '.' && isDigit(s.at(1)):
		s.number()
	case c == '"' || c == '\'':
		return s.text(c)
	case c == '`':
		s.template()
	case c == '/' && s.regular():
	default:
		return s.punctuator(c) && !s.failed
	}
	return true
}

// directive finds the end of the directives at the beginning of the script (ECMAScript, 11.2.1): a
// statement before them would end their effect.
func (s *scripter) directive(c byte) {
	if s.first >= 0 {
		return
	}
	switch {
	case s.last.kind == start && (c == '"' || c == '\''), s.last.kind == semicolon && (c == '"' || c == '\''):
	case s.last.kind == operand && c == ';':
	case s.last.kind == operand && (isName(c) || c == '"' || c == '\'' || c == '~' || c == '!' && s.at(1) != '=') &&
		bytes.ContainsAny(s.src[s.chain:s.pos], "\n\r"):
		if c != '"' && c != '\'' {
			s.first = s.pos
		}
	case s.last.kind == operand:
		s.first = s.chain // the string begins an expression
	default:
		s.first = s.pos
	}
}

func (s *scripter) at(i int) byte {
	if s.pos+i < len(s.src) {
		return s.src[s.pos+i]
	}
	return 0
}

func isName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// line skips to the end of the line.
func (s *scripter) line() {
	for s.pos < len(s.src) && s.src[s.pos] != '\n' && s.src[s.pos] != '\r' {
		s.pos++
	}
}

func (s *scripter) comment() bool {
	i := bytes.Index(s.src[s.pos+2:], []byte("*/"))
	if i < 0 {
		return false
	}
	s.pos += i + 4
	return true
}

// beginsLine reports whether only white space is before, on this line.
func (s *scripter) beginsLine() bool {
	for i := s.pos - 1; i >= 0; i-- {
		switch s.src[i] {
		case ' ', '\t':
		case '\n', '\r':
			return true
		default:
			return false
		}
	}
	return true
}

// value notes that a value ends here. joined means that it continues the expression before it.
func (s *scripter) value(from int, text string, joined bool) {
	if !joined {
		s.chain, s.optional = from, false
		called := s.last.kind == closed && s.last.text == '}' && bytes.IndexByte([]byte("([`"), s.src[from]) >= 0
		if s.last.word == "new" || called || text == "super" ||
			text == "import" || text != "" && text[0] == '#' {
			s.chain = -1
		}
	}
	s.before = text
	s.last = token{kind: operand, word: text, at: from}
}

// keyword notes a keyword.
func (s *scripter) keyword(text string, from int) {
	switch text {
	case "const", "let", "var", "function", "class":
		s.exports = (s.last.word == "export" || s.last.word == "async" && s.async) && len(s.stack) == 0
	}
	if text == "class" {
		s.frame().classes++
	}
	s.before, s.chain = "", -1
	s.last = token{kind: keyed, word: text, at: from}
	if text == "import" && (s.peek(s.pos) == '(' || s.peek(s.pos) == '.') {
		s.last.kind = operand
		return
	}
	s.importing = s.importing || text == "import"
}

// peek returns the next byte after white space and comments, 0 at the end.
func (s *scripter) peek(from int) byte { return s.peekAt(from, 0) }

// peekAt returns the byte i places after it.
func (s *scripter) peekAt(from, i int) byte {
	if from = s.skip(from) + i; from < len(s.src) {
		return s.src[from]
	}
	return 0
}

// skip returns the offset after white space and comments, of at most 1 KiB: so that time is linear.
func (s *scripter) skip(from int) int {
	for end := min(len(s.src), from+1<<10); from < end; {
		switch c := s.src[from]; {
		case isBlank(c) || c == '\v':
			from++
		case c == '/' && from+1 < end && s.src[from+1] == '*':
			i := bytes.Index(s.src[from+2:end], []byte("*/"))
			if i < 0 {
				return len(s.src)
			}
			from += i + 4
		case c == '/' && from+1 < end && s.src[from+1] == '/':
			i := bytes.IndexByte(s.src[from:end], '\n')
			if i < 0 {
				return len(s.src)
			}
			from += i
		default:
			return from
		}
	}
	return from
}

func (s *scripter) nextWord(from int) string {
	from = s.skip(from)
	to := from
	for to < len(s.src) && to-from < 16 && isName(s.src[to]) {
		to++
	}
	return string(s.src[from:to])
}
