package exif

import (
	"errors"
	"fmt"
	"io"
)

// ErrUnknown means that the file is not a picture that can hold EXIF.
var ErrUnknown = errors.New("not a JPEG, TIFF, PNG, WebP or HEIF")

// The bounds for one picture.
const (
	MaxDirectories = 64       // image file directories
	MaxFields      = 2000     // fields of all directories
	MaxValue       = 4 << 10  // bytes of one value that are read
	MaxNumbers     = 64       // numbers of one value that are returned
	MaxText        = 64 << 10 // bytes of all values, as returned
	maxEntries     = 1000     // entries of one directory
	maxSegments    = 1000     // of a JPEG, before the picture
	maxChunks      = 50_000   // of a PNG or WebP
	maxWarnings    = 20
)

// Facts is the metadata of a picture.
type Facts struct {
	Container string    // JPEG, TIFF, PNG, WebP, HEIF
	ByteOrder string    // of the EXIF: "little-endian" (II), "big-endian" (MM); "" without EXIF
	Fields    []Field   // in the order of the file
	Position  *Position // the place of the picture, from the GPS fields; nil if they lack it
	XMP       int64     // bytes of XMP, without its extensions
	IPTC      int64     // bytes of IPTC-IIM
	LeftOut   int       // fields that exceed a bound
	Warnings  []string  // errors of the structure
}

// Field is one field.
type Field struct {
	Directory string // IFD0, IFD1 (the thumbnail, or the second page), Exif, GPS, Interop, SubIFD
	Tag       uint16
	Name      string // by the standard; "" if unknown
	Type      string // ascii, short, rational, …
	Count     uint32 // number of values

	// Value is a text, or numbers separated by spaces. Rational numbers are written as "1/60". A
	// shortened value ends in "…". If the format of the bytes is unknown, the value is "(n bytes)".
	Value string
}

// Position is a place on Earth. The coordinates are WGS 84, unless GPSMapDatum states another
// datum.
type Position struct {
	Latitude, Longitude float64  // degrees, north and east positive
	Altitude            *float64 // metres above the sea; nil if missing
}

// Read reads a picture of size bytes. The error is ErrUnknown or a read error; all other problems
// are warnings.
func Read(in io.ReaderAt, size int64) (*Facts, error) {
	r := &reader{in: in, size: size}
	head, _ := r.bytes(0, min(size, 16))
	f := &Facts{}
	for _, c := range containers {
		if r.err == nil && c.is(head) {
			f.Container = c.name
			c.read(r, f)
			f.Position = f.position()
			return f, r.err
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return nil, ErrUnknown
}

// containers are the known formats, by their first bytes.
var containers = []struct {
	name string
	is   func(head []byte) bool
	read func(r *reader, f *Facts)
}{
	{"JPEG", isJPEG, readJPEG}, {"TIFF", isTIFF, readTIFFFile}, {"PNG", isPNG, readPNG}, {"WebP", isWebP, readWebP},
	{"HEIF", isHEIF, readHEIF},
}

func (f *Facts) warn(format string, args ...any) {
	if len(f.Warnings) < maxWarnings {
		f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
	}
}

// reader reads parts of a picture.
type reader struct {
	in   io.ReaderAt
	size int64
	err  error // of reading
}

// bytes returns n bytes from a position, or false if they are beyond the end.
func (r *reader) bytes(at, n int64) ([]byte, bool) {
	if r.err != nil || at < 0 || n < 0 || n > r.size-at {
		return nil, false
	}
	b := make([]byte, n)
	if got, err := r.in.ReadAt(b, at); got < len(b) {
		r.err = err
		return nil, false
	}
	return b, true
}

// part returns a section of the picture as a reader of its own.
func (r *reader) part(at, n int64) *reader {
	return &reader{in: io.NewSectionReader(r.in, at, n), size: n}
}
