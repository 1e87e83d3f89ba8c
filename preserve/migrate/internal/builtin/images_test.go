package builtin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"strings"
	"testing"
)

var (
	red, blue = color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}
	nothing   = color.NRGBA{}
	colours   = color.Palette{color.Transparent, red, blue}
)

// frame returns a part of a picture in one colour.
func frame(r image.Rectangle, index byte) *image.Paletted {
	m := image.NewPaletted(r, colours)
	for i := range m.Pix {
		m.Pix[i] = index
	}
	return m
}

func encodeGIF(t testing.TB, g *gif.GIF) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// chunk is a chunk of a PNG.
type chunk struct {
	kind string
	data []byte
}

func chunksOf(t testing.TB, b []byte) (all []chunk) {
	t.Helper()
	for b = b[8:]; len(b) > 0; {
		n := binary.BigEndian.Uint32(b)
		all = append(all, chunk{string(b[4:8]), b[8 : 8+n]})
		b = b[12+n:]
	}
	return all
}

func kinds(chunks []chunk) string {
	var names []string
	for _, c := range chunks {
		names = append(names, c.kind)
	}
	return strings.Join(names, " ")
}

// framesOf splits an animated PNG: each frame as a separate PNG, with its control chunk.
func framesOf(t testing.TB, b []byte) (pictures []image.Image, controls [][]byte) {
	t.Helper()
	var one []byte
	end := func() {
		if one == nil {
			return
		}
		m, err := png.Decode(bytes.NewReader(appendChunk(one, "IEND", nil)))
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, m)
	}
	sequence := uint32(0)
	for _, c := range chunksOf(t, b) {
		data := c.data
		if c.kind == "fcTL" || c.kind == "fdAT" {
			if got := binary.BigEndian.Uint32(data); got != sequence {
				t.Errorf("%s has sequence number %d, want %d", c.kind, got, sequence)
			}
			sequence++
			data = data[4:]
		}
		switch c.kind {
		case "fcTL":
			end()
			one = append([]byte{}, b[:pngHead]...)
			controls = append(controls, data)
		case "IDAT", "fdAT":
			one = appendChunk(one, "IDAT", data)
		}
	}
	end()
	return pictures, controls
}

func at(m image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
}

// A still picture stays one, with its metadata.
func TestGIFToPNG(t *testing.T) {
	whole := encodeGIF(t, &gif.GIF{Image: []*image.Paletted{frame(image.Rect(0, 0, 4, 3), 1)}, Delay: []int{0}})
	made, err := gifToPNG(Input{Content: whole})
	if err != nil || len(made.Notes) > 0 {
		t.Fatalf("%v, %q", err, made.Notes)
	}
	if got := kinds(chunksOf(t, made.Content)); got != "IHDR PLTE tRNS IDAT IEND" {
		t.Errorf("chunks %s", got)
	}
	smaller := encodeGIF(t, &gif.GIF{Image: []*image.Paletted{frame(image.Rect(1, 1, 3, 2), 2)}, Delay: []int{0},
		Config: image.Config{Width: 4, Height: 3}})
	if made, err = gifToPNG(Input{Content: smaller}); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(made.Content))
	if err != nil || m.Bounds() != image.Rect(0, 0, 4, 3) || at(m, 0, 0) != nothing || at(m, 1, 1) != blue ||
		at(m, 3, 1) != nothing {
		t.Errorf("%v, %v", err, m)
	}
}

// Content outside the picture is transferred or reported.
func TestGIFAside(t *testing.T) {
	b := encodeGIF(t, &gif.GIF{Image: []*image.Paletted{frame(image.Rect(0, 0, 4, 3), 1)}, Delay: []int{0}})
	head := 13 + tableSize(b[10])
	b[12] = 49 // (49+15)/64: square pixels
	aside := "\x21\xfe\x05Made \x06by us\x00\x00" + "\x21\xff\x0bICCRGBG1012\x02xx\x00" +
		"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00" +
		"\x21\x01\x0c0123456789ab\x01x\x00" + "\x21\xfe\x03a\x00b\x00"
	made, err := gifToPNG(Input{Content: append(append(b[:head:head], aside...), b[head:]...)})
	if err != nil {
		t.Fatal(err)
	}
	all := chunksOf(t, made.Content)
	if got := kinds(all); got != "IHDR pHYs tEXt PLTE tRNS IDAT IEND" {
		t.Fatalf("chunks %s", got)
	}
	if !bytes.Equal(all[1].data, []byte{0, 0, 0, 64, 0, 0, 0, 64, 0}) ||
		string(all[2].data) != "Comment\x00Made by us" {
		t.Errorf("%q, %q", all[1].data, all[2].data)
	}
	want := `["not carried over: the application extension \"ICCRGBG1012\"" "not carried over: text that a program ` +
		`draws (plain text extension)" "not carried over: a comment that PNG cannot hold"]`
	if got := fmt.Sprintf("%q", made.Notes); got != want {
		t.Errorf("notes %s", got)
	}
}

// Every frame of an animation is preserved as a browser shows it, with its duration and the number
// of repetitions.
func TestAnimation(t *testing.T) {
	screen := image.Rect(0, 0, 4, 3)
	g := &gif.GIF{
		Image: []*image.Paletted{frame(screen, 1), frame(image.Rect(0, 0, 1, 1), 2), frame(image.Rect(1, 0, 2, 1), 2),
			frame(image.Rect(2, 0, 3, 1), 2), frame(screen, 0)},
		Delay:    []int{10, 0, 300, 7, 1},
		Disposal: []byte{gif.DisposalNone, gif.DisposalPrevious, gif.DisposalBackground, 0, 0}, LoopCount: 4,
	}
	made, err := gifToPNG(Input{Content: encodeGIF(t, g)})
	if err != nil {
		t.Fatal(err)
	}
	if first := chunksOf(t, made.Content)[1]; first.kind != "acTL" ||
		!bytes.Equal(first.data, []byte{0, 0, 0, 5, 0, 0, 0, 5}) {
		t.Errorf("%s %v", first.kind, first.data)
	}
	if m, err := png.Decode(bytes.NewReader(made.Content)); err != nil || at(m, 0, 0) != red {
		t.Errorf("a viewer without animation shows %v, %v", m, err)
	}
	pictures, controls := framesOf(t, made.Content)
	want := [][4]color.NRGBA{{red, red, red, red}, {blue, red, red, red}, {red, blue, red, red},
		{red, nothing, blue, red}, {red, nothing, blue, red}}
	if len(pictures) != len(want) {
		t.Fatalf("%d frames", len(pictures))
	}
	for i, m := range pictures {
		if got := [4]color.NRGBA{at(m, 0, 0), at(m, 1, 0), at(m, 2, 0), at(m, 3, 2)}; got != want[i] {
			t.Errorf("frame %d: %v, want %v", i, got, want[i])
		}
		if delay := binary.BigEndian.Uint16(controls[i][16:]); int(delay) != g.Delay[i] || controls[i][19] != 100 {
			t.Errorf("frame %d: shown for %d/%d", i, delay, controls[i][19])
		}
	}
}

func TestPlays(t *testing.T) {
	for loop, want := range map[int]uint32{-1: 1, 0: 0, 1: 2, 65535: 65536} {
		if got := plays(loop); got != want {
			t.Errorf("%d: %d, want %d", loop, got, want)
		}
	}
}

func TestGIFRefused(t *testing.T) {
	whole := encodeGIF(t, &gif.GIF{Image: []*image.Paletted{frame(image.Rect(0, 0, 40, 30), 1)}, Delay: []int{0}})
	large := bytes.Clone(whole)
	copy(large[6:], "\xff\xff\xff\xff")
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"another format": {[]byte("\x89PNG\r\n\x1a\n0000000"), "it does not begin as a GIF does"},
		"cut":            {whole[:len(whole)-1], "it breaks off: the block that ends a GIF is missing"},
		"cut in a frame": {whole[:len(whole)-20], "it breaks off: the block that ends a GIF is missing"},
		"a huge screen":  {large, "its frames have more than 67108864 pixels"},
		"something else": {append(whole[:13+tableSize(whole[10]):13+tableSize(whole[10])], 'x'),
			"at byte 13 stands 0x78, with which no block of a GIF begins"},
		"without a frame": {[]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), "gif: missing image data"},
		"without a colour": {[]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00," +
			"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"), "gif: no color table"},
	} {
		if made, err := gifToPNG(Input{Content: c.b}); err == nil || err.Error() != c.want {
			t.Errorf("%s: %d bytes, %v; want %s", name, len(made.Content), err, c.want)
		}
	}
}

// The common forms of X bitmaps. In the pictures, # means black.
func TestXBM(t *testing.T) {
	cases := []struct{ name, in, want, hot string }{
		{"version 11", "#define a_width 10\n#define a_height 2\nstatic char a_bits[] = {\n 0x01, 0x02, 0xff, 0x03};\n",
			"#........#\n##########\n", ""},
		{"version 10", "#define a_width 10\n#define a_height 2\nstatic short a_bits[] = {\n 0x0201, 0x03ff };",
			"#........#\n##########\n", ""},
		{"hot spot",
			"#define a_width 1\n#define a_height 1\n#define a_x_hot 3\n#define a_y_hot 4\nstatic unsigned char " +
				"a_bits[1]={0x1};", "#\n", "3,4"},
		{"no hot spot",
			"#define a_width 1\n#define a_height 1\n#define a_x_hot -1\n#define a_y_hot -1\nstatic char a_bits[]={0};",
			".\n", ""},
		{"names without prefix", "#define width 2\r\n#define height 1\r\nconst unsigned char bits[] = { 0X2, };",
			".#\n", ""},
		{"a prefix with the words",
			"#define short_width 2\n#define short_height 1\nstatic char short_bits[] = { 0x2 };", ".#\n", ""},
		{"comments",
			"/* it's {0x7} */ #define a_width 2 // two\n#define a_height 1 /* one */\nstatic char a_bits[] = " +
				"{/**/0x1/* , 0x2 */};", "#.\n", ""},
		{"signed", "#define a_width 8\n#define a_height 1\nstatic char a_bits[] = { -0x7f };", "#......#\n", ""},
		{"blank after the sign", "# define a_width 2\n#  define a_height 1\nstatic char a_bits[] = { 0x1 };", "#.\n",
			""},
	}
	for _, c := range cases {
		m, err := readXBM([]byte(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		made, err := xbmToPNG(Input{Content: []byte(c.in)})
		if err != nil {
			t.Fatal(err)
		}
		p, err := png.Decode(bytes.NewReader(made.Content))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for y := range p.Bounds().Dy() {
			for x := range p.Bounds().Dx() {
				got.WriteByte(map[color.NRGBA]byte{{255, 255, 255, 255}: '.', {0, 0, 0, 255}: '#'}[at(p, x, y)])
			}
			got.WriteByte('\n')
		}
		if got.String() != c.want || m.hot != c.hot ||
			bytes.Contains(made.Content, []byte("hot spot: "+c.hot)) != (c.hot != "") {
			t.Errorf("%s: %s\n%s", c.name, m.hot, got.String())
		}
	}
}

func TestXBMRefused(t *testing.T) {
	head := "#define a_width 10\n#define a_height 2\nstatic char a_bits[] = {"
	for in, want := range map[string]string{
		"GIF89a":                   "no X bitmap: there is no array of bits",
		"#define a_width 10\n{0x1": "no X bitmap: width and height are not defined before the bits",
		"#define a_width x\n{0x1}": `"x" is no number, in the definition of "a_width"`,
		"#define a_width 100000\n#define a_height 1000\n{0x1}": "it has more than 67108864 pixels",
		head + "0x1,0x2,0x3,0x4":                               "it breaks off: the array of bits does not end",
		head + "0x1,0x2,0x3}":                                  "it has 3 of the 4 numbers that its size asks for",
		head +
			"}": "it has fewer than the 4 numbers that its size asks for",
		head + "0x1,0x2,0x3,0x4,0x5}":       "it has more than the 4 numbers that its size asks for",
		head + "0x1,0x2,0x3,0x104}":         `"0x104" is no number of 8 bits in hexadecimal`,
		head + "0x1,0x2,0x3,31}":            `"31" is no number of 8 bits in hexadecimal`,
		head + "0x1,0x2,0x3,0x4} /* and so": "it breaks off within a comment",
	} {
		if m, err := readXBM([]byte(in)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, %v; want %s", in, m, err, want)
		}
	}
}

// For any input, the result is an error or a picture of the declared size.
func FuzzImages(f *testing.F) {
	f.Add([]byte("#define a_width 10\n#define a_height 2\nstatic char a_bits[] = { 0x01, 0x02, 0xff, 0x03};"))
	f.Add(encodeGIF(f, &gif.GIF{Image: []*image.Paletted{frame(image.Rect(0, 0, 4, 3), 1),
		frame(image.Rect(1, 1, 2, 2), 2)}, Delay: []int{1, 2}}))
	f.Add(encodeGIF(f, &gif.GIF{Image: []*image.Paletted{frame(image.Rect(1, 1, 2, 2), 2)}, Delay: []int{1},
		Config: image.Config{Width: 4, Height: 3}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 10 && binary.LittleEndian.Uint16(b[6:]) > 1000 {
			return // large pictures take long
		}
		for _, convert := range []Func{gifToPNG, xbmToPNG} {
			made, err := convert(Input{Content: b})
			if err != nil {
				continue
			}
			if _, err := png.Decode(bytes.NewReader(made.Content)); err != nil {
				t.Errorf("the result is not PNG: %v", err)
			}
		}
	})
}
