// Command draw makes the pictures and the leaflet of the example website: every file in
// examples/site that is not text. Run it from the project's root:
//
//	go run ./examples/draw examples/site
//
// The same version of Go draws the same bytes each time. A second run changes no file unless a
// drawing changed.
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: draw SITE-FOLDER")
		os.Exit(2)
	}
	if err := drawAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

// drawAll writes every drawing below the folder of the site. It writes the skiff under two hosts,
// because real websites hold the same picture under several addresses. A preservation package
// should notice that.
func drawAll(site string) error {
	skiff := asPNG(boatAt(320, 200, noon, gaffRig))
	drawings := []struct {
		path string
		data []byte
	}{
		{"www/images/skiff.png", skiff},
		{"pictures/skiff.png", skiff},
		{"www/images/waves.png", asPNG(waves(64, 16))},
		{"www/images/beacon.gif", asGIF(beacon(64, 96))},
		{"www/images/fleet.svg", fleetSVG()},
		{"www/favicon.ico", asICO(asPNG(boatAt(32, 32, noon, gaffRig)))},
		{"pictures/quay.jpg", asJPEG(boatAt(480, 300, evening, gaffRig, lugRig, cutterRig))},
		{"pictures/lugger.jpg", asJPEG(boatAt(480, 300, noon, lugRig))},
		{"pictures/cutter.jpg", asJPEG(boatAt(480, 300, evening, cutterRig))},
		{"www/doc/leaflet.pdf", leaflet()},
	}
	for _, d := range drawings {
		path := filepath.Join(site, filepath.FromSlash(d.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, d.data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// The encoders below write into memory, where none of them can fail on these drawings.

func asPNG(m image.Image) []byte {
	var b bytes.Buffer
	must((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, m))
	return b.Bytes()
}

func asJPEG(m image.Image) []byte {
	var b bytes.Buffer
	must(jpeg.Encode(&b, m, &jpeg.Options{Quality: 80}))
	return b.Bytes()
}

func asGIF(g *gif.GIF) []byte {
	var b bytes.Buffer
	must(gif.EncodeAll(&b, g))
	return b.Bytes()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
