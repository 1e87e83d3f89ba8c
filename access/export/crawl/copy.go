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
	"quire/internal/blockbuffer"
)

// errDamaged reports that a record is incomplete in its container.
var errDamaged = errors.New("the record is incomplete in its container")

// held is the position of a record that may be read again.
type held struct {
	offset int64 // in the file
	within int64 // in its member, which others may share
}

func hold(rec *warc.Record) held { return held{rec.Offset, rec.MemberOffset} }

// reread reads a record a second time.
func (c *container) reread(h held, visit func(*warc.Record) error) error {
	if c.second == nil {
		c.second = warc.NewReader(io.NewSectionReader(c.stored, 0, c.file.Size))
	}
	rec, err := c.second.At(h.offset)
	for err == nil && rec.Offset == h.offset && rec.MemberOffset < h.within {
		rec, err = c.second.Next()
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, warc.ErrNoRecord):
		return errDamaged
	case err != nil:
		return err
	case rec.Offset != h.offset || rec.MemberOffset != h.within:
		return errDamaged
	}
	return visit(rec)
}

// close closes the second reader of the container, if there is one.
func (c *container) close() error {
	if c.second == nil {
		return nil
	}
	return c.second.Close()
}

// copy copies a record: as stored, if it is alone in its gzip member.
func (c *container) copy(rec *warc.Record) (spot, error) {
	c.counts.records++
	h := hold(rec)
	var begin []byte
	if c.sent != nil && strings.EqualFold(rec.Type(), warc.TypeRequest) {
		begin = make([]byte, len("GET "))
		n, _ := io.ReadFull(rec, begin) // a short read is detected below
		if begin = begin[:n]; !bytes.EqualFold(begin, []byte("GET ")) {
			if err := c.reread(h, c.request); err != nil && !errors.Is(err, errDamaged) {
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
		return c.out.raw(c.stored, rec.Offset, rec.Length)
	}
	var at spot
	err := c.reread(h, func(rec *warc.Record) (err error) {
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
	block := blockbuffer.Buffer{Dir: c.scratch}
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

// maxRequest is the maximum number of bytes that are read from a request.
const maxRequest = surt.MaxBody + 1<<17
