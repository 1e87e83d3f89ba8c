package office

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/compound"
)

// ErrUnknown says that bytes are no document of these formats; ErrDamaged, that they begin as one
// and cannot be read.
var (
	ErrUnknown = errors.New("no document of Office, ODF or EPUB")
	ErrDamaged = errors.New("the document cannot be read")
)

// The bounds of what is read of one document.
const (
	maxDirectory = 4 << 20  // bytes of the file, until its list of entries is read
	maxPart      = 32 << 20 // bytes of one part, inflated
	maxInflated  = 96 << 20 // of all parts
	maxParts     = 2000     // slides, sheets, notes
	maxValue     = 4 << 10  // bytes of one value that is told
	maxWarnings  = 20
)

// Facts are what a document says.
type Facts struct {
	Kind       string   // document, spreadsheet, presentation, drawing
	Format     string   // OOXML, ODF, EPUB; Word 97, Word 6, Excel 97, Excel 5, PowerPoint 97
	Paragraphs []string // what is written in it, in its order; of a spreadsheet, what is text in its cells
	Cut        bool     // there is more than was asked for

	// As the document says of itself; "" where it does not.
	Title, Author, Subject, Keywords, Description, Language string
	Created, Modified                                       string // as they stand there: yyyy-mm-ddThh:mm:ssZ

	Warnings []string // what could not be read
}

// reader reads the parts of one document.
type reader struct {
	facts    *Facts
	parts    map[string]*zip.File
	room     int // bytes of text that are still wanted
	inflated int64
}

// Read reads a document of so many bytes, and at most so many bytes of its text. The error is
// ErrUnknown or ErrDamaged, or one of reading.
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
		if r.parts[name] == nil { // of two of one name, the first
			r.parts[name] = f
		}
	}
	if !r.ooxml() && !r.odf() && !r.epub() {
		return nil, ErrUnknown
	}
	return r.facts, guarded.err
}

// bounded reads so many bytes and no more, and keeps what went wrong.
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

// add adds a paragraph.
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
