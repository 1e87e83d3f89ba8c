package salvage

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"quire/format/inflate"
	"quire/format/warc"
)

// nextRecord is the end of a record of a plain WARC, and the beginning of the one behind it.
var nextRecord = []byte("\r\n\r\nWARC/")

// swallowed returns a reader of the records within the block of a part of a plain WARC. They are
// records of the file, and no content, only if the digest of the block matches the bytes before them:
// then Content-Length is wrong, and reaches over them. Otherwise the result is nil.
func (j *job) swallowed(p *part) (*within, error) {
	whole := p.err == nil && p.end >= 0
	if j.found.Format != "WARC" || j.in.Compression() != inflate.None || !whole {
		return nil, nil
	}
	own, err := p.provenLength()
	if own < 0 || err != nil {
		return nil, err
	}
	base := p.Offset + int64(len(p.head)) + own + int64(len(p.foot))
	p.Why = fmt.Sprintf("Content-Length reaches over the next record; %s proves the first %d bytes",
		warc.FieldBlockDigest, own)
	in := inflate.NewReader(io.NewSectionReader(j.file, base, p.end-base), inflate.Options{})
	w := &within{base: base, parts: warcParts{in: in, r: warc.NewReader(in)}}
	w.parts.buf.Dir = j.dir
	p.end, p.ended = base, base
	return w, nil
}

// provenLength returns the length of the beginning of the block that matches the stated digest, and
// after which a record begins; -1 if there is none.
func (p *part) provenLength() (int64, error) {
	want, err := warc.ParseDigest(p.digest)
	if err != nil {
		return -1, nil //nolint:nilerr // the inspection reports the form of digests
	}
	h := warc.NewHash(want.Algorithm)
	hashed := int64(0)
	buf := make([]byte, 64<<10)
	for at := int64(0); ; {
		n, err := p.block.ReadAt(buf, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return -1, fmt.Errorf("reading a block again: %w", err)
		}
		for from := 0; ; {
			i := bytes.Index(buf[from:n], nextRecord)
			if i < 0 {
				break
			}
			end := at + int64(from+i)
			if _, err := io.Copy(h, io.NewSectionReader(p.block, hashed, end-hashed)); err != nil {
				return -1, fmt.Errorf("reading a block again: %w", err)
			}
			if hashed = end; bytes.Equal(h.Sum(nil), want.Sum) {
				return end, nil
			}
			from += i + 1
		}
		if n < len(buf) { // the block ends
			return -1, nil
		}
		at += int64(n - len(nextRecord) + 1)
	}
}

// within reads the records in a block.
type within struct {
	base  int64 // of the first, in the file
	parts warcParts
	begun bool
}

func (w *within) next() (*part, error) {
	p, err := w.parts.next()
	if err != nil {
		return nil, err
	}
	if !w.begun {
		w.begun, p.Found = true, BySearch
	}
	p.Offset, p.At, p.end, p.ended = p.Offset+w.base, p.At+w.base, p.end+w.base, p.ended+w.base
	return p, nil
}

func (w *within) close() error { return errors.Join(w.parts.in.Close(), w.parts.buf.Close()) }
