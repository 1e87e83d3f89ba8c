package holdings

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"quire/format/http1"
	"quire/format/warc"
	"quire/holdings/captures"
	"quire/repository/stored"
)

// Read gives what a capture holds, if the reader may have it. The error is a *[DeniedError] when he
// may not, and [captures.ErrNotFound] when there is nothing to be had: it is hidden from him, the
// payload of a revisit is not in the repository. A copy that has not what was stored is passed
// over, and told; the content is then that of the next.
func (h *Holdings) Read(ctx context.Context, who Reader, c *captures.Capture) (*Content, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	switch d := h.Judge(who, c); {
	case d.Hidden:
		return nil, fmt.Errorf("%s of %s: %w", c.URL, c.Timestamp, captures.ErrNotFound)
	case !d.Allowed:
		return nil, &DeniedError{Decision: d}
	}
	return h.content(ctx, c, false)
}

// ReadWhole is Read for those who cannot take back what they gave: no byte of the body is given
// before all of it was compared with its digest, in one copy after the other. A body of more than a
// MiB is read twice for that.
func (h *Holdings) ReadWhole(ctx context.Context, who Reader, c *captures.Capture) (*Content, error) {
	if d := h.Judge(who, c); !d.Allowed {
		return nil, &DeniedError{Decision: d}
	}
	return h.content(ctx, c, true)
}

// content reads a capture, whoever asks.
func (h *Holdings) content(ctx context.Context, c *captures.Capture, compared bool) (*Content, error) {
	out := &Content{Status: 200, Length: -1}
	if c.Truncated {
		out.Note = "the crawler kept a part only"
	}
	if c.Type != warc.TypeRevisit {
		return out, h.body(ctx, out, c, &c.Record, c.Type, compared)
	}
	if c.Payload == nil {
		return nil, fmt.Errorf("the payload of this revisit is not in the repository: %w", captures.ErrNotFound)
	}
	if err := h.vouch(ctx, c); err != nil {
		return nil, err
	}
	if err := h.body(ctx, out, c, c.Payload, "", compared); err != nil {
		return nil, err
	}
	out.note("it is a revisit: the body is that of a capture with the same digest")
	if c.Record.Head == 0 {
		return out, nil // it has no head of its own: that of the original is all there is
	}
	if err := h.head(ctx, out, c); err != nil {
		return nil, errors.Join(err, out.Body.Close())
	}
	return out, nil
}

func (c *Content) note(text string) {
	if c.Note != "" {
		c.Note += "; "
	}
	c.Note += text
}

// small is how long a body may be that is held, in bytes, so that it is compared before any of it
// is given.
const small = 1 << 20

// body opens what lies in a place.
func (h *Holdings) body(ctx context.Context, out *Content, c *captures.Capture, p *captures.Place, kind string,
	compared bool) error {
	at, err := placeOf(p, kind)
	if err != nil {
		return err
	}
	return h.readCopies(ctx, p, func(f *os.File) error {
		r, err := stored.Open(ctx, f, &at)
		if err != nil {
			return errors.Join(err, f.Close())
		}
		if compared && at.Body > small {
			if r, err = again(ctx, r, &at); err != nil {
				return err
			}
		}
		out.take(r, c)
		if at.Body > small {
			out.Length = at.Body
			if r.Head != nil && r.Head.Chunked() {
				out.Length = -1
			}
			out.Body = r
			return nil
		}
		text := bytes.NewBuffer(make([]byte, 0, at.Body+bytes.MinRead))
		_, err = text.ReadFrom(r)
		out.Body, out.Length = io.NopCloser(bytes.NewReader(text.Bytes())), int64(text.Len())
		return errors.Join(err, r.Close())
	})
}

// again opens a record a second time, behind a first reading that compared it with its digest.
func again(ctx context.Context, first *stored.Record, at *stored.Place) (*stored.Record, error) {
	_, err := io.Copy(io.Discard, first)
	if err = errors.Join(err, first.Close()); err != nil {
		return nil, err
	}
	f, err := os.Open(first.Name())
	if err != nil {
		return nil, err
	}
	r, err := stored.Open(ctx, f, at)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// head reads the head that a revisit has of its own.
func (h *Holdings) head(ctx context.Context, out *Content, c *captures.Capture) error {
	at, err := placeOf(&c.Record, c.Type)
	if err != nil {
		return err
	}
	return h.readCopies(ctx, &c.Record, func(f *os.File) error {
		r, err := stored.Open(ctx, f, &at)
		if err != nil {
			return errors.Join(err, f.Close())
		}
		_, err = io.Copy(io.Discard, r)
		body, length := out.Body, out.Length
		out.take(r, c)
		out.Body, out.Length = body, length
		return errors.Join(err, r.Close())
	})
}

// take takes over the head as it was captured.
func (c *Content) take(r *stored.Record, of *captures.Capture) {
	c.Header = nil
	if r.Head == nil {
		c.Header = fieldsOf(r, of)
		return
	}
	c.Proto, c.Status = r.Head.Proto, r.Head.StatusCode
	c.Header = make([]Field, 0, len(r.Head.Fields))
	for _, f := range r.Head.Fields {
		if f.Name != "" {
			c.Header = append(c.Header, Field{f.Name, f.Value})
		}
	}
}

// fieldsOf is what is said of a body that came without HTTP.
func fieldsOf(r *stored.Record, of *captures.Capture) []Field {
	kind := r.ContentType
	if strings.HasPrefix(strings.ToLower(kind), "application/http") || kind == "" { // of the block, which is none
		kind = of.MIME
	}
	if kind == "" {
		return nil
	}
	return []Field{{"Content-Type", kind}}
}

// placeOf is a place as the reading of records wants it.
func placeOf(p *captures.Place, kind string) (stored.Place, error) {
	sum, err := hex.DecodeString(p.SHA256)
	if err != nil {
		return stored.Place{}, fmt.Errorf("the index of captures has no digest of %s, record %d", p.Container, p.Order)
	}
	return stored.Place{Type: kind, Offset: p.Offset, Inflated: p.Inflated, Stored: p.Stored, Head: p.Head,
		Body: p.Body, SHA256: sum}, nil
}

// readCopies reads from the copies of a container, until one has what was stored.
func (h *Holdings) readCopies(ctx context.Context, p *captures.Place, read func(*os.File) error) error {
	h.mu.RLock()
	known := h.packages[p.Package]
	h.mu.RUnlock()
	if known == nil {
		return fmt.Errorf("package %s is not in the repository: %w", p.Package, captures.ErrNotFound)
	}
	file := stored.File{Package: p.Package, Version: known.card.Head, Path: p.Container}
	return h.copies.Read(ctx, file, fmt.Sprint("record ", p.Order), nil, read)
}

// codings are the content codings of the body, in the order in which they were applied.
func (c *Content) codings() []string {
	head := http1.Head{}
	for _, f := range c.Header {
		head.Fields = append(head.Fields, http1.Field{Name: f.Name, Value: f.Value})
	}
	return head.ContentCodings()
}
