package site

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"quire/oai/provider"
	"quire/oai/resource"
)

// maxHeld is the maximum size of a body kept with its resource, so that one request is enough.
// Opening a longer one needs a second request.
const maxHeld = 1 << 20

// Resource implements resource.Collection. It requests the resource from the site's handler, and
// returns it only with status 200.
func (s *Site) Resource(ctx context.Context, identifier string) (*resource.Resource, error) {
	r, err := s.known(ctx, identifier)
	switch {
	case err != nil:
		return nil, err
	case r == nil || r.deleted || !s.urls.hasRecord(identifier):
		return nil, provider.ErrNotFound
	}
	a, err := s.asker.ask(ctx, http.MethodGet, identifier)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", identifier, err)
	}
	defer func() { _ = a.Close() }() // never fails
	l := seen(identifier, a, s.index.now())
	switch l.state {
	case gone:
		if err := s.index.apply(ctx, []look{l}, false); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: the server answers %s: %w", identifier, l.reason, provider.ErrNotFound)
	case unknown:
		return nil, fmt.Errorf("%s: the server answers %s", identifier, l.reason)
	}
	var body bytes.Buffer
	body.Grow(int(min(max(a.declared, 4<<10), maxHeld) + bytes.MinRead))
	_, broken := body.ReadFrom(io.LimitReader(a, maxHeld+1))
	held := body.Bytes()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	res := s.resource(identifier, r, l, a)
	switch {
	case broken == nil && len(held) <= maxHeld:
		res.Size = int64(len(held))
		res.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(held)), nil }
	default: // long or broken: a second request may succeed
		res.Open = func(ctx context.Context) (io.ReadCloser, error) { return s.open(ctx, identifier) }
	}
	return res, nil
}

func (s *Site) resource(identifier string, r *row, l look, a *answer) *resource.Resource {
	res := &resource.Resource{Identifier: identifier, URL: identifier,
		Datestamp: s.header(identifier, r.datestamp, false).Datestamp,
		Proto:     "HTTP/1.1", Status: a.status, MIMEType: l.mime, Size: l.size}
	if coding := strings.ToLower(strings.TrimSpace(a.head.Get("Content-Encoding"))); coding != "identity" {
		res.Coding = coding
	}
	raw := a.raw.get()
	res.Header = headFields(raw, a.head, a.added)
	if raw != nil && raw.Proto != "" {
		res.Proto = raw.Proto
	}
	return res
}

// open requests the bytes again.
func (s *Site) open(ctx context.Context, identifier string) (io.ReadCloser, error) {
	a, err := s.asker.ask(ctx, http.MethodGet, identifier)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", identifier, err)
	}
	if a.status != http.StatusOK {
		_ = a.Close() // never fails
		return nil, fmt.Errorf("%s: the server now answers %d %s", identifier, a.status, http.StatusText(a.status))
	}
	return a, nil
}

// Answers reports whether the site's own handler has content at a path.
func (s *Site) Answers(ctx context.Context, path string) bool {
	a, err := s.asker.ask(ctx, http.MethodGet, s.urls.root+strings.TrimPrefix(path, "/"))
	if err != nil {
		return false
	}
	defer func() { _ = a.Close() }() // never fails
	return a.status == http.StatusOK
}
