package builtin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
)

// gifToPNG converts a GIF to a PNG, and an animated GIF to an animated PNG (PNG, Third Edition, 4.9
// "Animation"): no frame is lost. Other data is kept if PNG can hold it, and otherwise reported in
// the notes.
func gifToPNG(in Input) (Output, error) {
	about, err := scanGIF(in.Content)
	if err != nil {
		return Output{}, err
	}
	g, err := gif.DecodeAll(bytes.NewReader(in.Content))
	if err != nil {
		return Output{}, err
	}
	var out bytes.Buffer
	notes := about.unplaced
	if len(g.Image) == 1 {
		err = encoder.Encode(&out, still(g))
	} else {
		notes = append(notes, "an animation, all frames of which are in an animated PNG")
		err = writeAPNG(&out, g)
	}
	if err != nil {
		return Output{}, err
	}
	return Output{Content: withChunks(out.Bytes(), about.chunks()), Notes: notes}, nil
}

// still returns the image of a GIF with one frame. If it is smaller than the screen, the rest is
// transparent, as browsers show it: none draws the background colour (GIF89a, 18).
func still(g *gif.GIF) image.Image {
	screen := image.Rect(0, 0, g.Config.Width, g.Config.Height)
	if g.Image[0].Bounds() == screen {
		return g.Image[0]
	}
	canvas := image.NewNRGBA(screen)
	draw.Draw(canvas, g.Image[0].Bounds(), g.Image[0], g.Image[0].Bounds().Min, draw.Over)
	return canvas
}

// frames passes each frame of an animation as a whole image, valid during the call.
func frames(g *gif.GIF, show func(i int, m *image.NRGBA) error) error {
	canvas := image.NewNRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	var before []byte
	for i, frame := range g.Image {
		if g.Disposal[i] == gif.DisposalPrevious {
			before = append(before[:0], canvas.Pix...)
		}
		draw.Draw(canvas, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
		if err := show(i, canvas); err != nil {
			return err
		}
		switch g.Disposal[i] {
		case gif.DisposalBackground: // to transparent, like browsers
			draw.Draw(canvas, frame.Bounds(), image.Transparent, image.Point{}, draw.Src)
		case gif.DisposalPrevious:
			copy(canvas.Pix, before)
		}
	}
	return nil
}

// neverOpaque keeps the PNG encoder from omitting transparency in some frames: all frames need the
// same form.
type neverOpaque struct{ *image.NRGBA }

// Opaque implements the interface that the encoder checks.
func (neverOpaque) Opaque() bool { return false }

// ColorModel implements image.Image.
func (neverOpaque) ColorModel() color.Model { return color.NRGBAModel }

// aboutGIF is the data of a GIF besides its images.
type aboutGIF struct {
	comments []string
	aspect   byte // of a pixel (GIF89a, 18); 0 if not stated
	unplaced []string
}

// chunks returns the PNG chunks of this data.
func (a *aboutGIF) chunks() []byte {
	var b []byte
	if a.aspect != 0 { // width by height is (aspect + 15) / 64; pHYs has pixels per unit, of unknown length
		perUnit := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 64}, uint32(a.aspect)+15)
		b = appendChunk(b, "pHYs", append(perUnit, 0))
	}
	for _, c := range a.comments {
		b = appendChunk(b, "tEXt", append([]byte("Comment\x00"), c...))
	}
	return b
}

// scanGIF reads the blocks of a GIF (GIF89a, appendix B), before any of its images uses memory.
func scanGIF(b []byte) (*aboutGIF, error) {
	const screen = 13 // size of header and logical screen descriptor
	if len(b) < screen || string(b[:3]) != "GIF" {
		return nil, errors.New("it does not begin as a GIF does")
	}
	a := &aboutGIF{aspect: b[12]}
	pixels := area(b[6:10])
	at := screen + tableSize(b[10])
	for {
		if at >= len(b) {
			return nil, errors.New("it breaks off: the block that ends a GIF is missing")
		}
		introducer := b[at]
		switch {
		case introducer == 0x3b:
			return a, nil
		case introducer == 0x2c && at+10 < len(b):
			pixels += area(b[at+5 : at+9])
			at += 10 + tableSize(b[at+9]) + 1 // after the size of the codes
		case introducer == 0x21 && at+2 < len(b):
			a.extension(b[at+1], b[at+2:])
			at += 2
		default:
			return nil, fmt.Errorf("at byte %d stands %#x, with which no block of a GIF begins", at, introducer)
		}
		if pixels > maxPixels {
			return nil, fmt.Errorf("its frames have more than %d pixels", maxPixels)
		}
		for at < len(b) && b[at] != 0 {
			at += 1 + int(b[at])
		}
		at++
	}
}

// area returns how many pixels two numbers of 16 bits declare.
func area(b []byte) int { return (int(b[0]) | int(b[1])<<8) * (int(b[2]) | int(b[3])<<8) }

// tableSize returns the size of the colour table after a descriptor.
func tableSize(packed byte) int {
	if packed&0x80 == 0 {
		return 0
	}
	return 3 << (packed&7 + 1)
}

// The labels of extensions (GIF89a, 23 to 26).
const (
	plainText   = 0x01
	comment     = 0xfe
	application = 0xff
)

// extension records the data of an extension.
func (a *aboutGIF) extension(label byte, blocks []byte) {
	switch label {
	case comment:
		if text := bytes.Trim(joined(blocks), "\x00"); len(text) > 0 && bytes.IndexByte(text, 0) < 0 {
			a.comments = append(a.comments, string(text))
		} else if len(text) > 0 {
			a.unplaced = append(a.unplaced, "not carried over: a comment that PNG cannot hold")
		}
	case plainText:
		a.unplaced = append(a.unplaced, "not carried over: text that a program draws (plain text extension)")
	case application:
		name := string(blocks[1:min(len(blocks), 12)])
		if name != "NETSCAPE2.0" && name != "ANIMEXTS1.0" { // the repeat count of an animation
			a.unplaced = append(a.unplaced, fmt.Sprintf("not carried over: the application extension %q", name))
		}
	}
}

// joined returns the content of sub-blocks.
func joined(b []byte) (content []byte) {
	for len(b) > 0 && b[0] != 0 {
		n := min(1+int(b[0]), len(b))
		content = append(content, b[1:n]...)
		b = b[n:]
	}
	return content
}
