package exif

import (
	"bytes"
	"encoding/binary"
)

func isPNG(head []byte) bool { return bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")) }

// readPNG reads the chunks of a PNG (PNG, third edition, 5.3).
func readPNG(r *reader, f *Facts) {
	const begin, header, checksum = 8, 8, 4
	at := int64(begin)
	for range maxChunks {
		head, ok := r.bytes(at, header)
		if !ok {
			f.warn("the picture ends at %d without IEND", r.size)
			return
		}
		length := int64(binary.BigEndian.Uint32(head))
		switch string(head[4:]) {
		case "IEND":
			return
		case "eXIf":
			f.exif(r, at+header, length)
		case "iTXt":
			f.XMP += keyed(r, at+header, length, "XML:com.adobe.xmp")
		case "tEXt", "zTXt":
			f.profile(r, at+header, length)
		}
		at += header + length + checksum
	}
	f.warn("there are more than %d chunks", maxChunks)
}

// exif reads the EXIF of a chunk. Some programs write JPEG's EXIF marker before it in WebP.
func (f *Facts) exif(r *reader, at, length int64) {
	if mark, ok := r.bytes(at, 6); ok && string(mark) == "Exif\x00\x00" {
		at, length = at+6, length-6
	}
	if length > r.size-at {
		f.warn("the chunk of EXIF at %d has %d of its %d bytes", at, max(0, r.size-at), length)
		length = max(0, r.size-at)
	}
	if f.ByteOrder != "" {
		f.warn("there is a second EXIF at %d, which is not read", at)
		return
	}
	part := r.part(at, length)
	readTIFF(part, f)
	r.err = part.err
}

// keyed returns the length of a text chunk with this keyword, or 0.
func keyed(r *reader, at, length int64, keyword string) int64 {
	b, ok := r.bytes(at, int64(len(keyword))+1)
	if !ok || length <= int64(len(b)) || string(b) != keyword+"\x00" {
		return 0
	}
	return length - int64(len(b))
}

// profile counts metadata that ImageMagick and other programs wrote as text before PNG had the
// chunk eXIf.
func (f *Facts) profile(r *reader, at, length int64) {
	f.XMP += keyed(r, at, length, "Raw profile type xmp")
	f.IPTC += keyed(r, at, length, "Raw profile type iptc")
	for _, keyword := range []string{"Raw profile type exif", "Raw profile type APP1"} {
		if n := keyed(r, at, length, keyword); n > 0 {
			f.warn("%d bytes of %q at %d are not read", n, keyword, at)
		}
	}
}

func isWebP(head []byte) bool {
	return len(head) >= 12 && bytes.HasPrefix(head, []byte("RIFF")) && string(head[8:12]) == "WEBP"
}

// readWebP reads the chunks of a WebP (RFC 9649, 2.7).
func readWebP(r *reader, f *Facts) {
	const begin, header = 12, 8
	for at, n := int64(begin), 0; at < r.size; n++ {
		head, ok := r.bytes(at, header)
		if !ok {
			f.warn("no chunk at %d", at)
			return
		}
		if n == maxChunks {
			f.warn("there are more than %d chunks", maxChunks)
			return
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		switch string(head[:4]) {
		case "EXIF":
			f.exif(r, at+header, length)
		case "XMP ":
			f.XMP += length
		}
		at += header + length + length%2
	}
}
