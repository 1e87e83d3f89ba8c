package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"

	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
	"quire/oai/provider"
	"quire/oai/resource"
	"quire/repository/stored"
)

// Resource implements resource.Collection: it reads the head from the stored bytes.
func (a *Archive) Resource(ctx context.Context, identifier string) (*resource.Resource, error) {
	c, err := ParseIdentifier(identifier)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", provider.ErrNotFound, err)
	}
	r := &resource.Resource{Identifier: identifier, URL: c.URL, Captured: c.Date}
	var found held
	err = a.snapshot(ctx, func(tx *sql.Tx) error {
		h, row, err := a.header(ctx, tx, identifier, &c)
		if err == nil && h.Deleted {
			err = provider.ErrNotFound
		}
		if err != nil {
			return err
		}
		r.Datestamp = h.Datestamp
		if err := a.held(ctx, tx, row, &found); err != nil {
			return err
		}
		return found.known(ctx, tx)
	})
	if err != nil {
		return nil, err
	}
	if len(found.holds) == 0 && len(found.heads) > 0 {
		return nil, fmt.Errorf("%s is a revisit, and its original is not shown now: %w", identifier, provider.ErrNotFound)
	}
	if len(found.holds) == 0 {
		return nil, fmt.Errorf("%w: no container has it any more", provider.ErrNotFound)
	}
	first := &found.holds[0]
	r.MIMEType, r.Size, r.Coding, r.Description, r.Events = first.mime, first.size, first.coding, found.description, found.events
	if first.note != "" {
		r.Events = append(r.Events, resource.Event{Type: "capture", Detail: first.note, Outcome: "warning", Time: c.Date})
	}
	p := &payload{archive: a, holds: found.holds, heads: found.heads, digest: found.digest}
	if err := p.describe(ctx, r); err != nil {
		return nil, fmt.Errorf("%s: %w", identifier, err)
	}
	r.Open = p.open
	return r, nil
}

// nothing is the digest of an empty body.
var nothing = sha256.Sum256(nil)

// small is how long a body may be that is held, in bytes, so that the container is opened once. Longer ones are read twice, so that no
// wrong byte is handed out: once to compare the digest, and then again.
const small = 1 << 20

// payload reads the body of a record, from one copy after the other until its bytes are those that were stored.
type payload struct {
	archive *Archive
	holds   []hold
	heads   []hold       // of a revisit, with its own head
	digest  *warc.Digest // of the payload, when a revisit states it
	kept    []byte       // the body, when it is small and was read
	whole   bool         // kept is it
}

// describe reads the head, and a small body with it.
func (p *payload) describe(ctx context.Context, r *resource.Resource) error {
	err := p.try(ctx, p.holds, func(h *hold, s *stored.Record) error {
		if h.Body <= small {
			var b bytes.Buffer
			if err := p.check(io.TeeReader(s, &b)); err != nil {
				return err
			}
			p.kept, p.whole = b.Bytes(), true
			r.Size = int64(b.Len())
		}
		setHead(r, s.Head)
		return nil
	})
	if err != nil || p.heads == nil {
		return err
	}
	r.Events = append(r.Events, resource.Event{Type: "capture", Detail: "a revisit: the payload is that of another record with the same digest", Outcome: "success", Time: r.Captured})
	if p.heads[0].Head == 0 {
		return nil // it has no head of its own: that of the original is all there is
	}
	return p.try(ctx, p.heads, func(_ *hold, s *stored.Record) error {
		_, err := io.Copy(io.Discard, s)
		setHead(r, s.Head)
		if mime := mimeOfHead(s.Head); mime != "" {
			r.MIMEType = mime
		}
		return err
	})
}

// check reads a payload to its end, and compares it with what a revisit states.
func (p *payload) check(body io.Reader) error {
	if p.digest == nil {
		_, err := io.Copy(io.Discard, body)
		return err
	}
	sum := warc.NewHash(p.digest.Algorithm)
	if _, err := io.Copy(sum, body); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), p.digest.Sum) {
		return errors.New("is not what the revisit says that its payload is")
	}
	return nil
}

// setHead takes over the head as it was captured.
func setHead(r *resource.Resource, head *http1.Head) {
	if head == nil {
		return
	}
	r.Proto, r.Status = head.Proto, head.StatusCode
	r.Header = make([]resource.Field, 0, len(head.Fields))
	for _, f := range head.Fields {
		if f.Name != "" {
			r.Header = append(r.Header, resource.Field{Name: f.Name, Value: f.Value})
		}
	}
}

// mimeOfHead is the media type that a head declares; "" when it declares none.
func mimeOfHead(head *http1.Head) string {
	if head == nil || head.Get("Content-Type") == "" {
		return ""
	}
	return mimeOf(&model.Record{Type: warc.TypeResponse, ServedType: head.Get("Content-Type")})
}

// open gives the body.
func (p *payload) open(ctx context.Context) (io.ReadCloser, error) {
	if p.whole {
		return io.NopCloser(bytes.NewReader(p.kept)), nil
	}
	var opened io.ReadCloser
	err := p.try(ctx, p.holds, func(h *hold, s *stored.Record) error {
		if err := p.check(s); err != nil {
			return err
		}
		again, err := os.Open(s.Name())
		if err != nil {
			return err
		}
		body, err := stored.Open(ctx, again, &h.Place)
		if err != nil {
			return errors.Join(err, again.Close())
		}
		opened = body
		return nil
	})
	return opened, err
}

// try reads from one copy after the other, until one has the record as it was stored.
func (p *payload) try(ctx context.Context, holds []hold, read func(*hold, *stored.Record) error) error {
	var failed error
	tried := map[string]bool{}
	for i := range holds {
		h := &holds[i]
		err := p.archive.copies.Read(ctx, stored.File{Package: h.pkg, Version: h.version, Path: h.path}, fmt.Sprint("record ", h.order), tried, func(f *os.File) error {
			return readFrom(ctx, f, h, read)
		})
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

func readFrom(ctx context.Context, f *os.File, h *hold, read func(*hold, *stored.Record) error) error {
	s, err := stored.Open(ctx, f, &h.Place)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(read(h, s), s.Close())
}
