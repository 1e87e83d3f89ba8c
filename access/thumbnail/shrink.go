package thumbnail

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // a format of archived pictures
	"image/jpeg"
	_ "image/png" // the same
	"io"
	"time"

	_ "golang.org/x/image/bmp" // the same
	"golang.org/x/image/draw"
	_ "golang.org/x/image/tiff" // the same
	_ "golang.org/x/image/webp" // the same

	"quire/format/exif"
)

// Form is the form of a thumbnail.
type Form string

// The forms.
const (
	Page    Form = "page"    // 320 x 200 pixels, filled: what is beside is cut off
	Picture Form = "picture" // at most 240 x 240 pixels, the whole picture
)

// The limits of a picture.
const (
	MaxBytes   = 32 << 20         // of the payload
	maxDecoded = 192 << 20        // of the pixels in memory
	maxSide    = 1 << 15          // pixels
	maxTime    = 10 * time.Second // of the decoding
	pageWidth  = 320
	pageHeight = 200
	side       = 240
	leastPage  = 200 // pixels: a smaller picture does not stand for a page
	quality    = 80  // of JPEG
)

// ErrNone reports that a picture gives no thumbnail: it is damaged, too large, too small, or of another format.
var ErrNone = errors.New("no thumbnail")

// Size returns the format and the dimensions of a picture, from its header, as it is shown.
func Size(picture []byte) (format string, width, height int, err error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(picture))
	if err != nil && isSVG(picture) {
		width, height, err = sizeOfSVG(picture)
		return "svg", width, height, err
	}
	if err != nil {
		return "", 0, 0, fmt.Errorf("%w: %w", ErrNone, err)
	}
	if c.Width < 1 || c.Height < 1 {
		return "", 0, 0, fmt.Errorf("%w: a picture of %d x %d pixels", ErrNone, c.Width, c.Height)
	}
	if orientation(picture, format) > 4 {
		c.Width, c.Height = c.Height, c.Width
	}
	return format, c.Width, c.Height, nil
}

// Decode returns the pixels of a picture, as its file has them. It reads the dimensions first, and
// refuses pictures that need too much memory or time.
func Decode(picture []byte) (m image.Image, format string, err error) {
	defer func() {
		if broken := recover(); broken != nil { // a decoder must not end the server
			m, err = nil, fmt.Errorf("%w: decoding failed: %v", ErrNone, broken)
		}
	}()
	if len(picture) > MaxBytes {
		return nil, "", fmt.Errorf("%w: %d bytes", ErrNone, len(picture))
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", ErrNone, err)
	}
	if c.Width < 1 || c.Height < 1 || c.Width > maxSide || c.Height > maxSide ||
		int64(c.Width)*int64(c.Height)*perPixel(picture, format, c.ColorModel) > maxDecoded {
		return nil, "", fmt.Errorf("%w: a picture of %d x %d pixels", ErrNone, c.Width, c.Height)
	}
	if format == "tiff" {
		if err := checkTIFF(picture); err != nil {
			return nil, "", err
		}
	}
	m, _, err = image.Decode(&limited{r: bytes.NewReader(picture), until: time.Now().Add(maxTime)})
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", ErrNone, err)
	}
	return m, format, nil
}

// perPixel returns the bytes that a decoder needs for a pixel, at most.
func perPixel(picture []byte, format string, model color.Model) int64 {
	switch model {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	case color.Gray16Model:
		return 2
	}
	if _, ok := model.(color.Palette); ok {
		return 1
	}
	if format == "jpeg" {
		if progressive(picture) {
			return 16 // the decoder keeps all coefficients
		}
		if model == color.YCbCrModel {
			return 3
		}
	}
	return 4
}

// progressive reports whether a JPEG is sent in several scans of the whole picture.
func progressive(picture []byte) bool {
	for i := 2; i+4 <= len(picture); {
		if picture[i] != 0xff {
			return true // unreadable here: suppose the worse
		}
		marker := picture[i+1]
		switch {
		case marker == 0xff:
			i++
			continue
		case marker == 0xc0 || marker == 0xc1:
			return false
		case marker == 0xc2 || marker == 0xda:
			return true
		case marker >= 0xd0 && marker <= 0xd8 || marker == 0x01:
			i += 2
			continue
		}
		i += 2 + int(picture[i+2])<<8 + int(picture[i+3])
	}
	return true
}

// limited reads until a moment, in small pieces: a decoder that needs too long between two of them
// gets an error at the next one. The decoder of TIFF reads nothing while it decodes: see [checkTIFF].
type limited struct {
	r     io.Reader
	until time.Time
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	const piece = 512
	if time.Now().After(l.until) {
		return 0, errors.New("decoding takes too long")
	}
	return l.r.Read(p[:min(len(p), piece)])
}

// orientation returns the orientation that EXIF states: 1 to 8.
func orientation(picture []byte, format string) int {
	if format == "gif" {
		return 1
	}
	facts, err := exif.Read(bytes.NewReader(picture), int64(len(picture)))
	if err != nil {
		return 1
	}
	for _, f := range facts.Fields {
		if f.Directory == "IFD0" && f.Name == "Orientation" && len(f.Value) == 1 && f.Value >= "1" && f.Value <= "8" {
			return int(f.Value[0] - '0')
		}
	}
	return 1
}

// Shrink returns a thumbnail of a picture, as JPEG. Of an SVG drawing it is a harmless copy, as SVG: see [IsDrawn].
func Shrink(picture []byte, form Form) ([]byte, error) {
	m, format, err := Decode(picture)
	if err != nil && form == Picture && isSVG(picture) {
		return shrinkSVG(picture)
	}
	if err != nil {
		return nil, err
	}
	turned := orientation(picture, format)
	shown := m.Bounds().Size()
	if turned > 4 {
		shown.X, shown.Y = shown.Y, shown.X
	}
	width, height := fit(shown.X, shown.Y)
	from := m.Bounds()
	if form == Page {
		if shown.X < leastPage || shown.Y < leastPage/2 {
			return nil, fmt.Errorf("%w: %d x %d pixels do not show a page", ErrNone, shown.X, shown.Y)
		}
		width, height = pageWidth, pageHeight
		from = crop(from, turned > 4)
	}
	if turned > 4 {
		width, height = height, width
	}
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(small, small.Bounds(), image.White, image.Point{}, draw.Src)
	draw.BiLinear.Scale(small, small.Bounds(), m, from, draw.Over, nil)
	var out bytes.Buffer
	err = jpeg.Encode(&out, turn(small, turned), &jpeg.Options{Quality: quality})
	return out.Bytes(), err
}

// fit returns the dimensions of a thumbnail of the whole picture. It is never larger than the picture.
func fit(width, height int) (int, int) {
	longer := max(width, height)
	if longer <= side {
		return width, height
	}
	return max(1, width*side/longer), max(1, height*side/longer)
}

// crop returns the part of a picture that fills a thumbnail of a page: the middle of a broad one, the
// top of a tall one.
func crop(b image.Rectangle, across bool) image.Rectangle {
	w, h := pageWidth, pageHeight
	if across {
		w, h = h, w
	}
	width, height := b.Dx(), b.Dy()
	if width*h > height*w {
		width = max(1, height*w/h)
		return image.Rect(0, 0, width, height).Add(b.Min).Add(image.Pt((b.Dx()-width)/2, 0))
	}
	return image.Rect(0, 0, width, max(1, width*h/w)).Add(b.Min)
}

// turn turns and mirrors a picture as EXIF's orientation says.
func turn(m *image.RGBA, orientation int) *image.RGBA {
	if orientation < 2 {
		return m
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	size := image.Rect(0, 0, w, h)
	if orientation > 4 {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			to := image.Pt(x, y)
			switch orientation {
			case 2:
				to = image.Pt(w-1-x, y)
			case 3:
				to = image.Pt(w-1-x, h-1-y)
			case 4:
				to = image.Pt(x, h-1-y)
			case 5:
				to = image.Pt(y, x)
			case 6:
				to = image.Pt(h-1-y, x)
			case 7:
				to = image.Pt(h-1-y, w-1-x)
			case 8:
				to = image.Pt(y, w-1-x)
			}
			out.SetRGBA(to.X, to.Y, m.RGBAAt(x, y))
		}
	}
	return out
}
