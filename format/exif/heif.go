package exif

import (
	"encoding/binary"
	"strings"
)

// maxMeta bounds the index of a HEIF, in bytes.
const maxMeta = 1 << 20

func isHEIF(head []byte) bool {
	const brands = "heic heix heim heis hevc hevx mif1 mif2 msf1 avif avis"
	return len(head) >= 12 && string(head[4:8]) == "ftyp" && strings.Contains(brands, string(head[8:12]))
}

// readHEIF finds the metadata items in a HEIF (ISO/IEC 23008-12, annex A; boxes by ISO/IEC
// 14496-12).
func readHEIF(r *reader, f *Facts) {
	at := int64(0)
	for range maxSegments {
		head, ok := r.bytes(at, 8)
		if !ok {
			f.warn("no box called meta")
			return
		}
		length, header := int64(binary.BigEndian.Uint32(head)), int64(8)
		switch length {
		case 0:
			length = r.size - at
		case 1:
			long, ok := r.bytes(at+8, 8)
			if !ok || binary.BigEndian.Uint64(long) > uint64(r.size) { //nolint:gosec // a size is not negative
				f.warn("the box at %d has no length", at)
				return
			}
			length, header = int64(binary.BigEndian.Uint64(long)), 16 //nolint:gosec // compared just now
		}
		if length < header {
			f.warn("the box at %d has no length", at)
			return
		}
		if string(head[4:]) == "meta" {
			readMeta(r, f, at+header, length-header)
			return
		}
		at += length
	}
	f.warn("no box called meta among the first %d", maxSegments)
}

// readMeta reads the index: the list of items (iinf) and their places (iloc).
func readMeta(r *reader, f *Facts, at, length int64) {
	if length > maxMeta {
		f.warn("the index has %d bytes, and is not read", length)
		return
	}
	b, ok := r.bytes(at, length)
	if !ok || len(b) < 4 {
		f.warn("the index at %d is cut off", at)
		return
	}
	items := map[uint32]string{}
	var locations []byte
	data := at // of the items within the index itself (idat)
	eachBox(b[4:], func(name string, body []byte, offset int) {
		switch name {
		case "iinf":
			itemsOf(body, items)
		case "iloc":
			locations = body
		case "idat":
			data = at + 4 + int64(offset)
		}
	})
	eachLocation(locations, func(l location) {
		kind := items[l.item]
		if kind == "" {
			return
		}
		if l.inIndex {
			l.at += data
		}
		switch {
		case l.pieces != 1 || l.at < 0 || l.length > r.size-l.at:
			f.warn("the item %d (%s) is in pieces, or not there", l.item, kind)
		case kind == "xmp":
			f.XMP += l.length
		default:
			f.item(r, l)
		}
	})
}

// item reads the EXIF of an item. It begins with the number of bytes before the TIFF header
// (ISO/IEC 23008-12, A.2.1).
func (f *Facts) item(r *reader, l location) {
	b, ok := r.bytes(l.at, 4)
	if !ok || l.length < 4 {
		f.warn("the item %d (exif) is cut off", l.item)
		return
	}
	skip := 4 + int64(binary.BigEndian.Uint32(b))
	if skip > l.length {
		f.warn("the item %d (exif) begins behind its end", l.item)
		return
	}
	f.exif(r, l.at+skip, l.length-skip)
}

// eachBox visits the boxes in b, with their content and its offset.
func eachBox(b []byte, visit func(name string, body []byte, offset int)) {
	const header = 8
	for at := 0; len(b)-at >= header; {
		length := int64(binary.BigEndian.Uint32(b[at:]))
		if length == 0 {
			length = int64(len(b) - at)
		}
		if length < header || length > int64(len(b)-at) {
			return
		}
		end := at + int(length)
		visit(string(b[at+4:at+8]), b[at+header:end], at+header)
		at = end
	}
}

// itemsOf finds the metadata items: "exif" or "xmp".
func itemsOf(b []byte, items map[uint32]string) {
	if len(b) < 8 {
		return
	}
	count := 2 // bytes of the number of items
	if b[0] > 0 {
		count = 4
	}
	eachBox(b[4+count:], func(name string, body []byte, _ int) {
		if name != "infe" || len(body) < 12 || body[0] < 2 {
			return
		}
		id, rest := uint32(binary.BigEndian.Uint16(body[4:])), body[6:]
		if body[0] == 3 {
			id, rest = binary.BigEndian.Uint32(body[4:]), body[8:]
		}
		if len(rest) < 6 {
			return
		}
		switch string(rest[2:6]) {
		case "Exif":
			items[id] = "exif"
		case "mime":
			if strings.Contains(string(rest[6:]), "application/rdf+xml") {
				items[id] = "xmp"
			}
		}
	})
}
