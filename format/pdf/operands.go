package pdf

// operand is an operand of content (7.8.2). It needs no memory of its own, as most operands are
// numbers.
type operand struct {
	kind   operandKind
	number float64
	text   text // part of the content, if it has no escapes
	name   name
	parts  []operand // strings and numbers of an array
}

type operandKind uint8

const (
	otherOperand operandKind = iota
	numberOperand
	textOperand
	nameOperand
	arrayOperand
)

// maxParts is the number of parts of an array up to which parts are used. Longer arrays become
// objects.
const maxParts = 10_000

// operand parses the operand that begins at l.at. An array overwrites the parts of the array before.
func (l *lexer) operand() (operand, error) {
	begin := l.at
	switch c := l.b[l.at]; {
	case isDigit(c) || c == '+' || c == '-' || c == '.':
		return l.numberOperand(), nil
	case c == '(':
		s, err := l.string()
		return operand{kind: textOperand, text: s}, err
	case c == '/':
		return operand{kind: nameOperand, name: l.name()}, nil
	case c == '[':
		if l.simpleArray() {
			return operand{kind: arrayOperand, parts: l.parts}, nil
		}
		l.at = begin
	}
	l.cost = 0
	o, err := l.object(0)
	return operandOf(o), err
}

// simpleArray parses an array of strings and numbers into l.parts. It returns false for any other
// array.
func (l *lexer) simpleArray() bool {
	l.parts = l.parts[:0]
	l.at++
	for {
		l.space()
		if l.at >= len(l.b) || len(l.parts) == maxParts {
			return false
		}
		switch c := l.b[l.at]; {
		case c == ']':
			l.at++
			return true
		case c == '(':
			s, err := l.string()
			if err != nil {
				return false
			}
			l.parts = append(l.parts, operand{kind: textOperand, text: s})
		case isDigit(c) || c == '+' || c == '-' || c == '.':
			l.parts = append(l.parts, l.numberOperand())
		default:
			return false
		}
	}
}

// numberOperand parses a number.
func (l *lexer) numberOperand() operand {
	f, n, whole := l.plainOrOdd()
	if !whole {
		return operand{kind: numberOperand, number: f}
	}
	if _, is := l.reference(n); is {
		return operand{}
	}
	return operand{kind: numberOperand, number: float64(n)}
}

// string parses a literal string, in place if it has no escapes and no brackets.
func (l *lexer) string() (text, error) {
	for i, c := range l.b[l.at+1:] {
		switch c {
		case ')':
			s := l.b[l.at+1 : l.at+1+i]
			l.at += i + 2
			return s[:min(len(s), maxLiteral)], nil
		case '(', '\\', '\r':
			o, err := l.literal()
			s, _ := o.(text)
			return s, err
		}
	}
	l.at = len(l.b)
	return nil, errShort
}

// operandOf returns an object as an operand.
func operandOf(o any) operand {
	switch o := o.(type) {
	case int64:
		return operand{kind: numberOperand, number: float64(o)}
	case float64:
		return operand{kind: numberOperand, number: o}
	case text:
		return operand{kind: textOperand, text: o}
	case name:
		return operand{kind: nameOperand, name: o}
	case array:
		a := operand{kind: arrayOperand, parts: make([]operand, len(o))}
		for i := range o {
			if _, nested := o[i].(array); !nested { // nested arrays show nothing
				a.parts[i] = operandOf(o[i])
			}
		}
		return a
	}
	return operand{}
}
