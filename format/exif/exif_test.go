package exif

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const (
	packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"
	iptc   = "Photoshop " +
		"3.0\x008BIM\x04\x25\x00\x00\x00\x00\x00\x01x\x008BIM\x04\x04\x03abc\x00\x00\x00\x05\x1c\x02\x05\x00\x00\x00"
)

// TestContainers checks that every container yields the same fields, in either byte order.
func TestContainers(t *testing.T) {
	for _, order := range []order{binary.LittleEndian, binary.BigEndian} {
		exif := string(photo(order))
		for container, b := range map[string][]byte{
			"TIFF": []byte(exif),
			"JPEG": jpeg(segment(0xe0, "JFIF\x00"), segment(0xe1, "Exif\x00\x00"+exif),
				segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+packet), segment(0xed, iptc)),
			"PNG": []byte("\x89PNG\r\n\x1a\n" + pngChunk("IHDR", "0123456789abc") +
				pngChunk("iTXt", "XML:com.adobe.xmp\x00"+packet) + pngChunk("eXIf", exif) + pngChunk("IEND", "")),
			"WebP": []byte("RIFF\x00\x00\x00\x00WEBP" + riffChunk("VP8 ", "odd") + riffChunk("EXIF", exif) +
				riffChunk("XMP ", packet)),
			"HEIF": heif(exif, packet),
		} {
			f := read(t, b)
			if f.Container != container || told(f) != photoTold || f.Warnings != nil ||
				f.ByteOrder != map[bool]string{true: "little-endian", false: "big-endian"}[exif[0] == 'I'] {
				t.Errorf("%s %s: %+v\n%s", container, order, f, told(f))
			}
			if container != "TIFF" && f.XMP < int64(len(packet)) {
				t.Errorf("%s: %d bytes of XMP", container, f.XMP)
			}
			if container == "JPEG" && f.IPTC != 5 {
				t.Errorf("%d bytes of IPTC", f.IPTC)
			}
			p := f.Position
			if p == nil || p.Latitude != 51.2207833 || p.Longitude != 4.4016667 || p.Altitude == nil ||
				*p.Altitude != -7.5 {
				t.Errorf("%s: %+v", container, p)
			}
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, s := range []string{"", "x", "GIF89a and more", "II*", "\xff\xd8"} {
		if f, err := Read(strings.NewReader(s), int64(len(s))); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %+v, %v", s, f, err)
		}
	}
}

func TestValues(t *testing.T) {
	m := begin(binary.LittleEndian)
	many := make([]uint16, 100)
	b := m.end(m.directory(0,
		made{0x9c9b, 1, 6, []byte("h\x00i\x00\x00\x00")}, made{0x9286, 7, 12, []byte("UNICODE\x00\xe9\x00!\x00")},
		made{0x9286, 7, 10, []byte("no code at")},
		m.short(0x111, many...), made{0x150, 6, 2, []byte{0xff, 1}}, made{0xc000, 11, 1, []byte{0, 0, 0xc0, 0x3f}},
		made{0xc001, 12, 1, []byte{0, 0, 0, 0, 0, 0, 4, 0xc0}},
		m.ascii(0x10e, strings.Repeat("y", 5000)), made{0xa300, 7, 1, []byte{3}},
		made{0xc002, 8, 1, []byte{0xfe, 0xff}}, made{0xc003, 9, 1, []byte{0xfd, 0xff, 0xff, 0xff}},
		made{0x112, 99, 1, []byte{1}}, made{0x112, 3, 1 << 30, []byte{0, 0, 0, 0, 0}}))
	var values []string
	f := read(t, b)
	for _, field := range f.Fields {
		values = append(values, field.Value)
	}
	want := []string{"hi", "é!", "no code at", strings.Repeat("0 ", 64) + "…", "-1 1", "1.5", "-2.5",
		strings.Repeat("y", 4096) + "…", "3", "-2", "-3"}
	if fmt.Sprint(values) != fmt.Sprint(want) {
		t.Errorf("%q", values)
	}
	if len(f.Warnings) != 2 || !strings.Contains(f.Warnings[0], "unknown type 99") ||
		!strings.Contains(f.Warnings[1], "are not there") {
		t.Errorf("%q", f.Warnings)
	}
}

func TestDamage(t *testing.T) {
	circle := begin(binary.BigEndian)
	circle.directory(8, circle.long(0x8769, 8))
	self := circle.end(8)
	for _, c := range []struct {
		name string
		b    []byte
		want string
	}{
		{"a directory that leads to itself", self, "was met before"},
		{"a directory that is not there", []byte("II*\x00\xff\xff\xff\x7f"), "no directory at 2147483647"},
		{"more entries than bytes", []byte("II*\x00\x08\x00\x00\x00\xff\xff"), "0 of its 65535 entries"},
		{"a segment that is cut off", jpeg(segment(0xe1, "Exif\x00\x00"+string(photo(binary.LittleEndian))))[:80],
			"of its"},
		{"a PNG without an end", []byte("\x89PNG\r\n\x1a\n" + pngChunk("IHDR", "0123456789abc")), "without IEND"},
		{"EXIF that is none", jpeg(segment(0xe1, "Exif\x00\x00nothing of the kind")), "without the header of TIFF"},
		{"no segment", []byte("\xff\xd8\xff\xe0\x00\x04xxnothing"), "no segment of JPEG at 8"},
		{"no index", []byte(box("ftyp", "heic\x00\x00\x00\x00")), "no box called meta"},
		{"a raw profile", []byte("\x89PNG\r\n\x1a\n" + pngChunk("zTXt", "Raw profile type exif\x00...") +
			pngChunk("IEND", "")), "are not read"},
	} {
		f := read(t, c.b)
		if !strings.Contains(strings.Join(f.Warnings, "\n"), c.want) {
			t.Errorf("%s: %q", c.name, f.Warnings)
		}
	}
}

// TestBounds checks that for any number of fields and directories, some are returned and the rest
// is counted.
func TestBounds(t *testing.T) {
	m := begin(binary.LittleEndian)
	next := uint32(0)
	for range 100 {
		fields := make([]made, 100)
		for i := range fields {
			fields[i] = m.short(0x112, 1)
		}
		next = m.directory(next, fields...)
	}
	f := read(t, m.end(next))
	if len(f.Fields) != MaxFields || f.LeftOut != MaxDirectories*100-MaxFields || len(f.Warnings) != 1 {
		t.Errorf("%d fields, %d left out, %q", len(f.Fields), f.LeftOut, f.Warnings)
	}
}

type failing struct{ after int64 }

var errDisk = errors.New("the disk fails")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.after {
		return 0, errDisk
	}
	return bytes.NewReader(append(jpeg(segment(0xe1, "Exif\x00\x00"+string(photo(binary.LittleEndian)))),
		make([]byte, 100)...)).ReadAt(p, off)
}

func TestErrorsOfReading(t *testing.T) {
	for _, after := range []int64{0, 10, 30, 100} {
		if _, err := Read(failing{after}, 600); !errors.Is(err, errDisk) {
			t.Errorf("%d: %v", after, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	little, big := photo(binary.LittleEndian), photo(binary.BigEndian)
	f.Add(little)
	f.Add(jpeg(segment(0xe1, "Exif\x00\x00"+string(big)), segment(0xed, iptc)))
	f.Add([]byte("\x89PNG\r\n\x1a\n" + pngChunk("eXIf", string(big)) + pngChunk("IEND", "")))
	f.Add([]byte("RIFF\x00\x00\x00\x00WEBP" + riffChunk("EXIF", string(little))))
	f.Add(heif(string(big), packet))
	f.Fuzz(func(t *testing.T, b []byte) {
		facts, err := Read(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			if !errors.Is(err, ErrUnknown) {
				t.Fatal(err)
			}
			return
		}
		total := 0
		for _, field := range facts.Fields {
			total += len(field.Value)
		}
		if len(facts.Fields) > MaxFields || total > MaxText+8*MaxValue || len(facts.Warnings) > maxWarnings {
			t.Errorf("%d fields of %d bytes, %d warnings", len(facts.Fields), total, len(facts.Warnings))
		}
	})
}

func ExampleRead() {
	picture := jpeg(segment(0xe1, "Exif\x00\x00"+string(photo(binary.BigEndian))))
	facts, err := Read(bytes.NewReader(picture), int64(len(picture)))
	if err != nil {
		fmt.Println(err)
		return
	}
	f := facts.Fields[0]
	fmt.Println(f.Directory, f.Name, f.Value)
	fmt.Println(facts.Position.Latitude, facts.Position.Longitude)
	// Output:
	// IFD0 Make Obscura
	// 51.2207833 4.4016667
}
