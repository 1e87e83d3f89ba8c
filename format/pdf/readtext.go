package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The bounds for the text of one document. The bounds in facts.go apply as well.
const (
	maxPages       = 20_000
	maxTextLookups = 300_000
	maxDrawn       = 128 << 20 // bytes of content interpreted; a form is counted each time it is drawn
	maxContent     = 512 << 20 // bytes of content read or inflated
	maxNested      = 12        // nested forms, and levels of the page tree
)

// Text is the text on the pages of a document, in drawing order.
type Text struct {
	Text     string // lines, each with its end
	Pages    int    // pages read
	Cut      bool   // the text is incomplete
	Unknown  int    // letters without a known character, because the font does not state it
	Warnings []string
}

// ReadText returns up to most bytes of the text of a document of size bytes. The error is
// ErrNotPDF, ErrDamaged or a read error. A document that needs a password has no text.
func ReadText(in io.ReaderAt, size int64, most int) (*Text, error) {
	d := &document{in: in, size: size, facts: &Facts{Pages: -1}, streams: map[int64][]byte{},
		mostLookups: maxTextLookups}
	if err := d.header(); err != nil {
		return nil, errors.Join(d.err, err)
	}
	root := d.open()
	if d.err != nil {
		return nil, d.err
	}
	t := &Text{}
	if root == nil && d.locked() {
		t.Warnings = []string{"it needs a password"}
		return t, nil
	}
	if root == nil {
		return nil, fmt.Errorf("%w: it begins as PDF %s, but has no catalogue", ErrDamaged, d.facts.Header)
	}
	w := &writer{d: d, fonts: map[ref]*font{}, most: most}
	w.pages(root["Pages"], dict{}, map[ref]bool{}, 0)
	t.Text, t.Pages, t.Cut, t.Unknown = w.finish(), w.read, w.full(), w.unknown
	if d.err != nil && t.Text == "" {
		return nil, d.err
	}
	t.Warnings = d.facts.Warnings
	return t, nil
}

// writer interprets pages and collects their text.
type writer struct {
	d     *document
	fonts map[ref]*font // fonts already read
	out   strings.Builder
	most  int

	read, unknown  int
	content, drawn int64 // see maxContent, maxDrawn
	lastX, lastY   float64
	lastSize       float64
	begun          bool // the line has text
	lastWasSpace   bool
	pen            pen
	stack          []pen
}

// full reports whether the text has reached the requested or the allowed size.
func (w *writer) full() bool {
	return w.out.Len() >= w.most || w.drawn >= maxDrawn || w.content >= maxContent || w.read >= maxPages ||
		w.d.lookups > maxTextLookups || w.d.err != nil
}

// finish returns the text, and joins words divided at line ends.
func (w *writer) finish() string {
	lines := strings.Split(w.out.String(), "\n")
	var b strings.Builder
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if i+1 < len(lines) && divided(line, strings.TrimSpace(lines[i+1])) {
			b.WriteString(strings.TrimRight(line, "-\u00ad\u2010"))
			continue
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	s := ligatures.Replace(b.String())
	return strings.ToValidUTF8(s[:min(len(s), w.most)], "")
}

// ligatures are characters that only look like one letter. Searches use the single letters.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// divided reports whether a word continues in the next line.
func divided(line, next string) bool {
	r := []rune(line[max(0, len(line)-8):])
	if len(r) < 2 || next == "" || !strings.ContainsRune("-\u00ad\u2010", r[len(r)-1]) || !isLetter(r[len(r)-2]) {
		return false
	}
	for _, first := range next {
		return isLower(first)
	}
	return false
}

// pages walks the page tree (7.7.3).
func (w *writer) pages(o any, inherited dict, seen map[ref]bool, depth int) {
	if r, ok := o.(ref); ok {
		if seen[r] {
			return
		}
		seen[r] = true
	}
	node := w.d.dict(o)
	if node == nil || depth > 4*maxNested || w.full() {
		return
	}
	if resources := w.d.dict(node["Resources"]); resources != nil {
		inherited = resources
	}
	kids := w.d.array(node["Kids"])
	if kids == nil || w.d.name(node["Type"]) == "Page" {
		w.page(node, inherited)
		return
	}
	for _, kid := range kids {
		if w.full() {
			return
		}
		w.pages(kid, inherited, seen, depth+1)
	}
}

func (w *writer) page(page, resources dict) {
	w.read++
	w.newLine()
	var all []byte
	switch c := w.d.follow(page["Contents"]).(type) {
	case *stream:
		all = w.stream(c)
	case array:
		for _, o := range c {
			if s := w.d.stream(o); s != nil && len(all) < maxStream {
				all = append(append(all, w.stream(s)...), '\n')
			}
		}
	}
	w.pen, w.stack = newPen(), nil
	w.draw(all, resources, 0)
}

// stream returns the bytes of a content stream. They count separately from the bytes read for
// objects.
func (w *writer) stream(s *stream) []byte {
	read, inflated := w.d.read, w.d.inflated
	w.d.read, w.d.inflated = 0, 0
	b, err := w.d.decoded(s, maxStream)
	if err != nil && len(b) == 0 {
		w.d.facts.warn("content of a page: %v", err)
	}
	w.content += max(w.d.read, w.d.inflated)
	w.d.read, w.d.inflated = read, inflated
	return b
}

// put appends letters with this position and width, in points on the page. It adds a line break
// where the line changes, and a space where a gap is as wide as one.
func (w *writer) put(s string, x, y, dirX, dirY, width, size float64) {
	if w.begun {
		along := (x-w.lastX)*dirX + (y-w.lastY)*dirY
		across := (y-w.lastY)*dirX - (x-w.lastX)*dirY
		const line, gap = 0.5, 0.17 // relative to the letter size
		switch {
		case across > line*size || -across > line*size || -along > 2*size:
			w.newLine()
		case along > gap*size:
			w.space()
		}
	}
	w.lastX, w.lastY, w.lastSize = x+width*dirX, y+width*dirY, size
	if (len(s) > 1 || s[0] <= ' ') && strings.TrimSpace(s) == "" {
		w.space()
		return
	}
	w.out.WriteString(s)
	w.begun, w.lastWasSpace = true, false
}

func (w *writer) space() {
	if w.begun && !w.lastWasSpace {
		w.out.WriteByte(' ')
		w.lastWasSpace = true
	}
}

func (w *writer) newLine() {
	if w.begun {
		w.out.WriteByte('\n')
	}
	w.begun, w.lastWasSpace = false, false
}

// decoded returns the bytes of a stream with one or more filters, including the ASCII filters
// (7.4).
func (d *document) decoded(s *stream, most int64) ([]byte, error) {
	names, parameters := d.filters(s.dict)
	if len(names) == 0 || len(names) == 1 && (names[0] == "FlateDecode" || names[0] == "Fl") {
		return d.content(s, most)
	}
	length, ok := d.integer(s.dict["Length"])
	if !ok || length < 0 || length > d.size-s.at {
		return nil, errors.New("it does not state its length")
	}
	b := d.bytes(s.at, min(length, most))
	if b == nil {
		return nil, errors.New("its bytes are missing or exceed the bound on reading")
	}
	b = d.crypt.stream(b, s)
	for i, filter := range names {
		var err error
		switch filter {
		case "FlateDecode", "Fl":
			b, err = d.inflate(bytes.NewReader(b), most)
		case "LZWDecode", "LZW":
			b = unLZW(b, d.numberOr(parameters["EarlyChange"], 1) != 0, int(most))
		case "ASCII85Decode", "A85":
			b = unASCII85(b)
		case "ASCIIHexDecode", "AHx":
			b = unHex(b)
		case "RunLengthDecode", "RL":
			b = unRunLength(b, int(most))
		default:
			return nil, fmt.Errorf("its filter %s is not supported", filter)
		}
		if err != nil && len(b) == 0 {
			return nil, err
		}
		if parameters != nil && i == 0 && parameters["Predictor"] != nil {
			if b, err = d.unpredict(b, parameters); err != nil {
				return b, err
			}
		}
	}
	return b, nil
}
