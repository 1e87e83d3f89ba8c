package identify_test

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"quire/internal/prove"
	"quire/preserve/identify"
)

// compound returns an OLE2 compound file of four sectors: header, FAT, directory, one more. Alter
// may damage it.
func compound(alter func(header, fat, directory []byte)) []byte {
	const sector = 512
	b := make([]byte, 5*sector)
	h := b[:sector]
	copy(h, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	put16 := binary.LittleEndian.PutUint16
	put32 := binary.LittleEndian.PutUint32
	put16(h[24:], 0x3E)
	put16(h[26:], 3)
	put16(h[28:], 0xFFFE)
	put16(h[30:], 9) // sectors of 512 bytes
	put16(h[32:], 6)
	put32(h[44:], 1) // one FAT sector, the first
	put32(h[48:], 1) // the directory is in the second
	put32(h[56:], 4096)
	put32(h[60:], 0xFFFFFFFE)
	put32(h[68:], 0xFFFFFFFE)
	for i := 76; i < sector; i += 4 {
		put32(h[i:], 0xFFFFFFFF)
	}
	put32(h[76:], 0)
	fat := b[sector : 2*sector]
	for i := 0; i < sector; i += 4 {
		put32(fat[i:], 0xFFFFFFFF)
	}
	put32(fat[0:], 0xFFFFFFFD)
	put32(fat[4:], 0xFFFFFFFE)
	put32(fat[8:], 3)
	put32(fat[12:], 0xFFFFFFFE)
	directory := b[2*sector : 3*sector]
	entry := func(i int, name string, kind byte, child, start uint32, size uint64) {
		e := directory[i*128:]
		for j, c := range name {
			put16(e[2*j:], uint16(c))
		}
		put16(e[64:], uint16(2*len(name)+2))
		e[66] = kind
		put32(e[68:], 0xFFFFFFFF)
		put32(e[72:], 0xFFFFFFFF)
		put32(e[76:], child)
		put32(e[116:], start)
		binary.LittleEndian.PutUint64(e[120:], size)
	}
	entry(0, "Root Entry", 5, 1, 0xFFFFFFFE, 0)
	entry(1, "WordDocument", 2, 0xFFFFFFFF, 2, 5000)
	for i := 2; i < 4; i++ {
		entry(i, "", 0, 0xFFFFFFFF, 0, 0)
	}
	if alter != nil {
		alter(h, fat, directory)
	}
	return b
}

// TestHostile checks that an expensive payload is identified by its signature, and that the warning
// states the omitted part.
func TestHostile(t *testing.T) {
	put32 := binary.LittleEndian.PutUint32
	deep := func(levels int) []byte {
		var b []byte
		for i := levels; i > 0; i-- {
			b = append(b, "LIST"...)
			b = binary.LittleEndian.AppendUint32(b, uint32(12*i-8))
			b = append(b, "hdrl"...)
		}
		head := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(b)+4))...)
		return append(append(head, "AVI "...), b...)
	}
	id := newIdentifier(t, identify.Options{})
	for name, c := range map[string]struct {
		in      []byte
		puid    string
		warning string
	}{
		"a ZIP archive that inflates to too much": {docx(t, 40<<20), "x-fmt/263",
			"the archive would inflate to too much"},
		"a compound file without harm": {compound(nil), "fmt/609", ""},
		"a compound file with 4 billion FAT sectors": {compound(func(h, _, _ []byte) {
			put32(h[44:], 0xFFFFFFF0)
			put32(h[72:], 0x1000000)
		}), "fmt/111", "states more sectors than it has"},
		"a compound file with 4 billion mini FAT sectors": {compound(func(h, _, _ []byte) {
			put32(h[44:], 0xFFFFFFF0)
			put32(h[64:], 0xFFFFFF00)
		}), "fmt/111", "states more sectors than it has"},
		"a compound file with 4 billion directory sectors": {compound(func(h, _, _ []byte) {
			put32(h[40:], 0xFFFFFFF0)
		}), "fmt/111", "states more sectors than it has"},
		"a compound file without a directory": {compound(func(h, _, _ []byte) {
			put32(h[48:], 0xFFFFFFFE)
		}), "fmt/111", "has no directory"},
		"a compound file whose directory goes round": {compound(func(_, fat, _ []byte) {
			put32(fat[4:], 1)
		}), "fmt/111", ""},
		"a compound file whose directory entries are parents of each other": {compound(func(_, _, d []byte) {
			put32(d[128+76:], 0)
		}), "fmt/111", ""},
		"RIFF with lists 80,000 deep": {deep(80_000), "fmt/5",
			"it has too many lists"},
		"RIFF with lists 1,000 deep": {deep(1_000), "fmt/5", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := id.Identify(payload("", "", c.in))
			runtime.ReadMemStats(&after)
			if r.PUID != c.puid {
				t.Errorf("got %+v, want %s", r, c.puid)
			}
			if !strings.Contains(r.Warning, c.warning) {
				t.Errorf("warning is %q, want %q", r.Warning, c.warning)
			}
			if spent := after.TotalAlloc - before.TotalAlloc; spent > 150<<20 {
				t.Errorf("%d MB were allocated", spent>>20)
			}
		})
	}
}

// TestCircle uses a compound file that has a circular stream with the maximum stated length. The
// stream must not be read endlessly or copied to disk.
func TestCircle(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	round := compound(func(h, fat, d []byte) {
		binary.LittleEndian.PutUint16(h[26:], 4) // sizes of 64 bits
		binary.LittleEndian.PutUint32(fat[8:], 2)
		copy(d[128+120:], "\xff\xff\xff\xff\xff\xff\xff\x7f")
	})
	for _, stream := range []string{"WordDocument", "CompObj", "\x01CompObj", "Workbook", "PowerPoint Document"} {
		b := bytes.Clone(round)
		entry := b[2*512+128:]
		clear(entry[:64])
		for j, c := range []byte(stream) {
			binary.LittleEndian.PutUint16(entry[2*j:], uint16(c))
		}
		binary.LittleEndian.PutUint16(entry[64:], uint16(2*len(stream)+2))
		r := newIdentifier(t, identify.Options{}).Identify(payload("", "", b))
		t.Logf("%s: %+v", stream, r)
		if !r.Known() {
			t.Errorf("%s: %+v", stream, r)
		}
	}
}

// TestManyEntries checks that the number of entries is limited even if the size limit allows a
// large list of contents.
func TestManyEntries(t *testing.T) {
	prove.Serial(t)
	many := make([]string, 0, 40_000)
	for range cap(many) / 2 {
		many = append(many, "[Content_Types].xml", "")
	}
	r := newIdentifier(t, identify.Options{MaxBytes: 8 << 20}).Identify(payload("", "", archive(t, 0, many...)))
	if r.PUID != "x-fmt/263" || !strings.Contains(r.Warning, "the archive has too many entries") {
		t.Errorf("got %+v", r)
	}
}

// FuzzIdentify mainly searches for panics, because a panic in siegfried's own goroutines cannot be
// caught. A second identification of a payload must have the same result.
func FuzzIdentify(f *testing.F) {
	id := newIdentifier(f, identify.Options{MaxBytes: 64 << 10})
	for _, seed := range [][]byte{png(), gif(), pdf(100), compound(nil), archive(f, 0, "a.txt", "ships"), docx(f, 0),
		[]byte("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
		[]byte("RIFF\x10\x00\x00\x00WAVEfmt \x04\x00\x00\x00abcd")} {
		f.Add(seed, int64(0), "x.doc", "text/html")
		f.Add(seed, int64(1)<<40, "", "")
	}
	f.Fuzz(func(t *testing.T, data []byte, more int64, name, mime string) {
		p := payload(name, mime, data)
		p.Size = max(p.Size, more)
		if half := len(data) / 2; more%2 == 1 {
			p.Head, p.Tail = data[:half], data[half:]
		}
		if a, b := id.Identify(p), newIdentifier(t, identify.Options{MaxBytes: 64 << 10}).Identify(p); a != b {
			t.Errorf("once %+v, then %+v", a, b)
		}
	})
}
