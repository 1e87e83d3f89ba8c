package exif

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
)

// made is a field to write: its value as bytes in the byte order of the file.
type made struct {
	tag, kind uint16
	count     uint32
	raw       []byte
}

// maker writes a TIFF.
type maker struct {
	order order
	b     []byte
}

func (m *maker) ascii(tag uint16, s string) made {
	return made{tag, 2, uint32(len(s) + 1), []byte(s + "\x00")}
}

func (m *maker) short(tag uint16, n ...uint16) made {
	var raw []byte
	for _, n := range n {
		raw = m.order.AppendUint16(raw, n)
	}
	return made{tag, 3, uint32(len(n)), raw}
}

func (m *maker) long(tag uint16, n uint32) made { return made{tag, 4, 1, m.order.AppendUint32(nil, n)} }

func (m *maker) rational(tag uint16, n ...uint32) made {
	var raw []byte
	for _, n := range n {
		raw = m.order.AppendUint32(raw, n)
	}
	return made{tag, 5, uint32(len(n) / 2), raw}
}

// directory writes one directory and returns its offset.
func (m *maker) directory(next uint32, fields ...made) uint32 {
	places := make([]uint32, len(fields))
	for i, f := range fields {
		if len(f.raw) > 4 {
			places[i] = uint32(len(m.b))
			m.b = append(m.b, f.raw...)
		}
	}
	at := uint32(len(m.b))
	m.b = m.order.AppendUint16(m.b, uint16(len(fields)))
	for i, f := range fields {
		m.b = m.order.AppendUint32(m.order.AppendUint16(m.order.AppendUint16(m.b, f.tag), f.kind), f.count)
		if len(f.raw) > 4 {
			m.b = m.order.AppendUint32(m.b, places[i])
		} else {
			m.b = append(m.b, append(bytes.Clone(f.raw), 0, 0, 0, 0)[:4]...)
		}
	}
	m.b = m.order.AppendUint32(m.b, next)
	return at
}

// begin writes the header.
func begin(order order) *maker {
	m := &maker{order: order, b: []byte("MM")}
	if order.Uint16([]byte{1, 0}) == 1 {
		m.b = []byte("II")
	}
	m.b = m.order.AppendUint32(m.order.AppendUint16(m.b, 42), 0)
	return m
}

func (m *maker) end(first uint32) []byte {
	copy(m.b[4:], m.order.AppendUint32(nil, first))
	return m.b
}

type order interface {
	binary.AppendByteOrder
	binary.ByteOrder
}

// photo returns the EXIF of a photograph taken in Antwerp.
func photo(o order) []byte {
	m := begin(o)
	gps := m.directory(0, m.ascii(1, "N"), m.rational(2, 51, 1, 13, 1, 1482, 100), m.ascii(3, "E"),
		m.rational(4, 4, 1, 24, 1, 6, 1),
		made{5, 1, 1, []byte{1}}, m.rational(6, 15, 2))
	interop := m.directory(0, m.ascii(1, "R98"))
	exif := m.directory(0, m.rational(0x829a, 1, 60), made{0x9000, 7, 4, []byte("0232")},
		m.ascii(0x9003, "2026:11:22 10:15:00"),
		made{0x9101, 7, 4, []byte{1, 2, 3, 0}}, made{0x927c, 7, 100, make([]byte, 100)},
		made{0x9286, 7, 13, []byte("ASCII\x00\x00\x00quay!")}, m.long(0xa005, interop),
		made{0x9204, 10, 1, append(m.order.AppendUint32(nil, 0xffffffff), m.order.AppendUint32(nil, 3)...)})
	thumbnail := m.directory(0, m.short(0x103, 6))
	return m.end(m.directory(thumbnail, m.ascii(0x10f, "Obscura"), m.short(0x112, 6), m.ascii(0x13b, "J\xe9r\xf4me"),
		m.long(0x8769, exif), m.long(0x8825, gps), m.ascii(0x8298, "photographer\x00editor")))
}

const photoTold = `IFD0 Make Obscura
IFD0 Orientation 6
IFD0 Artist Jérôme
IFD0 ExifIFD N
Exif ExposureTime 1/60
Exif ExifVersion 0232
Exif DateTimeOriginal 2026:11:22 10:15:00
Exif ComponentsConfiguration 1 2 3 0
Exif MakerNote (100 bytes)
Exif UserComment quay!
Exif InteroperabilityIFD N
Interop InteroperabilityIndex R98
Exif ExposureBiasValue -1/3
IFD0 GPSInfo N
GPS GPSLatitudeRef N
GPS GPSLatitude 51/1 13/1 1482/100
GPS GPSLongitudeRef E
GPS GPSLongitude 4/1 24/1 6/1
GPS GPSAltitudeRef 1
GPS GPSAltitude 15/2
IFD0 Copyright photographer; editor
IFD1 Compression 6
`

func told(f *Facts) string {
	var b strings.Builder
	for _, field := range f.Fields {
		value := field.Value
		if strings.HasSuffix(field.Name, "IFD") || field.Name == "GPSInfo" {
			value = "N"
		}
		fmt.Fprintf(&b, "%s %s %s\n", field.Directory, field.Name, value)
	}
	return b.String()
}

func read(t testing.TB, b []byte) *Facts {
	t.Helper()
	f, err := Read(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func segment(marker byte, data string) string {
	return string([]byte{0xff, marker}) + string(binary.BigEndian.AppendUint16(nil, uint16(len(data)+2))) + data
}

func jpeg(segments ...string) []byte {
	return []byte("\xff\xd8" + strings.Join(segments, "") + "\xff\xda\x00\x02the picture\xff\xd9")
}

func pngChunk(kind, data string) string {
	b := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), kind+data...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
}

func riffChunk(kind, data string) string {
	return kind + string(binary.LittleEndian.AppendUint32(nil, uint32(len(data)))) + data +
		strings.Repeat("\x00", len(data)%2)
}

func box(kind, data string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(data)+8))) + kind + data
}

// heif returns a HEIF with EXIF in the file and XMP in the index.
func heif(exif, xmp string) []byte {
	item := "\x00\x00\x00\x00" + exif
	infe := func(id, kind string) string { return box("infe", "\x02\x00\x00\x00"+id+"\x00\x00"+kind) }
	iinf := box("iinf", "\x00\x00\x00\x00\x00\x02"+infe("\x00\x01", "Exif\x00")+
		infe("\x00\x02", "mime\x00application/rdf+xml\x00"))
	ftyp := box("ftyp", "heic\x00\x00\x00\x00mif1heic")
	place := func(at, length int) string {
		return string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(at)), uint32(length)))
	}
	meta := func(at int) string {
		iloc := box("iloc", "\x01\x00\x00\x00\x44\x00\x00\x02"+
			"\x00\x01\x00\x00\x00\x00\x00\x01"+place(at, len(item))+
			"\x00\x02\x00\x01\x00\x00\x00\x01"+place(0, len(xmp)))
		return box("meta", "\x00\x00\x00\x00"+iinf+iloc+box("idat", xmp))
	}
	at := len(ftyp) + len(meta(0)) + 8
	return []byte(ftyp + meta(at) + box("mdat", item))
}
