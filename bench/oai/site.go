package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// site is the website under test.
type site struct {
	Files int
	Bytes int64
}

// kind is a kind of file and its share in per cent.
type kind struct {
	ending string
	share  int
	make   func(r *rand.Rand, size int) ([]byte, error)
}

var kinds = []kind{
	{"html", 30, makeHTML}, {"png", 15, makePNG}, {"jpg", 10, makeJPEG}, {"svg", 10, makeSVG},
	{"css", 10, makeCSS}, {"js", 10, makeScript}, {"txt", 10, makeText}, {"gz", 5, makeGzip},
}

// makeSite writes the files, with a mean size of about 28 KB, unless they exist.
func makeSite(folder string, files int) (site, error) {
	s := site{Files: files}
	r := rand.New(rand.NewPCG(6, 2026)) //nolint:gosec // the same files each time
	for i := range files {
		kind := pick(i)
		size := int(2000 * (1 + 25*r.ExpFloat64()*r.Float64()))
		content, err := kind.make(r, size)
		if err != nil {
			return s, err
		}
		s.Bytes += int64(len(content))
		path := filepath.Join(folder, fmt.Sprintf("%02d", i%50), fmt.Sprintf("file-%05d.%s", i, kind.ending))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return s, err
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return s, err
		}
	}
	return s, nil
}

// pick distributes the kinds evenly.
func pick(i int) kind {
	at := i * 37 % 100
	for _, k := range kinds {
		if at -= k.share; at < 0 {
			return k
		}
	}
	return kinds[0]
}

// words returns text of the given size in bytes.
func words(r *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		n := 2 + r.IntN(9)
		for range n {
			b.WriteByte(byte('a' + r.IntN(26)))
		}
		if r.IntN(12) == 0 {
			b.WriteString(".\n")
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func makeHTML(r *rand.Rand, size int) ([]byte, error) {
	return fmt.Appendf(nil, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>"+
		"<meta name=\"description\" content=\"%s\"></head>\n<body><p>%s</p></body></html>\n", words(r, 30),
		words(r, 80), words(r, size)), nil
}

func makeText(r *rand.Rand, size int) ([]byte, error) { return []byte(words(r, size)), nil }

func makeCSS(r *rand.Rand, size int) ([]byte, error) {
	var b bytes.Buffer
	for b.Len() < size {
		fmt.Fprintf(&b, ".c%x { margin: %dpx; color: #%06x }\n", r.Uint32(), r.IntN(100), r.IntN(1<<24))
	}
	return b.Bytes(), nil
}

func makeScript(r *rand.Rand, size int) ([]byte, error) {
	var b bytes.Buffer
	for b.Len() < size {
		fmt.Fprintf(&b, "function f%x(a, b) { return a * %d + b; }\n", r.Uint32(), r.IntN(1000))
	}
	return b.Bytes(), nil
}

func makeSVG(r *rand.Rand, size int) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\">\n")
	for b.Len() < size {
		fmt.Fprintf(&b, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", r.IntN(100), r.IntN(100), r.IntN(50))
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// noise returns an image that hardly compresses.
func noise(r *rand.Rand, size int) image.Image {
	side := 16
	for side*side*3 < size {
		side++
	}
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			v := r.Uint32()
			m.SetRGBA(x, y, color.RGBA{byte(v), byte(v >> 8), byte(v >> 16), 255})
		}
	}
	return m
}

func makePNG(r *rand.Rand, size int) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, noise(r, size))
	return b.Bytes(), err
}

func makeJPEG(r *rand.Rand, size int) ([]byte, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, noise(r, size*2), nil)
	return b.Bytes(), err
}

func makeGzip(r *rand.Rand, size int) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(words(r, size*2))); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}
