package holdings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"quire/format/http1"
	"quire/format/warc"
	"quire/holdings/captures"
	"quire/repository/stored"
)

// Read returns the content of a capture, if it is open to the reader. The error is a *[DeniedError]
// if it is closed, and [captures.ErrNotFound] if it is hidden, or the payload of a revisit is not
// in the repository. It skips and reports damaged copies, and reads the next one.
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

// ReadRecord is Read for callers that are reading the container of a capture, and have its record open:
// block and contentType are of this record. The capture must not be a revisit. The result uses the
// block, and is no longer valid when that or its Body is closed. No other copy is tried.
func (h *Holdings) ReadRecord(ctx context.Context, who Reader, c *captures.Capture, block io.Reader,
	contentType string) (*Content, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	switch d := h.Judge(who, c); {
	case d.Hidden:
		return nil, fmt.Errorf("%s of %s: %w", c.URL, c.Timestamp, captures.ErrNotFound)
	case !d.Allowed:
		return nil, &DeniedError{Decision: d}
	case c.Type == warc.TypeRevisit:
		return nil, fmt.Errorf("%s of %s: the payload of a revisit is elsewhere", c.URL, c.Timestamp)
	}
	if len(c.Record.Segments) > 0 {
		return h.content(ctx, c, false) // the other segments are elsewhere
	}
	at, err := c.Record.At(c.Type)
	if err != nil {
		return nil, err
	}
	r, err := stored.Within(block, contentType, &at)
	if err != nil {
		return nil, err
	}
	out := &Content{Status: 200}
	out.take(r, c)
	text, _ := texts.Get().(*bytes.Buffer)
	text.Reset()
	err = out.hold(r, &at, text)
	out.Body = &returned{out.Body, text}
	return out, err
}

// texts are buffers for the bodies of ReadRecord: they end with their record.
var texts = sync.Pool{New: func() any { return &bytes.Buffer{} }}

// returned is a body that returns its buffer.
type returned struct {
	io.ReadCloser
	text *bytes.Buffer // nil when it is closed
}

// Close implements io.Closer.
func (r *returned) Close() error {
	err := r.ReadCloser.Close()
	if r.text != nil {
		texts.Put(r.text)
	}
	r.ReadCloser, r.text = io.NopCloser(closedBody{}), nil
	return err
}

// closedBody is a body after its end.
type closedBody struct{}

// Read implements io.Reader.
func (closedBody) Read([]byte) (int, error) { return 0, os.ErrClosed }

// ReadWhole is Read for callers that cannot retract data: it verifies the whole body before it
// returns any byte, in one copy after the other. It reads a body of more than a MiB twice.
func (h *Holdings) ReadWhole(ctx context.Context, who Reader, c *captures.Capture) (*Content, error) {
	if d := h.Judge(who, c); !d.Allowed {
		return nil, &DeniedError{Decision: d}
	}
	return h.content(ctx, c, true)
}

// content reads a capture, without access control.
func (h *Holdings) content(ctx context.Context, c *captures.Capture, compared bool) (*Content, error) {
	out := &Content{Status: 200, Length: -1}
	switch {
	case c.Truncated && len(c.Record.Segments) > 0:
		out.Note = c.SegmentsNote()
	case c.Truncated:
		out.Note = "the crawler kept only a part"
	}
	if c.Type != warc.TypeRevisit {
		return out, h.body(ctx, out, c, &c.Record, c.Type, compared)
	}
	if c.Payload == nil {
		return nil, fmt.Errorf("the payload of this revisit is not in the repository: %w", captures.ErrNotFound)
	}
	if err := h.verifyPayload(ctx, c); err != nil {
		return nil, err
	}
	if err := h.body(ctx, out, c, c.Payload, "", compared); err != nil {
		return nil, err
	}
	out.note("this is a revisit: the body is from a capture with the same digest")
	if c.Record.Head == 0 {
		return out, nil // the revisit has no header: use the header of the original
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

// small is the size in bytes up to which a body is buffered. A buffered body is verified before any
// byte is returned.
const small = 1 << 20

// body opens the content of a place.
func (h *Holdings) body(ctx context.Context, out *Content, c *captures.Capture, p *captures.Place, kind string,
	compared bool) error {
	at, err := p.At(kind)
	if err != nil {
		return err
	}
	if len(p.Segments) > 0 {
		return h.joined(ctx, out, c, p, compared)
	}
	return h.readCopies(ctx, p, func(f *os.File) error {
		r, err := stored.Opened(ctx, f, &at)
		if err != nil {
			return err
		}
		if compared && at.Body > small {
			if r, err = r.Again(ctx, &at); err != nil {
				return err
			}
		}
		out.take(r, c)
		if err := out.hold(r, &at, &bytes.Buffer{}); err != nil {
			return err
		}
		h.enterable(out, p, &at)
		return nil
	})
}

// hold makes a record the body: a small one is read into text, verified and closed.
func (c *Content) hold(r *stored.Record, at *stored.Place, text *bytes.Buffer) error {
	if at.Body > small {
		c.Length = at.Body
		if r.Head != nil && r.Head.Chunked() {
			c.Length = -1
		}
		c.Body = r
		return nil
	}
	text.Grow(int(at.Body) + bytes.MinRead)
	_, err := text.ReadFrom(r)
	c.text = text.Bytes()
	c.Body, c.Length = io.NopCloser(bytes.NewReader(c.text)), int64(len(c.text))
	return errors.Join(err, r.Close())
}

// head reads a revisit's own header.
func (h *Holdings) head(ctx context.Context, out *Content, c *captures.Capture) error {
	at, err := c.Record.At(c.Type)
	if err != nil {
		return err
	}
	return h.readCopies(ctx, &c.Record, func(f *os.File) error {
		r, err := stored.Opened(ctx, f, &at)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, r)
		body, length := out.Body, out.Length
		out.take(r, c)
		out.Body, out.Length = body, length
		return errors.Join(err, r.Close())
	})
}

// take copies the captured header.
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

// fieldsOf returns the header of a body captured without HTTP.
func fieldsOf(r *stored.Record, of *captures.Capture) []Field {
	kind := r.ContentType
	if strings.HasPrefix(strings.ToLower(kind), "application/http") || kind == "" { // of the block, which is not HTTP
		kind = of.MIME
	}
	if kind == "" {
		return nil
	}
	return []Field{{"Content-Type", kind}}
}

// readCopies reads from the copies of a container, until one is intact.
func (h *Holdings) readCopies(ctx context.Context, p *captures.Place, read func(*os.File) error) error {
	h.mu.RLock()
	known := h.packages[p.Package]
	h.mu.RUnlock()
	if known == nil {
		return fmt.Errorf("package %s is not in the repository: %w", p.Package, captures.ErrNotFound)
	}
	file := stored.File{Package: p.Package, Version: int(known.head), Path: p.Container}
	return h.copies.Read(ctx, file, fmt.Sprint("record ", p.Order), nil, read)
}

// codings returns the content codings of the body, in the order applied.
func (c *Content) codings() []string {
	head := http1.Head{}
	for _, f := range c.Header {
		head.Fields = append(head.Fields, http1.Field{Name: f.Name, Value: f.Value})
	}
	return head.ContentCodings()
}
