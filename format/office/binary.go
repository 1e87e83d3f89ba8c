package office

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"quire/format/compound"
)

// Office before 2007 writes compound files; the names of their streams show the kind of document.
const maxStream = 64 << 20 // bytes of a stream that are read

// binary reads the document if it is from Office before 2007.
func (r *reader) binary(in io.ReaderAt, size int64) error {
	f, err := compound.Open(in, size)
	if errors.Is(err, compound.ErrDamaged) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return err
	}
	for _, k := range []struct {
		stream, kind, format string
		read                 func(*compound.File, []byte) error
	}{
		{"WordDocument", "document", "Word 97", r.word},
		{"Workbook", "spreadsheet", "Excel 97", r.excel},
		{"Book", "spreadsheet", "Excel 5", r.excel},
		{"PowerPoint Document", "presentation", "PowerPoint 97", r.powerPoint},
	} {
		if !f.Has(k.stream) {
			continue
		}
		r.facts.Kind, r.facts.Format = k.kind, k.format
		r.properties(f)
		b, err := f.Stream(k.stream, maxStream)
		if err == nil {
			err = k.read(f, b)
		}
		if err != nil {
			r.facts.warn("%v", err)
		}
		return nil
	}
	return ErrUnknown
}

var errEncrypted = errors.New("it is encrypted")

// u16 returns a number of two bytes, u32 one of four. Both return zero if the stream ends earlier,
// so that damage costs text but causes no panic.
func u16(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(b[at:]))
}

func u32(b []byte, at int) uint32 {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return binary.LittleEndian.Uint32(b[at:])
}

// wide returns the text of UTF-16.
func wide(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// western returns the text of bytes in the Windows code page for Western Europe.
func western(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(charmap.Windows1252.DecodeByte(c))
	}
	return s.String()
}
