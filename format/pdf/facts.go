package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrNotPDF means that the bytes are not a PDF. ErrDamaged means that they begin as one, but the
// rest cannot be read.
var (
	ErrNotPDF  = errors.New("not a PDF")
	ErrDamaged = errors.New("the PDF cannot be read")
)

// The bounds for one document, in bytes unless noted.
const (
	MaxRead = 64 << 20 // read from the file to find objects, besides a search
	// searched for objects if the tables are damaged: half at the beginning, half at the end
	MaxSearched = 64 << 20
	MaxInflated = 48 << 20 // inflated, of all streams together
	maxStream   = 16 << 20 // inflated, of one stream
	maxXMP      = 1 << 20
	maxSections = 500       // of the cross-reference tables
	maxLookups  = 5_000     // objects looked up
	maxPairs    = 5_000_000 // entries of object streams examined
	maxFound    = 100_000   // objects that a search keeps
	maxWarnings = 20
	maxValue    = 4 << 10 // of one text that is returned
)

// Facts is the metadata of a document.
type Facts struct {
	Version    string // "1.7": from the catalogue if that is later than the header
	Header     string // the version in the header
	Pages      int64  // by the page tree; -1 if it does not state them
	PageSize   *Size  // of the first page; nil if not found
	Linearized bool   // readable page by page over a network, and not changed since
	Tagged     bool
	Form       string      // "AcroForm", "XFA", or "" without a form
	Language   string      // of the catalogue
	Encryption *Encryption // nil if not encrypted

	// From the document information dictionary; "" if missing.
	Title, Author, Subject, Keywords, Creator, Producer string
	Created, Modified                                   string // as RFC 3339, or as found if not a date

	Claims  []string // claimed conformance: "PDF/A-2b", "PDF/UA-1", "PDF/X-4"
	XMP     int64    // bytes of the document's XMP
	Rebuilt bool     // the tables were damaged: the objects come from a search

	Warnings []string // errors of the structure, and parts not read
}

// Size is the displayed size of a page, before rotation.
type Size struct {
	Width, Height float64 // in points: 1/72 inch
	Rotate        int64   // degrees clockwise: 0, 90, 180, 270
}

// Encryption is the encryption of a document.
type Encryption struct {
	Filter  string // "Standard"
	Version int64  // V of the dictionary: 1, 2 RC4; 4 RC4 or AES; 5 AES-256
	Bits    int64  // of the key
	Opens   bool   // without a password
}

// document is a PDF being read.
type document struct {
	in      io.ReaderAt
	size    int64 // from the header
	err     error // of reading
	facts   *Facts
	trailer dict

	sections []section        // of the cross-reference tables, the latest first
	found    map[int64]place  // places of objects found by a search
	streams  map[int64][]byte // object streams that were inflated
	crypt    *crypt           // nil if nothing needs decryption
	begin    int64            // offset of the header in the file

	read, inflated int64
	lookups, pairs int
	mostLookups    int
	first          int64 // offset of the first cross-reference section
}

// Read reads a document of size bytes. The error is ErrNotPDF, ErrDamaged or a read error.
func Read(in io.ReaderAt, size int64) (*Facts, error) {
	d := &document{in: in, size: size, facts: &Facts{Pages: -1}, streams: map[int64][]byte{}, mostLookups: maxLookups}
	if err := d.header(); err != nil {
		return nil, errors.Join(d.err, err)
	}
	root := d.open()
	if d.err != nil {
		return nil, d.err
	}
	if root == nil && d.locked() {
		d.facts.warn("it needs a password: only unencrypted facts are listed")
		return d.facts, nil
	}
	if root == nil {
		return nil, fmt.Errorf("%w: it begins as PDF %s, but has no catalogue", ErrDamaged, d.facts.Header)
	}
	d.linearized()
	d.catalogue(root)
	d.information()
	if d.err != nil {
		return nil, d.err
	}
	return d.facts, nil
}

// header finds the header, which may follow other bytes. All offsets count from it.
func (d *document) header() error {
	const searched, mark = 1024, "%PDF-"
	b := d.bytes(0, min(d.size, searched))
	at := bytes.Index(b, []byte(mark))
	if at < 0 {
		return ErrNotPDF
	}
	version := b[at+len(mark):]
	n := 0
	for n < len(version) && n < 5 && (isDigit(version[n]) || version[n] == '.') {
		n++
	}
	d.facts.Header = string(version[:n])
	d.facts.Version = d.facts.Header
	if at > 0 {
		d.facts.warn("%d bytes precede the header", at)
	}
	d.begin, d.size = int64(at), d.size-int64(at)
	d.in = io.NewSectionReader(d.in, d.begin, d.size)
	return nil
}

// open finds the catalogue, from the tables or by a search.
func (d *document) open() dict {
	if err := d.tables(); err != nil {
		d.facts.warn("%v", err)
	} else if root := d.root(); root != nil || d.locked() {
		return root
	}
	if d.err != nil {
		return nil
	}
	d.facts.Rebuilt = true
	d.search()
	return d.root()
}

// root returns the catalogue if the trailer names a valid one.
func (d *document) root() dict {
	d.unlock()
	root := d.dict(d.trailer["Root"])
	if root == nil || d.dict(root["Pages"]) == nil {
		return nil
	}
	return root
}

// locked reports whether the document needs a password.
func (d *document) locked() bool { return d.facts.Encryption != nil && !d.facts.Encryption.Opens }

func (f *Facts) warn(format string, args ...any) {
	if len(f.Warnings) < maxWarnings {
		f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
	}
}

// bytes reads n bytes. It returns nil if they are missing or exceed the allowed total.
func (d *document) bytes(at, n int64) []byte {
	if d.err != nil || at < 0 || n < 0 || n > d.size-at {
		return nil
	}
	if d.read += n; d.read > MaxRead {
		return nil
	}
	b := make([]byte, n)
	if got, err := d.in.ReadAt(b, at); got < len(b) {
		d.err = err
		return nil
	}
	return b
}
