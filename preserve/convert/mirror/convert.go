package mirror

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

	"quire/format/httpcoding"
	"quire/format/warc"
	"quire/internal/blockbuffer"
	"quire/model"
	"quire/preserve/convert/relink"
	"quire/source"
)

// Options configures Convert. Name, Software and Date are required: with the same values, the same
// mirror gives the same bytes.
type Options struct {
	Name     string    // name of the mirror in the WARC
	Software string    // the converting software, with its version
	Date     time.Time // of the conversion, as recorded; to the second

	// KeptHeadsOnly writes no response record for redirects and errors without a stored head; only
	// their metadata record holds the known facts. Otherwise a head is reconstructed from the
	// sources, and marked.
	KeptHeadsOnly bool

	Plain    bool                // write without gzip
	Level    int                 // of gzip, 1 to 9; 0 is gzipmember.DefaultLevel
	TempDir  string              // for blocks too large for memory; "" is the system's folder
	Tell     func(Entry) error   // receives the result for each URL and file; may be nil
	Find     func(model.Finding) // receives findings; may be nil
	Progress func(bytes int64)   // receives the number of bytes read; may be nil

	turn turner // nil means preserve/convert/relink
}

// Convert writes a WARC file with the remaining content of each URL. It needs memory for one block
// of at most some MiB, and a little for the name of each file. A larger block waits in a temporary
// file until its digests are known. Unreadable content is a finding. An error is from writing,
// about the options, or about the mirror as a whole.
func Convert(ctx context.Context, m source.Mirror, out io.Writer, o Options) (*Report, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	c := newConversion(ctx, m, o)
	defer func() {
		_, _ = c.body.Close(), c.turned.Close() // temporary files, no longer needed
		c.decoder.Stop()
	}()
	w, err := warc.NewWriter(io.MultiWriter(out, c.written, (*counter)(&c.report.WrittenSize)),
		warc.WriterOptions{Compression: o.compression(), Level: o.Level})
	if err != nil {
		return nil, err
	}
	c.out = w
	if err := c.run(); err != nil {
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
		return errors.New("mirror: Options need Name, Software and Date")
	case strings.ContainsAny(o.Name+o.Software, "\r\n"):
		return errors.New("mirror: a line end in Options.Name or Software")
	}
	return nil
}

// conversion is the state of one Convert call.
type conversion struct {
	ctx      context.Context
	o        Options
	mirror   source.Mirror
	about    *model.Harvest
	report   *Report
	out      *warc.Writer
	written  hash.Hash
	warcinfo string // its WARC-Record-ID
	count    int64  // records written; the position of the next

	files   files
	links   links
	body    blockbuffer.Buffer // of the current resource
	turned  blockbuffer.Buffer // the body with restored links
	decoder *httpcoding.Decoder
	copy    []byte // the buffer of sum; nil until it is needed
}

func newConversion(ctx context.Context, m source.Mirror, o Options) *conversion {
	if o.turn == nil {
		o.turn = relink.Rewrite
	}
	about := m.About()
	return &conversion{
		ctx: ctx, o: o, mirror: m, about: about, written: sha512.New(), files: newFiles(about.Files),
		decoder: httpcoding.NewDecoder(),
		body:    blockbuffer.Buffer{Dir: o.TempDir}, turned: blockbuffer.Buffer{Dir: o.TempDir}, report: newReport(),
	}
}

func (c *conversion) run() error {
	if err := c.writeWarcinfo(); err != nil {
		return err
	}
	if err := c.collectLinks(); err != nil {
		return err
	}
	for r, err := range c.mirror.Resources(c.ctx, c.find) {
		if err == nil {
			err = c.ctx.Err()
		}
		if err == nil {
			err = c.resource(r)
		}
		if err != nil {
			return err
		}
	}
	return c.restOfFiles()
}

// find adds a finding.
func (c *conversion) find(f model.Finding) {
	c.report.Findings[f.Code]++
	if f.Severity == model.Error {
		c.report.Errors++
	}
	if c.o.Find != nil {
		c.o.Find(f)
	}
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
