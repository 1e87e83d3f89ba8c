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
	"quire/internal/warcbuild"
	"quire/model"
	"quire/preserve/convert/relink"
	"quire/source"
)

// Options of Convert. Name, Software and Date are needed: with the same, the same mirror becomes
// the same bytes again.
type Options struct {
	Name     string    // of the mirror, as the WARC is to call it
	Software string    // what converts, with its version
	Date     time.Time // of the conversion, as it is to be recorded; to the second

	// KeptHeadsOnly leaves redirects and errors whose head nobody kept without a response record:
	// what is known of them is in their metadata record alone. Otherwise a head is made of what the
	// witnesses tell, and marked.
	KeptHeadsOnly bool

	Plain    bool                // write no gzip members
	Level    int                 // of gzip, 1 to 9; 0 is gzipmember.DefaultLevel
	TempDir  string              // for blocks that are too large for memory; "" is where temporary files go
	Tell     func(Entry) error   // told what became of each URL and each file; may be nil
	Find     func(model.Finding) // told what is odd; may be nil
	Progress func(bytes int64)   // told of bytes that were read; may be nil

	turn turner // nil is that of preserve/convert/relink
}

// Convert writes a WARC file with what is left of each URL. It needs memory for one block of at
// most some MiB, and a little for the name of each file; a larger block waits in a temporary file
// until its digests are known. What cannot be read is a finding; an error is one of writing, of the
// options, or of the mirror as a whole.
func Convert(ctx context.Context, m source.Mirror, out io.Writer, o Options) (*Report, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	c := newConversion(ctx, m, o)
	defer func() {
		_, _ = c.body.Close(), c.turned.Close() // temporary files, of which nothing is wanted any more
		c.decoder.Stop()
	}()
	w, err := warc.NewWriter(io.MultiWriter(out, c.written, (*counter)(&c.report.WrittenSize)),
		warc.WriterOptions{Gzip: !o.Plain, Level: o.Level})
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

func (o *Options) check() error {
	switch {
	case o.Name == "" || o.Software == "" || o.Date.IsZero():
		return errors.New("mirror: Options need Name, Software and Date")
	case strings.ContainsAny(o.Name+o.Software, "\r\n"):
		return errors.New("mirror: a line end in Options.Name or Software")
	}
	return nil
}

// conversion is the state of one Convert.
type conversion struct {
	ctx      context.Context
	o        Options
	mirror   source.Mirror
	about    *model.Harvest
	report   *Report
	out      *warc.Writer
	written  hash.Hash
	warcinfo string // its WARC-Record-ID
	count    int64  // of records written, which is their place

	files   files
	links   links
	body    warcbuild.Held // of the present resource
	turned  warcbuild.Held // the same with its links turned back
	decoder *httpcoding.Decoder
}

func newConversion(ctx context.Context, m source.Mirror, o Options) *conversion {
	if o.turn == nil {
		o.turn = relink.Rewrite
	}
	about := m.About()
	return &conversion{
		ctx: ctx, o: o, mirror: m, about: about, written: sha512.New(), files: newFiles(about.Files),
		decoder: httpcoding.NewDecoder(),
		body:    warcbuild.Held{Dir: o.TempDir}, turned: warcbuild.Held{Dir: o.TempDir}, report: newReport(),
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

// find takes a finding.
func (c *conversion) find(f model.Finding) {
	c.report.Findings[f.Code]++
	if f.Severity == model.Error {
		c.report.Errors++
	}
	if c.o.Find != nil {
		c.o.Find(f)
	}
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
