package provider

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"quire/oai/protocol"
)

// getRecord answers GetRecord (clause 4.1).
func (p *Provider) getRecord(ctx context.Context, a *answer) ([]condition, error) {
	prefix := a.request.query.Prefix
	var wrong []condition
	h, err := p.backend.Header(ctx, a.request.identifier)
	switch {
	case errors.Is(err, ErrNotFound):
		wrong = append(wrong, noRecord)
	case err != nil:
		return nil, err
	}
	if !p.format(prefix) {
		wrong = append(wrong, noFormat(prefix))
	}
	if len(wrong) > 0 {
		return wrong, nil
	}
	var s *spool
	if err = checkHeader(&h); err == nil && !h.Deleted {
		s, err = p.render(ctx, h, prefix)
		defer s.release()
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return []condition{noRecord}, nil
	case errors.Is(err, ErrNoFormat):
		return []condition{{protocol.CannotDisseminateFormat, "this record lacks the format " + prefix}}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		p.problem(Problem{h.Identifier, prefix, err})
		return []condition{{protocol.CannotDisseminateFormat,
			"this record is not available in the format " + prefix + " now: " + short(err.Error())}}, nil
	}
	a.beginVerb()
	return nil, a.record(&h, s)
}

func noFormat(prefix string) condition {
	return condition{protocol.CannotDisseminateFormat,
		"there is no format " + prefix + " here: ListMetadataFormats lists the formats"}
}

// short shortens a long reason.
func short(s string) string {
	const most = 500
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

// record writes a record; for a deleted one only the header.
func (a *answer) record(h *protocol.Header, s *spool) error {
	a.raw("<record>\n")
	a.header(h)
	if s != nil {
		a.raw("<metadata>")
		if err := s.copyTo(a.piece); err != nil {
			return err
		}
		a.raw("</metadata>\n")
	}
	a.raw("</record>\n")
	a.flushFull()
	return a.err
}

// header writes the header of a record (clause 2.5).
func (a *answer) header(h *protocol.Header) {
	if h.Deleted {
		a.raw(`<header status="deleted">`)
	} else {
		a.raw("<header>")
	}
	a.raw("<identifier>")
	a.text(h.Identifier)
	a.raw("</identifier><datestamp>")
	a.buf = protocol.AppendDatestamp(a.buf, h.Datestamp)
	a.raw("</datestamp>")
	for _, s := range h.Sets {
		a.raw("<setSpec>")
		a.raw(s)
		a.raw("</setSpec>")
	}
	a.raw("</header>\n")
}

// checkHeader returns an error if an answer could not contain the header.
func checkHeader(h *protocol.Header) error {
	if len(h.Identifier) > protocol.MaxIdentifier || !protocol.IsURI(h.Identifier) {
		return errors.New("the identifier is not a URI, or is too long")
	}
	if y := h.Datestamp.UTC().Year(); y < 1 || y > 9999 {
		return fmt.Errorf("the datestamp is of the year %d", y)
	}
	for _, s := range h.Sets {
		if !protocol.IsSetSpec(s) {
			return fmt.Errorf("%q is not a valid setSpec", s)
		}
	}
	return nil
}

// render has the backend write a record as soon as a slot is free. It checks the output: text that
// is invalid in XML, or that is not one element, is an error of this record.
func (p *Provider) render(ctx context.Context, h protocol.Header, prefix string) (_ *spool, err error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.slots }()
	s := p.newSpool()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack()) // a panic in a goroutine would end the whole server
		}
		if err != nil {
			s.release()
		}
	}()
	if err = p.backend.Write(ctx, h, prefix, s); err == nil {
		err = s.done()
	}
	if err != nil {
		return nil, err
	}
	p.learn(prefix, s.size)
	return s, nil
}
