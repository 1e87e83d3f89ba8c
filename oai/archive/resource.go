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
	"sync"

	"quire/format/http1"
	"quire/format/warc"
	"quire/internal/disk"
	"quire/model"
	"quire/oai/provider"
	"quire/oai/resource"
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
	err := p.try(ctx, p.holds, func(h *hold, s *stored) error {
		if h.body <= small {
			var b bytes.Buffer
			if err := p.check(io.TeeReader(s, &b)); err != nil {
				return err
			}
			p.kept, p.whole = b.Bytes(), true
			r.Size = int64(b.Len())
		}
		setHead(r, s.head)
		return nil
	})
	if err != nil || p.heads == nil {
		return err
	}
	r.Events = append(r.Events, resource.Event{Type: "capture", Detail: "a revisit: the payload is that of another record with the same digest", Outcome: "success", Time: r.Captured})
	if p.heads[0].head == 0 {
		return nil // it has no head of its own: that of the original is all there is
	}
	return p.try(ctx, p.heads, func(_ *hold, s *stored) error {
		_, err := io.Copy(io.Discard, s)
		setHead(r, s.head)
		if mime := mimeOfHead(s.head); mime != "" {
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
	err := p.try(ctx, p.holds, func(h *hold, s *stored) error {
		if err := p.check(s); err != nil {
			return err
		}
		again, err := os.Open(s.file.Name())
		if err != nil {
			return err
		}
		body, err := openStored(ctx, again, h)
		if err != nil {
			return errors.Join(err, again.Close())
		}
		opened = body
		return nil
	})
	return opened, err
}

// try reads from one copy after the other, until one has the record as it was stored.
func (p *payload) try(ctx context.Context, holds []hold, read func(*hold, *stored) error) error {
	var failed error
	tried := map[string]bool{}
	for i := range holds {
		h := &holds[i]
		if p.known(ctx, h, read) {
			return nil
		}
		for f, err := range p.archive.store.OpenCopies(ctx, h.pkg, h.version, h.path) {
			if err != nil {
				failed = errors.Join(failed, err)
				break
			}
			place := fmt.Sprint(f.Name(), " ", h.order)
			if tried[place] { // an older version has the same file
				_ = f.Close() // it was not read
				continue
			}
			tried[place] = true
			err = p.readFrom(ctx, f, h, read)
			if err == nil {
				p.archive.paths.set(h.file(), f.Name())
				return nil
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			wrong := fmt.Errorf("%s, record %d: %w", f.Name(), h.order, err)
			p.archive.problem(fmt.Errorf("%w; audit package %s", wrong, h.pkg))
			failed = errors.Join(failed, wrong)
		}
	}
	return failed
}

// known reads from the file that served last, without asking the repository for the inventory of the package, which may be long. When
// that fails the repository is asked: it may lie elsewhere now.
func (p *payload) known(ctx context.Context, h *hold, read func(*hold, *stored) error) bool {
	path := p.archive.paths.get(h.file())
	if path == "" {
		return false
	}
	f, err := os.Open(path)
	if err == nil {
		err = p.readFrom(ctx, f, h, read)
	}
	if err != nil {
		p.archive.paths.set(h.file(), "")
	}
	return err == nil
}

// file names the file of a package that a record lies in: one of a version never changes.
func (h *hold) file() string { return fmt.Sprint(h.pkg, "\x00", h.version, "\x00", h.path) }

// paths remembers where files lie on the disk.
type paths struct {
	mu    sync.Mutex
	known map[string]string
}

func (p *paths) get(file string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known[file]
}

// set remembers a path; "" forgets it.
func (p *paths) set(file, path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil || len(p.known) >= maxKnown {
		p.known = map[string]string{}
	}
	if p.known[file] = path; path == "" {
		delete(p.known, file)
	}
}

func (p *payload) readFrom(ctx context.Context, f *os.File, h *hold, read func(*hold, *stored) error) error {
	s, err := openStored(ctx, f, h)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(read(h, s), s.Close())
}

// stopping reads until a context ends.
func stopping(ctx context.Context, r io.Reader) io.Reader { return &disk.Counted{Ctx: ctx, From: r} }
