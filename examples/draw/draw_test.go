package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Every drawing must have the format of its name, because its crawl tests format identification.
func TestDrawings(t *testing.T) {
	site := t.TempDir()
	if err := drawAll(site); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, format  string
		width, height int
	}{
		{"www/images/skiff.png", "png", 320, 200},
		{"pictures/skiff.png", "png", 320, 200},
		{"www/images/waves.png", "png", 64, 16},
		{"www/images/beacon.gif", "gif", 64, 96},
		{"pictures/quay.jpg", "jpeg", 480, 300},
		{"pictures/lugger.jpg", "jpeg", 480, 300},
		{"pictures/cutter.jpg", "jpeg", 480, 300},
	} {
		got, format, err := image.DecodeConfig(bytes.NewReader(read(t, site, c.path)))
		if err != nil || format != c.format || got.Width != c.width || got.Height != c.height {
			t.Errorf("%s is %s of %d×%d (%v), want %s of %d×%d", c.path, format, got.Width, got.Height, err, c.format,
				c.width, c.height)
		}
	}
	if icon := read(t, site, "www/favicon.ico"); !bytes.HasPrefix(icon, []byte{0, 0, 1, 0, 1, 0, 32, 32}) ||
		string(icon[23:26]) != "PNG" {
		t.Errorf("the icon begins with % x", icon[:26])
	}
	drawing := xml.NewDecoder(bytes.NewReader(read(t, site, "www/images/fleet.svg")))
	for {
		if _, err := drawing.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("fleet.svg: %v", err)
		}
	}
}

// The same picture is under two hosts, so that the crawler sees a duplicate.
func TestSkiffIsDrawnTwice(t *testing.T) {
	site := t.TempDir()
	if err := drawAll(site); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, site, "www/images/skiff.png"), read(t, site, "pictures/skiff.png")) {
		t.Error("the two skiffs differ")
	}
}

// ISO 32000-1, 7.5.4: each entry of the cross-reference table is the offset of its object;
// startxref (7.5.5) is the offset of the table.
func TestLeafletOffsets(t *testing.T) {
	pdf := leaflet()
	_, after, _ := bytes.Cut(pdf, []byte("startxref\n"))
	number, _, _ := bytes.Cut(after, []byte("\n"))
	table, err := strconv.Atoi(string(number))
	if err != nil || !bytes.HasPrefix(pdf[table:], []byte("xref\n0 7\n")) {
		t.Fatalf("startxref is %q (%v), where no table is", number, err)
	}
	entries := pdf[table+len("xref\n0 7\n"):]
	for object := 1; object < 7; object++ {
		entry := entries[20*object : 20*object+20]
		offset, err := strconv.Atoi(string(entry[:10]))
		if want := fmt.Sprintf("%d 0 obj\n", object); err != nil || !bytes.HasPrefix(pdf[offset:], []byte(want)) {
			t.Errorf("entry %q (%v) does not lead to %q", entry, err, want)
		}
	}
}

func read(t *testing.T, site, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(site, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
