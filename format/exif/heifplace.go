package exif

import "math"

// location is the place of an item in a HEIF (ISO/IEC 14496-12, 8.11.3).
type location struct {
	item       uint32
	inIndex    bool // the place is counted from idat
	at, length int64
	pieces     int
}

// fields reads numbers of a given width, one after the other. After the end it returns zeros.
type fields struct {
	b     []byte
	short bool // it ended
}

func (f *fields) next(width int) (n uint64) {
	if len(f.b) < width {
		f.b, f.short = nil, true
		return 0
	}
	for _, c := range f.b[:width] {
		n = n<<8 | uint64(c)
	}
	f.b = f.b[width:]
	return n
}

// eachLocation visits the locations in a box called iloc. For an item in several pieces it passes
// the first piece and the number of pieces.
func eachLocation(b []byte, visit func(location)) {
	f := &fields{b: b}
	version := f.next(1)
	f.next(3)
	widths := f.next(2)
	offset, length, base, index := int(widths>>12), int(widths>>8&15), int(widths>>4&15), int(widths&15)
	if version == 0 {
		index = 0
	}
	wide := 2
	if version == 2 {
		wide = 4
	}
	if f.short || max(offset, length, base, index) > 8 {
		return
	}
	for n := f.next(wide); n > 0 && !f.short; n-- {
		l := location{item: uint32(f.next(wide))} //nolint:gosec // of four bytes
		if version > 0 {
			l.inIndex = f.next(2)&15 == 1
		}
		f.next(2)
		start := f.next(base)
		l.pieces = int(f.next(2)) //nolint:gosec // of two bytes
		told := min(l.pieces, 1)  // if pieces take no bytes, none needs to be skipped
		if offset+length+index > 0 {
			told = l.pieces
		}
		for i := 0; i < told && !f.short; i++ {
			f.next(index)
			at, size := f.next(offset), f.next(length)
			if i > 0 {
				continue
			}
			l.at, l.length = -1, 0
			if at <= math.MaxInt64/2 && start <= math.MaxInt64/4 && size <= math.MaxInt64/2 {
				l.at, l.length = int64(start+at), int64(size) //nolint:gosec // compared just now
			}
		}
		if !f.short {
			visit(l)
		}
	}
}
