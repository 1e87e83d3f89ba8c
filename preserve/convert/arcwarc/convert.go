package arcwarc

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"

	"quire/format/arc"
	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/internal/blockbuffer"
)

// Options configures Convert. Name, Software and Date are required: with the same values, the same
// ARC gives the same bytes.
type Options struct {
	Name     string    // of the ARC file, without folders
	Software string    // the converting software and its version, for the warcinfo
	Date     time.Time // of the conversion, as recorded; to the second

	// Size and SHA512 (hexadecimal) of the ARC file, if known before reading. The warcinfo then
	// states them, and a file that differs is an error. The summary at the end always has them.
	Size   int64
	SHA512 string

	// About has further fields of the warcinfo, such as the origin of the ARC file.
	About []warc.NameValue

	Plain   bool       // write without gzip
	Level   int        // of gzip, 1 to 9; 0 is gzipmember.DefaultLevel
	TempDir string     // for blocks too large for memory; "" is the system's folder
	CopyTo  io.Writer  // receives each byte of the ARC file, once and in order; may be nil
	Report  fault.Sink // receives the ARC's faults, in order; may be nil
}

// Report counts the converted records and bytes.
type Report struct {
	Records       int64            // of the ARC
	Types         map[string]int64 // records of the WARC, by WARC-Type
	Undated       int64            // captures without a valid date, kept as metadata
	Between       int64            // bytes between records, other than a single LF
	Source        Source           // the statements of the ARC about itself
	Size          int64            // of the ARC file
	SHA512        string           // of the ARC file
	InflatedSize  int64
	InflatedSHA   string // SHA-512 of the inflated ARC, which Restore writes
	Damaged       bool   // a member could not be fully inflated: the ARC file may hold more than was converted
	Faults        map[fault.Code]int64
	WrittenSize   int64 // of the WARC
	WrittenSHA512 string
}

// Source describes an ARC file as its version block states it.
type Source struct {
	Compression inflate.Compression
	Version     string    // "1.0", "1.1", "2.0"; "" if unreadable
	Software    string    // from the metadata of an ARC 1.1
	Created     time.Time // Archive-date of the version block; zero if missing or invalid
}

// Convert reads an ARC file, compressed or not, from its current position and writes a WARC file.
// It needs memory for one block of at most some MiB; a larger block waits in a temporary file until
// its digests are known. Faults of the ARC are reported, not repaired. An error is from reading,
// from writing, or about the options.
func Convert(ctx context.Context, file io.Reader, out io.Writer, o Options) (*Report, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	c := &conversion{
		o: o, sums: newSums(), inflated: sha512.New(), written: sha512.New(),
		report: &Report{Types: map[string]int64{}, Faults: map[fault.Code]int64{}},
		block:  blockbuffer.Buffer{Dir: o.TempDir}, between: blockbuffer.Buffer{Dir: o.TempDir},
	}
	defer func() { _, _ = c.block.Close(), c.between.Close() }() // temporary files, no longer needed
	w, err := warc.NewWriter(io.MultiWriter(out, c.written, (*counter)(&c.report.WrittenSize)),
		warc.WriterOptions{Compression: o.compression(), Level: o.Level})
	if err != nil {
		return nil, err
	}
	c.out = w
	if err := c.run(newTap(ctx, file, o.CopyTo)); err != nil {
		return nil, fmt.Errorf("converting %s: %w", o.Name, err)
	}
	c.report.WrittenSHA512 = hex.EncodeToString(c.written.Sum(nil))
	return c.report, nil
}

func (o *Options) compression() warc.Compression {
	if o.Plain {
		return warc.Plain
	}
	return warc.Gzip
}

func (o *Options) check() error {
	switch {
	case o.Name == "" || o.Software == "" || o.Date.IsZero():
		return errors.New("arcwarc: Options need Name, Software and Date")
	case strings.ContainsAny(o.Name+o.Software+o.SHA512, "\r\n"):
		return errors.New("arcwarc: a line end in Options.Name, Software or SHA512")
	}
	return nil
}

// conversion is the state of one Convert call.
type conversion struct {
	o        Options
	report   *Report
	out      *warc.Writer
	in       *inflate.Reader
	sums     *sums
	inflated hash.Hash // of the restored bytes
	written  hash.Hash
	warcinfo string // its WARC-Record-ID

	record    *arc.Record // its block is held until the bytes after it are known
	truncated bool        // its block ends before the stated length
	block     blockbuffer.Buffer
	between   blockbuffer.Buffer
	err       error // from holding the bytes between records
}

func (c *conversion) run(t *tap) error {
	c.in = inflate.NewReader(t.reader(), inflate.Options{Report: c.fault, Holds: arc.Sniff})
	r := arc.NewReader(c.in)
	r.Report = c.fault
	r.Between = func(b []byte) {
		if _, err := c.between.Write(b); err != nil && c.err == nil {
			c.err = err
		}
	}
	err := c.records(r)
	if closed := c.in.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if err := c.measure(t); err != nil {
		return err
	}
	c.report.Source.describe(c.in.Compression(), r.Version())
	return c.writeSummary()
}

// describe adds the compression and the contents of the version block, which may be nil.
func (s *Source) describe(compression inflate.Compression, v *arc.VersionBlock) {
	s.Compression = compression
	if v != nil {
		s.Version, s.Software = v.Version, v.Get("software")
	}
}

// records converts one record after the other. The bytes after a record are known when the next
// record is found.
func (c *conversion) records(r *arc.Reader) error {
	for {
		rec, err := r.Next()
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return err
		}
		if c.err != nil {
			return c.err
		}
		if c.warcinfo == "" {
			if err := c.writeWarcinfo(r.Version()); err != nil {
				return err
			}
		}
		if err := c.flush(); err != nil || ended {
			return err
		}
		if err := c.hold(rec); err != nil {
			return err
		}
	}
}

// hold reads the block of a record.
func (c *conversion) hold(rec *arc.Record) error {
	c.record, c.truncated = rec, false
	if rec.IsVersionBlock() && c.report.Source.Created.IsZero() {
		c.report.Source.Created, _ = rec.Time() // a bad date was reported
	}
	c.block.Cut(0)
	if _, err := rec.WriteTo(&c.block); err != nil {
		return err
	}
	c.block.Cut(rec.BlockSize()) // a record may have been found within bytes already read
	return nil
}

// flush writes the held record, and the bytes after it.
func (c *conversion) flush() error {
	separated := false
	if c.record != nil {
		separated = c.between.Size() <= maxSeparator
		if err := c.writeRecord(separated); err != nil {
			return err
		}
	}
	if !separated && c.between.Size() > 0 {
		if err := c.writeBetween(); err != nil {
			return err
		}
	}
	c.record = nil
	c.between.Cut(0)
	return nil
}

// measure computes size and digests at the end, and compares them with those in the options.
func (c *conversion) measure(t *tap) error {
	var err error
	if c.report.Size, c.report.SHA512, err = t.finish(); err != nil {
		return err
	}
	c.report.InflatedSHA = hex.EncodeToString(c.inflated.Sum(nil))
	switch {
	case c.o.Size > 0 && c.o.Size != c.report.Size:
		return fmt.Errorf("the file has %d bytes, not %d as stated", c.report.Size, c.o.Size)
	case c.o.SHA512 != "" && !strings.EqualFold(c.o.SHA512, c.report.SHA512):
		return fmt.Errorf("the SHA-512 of the file is %s, not %s as stated", c.report.SHA512, c.o.SHA512)
	}
	return nil
}

// fault receives the faults that the readers report.
func (c *conversion) fault(f fault.Fault) {
	c.report.Faults[f.Code]++
	if f.Code == arc.Truncated && c.record != nil && f.Offset == c.record.Offset {
		c.truncated = true
	}
	if c.in != nil && c.in.Compression() != inflate.None && losing(f.Code) {
		c.report.Damaged = true
	}
	c.o.Report.Add(f)
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
