package httrack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// The parts of a zip (APPNOTE.TXT 4.3) that HTTrack writes. The standard library returns only the
// extra field of the central directory, which HTTrack leaves empty. The data are in the local
// headers.
const (
	localSize   = 30
	centralSize = 46
	endSize     = 22
	maxComment  = math.MaxUint16
)

var (
	localMark   = []byte("PK\x03\x04")
	centralMark = []byte("PK\x01\x02")
	endMark     = []byte("PK\x05\x06")
)

// errZip reports a zip without a usable directory.
var errZip = errors.New("the zip has no complete directory")

// readZip returns each entry, in the order of the file. If the directory is missing or wrong, as
// after a crash, it reads the local headers one after another, and torn has the reason.
func readZip(in io.ReaderAt, size int64, entry func(*Entry), bad func(offset int64, problem string)) (torn, err error) {
	places, torn := directory(in, size)
	if torn == nil {
		end := int64(0)
		for _, at := range places {
			if at < end {
				bad(at, "it lies within the entry before")
				continue
			}
			if end, err = localEntry(in, size, at, entry, bad); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
	at := int64(0)
	for at < size {
		next, err := localEntry(in, size, at, entry, bad)
		if err != nil || next == 0 {
			return torn, err
		}
		at = next
	}
	return torn, nil
}

// directory reads the places of the local headers.
func directory(in io.ReaderAt, size int64) ([]int64, error) {
	tail := make([]byte, min(size, endSize+maxComment))
	if _, err := in.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	i := bytes.LastIndex(tail, endMark)
	if i < 0 || len(tail)-i < endSize {
		return nil, errZip
	}
	length, from := int64(binary.LittleEndian.Uint32(tail[i+12:])), int64(binary.LittleEndian.Uint32(tail[i+16:]))
	end := size - int64(len(tail)) + int64(i)
	if from+length > end {
		return nil, errZip
	}
	r := bufio.NewReader(io.NewSectionReader(in, from, length))
	var places []int64
	var h [centralSize]byte
	for {
		if _, err := io.ReadFull(r, h[:]); errors.Is(err, io.EOF) {
			return places, nil
		} else if err != nil || !bytes.HasPrefix(h[:], centralMark) {
			return nil, errZip
		}
		at := int64(binary.LittleEndian.Uint32(h[42:]))
		// HTTrack writes both in the same order; two entries at one place are a zip bomb
		if len(places) > 0 && at <= places[len(places)-1] || at >= from {
			return nil, errZip
		}
		places = append(places, at)
		more := int(binary.LittleEndian.Uint16(h[28:])) + int(binary.LittleEndian.Uint16(h[30:])) +
			int(binary.LittleEndian.Uint16(h[32:]))
		if _, err := r.Discard(more); err != nil {
			return nil, errZip
		}
	}
}

// maxExtra bounds the kept headers of an entry, in bytes. HTTrack's longest are two URLs of 2,048
// and a few lines.
const maxExtra = 16 << 10

// localEntry reads the local header at a place and returns the place after the body, or 0 if none
// can be read.
func localEntry(in io.ReaderAt, size, at int64, entry func(*Entry), bad func(int64, string)) (int64, error) {
	var h [localSize]byte
	n, err := in.ReadAt(h[:], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	switch {
	case bytes.HasPrefix(h[:n], centralMark) || bytes.HasPrefix(h[:n], endMark):
		return 0, nil
	case n < localSize || !bytes.HasPrefix(h[:], localMark):
		bad(at, "there is no local header here")
		return 0, nil
	}
	le := binary.LittleEndian
	flags, method, crc := le.Uint16(h[6:]), le.Uint16(h[8:]), le.Uint32(h[14:])
	stored, length := int64(le.Uint32(h[18:])), int64(le.Uint32(h[22:]))
	nameLen, extraLen := int64(le.Uint16(h[26:])), int64(le.Uint16(h[28:]))
	body := at + localSize + nameLen + extraLen
	if problem := implausible(flags, method, stored, length, body, size); problem != "" {
		bad(at, problem)
		return 0, nil
	}
	text := make([]byte, nameLen+extraLen)
	if _, err := in.ReadAt(text, at+localSize); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	url, assumed := withScheme(string(text[:nameLen]))
	e := &Entry{URL: url, Assumed: assumed, Length: length,
		body: place{at: body, stored: stored, size: length, deflated: method == 8, crc: crc, summed: true}}
	if problem := parseEntry(e, text[nameLen:nameLen+min(extraLen, maxExtra)]); problem != "" {
		bad(at, problem)
	}
	entry(e)
	return body + stored, nil
}

// maxRatio is the maximum expansion of deflate, with a margin.
const maxRatio = 1100

func implausible(flags, method uint16, stored, length, body, size int64) string {
	switch {
	case flags&1 != 0:
		return "it is encrypted"
	case flags&8 != 0:
		return "its length follows the data, which HTTrack never writes"
	case method != 0 && method != 8:
		return fmt.Sprintf("it is compressed by method %d", method)
	case stored == math.MaxUint32 || length == math.MaxUint32:
		return "it is larger than 4 GiB"
	case body+stored > size:
		return fmt.Sprintf("it should have %d bytes, and %d are left", stored, max(size-body, 0))
	case length > maxRatio*(stored+1) || method == 0 && length != stored:
		return fmt.Sprintf("it claims %d bytes of %d", length, stored)
	}
	return ""
}
