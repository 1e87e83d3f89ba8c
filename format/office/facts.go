package office

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/compound"
)

// ErrUnknown means that the bytes are not a document of these formats. ErrDamaged means that they
// begin as one but cannot be read.
var (
	ErrUnknown = errors.New("not a document of Office, ODF or EPUB")
	ErrDamaged = errors.New("the document cannot be read")
)

// The bounds for one document.
const (
	maxDirectory = 4 << 20  // bytes of the file, until its list of entries is read
	maxPart      = 32 << 20 // bytes of one part, inflated
	maxInflated  = 96 << 20 // of all parts
	maxParts     = 2000     // slides, sheets, notes
	maxValue     = 4 << 10  // bytes of one value that are returned
	maxWarnings  = 20
)

// Facts is the text and metadata of a document.
type Facts struct {
	Kind       string   // document, spreadsheet, presentation, drawing
	Format     string   // OOXML, ODF, EPUB; Word 97, Word 6, Excel 97, Excel 5, PowerPoint 97
	Paragraphs []string // the text, in order; of a spreadsheet, the cells with text
	Cut        bool     // the text is longer than requested

	// The document's own metadata; "" if missing.
	Title, Author, Subject, Keywords, Description, Language string
	Created, Modified                                       string // as found: yyyy-mm-ddThh:mm:ssZ

	Warnings []string // parts that could not be read
}

// reader reads the parts of one document.
type reader struct {
	facts    *Facts
	parts    map[string]*zip.File
	room     int // bytes of text still wanted
	inflated int64
}

// Read reads a document of size bytes and returns up to most bytes of its text. The error is
// ErrUnknown, ErrDamaged or a read error.
func Read(in io.ReaderAt, size int64, most int) (*Facts, error) {
	head := make([]byte, 4)
	if n, err := in.ReadAt(head, 0); n < len(head) {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, ErrUnknown
	}
	r := &reader{facts: &Facts{}, parts: map[string]*zip.File{}, room: most}
	if string(head) == compound.Signature[:len(head)] {
		err := r.binary(in, size)
		if err != nil {
			return nil, err
		}
		return r.facts, nil
	}
	if string(head) != "PK\x03\x04" {
		return nil, ErrUnknown
	}
	guarded := &bounded{in: in, left: maxDirectory}
	z, err := zip.NewReader(guarded, size)
	if guarded.err != nil {
		return nil, guarded.err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	guarded.left = 1 << 62
	for _, f := range z.File {
		name := strings.TrimPrefix(f.Name, "/")
		if r.parts[name] == nil { // of two with one name, the first
			r.parts[name] = f
		}
	}
	if !r.ooxml() && !r.odf() && !r.epub() {
		return nil, ErrUnknown
	}
	return r.facts, guarded.err
}

// bounded reads up to a limit and keeps the error.
type bounded struct {
	in   io.ReaderAt
	left int64
	err  error
}

func (b *bounded) ReadAt(p []byte, at int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errors.New("its list of entries is too long")
	}
	n, err := b.in.ReadAt(p, at)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err
}

func (f *Facts) warn(format string, args ...any) {
	if len(f.Warnings) < maxWarnings {
		f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
	}
}

// add appends a paragraph.
func (r *reader) add(s string) {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if s == "" {
		return
	}
	if len(s) > r.room {
		r.facts.Cut = true
		s = strings.ToValidUTF8(s[:r.room], "")
	}
	if r.room -= len(s); s != "" {
		r.facts.Paragraphs = append(r.facts.Paragraphs, s)
	}
}
