package archive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"quire/format/warc"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/model"
	"quire/oai/provider"
	"quire/oai/resource"
)

// Resource implements resource.Collection. It reads the head from the stored bytes if harvesters
// may have them now.
func (a *Archive) Resource(ctx context.Context, identifier string) (*resource.Resource, error) {
	h, err := a.Header(ctx, identifier)
	if err == nil && h.Deleted {
		err = provider.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	of, err := ParseIdentifier(identifier)
	if err != nil {
		return nil, err
	}
	c, err := a.find(ctx, identifier, &of)
	if err != nil {
		return nil, err
	}
	r := &resource.Resource{Identifier: identifier, URL: of.URL, Captured: of.Date, Datestamp: h.Datestamp,
		Size: c.Length, MIMEType: mimeOf(c.MIME)}
	if r.Coding, err = a.coding(ctx, c); err == nil {
		err = a.describe(ctx, r, c)
	}
	if err != nil {
		return nil, err
	}
	content, err := a.holdings.ReadWhole(ctx, a.reader, c)
	if err != nil {
		return nil, a.refused(identifier, err)
	}
	came := a.sourcesOf(identifier, c)
	r.Sources = func(ctx context.Context) ([]resource.Source, error) {
		h, err := came(ctx)
		if h == nil {
			return nil, err
		}
		return h.sources, err
	}
	if content.Proto != "" {
		r.Proto, r.Status = content.Proto, content.Status
		for _, f := range content.Header {
			r.Header = append(r.Header, resource.Field{Name: f.Name, Value: f.Value})
		}
	} else if err := addHead(ctx, r, came); err != nil {
		return nil, errors.Join(err, content.Body.Close())
	}
	if content.Length >= 0 && content.Length <= small {
		body, err := io.ReadAll(content.Body)
		if err = errors.Join(err, content.Body.Close()); err != nil {
			return nil, err
		}
		r.Size = int64(len(body))
		r.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		return r, nil
	}
	if err := content.Body.Close(); err != nil {
		return nil, err
	}
	r.Open = func(ctx context.Context) (io.ReadCloser, error) {
		content, err := a.holdings.ReadWhole(ctx, a.reader, c)
		if err != nil {
			return nil, a.refused(identifier, err)
		}
		return content.Body, nil
	}
	return r, nil
}

// small is the largest body that is held in memory, in bytes, so that the container is opened once.
const small = 1 << 20

// refused distinguishes withheld captures from unreadable captures. For a withheld capture it
// reports only that the record does not exist.
func (a *Archive) refused(identifier string, err error) error {
	var denied *holdings.DeniedError
	switch {
	case errors.As(err, &denied) && denied.Unknown:
		return fmt.Errorf("%s: it is unknown whether this may still be shown: %s", identifier, denied.Message)
	case errors.As(err, &denied), errors.Is(err, captures.ErrNotFound):
		return fmt.Errorf("%s is not available: %w", identifier, provider.ErrNotFound)
	}
	return fmt.Errorf("%s: %w", identifier, err)
}

// find returns the capture with an identifier, even if harvesters may not have it.
func (a *Archive) find(ctx context.Context, identifier string, of *Capture) (*captures.Capture, error) {
	var pkg string
	err := each(ctx, a.index.db, func(scan func(...any) error) error { return scan(&pkg) },
		"SELECT p.name FROM record r CROSS JOIN package p ON p.id = r.package WHERE r.mark = ? AND r.identifier = ?",
		int64(of.Mark), identifier)
	if err != nil {
		return nil, err
	}
	moment := ""
	if !of.Date.IsZero() {
		moment = of.Date.UTC().Format(dateForm)
	}
	path, _, _ := strings.Cut(of.URL, "?")
	in := []string{pkg}
	for _, q := range []captures.Query{
		{URL: of.URL, From: moment, To: moment, Packages: in},
		{URL: of.URL, Packages: in, Unlisted: true},
		// an answer to a request with a body
		{URL: path, Match: captures.Prefix, From: moment, To: moment, Packages: in},
	} {
		for c, err := range a.holdings.Captures(ctx, everything, q) {
			if err != nil {
				return nil, err
			}
			if is, _ := identify(pkg, c.Capture); is == identifier {
				found := *c.Capture
				return &found, nil
			}
		}
	}
	newest, readable := a.holdings.Inventory(pkg)
	if !readable {
		return nil, &unknownError{pkg}
	}
	switch _, there, err := a.holdings.HasIndexed(ctx, pkg, newest); {
	case err != nil:
		return nil, err
	case !there: // it may be in a package that is not read yet
		return nil, &provider.BusyError{Why: "the captures of package " + pkg + " are being read",
			After: 30 * time.Second}
	}
	return nil, fmt.Errorf("%w: no container has this capture any more", provider.ErrNotFound)
}

// unknownError means that the access to a package cannot be decided.
type unknownError struct{ pkg string }

// Error implements error.
func (e *unknownError) Error() string {
	return "the newest version of package " + e.pkg +
		" is unreadable, so it is unknown whether this may still be shown"
}

// coding returns the content coding of a capture's payload. For a revisit it is the coding of the
// original payload.
func (a *Archive) coding(ctx context.Context, c *captures.Capture) (string, error) {
	p := c.Payload
	if p == nil {
		return c.Coding, nil
	}
	q := captures.Query{URL: p.URL, From: p.Timestamp, To: p.Timestamp, Packages: []string{p.Package}}
	for o, err := range a.holdings.Captures(ctx, everything, q) {
		if err != nil {
			return "", err
		}
		if o.Record.Container == p.Container && o.Record.Order == p.Order {
			return o.Coding, nil
		}
	}
	return "", nil
}

// describe adds the METS's description of a capture.
func (a *Archive) describe(ctx context.Context, r *resource.Resource, c *captures.Capture) error {
	f := a.holdings.Facts(ctx, c.Package)
	if f == nil || f.Containers[c.Record.Container] == nil {
		return &unknownError{c.Package}
	}
	container := f.Containers[c.Record.Container]
	storing, err := a.storing(ctx, c.Package)
	if err != nil {
		return err
	}
	for _, e := range container.Events {
		r.Events = append(r.Events, resource.Event(e))
	}
	r.Events = append(r.Events, resource.Event(storing))
	if c.Truncated {
		r.Events = append(r.Events, resource.Event{Type: "capture", Detail: truncation(c), Outcome: "warning",
			Time: r.Captured})
	}
	if c.Type == warc.TypeRevisit {
		const detail = "a revisit: the payload is that of another record with the same digest"
		r.Events = append(r.Events, resource.Event{Type: "capture", Detail: detail, Outcome: "success",
			Time: r.Captured})
	}
	text, ok := f.Descriptions[f.Description(container, c.Record.Order)]
	if !ok {
		return nil
	}
	record, err := facts.ReadMODS(text)
	r.Description = &record
	return err
}

// truncation says why a capture is not whole. A segment can be missing for reasons that no record states, so the
// crawler is named only where its own record says so.
func truncation(c *captures.Capture) string {
	if len(c.Record.Segments) > 0 {
		return c.SegmentsNote()
	}
	return "the crawler kept a part only: " + cmp.Or(c.TruncatedBy, "it does not say why")
}

// storing returns the ingest event of the newest version of a package.
func (a *Archive) storing(ctx context.Context, pkg string) (facts.Event, error) {
	history, err := a.holdings.History(ctx, pkg)
	e := facts.Event{Type: string(model.Ingestion), Outcome: string(model.Success)}
	if last := len(history.Versions) - 1; last >= 0 {
		e.Detail = fmt.Sprintf("stored as version %d of package %s", history.Versions[last].Number, pkg)
		e.Time = time.Unix(storedAt(&history)[last], 0).UTC()
	}
	return e, err
}
