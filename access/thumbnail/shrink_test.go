package thumbnail

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// halves is a picture, red on the left and blue on the right.
func halves(w, h int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{200, 0, 0, 255}), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(w/2, 0, w, h), image.NewUniform(color.RGBA{0, 0, 200, 255}), image.Point{}, draw.Src)
	return m
}

func encoded(t testing.TB, m image.Image, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, m)
	case "gif":
		err = gif.Encode(&b, m, nil)
	default:
		err = jpeg.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// turned adds an orientation to a JPEG.
func turned(picture []byte, orientation byte) []byte {
	tiff := []byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00")
	tiff = append(tiff, orientation, 0, 0, 0, 0, 0, 0, 0)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(len(tiff) + 2)}, tiff...)
	return append(out, picture[2:]...)
}

// shrunk returns a thumbnail, and the color at a place of it.
func shrunk(t *testing.T, picture []byte, form Form) (image.Image, func(x, y int) string) {
	t.Helper()
	b, err := Shrink(picture, form)
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return m, func(x, y int) string {
		r, g, b, _ := m.At(x, y).RGBA()
		switch {
		case r > 0x8000 && b < 0x4000:
			return "red"
		case b > 0x8000 && r < 0x4000:
			return "blue"
		case r > 0xf000 && g > 0xf000 && b > 0xf000:
			return "white"
		}
		return "other"
	}
}

func TestShrink(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"jpeg", "png", "gif"} {
		m, at := shrunk(t, encoded(t, halves(600, 300), format), Picture)
		if m.Bounds().Size() != image.Pt(240, 120) || at(10, 60) != "red" || at(230, 60) != "blue" {
			t.Errorf("%s: %v, %s, %s", format, m.Bounds(), at(10, 60), at(230, 60))
		}
	}
	if m, _ := shrunk(t, encoded(t, halves(30, 20), "png"), Picture); m.Bounds().Size() != image.Pt(30, 20) {
		t.Errorf("a small picture became %v", m.Bounds())
	}
	if _, at := shrunk(t, encoded(t, image.NewRGBA(image.Rect(0, 0, 300, 300)), "png"), Picture); at(9, 9) != "white" {
		t.Error("behind transparent pixels is not white")
	}
}

func TestShrinkForPages(t *testing.T) {
	t.Parallel()
	for _, size := range []image.Point{{1600, 400}, {400, 2000}, {320, 200}} {
		m, at := shrunk(t, encoded(t, halves(size.X, size.Y), "jpeg"), Page)
		if m.Bounds().Size() != image.Pt(pageWidth, pageHeight) || at(20, 100) != "red" || at(300, 100) != "blue" {
			t.Errorf("%v: %v, %s, %s", size, m.Bounds(), at(20, 100), at(300, 100))
		}
	}
	for _, size := range []image.Point{{400, 31}, {120, 400}} {
		if _, err := Shrink(encoded(t, halves(size.X, size.Y), "gif"), Page); !errors.Is(err, ErrNone) {
			t.Errorf("a button of %v stands for a page: %v", size, err)
		}
	}
}

func TestShrinkTurns(t *testing.T) {
	t.Parallel()
	picture := encoded(t, halves(400, 200), "jpeg")
	for _, c := range []struct {
		orientation byte
		size        image.Point
		red, blue   image.Point
	}{
		{1, image.Pt(240, 120), image.Pt(20, 60), image.Pt(220, 60)},
		{2, image.Pt(240, 120), image.Pt(220, 60), image.Pt(20, 60)},
		{3, image.Pt(240, 120), image.Pt(220, 60), image.Pt(20, 60)},
		{4, image.Pt(240, 120), image.Pt(20, 60), image.Pt(220, 60)},
		{5, image.Pt(120, 240), image.Pt(60, 20), image.Pt(60, 220)},
		{6, image.Pt(120, 240), image.Pt(60, 20), image.Pt(60, 220)},
		{7, image.Pt(120, 240), image.Pt(60, 220), image.Pt(60, 20)},
		{8, image.Pt(120, 240), image.Pt(60, 220), image.Pt(60, 20)},
	} {
		with := turned(picture, c.orientation)
		m, at := shrunk(t, with, Picture)
		if m.Bounds().Size() != c.size || at(c.red.X, c.red.Y) != "red" || at(c.blue.X, c.blue.Y) != "blue" {
			t.Errorf("%d: %v, %s, %s", c.orientation, m.Bounds(), at(c.red.X, c.red.Y), at(c.blue.X, c.blue.Y))
		}
		if _, w, h, err := Size(with); err != nil || (w > h) != (c.orientation < 5) {
			t.Errorf("%d: size %d x %d, %v", c.orientation, w, h, err)
		}
	}
}

// TestShrinkRefuses: a picture whose header promises more than the limits costs no memory.
func TestShrinkRefuses(t *testing.T) {
	huge := encoded(t, image.NewGray(image.Rect(0, 0, 8, 8)), "png")
	binary.BigEndian.PutUint32(huge[16:], 30_000)
	binary.BigEndian.PutUint32(huge[20:], 30_000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	wide := bytes.Clone(encoded(t, image.NewGray(image.Rect(0, 0, 8, 8)), "gif"))
	binary.LittleEndian.PutUint16(wide[6:], 65_000)
	for name, picture := range map[string][]byte{"a bomb": huge, "too wide": wide, "text": []byte("<html>"),
		"nothing": nil,
		"cut off": encoded(t, halves(99, 99), "png")[:60], "large": make([]byte, MaxBytes+1)} {
		got, err := Shrink(picture, Picture)
		if !errors.Is(err, ErrNone) || got != nil {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _ = Shrink(huge, Picture)
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 8<<20 {
		t.Errorf("a bomb costs %d bytes", after.TotalAlloc-before.TotalAlloc)
	}
}

// TestShrinkOlderFormats: BMP and TIFF, which browsers of the 1990s showed.
func TestShrinkOlderFormats(t *testing.T) {
	for name, encode := range map[string]func(io.Writer, image.Image) error{"bmp": bmp.Encode,
		"tiff": func(w io.Writer, m image.Image) error {
			return tiff.Encode(w, m, &tiff.Options{Compression: tiff.Deflate})
		},
	} {
		var file bytes.Buffer
		if err := encode(&file, halves(400, 200)); err != nil {
			t.Fatal(err)
		}
		m, at := shrunk(t, file.Bytes(), Picture)
		if format, w, h, err := Size(file.Bytes()); format != name || w != 400 || h != 200 || err != nil ||
			m.Bounds().Size() != image.Pt(240, 120) || at(20, 60) != "red" || at(220, 60) != "blue" {
			t.Errorf("%s: %s %d x %d, %v; %v", name, format, w, h, err, m.Bounds())
		}
	}
}

// tiffOf is a TIFF of one byte for a pixel, in tiles of one size. All tiles are the same bytes of the file.
func tiffOf(side, tile, tiles, ofEach int) []byte {
	const values = 8 + 2 + 9*12 + 4 // after the directory
	data := values + 8*tiles
	le := binary.LittleEndian
	b := append([]byte("II*\x00\x08\x00\x00\x00"), 9, 0)
	for _, e := range [][3]int{{256, 1, side}, {257, 1, side}, {258, 1, 8}, {259, 1, 1}, {262, 1, 1}, {322, 1, tile},
		{323, 1, tile}, {324, tiles, values}, {325, tiles, values + 4*tiles}} {
		b = le.AppendUint16(b, uint16(e[0]))
		b = le.AppendUint16(b, 4)
		b = le.AppendUint32(b, uint32(e[1]))
		b = le.AppendUint32(b, uint32(e[2]))
	}
	b = le.AppendUint32(b, 0)
	for range tiles {
		b = le.AppendUint32(b, uint32(data))
	}
	for range tiles {
		b = le.AppendUint32(b, uint32(ofEach))
	}
	return append(b, bytes.Repeat([]byte{99}, tile*tile)...)
}

// TestHostileTIFF: many small tiles, tiles that claim the same bytes again and again, and a tile that may become much
// larger than the picture are refused before anything is decoded.
func TestHostileTIFF(t *testing.T) {
	t.Parallel()
	if _, _, err := Decode(tiffOf(256, 64, 16, 64*64/8)); err == nil || errors.Is(err, ErrNone) &&
		strings.Contains(err.Error(), "blocks") {
		t.Errorf("tiles that are too short: %v", err) // refused by the decoder
	}
	if _, _, err := Decode(tiffOf(16, 16, 4, 256)); err != nil {
		t.Errorf("one tile: %v", err)
	}
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"small tiles": {tiffOf(1456, 8, 182*182, 1), "33124 blocks of 8 x 8"},
		"one source":  {tiffOf(512, 64, 64, 64*64), "whose blocks claim 262144"},
		"a long tile": {tiffOf(6000, 6000, 1, 1)[:200], "1 blocks of 6000 x 6000"},
	} {
		_, _, err := Decode(c.file)
		if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProgressive(t *testing.T) {
	picture := encoded(t, halves(40, 40), "jpeg")
	if progressive(picture) {
		t.Error("a baseline JPEG is called progressive")
	}
	i := bytes.Index(picture, []byte{0xff, 0xc0})
	picture[i+1] = 0xc2
	if !progressive(picture) || !progressive(picture[:i]) || !progressive([]byte{0xff, 0xd8}) {
		t.Error("a progressive or an unreadable JPEG is called baseline")
	}
}

func TestLimited(t *testing.T) {
	l := &limited{r: bytes.NewReader(make([]byte, 2000)), until: time.Now().Add(time.Hour)}
	if n, err := l.Read(make([]byte, 2000)); n != 512 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	l.until = time.Now().Add(-time.Second)
	if _, err := l.Read(make([]byte, 2000)); err == nil {
		t.Error("it reads on when its time is over")
	}
}
