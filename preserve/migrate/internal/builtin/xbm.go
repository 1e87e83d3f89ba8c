package builtin

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"strconv"
	"strings"
)

// xbmToPNG converts an X bitmap to a PNG. An X bitmap is C code that declares an image of one bit a
// pixel (Xlib, 16.9 "Manipulating Bitmaps"). A set bit is black, a clear one is white. The hot spot
// of a cursor goes into a comment of the PNG.
func xbmToPNG(in Input) (Output, error) {
	m, err := readXBM(in.Content)
	if err != nil {
		return Output{}, err
	}
	var out bytes.Buffer
	if err := encoder.Encode(&out, m.picture()); err != nil {
		return Output{}, err
	}
	if m.hot == "" {
		return Output{Content: out.Bytes()}, nil
	}
	return Output{Content: withChunks(out.Bytes(), appendChunk(nil, "tEXt", []byte("Comment\x00hot spot: "+m.hot)))},
		nil
}

// bitmap is an X bitmap. Each row begins a new unit; the lowest bit of a unit is the leftmost
// pixel.
type bitmap struct {
	width, height int
	unit          int // bits: 8, or 16 of version 10
	units         []uint16
	hot           string // "x,y"
}

func (m *bitmap) perRow() int { return (m.width + m.unit - 1) / m.unit }

func (m *bitmap) picture() image.Image {
	p := image.NewPaletted(image.Rect(0, 0, m.width, m.height), color.Palette{color.White, color.Black})
	for y := range m.height {
		row := m.units[y*m.perRow():]
		for x := range m.width {
			p.Pix[y*p.Stride+x] = byte(row[x/m.unit] >> (x % m.unit) & 1)
		}
	}
	return p
}

// readXBM reads an X bitmap. It accepts the C variants in real files: comments, names with or
// without a prefix, char with or without static, const and unsigned, and short for version 10.
func readXBM(b []byte) (*bitmap, error) {
	text, err := withoutComments(string(b))
	if err != nil {
		return nil, err
	}
	open := strings.IndexByte(text, '{')
	if open < 0 {
		return nil, errors.New("no X bitmap: there is no array of bits")
	}
	m := &bitmap{unit: 8}
	if err := m.define(text[:open]); err != nil {
		return nil, err
	}
	switch {
	case m.width <= 0 || m.height <= 0:
		return nil, errors.New("no X bitmap: width and height are not defined before the bits")
	case m.width > maxPixels || m.height > maxPixels/m.width:
		return nil, fmt.Errorf("it has more than %d pixels", maxPixels)
	}
	end := strings.IndexByte(text[open:], '}')
	if end < 0 {
		return nil, errors.New("it breaks off: the array of bits does not end")
	}
	return m, m.read(text[open+1 : open+end])
}

// define reads the definitions before the bits.
func (m *bitmap) define(text string) error {
	hot := map[string]int{}
	for line := range strings.Lines(text) {
		word := strings.Fields(strings.Replace(line, "#", "# ", 1))
		if len(word) < 2 || word[0] != "#" {
			if declares(line, "short") {
				m.unit = 16
			}
			continue
		}
		if word[1] != "define" || len(word) < 4 {
			continue
		}
		name := word[2][strings.LastIndexByte(word[2], '_')+1:]
		to, wanted := map[string]*int{"width": &m.width, "height": &m.height}[name]
		if !wanted && !strings.HasSuffix(word[2], "x_hot") && !strings.HasSuffix(word[2], "y_hot") {
			continue
		}
		n, err := strconv.Atoi(word[3])
		if err != nil {
			return fmt.Errorf("%.80q is no number, in the definition of %.80q", word[3], word[2])
		}
		if wanted {
			*to = n
		} else {
			hot[word[2][len(word[2])-len("x_hot"):]] = n
		}
	}
	if len(hot) == 2 && hot["x_hot"] >= 0 && hot["y_hot"] >= 0 {
		m.hot = fmt.Sprintf("%d,%d", hot["x_hot"], hot["y_hot"])
	}
	return nil
}

// declares reports whether a line of C has the word.
func declares(line, want string) bool {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("[]{}=,;", r)
	}) {
		if word == want {
			return true
		}
	}
	return false
}

// read reads the bits.
func (m *bitmap) read(text string) error {
	want := m.perRow() * m.height
	if len(text) < want { // a number needs at least one character: no memory for an impossible image
		return fmt.Errorf("it has fewer than the %d numbers that its size asks for", want)
	}
	m.units = make([]uint16, 0, want)
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue // after the last
		}
		n, err := number(word, m.unit)
		if err != nil {
			return err
		}
		if len(m.units) == want {
			return fmt.Errorf("it has more than the %d numbers that its size asks for", want)
		}
		m.units = append(m.units, n)
	}
	if len(m.units) < want {
		return fmt.Errorf("it has %d of the %d numbers that its size asks for", len(m.units), want)
	}
	return nil
}

// number reads one number. Xlib reads every number as hexadecimal, but a compiler only those with
// 0x. A number that differs between the two is ambiguous, so it is an error. Negative numbers come
// from compilers with a signed char.
func number(word string, bits int) (uint16, error) {
	digits := strings.TrimPrefix(word, "-")
	n, err := strconv.ParseUint(digits, 0, bits)
	hexadecimal := len(digits) > 2 && strings.EqualFold(digits[:2], "0x")
	if err != nil || !hexadecimal && n > 9 {
		return 0, fmt.Errorf("%.80q is no number of %d bits in hexadecimal", word, bits)
	}
	if digits != word {
		n = -n
	}
	return uint16(n & (1<<bits - 1)), nil //nolint:gosec // so many bits are left
}

// withoutComments replaces each comment by a blank.
func withoutComments(s string) (string, error) {
	var b strings.Builder
	for {
		i := strings.Index(s, "/")
		if i < 0 || i+1 == len(s) {
			return b.String() + s, nil
		}
		b.WriteString(s[:i])
		end := map[byte]string{'*': "*/", '/': "\n"}[s[i+1]]
		if end == "" {
			b.WriteByte('/')
			s = s[i+1:]
			continue
		}
		behind := strings.Index(s[i+2:], end)
		if behind < 0 {
			return "", errors.New("it breaks off within a comment")
		}
		b.WriteByte("\n "[len(end)-1])
		s = s[i+2+behind+len(end):]
	}
}
