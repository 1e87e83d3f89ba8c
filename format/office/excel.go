package office

import (
	"strings"

	"quire/format/compound"
)

// Records of an Excel workbook ([MS-XLS] 2.3.2).
const (
	xlsSheet    = 0x0085 // BoundSheet8: the name of a sheet
	xlsStrings  = 0x00fc // SST: the texts of all cells
	xlsContinue = 0x003c // continuation of the record before
	xlsLabel    = 0x0204 // a cell with text, before Excel 97
	xlsCrypt    = 0x002f
	xlsBegin    = 0x0809 // BOF
	xls97       = 0x0600
)

// excel reads the names of the sheets and the texts of cells.
func (r *reader) excel(_ *compound.File, b []byte) error {
	version := 0
	for at := 0; at+4 <= len(b) && r.room > 0; {
		kind, size := u16(b, at), u16(b, at+2)
		at += 4
		end := min(at+size, len(b))
		data := b[at:end]
		switch at = end; kind {
		case xlsBegin:
			if version == 0 {
				version = u16(data, 0)
			}
		case xlsCrypt:
			return errEncrypted
		case xlsSheet:
			const head = 6
			r.shortText(data[min(head, len(data)):], version)
		case xlsLabel:
			const head = 6
			if version < xls97 {
				n := u16(data, head)
				r.add(western(data[min(head+2, len(data)):min(head+2+n, len(data))]))
			}
		case xlsStrings:
			parts := [][]byte{data}
			for at+4 <= len(b) && u16(b, at) == xlsContinue {
				from := at + 4
				at = min(from+u16(b, at+2), len(b))
				parts = append(parts, b[from:at])
			}
			r.sharedTexts(parts)
		}
	}
	return nil
}

// shortText reads a text with its length in one byte (2.5.240). Since Excel 97 the next byte states
// whether its characters have two bytes.
func (r *reader) shortText(b []byte, version int) {
	switch {
	case len(b) < 2:
	case version < xls97:
		r.add(western(b[1:min(1+int(b[0]), len(b))]))
	case b[1]&1 == 1:
		r.add(wide(b[2:min(2+2*int(b[0]), len(b))]))
	default:
		r.add(western(b[2:min(2+int(b[0]), len(b))]))
	}
}

// parted reads bytes that continue over several records.
type parted struct {
	parts [][]byte
}

// take consumes n bytes from as many records as they span; fewer at the end.
func (p *parted) take(n int) (all []byte) {
	for n > 0 && len(p.parts) > 0 {
		if len(p.parts[0]) == 0 {
			p.parts = p.parts[1:]
			continue
		}
		some := min(n, len(p.parts[0]))
		all = append(all, p.parts[0][:some]...)
		p.parts[0] = p.parts[0][some:]
		n -= some
	}
	return all
}

// sharedTexts reads the table of all texts (2.4.265, 2.5.293). If a text continues in another
// record, that record begins with a byte that states again whether characters have two bytes.
func (r *reader) sharedTexts(parts [][]byte) {
	const isWide, hasPhonetic, hasRuns = 1, 4, 8
	p := &parted{parts}
	p.take(8) // number of texts
	for r.room > 0 {
		head := p.take(3)
		if len(head) < 3 {
			return
		}
		n, flags, after := u16(head, 0), int(head[2]), int64(0)
		if flags&hasRuns != 0 {
			after += 4 * int64(u16(p.take(2), 0))
		}
		if flags&hasPhonetic != 0 {
			after += int64(u32(p.take(4), 0))
		}
		var s strings.Builder
		for n > 0 && len(p.parts) > 0 {
			if len(p.parts[0]) == 0 {
				if p.parts = p.parts[1:]; len(p.parts) > 0 && len(p.parts[0]) > 0 {
					flags = int(p.take(1)[0])
				}
				continue
			}
			size := 1 + flags&isWide
			some := min(n, max(len(p.parts[0])/size, 1))
			if b := p.take(some * size); size == 2 {
				s.WriteString(wide(b))
			} else {
				s.WriteString(western(b))
			}
			n -= some
		}
		r.add(s.String())
		p.skip(after)
	}
}

// skip skips n bytes.
func (p *parted) skip(n int64) {
	for n > 0 && len(p.parts) > 0 {
		some := min(n, int64(len(p.parts[0])))
		if p.parts[0] = p.parts[0][some:]; len(p.parts[0]) == 0 {
			p.parts = p.parts[1:]
		}
		n -= some
	}
}
