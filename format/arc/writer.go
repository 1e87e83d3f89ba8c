package arc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// WriterOptions are the options of a Writer. Name is required, the rest has defaults.
type WriterOptions struct {
	Name     string    // of the file, for filedesc://
	Date     time.Time // of the version block
	Origin   string    // origin-code; default "Quire"
	IP       string    // of the crawler; default 0.0.0.0
	Metadata []byte    // XML document (arc.xsd); without it the version is 1.0
	Gzip     bool      // one gzip member per record
}

// Writer writes ARC 1.1, or 1.0 if there is no metadata. After an error every call fails with the
// same error. The file is then broken and must be written again.
type Writer struct {
	out  counter
	gzip *gzip.Writer
	open bool // the version block is written
	o    WriterOptions
	err  error
}

// NewWriter returns a Writer. The version block is written with the first record, or at Close.
func NewWriter(w io.Writer, o WriterOptions) *Writer {
	if o.Origin == "" {
		o.Origin = "Quire"
	}
	if o.IP == "" {
		o.IP = "0.0.0.0"
	}
	aw := &Writer{out: counter{w: w}, o: o}
	if o.Gzip {
		aw.gzip = gzip.NewWriter(&aw.out)
	}
	return aw
}

// Offset returns the number of bytes written. After the first record this is the offset of the
// next.
func (w *Writer) Offset() int64 { return w.out.n }

// WriteRecord writes a record. The block must have exactly h.BlockLength octets. Text that the
// format cannot carry is refused before anything is written: spaces outside the URL, line ends, a
// date that is not 14 digits.
func (w *Writer) WriteRecord(h Header, block io.Reader) error {
	if w.err != nil {
		return w.err
	}
	if err := writable(&h); err != nil {
		return err
	}
	if err := w.start(); err != nil {
		return err
	}
	return w.stick(w.write(h, block))
}

// Close ends the file; if it has no records, Close writes the version block first. It does not
// close the underlying writer.
func (w *Writer) Close() error {
	if errors.Is(w.err, errClosed) {
		return nil
	}
	if err := w.start(); err != nil {
		return err
	}
	w.err = errClosed
	return nil
}

var errClosed = errors.New("arc: the writer is closed")

func (w *Writer) stick(err error) error {
	if err != nil && w.err == nil {
		w.err = err
	}
	return err
}

// start writes the version block, once.
func (w *Writer) start() error {
	if w.err != nil || w.open {
		return w.err
	}
	w.open = true
	version := "1 0 "
	if w.o.Metadata != nil {
		version = "1 1 "
	}
	block := version + w.o.Origin + "\n" + definition1 + "\n" + string(w.o.Metadata)
	h := Header{URL: "filedesc://" + w.o.Name, IP: w.o.IP, Date: w.o.Date.UTC().Format("20060102150405"),
		ContentType: "text/plain", BlockLength: int64(len(block))}
	if err := w.checkOptions(&h); err != nil {
		return w.stick(err)
	}
	return w.stick(w.write(h, strings.NewReader(block)))
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
	case h.BlockLength < 0:
		return fmt.Errorf("arc: BlockLength of %s is negative", quote(h.URL))
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

// write writes one record with its newline, in its own gzip member if the options request that.
func (w *Writer) write(h Header, block io.Reader) error {
	var out io.Writer = &w.out
	if w.gzip != nil {
		w.gzip.Reset(&w.out)
		out = w.gzip
	}
	if _, err := io.WriteString(out, h.line()+"\n"); err != nil {
		return fmt.Errorf("arc: writing %s: %w", quote(h.URL), err)
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
	if err == nil && w.gzip != nil {
		err = w.gzip.Close()
	}
	if err != nil {
		return fmt.Errorf("arc: writing %s: %w", quote(h.URL), err)
	}
	return nil
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

// counter counts the bytes written through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

var _ io.Closer = (*Writer)(nil)
