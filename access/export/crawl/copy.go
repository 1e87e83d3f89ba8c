package crawl

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"quire/format/http1"
	"quire/format/inflate"
	"quire/format/surt"
	"quire/format/warc"
	"quire/internal/warcbuild"
)

// errDamaged reports that a record is incomplete in its container.
var errDamaged = errors.New("the record is incomplete in its container")

// held is the position of a record that may be read again.
type held struct {
	from     int64 // offset in the file at which to start reading
	base     int64 // inflated offset of from
	inflated int64 // inflated offset of the record
}

// hold notes the position of the current record, before its block is read.
func (c *container) hold(rec *warc.Record) (held, error) {
	h := held{from: rec.Offset, base: rec.InflatedOffset, inflated: rec.InflatedOffset}
	if c.in.Compression() == inflate.None {
		return h, nil
	}
	at, err := c.in.Position()
	switch {
	case errors.Is(err, io.EOF), err == nil && at.File != rec.Offset, c.in.Compression() == inflate.Zstd:
		h.from, h.base = 0, 0 // the header continues in another member, or frames need the dictionary at the beginning
		return h, nil
	case err != nil:
		return h, err
	}
	h.base = at.Inflated - at.Within
	return h, nil
}

// again reads a record a second time.
func (c *container) again(h held, visit func(*warc.Record) error) error {
	in := inflate.NewReader(io.NewSectionReader(c.stored, h.from, c.file.Size-h.from), inflate.Options{})
	defer func() { _ = in.Close() }() // only read
	r := warc.NewReader(in)
	for {
		rec, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return errDamaged
		case err != nil:
			return err
		case rec.InflatedOffset+h.base == h.inflated:
			return visit(rec)
		case rec.InflatedOffset+h.base > h.inflated:
			return errDamaged
		}
	}
}

// copy copies a record: as stored, if it is alone in its gzip member.
func (c *container) copy(rec *warc.Record) (spot, error) {
	c.counts.records++
	h, err := c.hold(rec)
	if err != nil {
		return spot{}, err
	}
	var begin []byte
	if c.sent != nil && strings.EqualFold(rec.Type(), warc.TypeRequest) {
		begin = make([]byte, len("GET "))
		n, _ := io.ReadFull(rec, begin) // a short read is detected below
		if begin = begin[:n]; !bytes.EqualFold(begin, []byte("GET ")) {
			if err := c.again(h, c.request); err != nil && !errors.Is(err, errDamaged) {
				return spot{}, err
			}
		}
	}
	if c.in.Compression() != inflate.Gzip {
		return c.copyInflated(begin, rec)
	}
	stated := rec.ContentLength
	if err := rec.Close(); err != nil {
		return spot{}, err
	}
	if rec.HeaderCut || rec.BlockRead != stated {
		return spot{}, errDamaged
	}
	if rec.Length > 0 && !c.spans {
		return c.out.raw(io.NewSectionReader(c.stored, rec.Offset, rec.Length), rec.Length)
	}
	var at spot
	err = c.again(h, func(rec *warc.Record) (err error) {
		at, err = c.copyInflated(nil, rec)
		return err
	})
	return at, err
}

// copyInflated writes the current record into a new gzip member, with header and block unchanged.
// It writes nothing if the record is incomplete. begin is the part of the block already read.
func (c *container) copyInflated(begin []byte, rec *warc.Record) (spot, error) {
	if rec.HeaderCut || rec.ContentLength < 0 {
		return spot{}, errDamaged
	}
	block := warcbuild.Held{Dir: c.scratch}
	defer func() { _ = block.Close() }() // a temporary file
	_, _ = block.Write(begin)            // held in memory
	if _, err := io.Copy(&block, rec); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return spot{}, err
	}
	if block.Size() != rec.ContentLength {
		return spot{}, errDamaged
	}
	return c.out.member(rec.ContentLength, func(w io.Writer) error {
		if _, err := w.Write(rec.Raw()); err != nil {
			return err
		}
		if _, err := io.Copy(w, block.Reader()); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\r\n\r\n")
		return err
	})
}

// request indexes the body of a request that is not GET.
func (c *container) request(rec *warc.Record) error {
	date, err := rec.Date()
	if err != nil {
		return nil //nolint:nilerr // mayPass has seen that it has one
	}
	block, err := io.ReadAll(io.LimitReader(rec, maxRequest))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	head, n, err := http1.ParseHead(block, http1.Request, nil)
	if err != nil {
		return nil //nolint:nilerr // it is no message of HTTP
	}
	return c.sent(rec.TargetURI(), date.Format(timestampForm), head.Method, head.Get("Content-Type"), block[n:])
}

// maxRequest limits the bytes read of a request.
const maxRequest = surt.MaxBody + 1<<17
