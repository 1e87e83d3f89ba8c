package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// fleetSVG draws the hulls to scale, ten pixels a metre.
func fleetSVG() []byte {
	boats := []struct {
		name   string
		metres float64
	}{{"Tern", 4.9}, {"Good Intent", 13.1}, {"Watchful", 15.2}}
	var b bytes.Buffer
	fmt.Fprintln(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="480" height="120" viewBox="0 0 480 120" font-family="serif" `+
			`font-size="12">`)
	x := 20.0
	for _, boat := range boats {
		length := boat.metres * 10
		fmt.Fprintf(&b, "  <path d=\"M%.0f 60 q%.0f 50 %.0f 0 z\" fill=\"#24333b\"><title>%s</title></path>\n", x,
			length/2, length, boat.name)
		fmt.Fprintf(&b, "  <text x=\"%.0f\" y=\"50\">%s, %.1f m</text>\n", x, boat.name, boat.metres)
		x += length + 50
	}
	fmt.Fprintln(&b, "</svg>")
	return b.Bytes()
}

// asICO wraps one PNG of 32 by 32 pixels as an icon: a folder of one entry, then the picture.
func asICO(picture []byte) []byte {
	var b bytes.Buffer
	header := []any{
		uint16(0), uint16(1), uint16(1), // reserved, icon, one picture
		uint8(32), uint8(32), uint8(0), uint8(0), // width, height, no palette, reserved
		uint16(1), uint16(32), uint32(len(picture)), uint32(22), // planes, bits, size, offset
	}
	for _, field := range header {
		must(binary.Write(&b, binary.LittleEndian, field))
	}
	b.Write(picture)
	return b.Bytes()
}

// leaflet returns a PDF of one page (ISO 32000-1) with text in a standard font. Its cross-reference
// table has correct offsets. It is the smallest document that every reader opens without repair.
func leaflet() []byte {
	text := "BT /F1 24 Tf 60 500 Td (Saltmarsh Quay) Tj /F1 12 Tf 0 -36 Td (Museum of Wooden Boats) Tj " +
		"0 -48 Td (Eleven boats, one slipway. Easter to October, ten to five.) Tj " +
		"0 -18 Td (Please do not feed the gulls: they have a pension.) Tj ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> " +
			">>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
		"<< /Title (Saltmarsh Quay: a leaflet) /Author (Museum of Wooden Boats) >>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 6 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return b.Bytes()
}
