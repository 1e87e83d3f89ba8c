package exif

import (
	"bytes"
	"encoding/binary"
)

func isJPEG(head []byte) bool { return bytes.HasPrefix(head, []byte("\xff\xd8\xff")) }

// The markers of JPEG (ITU-T T.81, B.1.1.3) that can occur before the picture begins.
const (
	markerFill  = 0xff
	markerTEM   = 0x01
	markerRST0  = 0xd0
	markerEOI   = 0xd9
	markerSOS   = 0xda
	markerAPP1  = 0xe1
	markerAPP13 = 0xed
)

// readJPEG reads the segments before the picture.
func readJPEG(r *reader, f *Facts) {
	at := int64(2)
	for range maxSegments {
		head, ok := r.bytes(at, 2)
		if !ok || head[0] != 0xff {
			f.warn("no segment of JPEG at %d", at)
			return
		}
		switch marker := head[1]; {
		case marker == markerFill:
			at++
			continue
		case marker == markerSOS || marker == markerEOI:
			return
		case marker == markerTEM || marker >= markerRST0 && marker < markerEOI: // without a length
			at += 2
			continue
		}
		b, ok := r.bytes(at+2, 2)
		if !ok || binary.BigEndian.Uint16(b) < 2 {
			f.warn("the segment at %d has no length", at)
			return
		}
		length := int64(binary.BigEndian.Uint16(b))
		if head[1] == markerAPP1 || head[1] == markerAPP13 {
			readSegment(r, f, head[1], at+4, length-2)
		}
		at += 2 + length
	}
	f.warn("there are more than %d segments", maxSegments)
}

// readSegment reads an application segment.
func readSegment(r *reader, f *Facts, marker byte, at, length int64) {
	const (
		exif      = "Exif\x00"
		xmp       = "http://ns.adobe.com/xap/1.0/\x00"
		photoshop = "Photoshop 3.0\x00"
	)
	data, ok := r.bytes(at, min(length, r.size-at))
	if !ok || int64(len(data)) < length {
		f.warn("the segment at %d has %d of its %d bytes", at-4, max(0, r.size-at), length)
	}
	switch {
	case marker == markerAPP1 && bytes.HasPrefix(data, []byte(exif)) && len(data) > len(exif) && f.ByteOrder == "":
		part := r.part(at+6, int64(len(data))-6)
		readTIFF(part, f)
		r.err = part.err
	case marker == markerAPP1 && bytes.HasPrefix(data, []byte(xmp)):
		f.XMP += int64(len(data) - len(xmp))
	case marker == markerAPP13 && bytes.HasPrefix(data, []byte(photoshop)):
		f.IPTC += iptcIn(data[len(photoshop):])
	}
}

// iptcIn returns the bytes of IPTC in the resources of Photoshop (Adobe Photoshop File Formats,
// Image Resource Blocks).
func iptcIn(b []byte) (n int64) {
	const iptc, header = 0x0404, 12
	for len(b) >= header && string(b[:4]) == "8BIM" {
		id := binary.BigEndian.Uint16(b[4:])
		name := 1 + int(b[6]) // a Pascal string, padded to an even length
		name += name % 2
		if len(b) < 6+name+4 {
			return n
		}
		length := int64(binary.BigEndian.Uint32(b[6+name:]))
		b = b[6+name+4:]
		if id == iptc {
			n += length
		}
		if length+length%2 > int64(len(b)) {
			return n
		}
		b = b[length+length%2:]
	}
	return n
}
