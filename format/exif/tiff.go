package exif

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The fields that point to other directories or hold metadata of other kinds (TIFF 6.0, section 8;
// Exif 3.0, 4.6.3).
const (
	tagSubIFDs   = 0x014a
	tagXMP       = 0x02bc
	tagIPTC      = 0x83bb
	tagPhotoshop = 0x8649
	tagExif      = 0x8769
	tagGPS       = 0x8825
	tagInterop   = 0xa005
	tagMakerNote = 0x927c
	tagComment   = 0x9286
)

// tiff reads the TIFF structure of EXIF: directories of fields.
type tiff struct {
	*reader
	order binary.ByteOrder
	facts *Facts
	seen  map[int64]bool // offsets of directories read: they can form circles
	text  int            // bytes of values returned
	subs  int
}

func isTIFF(head []byte) bool {
	return bytes.HasPrefix(head, []byte("II*\x00")) || bytes.HasPrefix(head, []byte("MM\x00*"))
}

func readTIFFFile(r *reader, f *Facts) { readTIFF(r, f) }

// readTIFF reads all directories of a TIFF, or of the EXIF in another format.
func readTIFF(r *reader, f *Facts) {
	const header = 8
	head, ok := r.bytes(0, header)
	if !ok || !isTIFF(head) {
		f.warn("EXIF without the header of TIFF")
		return
	}
	t := &tiff{reader: r, order: binary.LittleEndian, facts: f, seen: map[int64]bool{}}
	f.ByteOrder = "little-endian"
	if head[0] == 'M' {
		t.order, f.ByteOrder = binary.BigEndian, "big-endian"
	}
	at := int64(t.order.Uint32(head[4:]))
	for n := 0; at != 0; n++ {
		at = t.directory(fmt.Sprintf("IFD%d", n), at)
	}
}

// directory reads a directory and those that it points to. It returns the offset of the next, or 0.
func (t *tiff) directory(name string, at int64) (next int64) {
	switch {
	case t.seen[at]:
		t.facts.warn("%s: the directory at %d was met before", name, at)
		return 0
	case len(t.seen) >= MaxDirectories:
		t.facts.warn("%s: there are more than %d directories", name, MaxDirectories)
		return 0
	}
	t.seen[at] = true
	b, ok := t.bytes(at, 2)
	if !ok {
		t.facts.warn("%s: no directory at %d of %d bytes", name, at, t.size)
		return 0
	}
	const length = 12
	entries := int64(t.order.Uint16(b))
	read := min(entries, maxEntries, (t.size-at-2)/length)
	if read < entries {
		t.facts.warn("%s: %d of its %d entries are read", name, read, entries)
		t.facts.LeftOut += int(entries - read)
	}
	b, ok = t.bytes(at+2, read*length)
	if !ok {
		return 0
	}
	for ; len(b) > 0; b = b[length:] {
		t.entry(name, b[:length])
	}
	if end, ok := t.bytes(at+2+entries*length, 4); ok {
		return int64(t.order.Uint32(end))
	}
	return 0
}

// entry reads a field and follows its pointers.
func (t *tiff) entry(directory string, b []byte) {
	e := entry{tag: t.order.Uint16(b), kind: t.order.Uint16(b[2:]), count: t.order.Uint32(b[4:])}
	if len(t.facts.Fields) >= MaxFields || t.text >= MaxText {
		t.facts.LeftOut++
		return
	}
	size, known := sizes[e.kind]
	if !known {
		t.facts.warn("%s: the field %#04x is of the unknown type %d", directory, e.tag, e.kind)
		return
	}
	length := int64(e.count) * size
	e.raw = b[8:]
	if length > 4 {
		var ok bool
		if e.raw, ok = t.bytes(int64(t.order.Uint32(b[8:])), min(length, MaxValue)); !ok {
			t.facts.warn("%s: the %d bytes of the field %#04x are not there", directory, length, e.tag)
			return
		}
	}
	e.raw = e.raw[:min(length, int64(len(e.raw)))]
	e.cut = int64(len(e.raw)) < length
	e.order, e.size = t.order, int(size)
	f := Field{Directory: directory, Tag: e.tag, Name: nameOf(directory, e.tag), Type: types[e.kind], Count: e.count,
		Value: e.value(length)}
	t.text += len(f.Value)
	t.facts.Fields = append(t.facts.Fields, f)
	t.follow(&e, length)
}

// follow reads the directories that a field points to.
func (t *tiff) follow(e *entry, length int64) {
	switch e.tag {
	case tagExif:
		t.lead("Exif", e)
	case tagGPS:
		t.lead("GPS", e)
	case tagInterop:
		t.lead("Interop", e)
	case tagSubIFDs:
		for e.size == 4 && len(e.raw) >= 4 {
			name := "SubIFD"
			if t.subs > 0 {
				name = fmt.Sprintf("SubIFD%d", t.subs)
			}
			t.subs++
			if len(t.seen) >= MaxDirectories {
				t.facts.warn("%s: there are more than %d directories", name, MaxDirectories)
				return
			}
			t.lead(name, e)
			e.raw = e.raw[4:]
		}
	case tagXMP:
		t.facts.XMP += length
	case tagIPTC:
		t.facts.IPTC += length
	case tagPhotoshop:
		t.facts.IPTC += iptcIn(e.raw)
	}
}

func (t *tiff) lead(name string, e *entry) {
	if e.size != 4 || len(e.raw) < 4 {
		t.facts.warn("%s: the field that leads there holds no place", name)
		return
	}
	t.directory(name, int64(t.order.Uint32(e.raw)))
}
