package arc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"quire/format/recordfile"
	"quire/internal/blockbuffer"
)

// WriterOptions are the options of a Writer. NewWriter requires Name; the rest has defaults.
type WriterOptions struct {
	Name     string    // of the file, for filedesc://
	Date     time.Time // of the version block; default now
	Origin   string    // origin-code; default "Quire"
	IP       string    // of the crawler; default 0.0.0.0
	Metadata []byte    // XML document (arc.xsd); without it the version is 1.0

	Compression Compression // Gzip writes a member per record; "" is plain, or with Create as the name shows
	Level       int         // of the compression; 0 is its default
	Scratch     string      // folder for blocks of unknown length; "" is where temporary files go
}

// Writer writes ARC 1.1. It writes ARC 1.0 if there is no metadata.
//
// If a record cannot be written completely, Writer removes the written part, provided that the
// output can be truncated, as an *os.File can. Every later call then fails with the same error, a
// *recordfile.Fail. The error states where the last complete record ends.
type Writer struct {
	out   *recordfile.Writer
	open  bool // the version block is written
	o     WriterOptions
	block blockbuffer.Buffer // of unknown length
}

// NewWriter returns a Writer. The version block is written with the first record, or at Close.
func NewWriter(w io.Writer, o WriterOptions) (*Writer, error) {
	out, err := recordfile.NewWriter(w, recordfile.Options{Compression: o.Compression, Level: o.Level})
	if err != nil {
		return nil, err
	}
	return newWriter(out, o)
}

// Create makes the file of that path, compressed as o or the ending of the path says. Name in o may
// be left out. Until Close the name of the file ends in .open; then it is synced and renamed. It
// fails with fs.ErrExist where a file of either name is there.
func Create(path string, o WriterOptions) (*Writer, error) {
	out, err := recordfile.Create(path, recordfile.Options{Compression: o.Compression, Level: o.Level})
	if err != nil {
		return nil, err
	}
	o.Name = cmp.Or(o.Name, filepath.Base(path))
	w, err := newWriter(out, o)
	if err != nil {
		return nil, errors.Join(err, out.Discard())
	}
	return w, nil
}

func newWriter(out *recordfile.Writer, o WriterOptions) (*Writer, error) {
	o.Origin, o.IP = cmp.Or(o.Origin, "Quire"), cmp.Or(o.IP, "0.0.0.0")
	if o.Date.IsZero() {
		o.Date = time.Now()
	}
	w := &Writer{out: out, o: o, block: blockbuffer.Buffer{Dir: o.Scratch}}
	h, _ := w.version()
	if err := w.checkOptions(&h); err != nil {
		return nil, err
	}
	return w, nil
}

// Offset returns where the last whole record ends: there the next begins, once the first is
// written.
func (w *Writer) Offset() int64 { return w.out.Offset() }

// WriteRecord writes a record with h.BlockLength octets of block, which have to be all there is. A
// negative length is unknown: the block is then read to its end before anything is written. Text
// that the format cannot carry (spaces outside the URL, line ends, a date that is not 14 digits) and
// a second version block are refused before anything is written, too.
func (w *Writer) WriteRecord(h Header, block io.Reader) error {
	if err := w.out.Err(); err != nil {
		return err
	}
	if h.BlockLength < 0 {
		w.block.Cut(0)
		if _, err := io.Copy(&w.block, block); err != nil {
			return fmt.Errorf("arc: reading the block of %s: %w", quote(h.URL), err)
		}
		h.BlockLength, block = w.block.Size(), w.block.Reader()
	}
	if err := writable(&h); err != nil {
		return err
	}
	switch {
	case isFiledesc(h.URL):
		return fmt.Errorf("arc: %s is a version block, which the Writer itself writes", quote(h.URL))
	case strings.Contains(h.ContentType, " "):
		return fmt.Errorf("arc: the content type %s of %s has a space", quote(h.ContentType), quote(h.URL))
	}
	if err := w.start(); err != nil {
		return err
	}
	return w.write(h, block)
}

// Close writes the version block of an empty file, ends the file, and gives one that Create made
// its name. After an error that file keeps its unfinished name, and its whole records; Close
// returns the error. The output of NewWriter stays open.
func (w *Writer) Close() error {
	_ = w.start() // Close of the file returns the error again
	return errors.Join(w.out.Close(), w.block.Close())
}

// Discard removes the file that Create made, unless it is closed. Later calls fail.
func (w *Writer) Discard() error { return errors.Join(w.out.Discard(), w.block.Close()) }

// start writes the version block, once.
func (w *Writer) start() error {
	if w.open || w.out.Err() != nil {
		return nil //nolint:nilerr // an earlier error is reported by the call that met it, and by Close
	}
	w.open = true
	h, block := w.version()
	return w.write(h, strings.NewReader(block))
}

// version returns the version block.
func (w *Writer) version() (h Header, block string) {
	version := "1 0 "
	if w.o.Metadata != nil {
		version = "1 1 "
	}
	block = version + w.o.Origin + "\n" + definition1 + "\n" + string(w.o.Metadata)
	h = Header{URL: "filedesc://" + w.o.Name, IP: w.o.IP, Date: w.o.Date.UTC().Format("20060102150405"),
		ContentType: "text/plain", BlockLength: int64(len(block))}
	return h, block
}

func (w *Writer) checkOptions(h *Header) error {
	switch {
	case w.o.Name == "":
		return errors.New("arc: WriterOptions.Name is empty; set it to the file's name")
	case strings.ContainsAny(w.o.Origin, "\r\n"):
		return fmt.Errorf("arc: origin-code %s holds a line end", quote(w.o.Origin))
	case w.o.Metadata != nil && !bytes.HasPrefix(w.o.Metadata, []byte("<")):
		return errors.New("arc: WriterOptions.Metadata is not XML; it must begin with <")
	}
	return writable(h)
}

// writable returns an error if the header could not be read back unchanged.
func writable(h *Header) error {
	p, ok := parseHeader(h.line())
	t, _ := h.Time()
	switch {
	case h.V2:
		return errors.New("arc: records of version 2 are not written; leave V2 false")
	case len(h.Date) != 14 || t.IsZero():
		return fmt.Errorf("arc: date %s of %s is not YYYYMMDDhhmmss", quote(h.Date), quote(h.URL))
	case !isIP(h.IP):
		return fmt.Errorf("arc: %s of %s is not an IP address; use 0.0.0.0 if it is unknown", quote(h.IP),
			quote(h.URL))
	case !hasScheme(h.URL) || strings.ContainsAny(h.line(), "\r\n"):
		return fmt.Errorf("arc: a URL-record line cannot carry %s %s", quote(h.URL), quote(h.ContentType))
	case !ok || p.Header != *h || len(h.line()) >= MaxLine:
		return fmt.Errorf("arc: the URL-record line of %s could not be read back; escape its spaces", quote(h.URL))
	}
	return nil
}

// write writes one record with its newline.
func (w *Writer) write(h Header, block io.Reader) error {
	_, _, err := w.out.Record(func(out io.Writer) error {
		if err := writeRecord(out, h, block); err != nil {
			return fmt.Errorf("arc: writing %s: %w", quote(h.URL), err)
		}
		return nil
	})
	return err
}

func writeRecord(out io.Writer, h Header, block io.Reader) error {
	if _, err := io.WriteString(out, h.line()+"\n"); err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(block, h.BlockLength))
	if err == nil && n < h.BlockLength {
		err = fmt.Errorf("the block has %d bytes, not %d: %w", n, h.BlockLength, io.ErrUnexpectedEOF)
	}
	if err == nil {
		err = nothingLeft(block)
	}
	if err == nil {
		_, err = io.WriteString(out, "\n")
	}
	return err
}

// nothingLeft returns an error if a block continues after its length.
func nothingLeft(block io.Reader) error {
	n, err := io.CopyN(io.Discard, block, 1)
	if n > 0 {
		return errors.New("the block is longer than BlockLength")
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

var _ io.Closer = (*Writer)(nil)
