package stored

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"quire/format/http1"
)

// Join opens a segmented record (ISO 28500:2017, clause 7) as one: the head and the beginning of the body are in
// the first of n parts, the rest is in the others. open opens a part when reading reaches it. Each part
// is compared with its own digest.
//
// The place has the lengths of the whole, and its digest. The digest may be nil: [Record.Sum] then returns it.
func Join(p *Place, n int, open func(i int) (*Record, error)) (*Record, error) {
	first, err := open(0)
	if err != nil {
		return nil, err
	}
	s := &Record{Head: first.Head, ContentType: first.ContentType, parts: &parts{open: open, count: n, now: first}}
	s.sent = &checked{r: io.LimitReader(s.parts, p.Body), sum: sha256.New(), left: p.Body, want: p.SHA256,
		unknown: p.SHA256 == nil}
	if s.body = s.sent; s.Head != nil && s.Head.Chunked() {
		s.body = (&http1.Message{Head: s.Head, Body: s.sent}).Payload()
	}
	return s, nil
}

// Sum returns the SHA-256 of the body as sent, after it was read to its end.
func (s *Record) Sum() []byte { return s.sent.sum.Sum(nil) }

// parts reads the bodies of the parts of a record, as sent, one after the other.
type parts struct {
	open  func(i int) (*Record, error)
	count int
	at    int
	now   *Record // nil at the end, and after an error
}

// Read implements io.Reader.
func (x *parts) Read(p []byte) (int, error) {
	for x.now != nil {
		n, err := x.now.sent.Read(p)
		if n > 0 || err == nil {
			return n, nil // an error is returned again
		}
		if !errors.Is(err, io.EOF) {
			return 0, err
		}
		err = x.now.sent.finish()
		if err = errors.Join(err, x.now.Close()); err != nil {
			x.now = nil
			return 0, fmt.Errorf("segment %d: %w", x.at+1, err)
		}
		if x.at++; x.at == x.count {
			x.now = nil
			break
		}
		if x.now, err = x.open(x.at); err != nil {
			x.now = nil
			return 0, fmt.Errorf("segment %d: %w", x.at+1, err)
		}
	}
	return 0, io.EOF
}

func (x *parts) close() error {
	if x.now == nil {
		return nil
	}
	now := x.now
	x.now = nil
	return now.Close()
}

// Verified is Open for callers that cannot retract data: it reads the whole body and compares its
// digest before it opens the record. It closes the file if there is an error.
func Verified(ctx context.Context, f *os.File, p *Place) (*Record, error) {
	first, err := Opened(ctx, f, p)
	if err != nil {
		return nil, err
	}
	return first.Again(ctx, p)
}

// Opened is Open, but closes the file if there is an error.
func Opened(ctx context.Context, f *os.File, p *Place) (*Record, error) {
	r, err := Open(ctx, f, p)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// Again reads the record to its end, compares its digest, and opens it a second time. It closes the first.
func (s *Record) Again(ctx context.Context, p *Place) (*Record, error) {
	_, err := io.Copy(io.Discard, s)
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	f, err := os.Open(s.Name())
	if err != nil {
		return nil, err
	}
	return Opened(ctx, f, p)
}
