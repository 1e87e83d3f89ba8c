package pdf

import (
	"bytes"
	"math"
	"unicode"
)

// matrix is a coordinate transformation (8.3.3).
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times returns the transformation that applies m first and then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3], m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// pen is the text state (9.3).
type pen struct {
	page, text, line           matrix // CTM, Tm, Tlm
	font                       *font
	size, wide, leading, rise  float64
	letterSpacing, wordSpacing float64
}

func newPen() pen { return pen{page: identity, text: identity, line: identity, wide: 1} }

// draw interprets content and collects the text that it shows.
func (w *writer) draw(content []byte, resources dict, depth int) {
	const mostOperands, mostSaved = 64, 64
	if w.drawn += int64(len(content)); depth > maxNested {
		return
	}
	l := &lexer{b: content}
	var operands []operand
	base := len(w.stack)
	for {
		l.space()
		if l.at >= len(l.b) || w.full() {
			w.stack = w.stack[:min(base, len(w.stack))]
			return
		}
		c := l.b[l.at]
		if isDigit(c) || bytes.IndexByte([]byte("/(<[+-."), c) >= 0 {
			o, err := l.operand()
			if err != nil {
				l.at++
				continue
			}
			if len(operands) < mostOperands {
				operands = append(operands, o)
			}
			continue
		}
		word := l.wordBytes()
		switch string(word) {
		case "":
			l.at++ // a misplaced delimiter
		case "ID":
			l.at = afterImage(l.b, l.at)
		case "q":
			if len(w.stack)-base < mostSaved {
				w.stack = append(w.stack, w.pen)
			}
		case "Q":
			if n := len(w.stack); n > base {
				w.pen, w.stack = w.stack[n-1], w.stack[:n-1]
			}
		case "Do":
			w.form(operands, resources, depth)
		default:
			w.operate(word, operands, resources)
		}
		operands = operands[:0]
	}
}

// afterImage returns the position after an inline image (8.9.7).
func afterImage(b []byte, at int) int {
	for {
		i := bytes.Index(b[at:], []byte("EI"))
		if i < 0 {
			return len(b)
		}
		before, after := at+i-1, at+i+2
		if at = after; isSpace(b[before]) && (after == len(b) || isSpace(b[after])) {
			return after
		}
	}
}

// form draws a form (8.10).
func (w *writer) form(operands []operand, resources dict, depth int) {
	if len(operands) == 0 {
		return
	}
	called := operands[len(operands)-1].name
	s := w.d.stream(w.d.dict(resources["XObject"])[called])
	if s == nil || w.d.name(s.dict["Subtype"]) != "Form" || depth >= maxNested {
		return
	}
	if own := w.d.dict(s.dict["Resources"]); own != nil {
		resources = own
	}
	saved := w.pen
	if m, ok := w.d.matrixOf(s.dict["Matrix"]); ok {
		w.pen.page = m.times(w.pen.page)
	}
	w.draw(w.stream(s), resources, depth+1)
	w.pen = saved
}

func (d *document) matrixOf(o any) (m matrix, ok bool) {
	a := d.array(o)
	if len(a) != len(m) {
		return m, false
	}
	for i := range m {
		if m[i], ok = d.float(a[i]); !ok {
			return m, false
		}
	}
	return m, true
}

// operate executes a text operator (9.4).
func (w *writer) operate(word []byte, operands []operand, resources dict) {
	p := &w.pen
	n := func(i int) float64 { // the operand at this distance from the end
		if i = len(operands) - 1 - i; i < 0 {
			return 0
		}
		return operands[i].number
	}
	switch string(word) {
	case "cm":
		p.page = matrix{n(5), n(4), n(3), n(2), n(1), n(0)}.times(p.page)
	case "BT":
		p.text, p.line = identity, identity
	case "Tf":
		if len(operands) > 1 {
			p.font, p.size = w.font(resources, operands[len(operands)-2].name), n(0)
		}
	case "Tc":
		p.letterSpacing = n(0)
	case "Tw":
		p.wordSpacing = n(0)
	case "Tz":
		p.wide = n(0) / 100
	case "TL":
		p.leading = n(0)
	case "Ts":
		p.rise = n(0)
	case "Tm":
		p.line = matrix{n(5), n(4), n(3), n(2), n(1), n(0)}
		p.text = p.line
	case "Td":
		p.move(n(1), n(0))
	case "TD":
		p.leading = -n(0)
		p.move(n(1), n(0))
	case "T*":
		p.move(0, -p.leading)
	case "Tj", "'", "\"", "TJ":
		if word[0] == '"' {
			p.wordSpacing, p.letterSpacing = n(2), n(1)
		}
		if word[0] != 'T' {
			p.move(0, -p.leading)
		}
		if len(operands) > 0 {
			w.show(&operands[len(operands)-1])
		}
	}
}

// move begins a line at a place relative to the start of the last line.
func (p *pen) move(x, y float64) {
	p.line = matrix{1, 0, 0, 1, x, y}.times(p.line)
	p.text = p.line
}

// show shows a string, or an array of strings with distances.
func (w *writer) show(o *operand) {
	const perEm = 1000
	w.letters(o.text)
	for i := range o.parts {
		switch part := &o.parts[i]; part.kind {
		case textOperand:
			w.letters(part.text)
		case numberOperand:
			w.pen.advance(-part.number / perEm * w.pen.size * w.pen.wide)
		}
	}
}

// advance moves the pen along its line.
func (p *pen) advance(x float64) {
	p.text[4] += x * p.text[0]
	p.text[5] += x * p.text[1]
}

// letters shows the letters of a string.
func (w *writer) letters(s text) {
	p := &w.pen
	if p.font == nil {
		return
	}
	for len(s) > 0 && !w.full() {
		g := p.font.first(s)
		s = s[g.bytes:]
		const perEm = 1000
		width := g.width / perEm * p.size
		step := width + p.letterSpacing
		if g.bytes == 1 && g.code == ' ' {
			step += p.wordSpacing
		}
		at := p.place()
		length := hypot(at[0], at[1])
		size := hypot(at[2], at[3])
		if g.text == "" {
			w.unknown++
		} else if length > 0 && !math.IsInf(length, 0) && size > 0 && !math.IsNaN(size) {
			w.put(g.text, at[4], at[5], at[0]/length, at[1]/length, g.width/perEm*length, size)
		}
		p.advance(step * p.wide)
	}
}

// place returns the transformation of the next letter to the page (9.4.4).
func (p *pen) place() matrix {
	wide, t := p.size*p.wide, &p.text
	return matrix{
		wide * t[0], wide * t[1], p.size * t[2], p.size * t[3], p.rise*t[2] + t[4], p.rise*t[3] + t[5],
	}.times(p.page)
}

// hypot is math.Hypot, without its cost for text along an axis.
func hypot(a, b float64) float64 {
	switch {
	case b == 0:
		return math.Abs(a)
	case a == 0:
		return math.Abs(b)
	}
	return math.Hypot(a, b)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

func isLower(r rune) bool { return unicode.IsLower(r) }
