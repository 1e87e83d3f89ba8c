package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrNotPDF says that bytes are no PDF; ErrDamaged, that they begin as one, and have nothing more
// of it that can be read.
var (
	ErrNotPDF  = errors.New("not a PDF")
	ErrDamaged = errors.New("the PDF cannot be read")
)

// The bounds of what is read of one document, in bytes where nothing else is said.
const (
	MaxRead = 64 << 20 // read of the file to find objects, beside a search for them
	// searched for objects where the tables are damaged: half of it at the beginning, half at the
	// end
	MaxSearched = 64 << 20
	MaxInflated = 48 << 20 // inflated, of all streams together
	maxStream   = 16 << 20 // inflated, of one stream
	maxXMP      = 1 << 20
	maxSections = 500       // of the cross-reference tables
	maxLookups  = 5_000     // objects that are looked up
	maxPairs    = 5_000_000 // entries of object streams that are looked at
	maxFound    = 100_000   // objects that a search keeps
	maxWarnings = 20
	maxValue    = 4 << 10 // of one text that is told
)

// Facts are what a document says of itself.
type Facts struct {
	Version    string // "1.7": that of the catalogue where it is later than the one of the header
	Header     string // the version in the header
	Pages      int64  // by the page tree; -1 where it does not tell
	PageSize   *Size  // of the first page; nil where it cannot be found
	Linearized bool   // for reading page by page over a network, and not changed since
	Tagged     bool
	Form       string      // "AcroForm", "XFA", or "" where there is none
	Language   string      // of the catalogue
	Encryption *Encryption // nil where it is not encrypted

	// From the document information dictionary; "" where it has none.
	Title, Author, Subject, Keywords, Creator, Producer string
	Created, Modified                                   string // as RFC 3339, or as it stands there where it is no date

	Claims  []string // standards that it claims to conform to: "PDF/A-2b", "PDF/UA-1", "PDF/X-4"
	XMP     int64    // bytes of the document's XMP
	Rebuilt bool     // the tables were damaged: the objects were searched for

	Warnings []string // what is wrong with the structure, or was not read
}

// Size is that of a page as it is shown, before it is turned.
type Size struct {
	Width, Height float64 // in points: 1/72 inch
	Rotate        int64   // degrees clockwise: 0, 90, 180, 270
}

// Encryption says how a document is encrypted.
type Encryption struct {
	Filter  string // "Standard"
	Version int64  // V of the dictionary: 1, 2 RC4; 4 RC4 or AES; 5 AES-256
	Bits    int64  // of the key
	Opens   bool   // without a password
}

// document is a PDF that is read.
type document struct {
	in      io.ReaderAt
	size    int64 // from the header on
	err     error // of reading
	facts   *Facts
	trailer dict

	sections []section        // of the cross-reference tables, the latest first
	found    map[int64]place  // where a search found objects
	streams  map[int64][]byte // object streams that were inflated
	crypt    *crypt           // nil where nothing is to be decrypted
	begin    int64            // where the header stands in the file

	read, inflated int64
	lookups, pairs int
	mostLookups    int
	first          int64 // offset of the first cross-reference section
}

// Read reads a document of so many bytes. The error is ErrNotPDF or ErrDamaged, or one of reading.
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
		d.facts.warn("it is encrypted with a password: only the outside is told")
		return d.facts, nil
	}
	if root == nil {
		return nil, fmt.Errorf("%w: it begins as PDF %s, and no catalogue was found", ErrDamaged, d.facts.Header)
	}
	d.linearized()
	d.catalogue(root)
	d.information()
	if d.err != nil {
		return nil, d.err
	}
	return d.facts, nil
}

// header finds the header, which may stand behind other bytes: all places are counted from it.
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
		d.facts.warn("%d bytes stand before the header", at)
	}
	d.begin, d.size = int64(at), d.size-int64(at)
	d.in = io.NewSectionReader(d.in, d.begin, d.size)
	return nil
}

// open finds the catalogue, by the tables or by a search.
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

// root is the catalogue, when it is one.
func (d *document) root() dict {
	d.unlock()
	root := d.dict(d.trailer["Root"])
	if root == nil || d.dict(root["Pages"]) == nil {
		return nil
	}
	return root
}

// locked says that it is encrypted, and does not open without a password.
func (d *document) locked() bool { return d.facts.Encryption != nil && !d.facts.Encryption.Opens }

func (f *Facts) warn(format string, args ...any) {
	if len(f.Warnings) < maxWarnings {
		f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
	}
}

// bytes reads; nil when the bytes are not there, or more was read than is allowed.
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
