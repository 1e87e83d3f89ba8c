package cdxj

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"quire/internal/extsort"
)

// Version is the newest version of the file format. Version 1 has no exact dates, flaws, framing and
// unlisted records. Version 2 has no segments; it is still written for a container without any, so that
// older programs can read it.
const (
	Version        = 3
	withoutSegment = 2
)

// Container identifies the container of an index.
type Container struct {
	Path   string // in the package
	Size   int64  // bytes
	SHA512 string // hex
}

// Header is the first line of a file. It follows the word "!meta", which makes readers of CDXJ skip
// it.
type Header struct {
	Format    string `json:"format"`
	Version   int    `json:"version"`
	Container string `json:"container"` // its path in the package
	Size      int64  `json:"size"`      // of the container, in bytes
	SHA512    string `json:"sha512"`    // of the container
	Lines     int64  `json:"lines"`     // including unlisted records and segments
	// Segments is the number of lines that are parts of segmented records. It is nil if an older quire
	// wrote the file: the container may then have segments without a line.
	Segments *int64 `json:"segments,omitempty"`
	// captures without a line, or with an incomplete one, by reason
	Left map[string]int64 `json:"leftOut,omitempty"`
}

const (
	format   = "Quire capture lines"
	metaWord = "!meta "

	// unlistedWord begins the lines of unlisted records. They sort before all keys, and readers of
	// CDXJ treat them as comments, like the first line.
	unlistedWord = "!unlisted "
	segmentWord  = "!segment " // begins the lines of segments, which sort before those
	noTimestamp  = "-"         // of those without a date
)

// maxLine bounds a line, in bytes: a URL, its redirect target and the URL it refers to, each with
// all its bytes escaped.
const maxLine = 1 << 20

// maxHeader bounds the first line.
const maxHeader = 64 << 10

// sortMemory is the memory for sorting, in bytes.
const sortMemory = 8 << 20

// Write writes the lines of the last pass, for the container of. They are sorted by key and time,
// and then in the order of the records.
func (m *Maker) Write(w io.Writer, of Container) (*Header, error) {
	h := &Header{Format: format, Version: withoutSegment, Segments: &m.segments, Container: of.Path,
		Size: of.Size, SHA512: of.SHA512, Lines: m.lines, Left: m.Left()}
	if m.segments > 0 {
		h.Version = Version
	}
	s := extsort.New(extsort.Options{Memory: sortMemory, Dir: m.dir})
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err == nil {
		err = m.write(z, s, h)
	}
	return h, errors.Join(err, s.Close())
}

func (m *Maker) write(z *gzip.Writer, s *extsort.Sorter, h *Header) error {
	var b bytes.Buffer
	err := m.Each(func(l *Line) error {
		at := l.Key + " " + cmp.Or(l.Timestamp, noTimestamp) + " "
		switch {
		case l.Segment > 0:
			at = segmentWord + at
		case l.Unlisted:
			at = unlistedWord + at
		}
		b.Reset()
		if err := encode(&b, objectOf(l, h.Container)); err != nil {
			return err
		}
		return s.Add([]byte(at), b.Bytes())
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(z, 64<<10)
	b.Reset()
	b.WriteString(metaWord)
	if err := encode(&b, h); err != nil {
		return err
	}
	_, _ = out.Write(b.Bytes()) // Flush has its error
	err = s.Each(func(key, object []byte) error {
		_, _ = out.Write(key)
		_, err := out.Write(object)
		return err
	})
	return errors.Join(err, out.Flush(), z.Close())
}

// UnusableError reports why an index must not be used. The container has to be read instead.
type UnusableError struct {
	Why   string
	Later bool // it is of a later version, and not necessarily wrong
}

// Error implements error.
func (e *UnusableError) Error() string { return "the CDXJ index cannot be used: " + e.Why }

func unusable(form string, args ...any) error { return &UnusableError{Why: fmt.Sprintf(form, args...)} }

// Read reads an index if it belongs to the container. An *[UnusableError] states the problem; lines
// visited before it must be discarded. The visitor may keep the line; its error stops the reading.
//
// Read does not check the digest of the file itself: that is left to callers with a known digest.
func Read(r io.Reader, of Container, visit func(*Line) error) (*Header, error) {
	return readFile(r, &of, visit)
}

// Check reads an index of any container, and visits its lines. They must be discarded if there is an
// error.
func Check(r io.Reader, visit func(*Line) error) (*Header, error) {
	return readFile(r, nil, visit)
}

// WithoutLine reports whether captures that were left out for a reason have no line at all. Others
// have an incomplete or an unlisted line.
func (h *Header) WithoutLine(why string) bool {
	return why == LeftCut || why == LeftSegment || why == LeftLong || h.Version == 1 && slices.Contains(unlisted, why)
}

// readFile reads the lines of a container; nil is the container that the file names.
func readFile(r io.Reader, of *Container, visit func(*Line) error) (*Header, error) {
	broken := &brokenReader{r: r}
	z, err := gzip.NewReader(bufio.NewReader(broken))
	if err != nil {
		return nil, broken.or(err)
	}
	defer func() { _ = z.Close() }() // it was only read
	in := bufio.NewReaderSize(z, 64<<10)
	h, err := readHeader(in)
	if err == nil && of != nil {
		err = h.compare(of)
	}
	if err != nil {
		return nil, broken.or(err)
	}
	is := Container{Path: h.Container, Size: h.Size, SHA512: h.SHA512}
	var line, last []byte
	segments := int64(0)
	for n := int64(0); ; n++ {
		line, err = readLine(in, line[:0], maxLine)
		switch {
		case errors.Is(err, io.EOF) && n == h.Lines:
			if h.Segments != nil && *h.Segments != segments {
				return nil, unusable("its first line counts %d segments, but it has %d", *h.Segments, segments)
			}
			return h, nil
		case errors.Is(err, io.EOF) || err == nil && n == h.Lines:
			return nil, unusable("its first line counts %d lines, but the file has a different number", h.Lines)
		case err != nil:
			return nil, broken.or(err)
		}
		l, err := parseLine(line, &is, h.Version)
		if err != nil {
			return nil, unusable("line %d: %v", n+2, err)
		}
		at := sortsBy(line)
		if bytes.Compare(at, last) < 0 {
			return nil, unusable("line %d is out of order", n+2)
		}
		last = append(last[:0], at...)
		if l.Segment > 0 {
			segments++
		}
		if err := visit(l); err != nil {
			return nil, err
		}
	}
}

// sortsBy returns the sort key of a line: all bytes before its JSON object. A key may contain a
// brace, too.
func sortsBy(line []byte) []byte {
	word := 0
	for _, w := range []string{unlistedWord, segmentWord} {
		if bytes.HasPrefix(line, []byte(w)) {
			word = len(w)
		}
	}
	text := line[word:]
	key := bytes.IndexByte(text, ' ') + 1
	return line[:word+key+bytes.IndexByte(text[key:], ' ')+1]
}

// brokenReader distinguishes a disk error from invalid bytes.
type brokenReader struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (b *brokenReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err
}

func (b *brokenReader) or(err error) error {
	if b.err != nil {
		return b.err
	}
	if errors.As(err, new(*UnusableError)) {
		return err
	}
	return unusable("%v", err)
}

func readHeader(in *bufio.Reader) (*Header, error) {
	line, err := readLine(in, nil, maxHeader)
	if err != nil {
		return nil, err
	}
	text, ok := bytes.CutPrefix(line, []byte(metaWord))
	var h Header
	if !ok || json.Unmarshal(text, &h) != nil || h.Format != format {
		return nil, unusable("its first line is not a header")
	}
	switch {
	case h.Version < 1 || h.Version > Version:
		return nil, &UnusableError{Why: fmt.Sprintf("it is of version %d, but this quire reads versions "+
			"1 to %d", h.Version,
			Version), Later: h.Version > Version}
	case h.Lines < 0 || h.Segments != nil && *h.Segments < 0:
		return nil, unusable("it states %d lines", h.Lines)
	}
	for why, n := range h.Left {
		if n < 1 || !slices.Contains(reasons, why) {
			return nil, unusable("it omitted %d for the unknown reason %.100q", n, why)
		}
	}
	return &h, nil
}

// compare compares the header with the container.
func (h *Header) compare(of *Container) error {
	if h.Container != of.Path || h.Size != of.Size || !strings.EqualFold(h.SHA512, of.SHA512) || of.SHA512 == "" {
		return unusable("it is of another container: %.200q of %d bytes, SHA-512 %.200s", h.Container, h.Size, h.SHA512)
	}
	return nil
}

// readLine reads a line without its line break. It returns io.EOF after the last line.
func readLine(in *bufio.Reader, line []byte, most int) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > most:
			return nil, unusable("a line has more than %d bytes", most)
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		default:
			return line[:len(line)-1], nil
		}
	}
}
