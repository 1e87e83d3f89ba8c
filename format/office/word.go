package office

import (
	"fmt"
	"strings"

	"quire/format/compound"
)

// Offsets in the head of a Word document ([MS-DOC] 2.5, the FIB).
const (
	wordVersion  = 2
	wordFlags    = 10
	wordTextFrom = 24 // Word 6 and 95: start and end of the text in the stream
	wordTextTo   = 28
	wordClx      = 0x1a2 // place and size of the piece list in the table stream

	wordEncrypted = 0x0100
	wordTable1    = 0x0200 // the table stream is 1Table, not 0Table
	wordComplex   = 0x0004
	word97        = 0x00c0 // older versions have another head
)

// word reads the text of a Word document: the main text, then footnotes, headers, comments,
// endnotes and text boxes.
func (r *reader) word(f *compound.File, b []byte) error {
	flags := u16(b, wordFlags)
	if flags&wordEncrypted != 0 {
		return errEncrypted
	}
	if version := u16(b, wordVersion); version < word97 {
		r.facts.Format = "Word 6"
		from, to := int(u32(b, wordTextFrom)), int(u32(b, wordTextTo))
		if flags&wordComplex != 0 || from > to || to > len(b) {
			return fmt.Errorf("a Word 6 document that was saved in pieces (version %d)", version)
		}
		r.wordText(western(b[from:min(to, from+2*r.room)]))
		return nil
	}
	name := "0Table"
	if flags&wordTable1 != 0 {
		name = "1Table"
	}
	table, err := f.Stream(name, maxStream)
	if err != nil {
		return err
	}
	at, size := int(u32(b, wordClx)), int(u32(b, wordClx+4))
	if at > len(table) || size > len(table)-at {
		return fmt.Errorf("%w: its list of pieces is missing", ErrDamaged)
	}
	return r.wordPieces(b, table[at:at+size])
}

// wordPieces reads the text piece by piece (2.8.35, 2.9.38). The list has the place of each piece
// in the stream and whether its characters have one or two bytes.
func (r *reader) wordPieces(b, clx []byte) error {
	const property, pieces = 1, 2
	for len(clx) > 3 && clx[0] == property {
		clx = clx[min(len(clx), 3+u16(clx, 1)):]
	}
	if len(clx) < 5 || clx[0] != pieces {
		return fmt.Errorf("%w: its list of pieces cannot be read", ErrDamaged)
	}
	list := clx[5:min(len(clx), 5+int(u32(clx, 1)))]
	n := (len(list) - 4) / 12
	var all strings.Builder
	for i := range max(n, 0) {
		from, to := int64(u32(list, 4*i)), int64(u32(list, 4*i+4))
		place := u32(list, 4*(n+1)+8*i+2)
		if to <= from || all.Len() > 2*r.room {
			continue
		}
		count, start, narrow := to-from, int64(place&0x3fffffff), place&0x40000000 != 0
		if narrow {
			start /= 2
		} else {
			count *= 2
		}
		if start >= int64(len(b)) {
			r.facts.warn("a piece of its text is missing")
			continue
		}
		piece := b[start:min(start+count, int64(len(b)), start+int64(4*r.room))]
		if narrow {
			all.WriteString(western(piece))
		} else {
			all.WriteString(wide(piece))
		}
	}
	r.wordText(all.String())
	return nil
}

// wordText appends paragraphs. It omits the instructions of a field (2.8.25) and keeps the field's
// result.
func (r *reader) wordText(s string) {
	const begin, shown, end = 0x13, 0x14, 0x15
	var now strings.Builder
	var fields []bool // open fields: whether their instructions are being read
	hidden := 0
	for _, c := range s {
		switch c {
		case begin:
			fields = append(fields, true)
			hidden++
			continue
		case shown, end:
			if len(fields) == 0 {
				continue
			}
			last := len(fields) - 1
			if fields[last] {
				hidden--
				fields[last] = false
			}
			if c == end {
				fields = fields[:last]
			}
			continue
		}
		switch {
		case hidden > 0:
		case c == '\r' || c == '\f' || c == 7 || c == 14: // a paragraph, a page, a cell, a column
			r.add(now.String())
			now.Reset()
		case c == 30: // a non-breaking hyphen
			now.WriteByte('-')
		case c == 31: // a soft hyphen
		case c < ' ':
			now.WriteByte(' ')
		default:
			now.WriteRune(c)
		}
	}
	r.add(now.String())
}
