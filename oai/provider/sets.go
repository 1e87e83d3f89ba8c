package provider

import (
	"context"
	"errors"
	"fmt"

	"quire/metadata/dc"
	"quire/metadata/xmlstream"
	"quire/oai/protocol"
)

var noSets = condition{protocol.NoSetHierarchy, "this repository has no sets"}

// listSets answers ListSets (clause 4.6), also in pages, because a repository may have a set for
// every host.
func (p *Provider) listSets(ctx context.Context, a *answer) ([]condition, error) {
	sets, more, err := p.pageOfSets(ctx, a.request.query.After.Identifier)
	switch {
	case errors.Is(err, ErrNoSets):
		return []condition{noSets}, nil
	case err != nil:
		return nil, err
	case len(sets) == 0 && a.request.resumed:
		return []condition{{protocol.BadResumptionToken,
			"no sets follow this one any more: start the list again"}}, nil
	case len(sets) == 0:
		return []condition{noSets}, nil // the schema allows no empty list of sets
	}
	a.beginVerb()
	for _, s := range sets {
		if err := a.set(s); err != nil {
			return nil, err
		}
		a.flushFull()
	}
	cursor := a.request.cursor
	switch {
	case more:
		next := cursor + int64(len(sets))
		a.resumption(p.token(a.request, Position{Identifier: sets[len(sets)-1].Spec}, next), cursor, 0)
	case a.request.resumed:
		a.resumption("", cursor, 0)
	}
	return nil, nil
}

// pageOfSets returns the sets of a page, and whether more follow.
func (p *Provider) pageOfSets(ctx context.Context, after string) (sets []protocol.Set, more bool, err error) {
	for s, err := range p.backend.Sets(ctx, after) {
		switch {
		case err != nil:
			return nil, false, err
		case len(sets) == p.opt.Headers:
			return sets, true, nil
		case !protocol.IsSetSpec(s.Spec):
			p.problem(Problem{Err: fmt.Errorf("set %q is omitted: it is not a valid setSpec", s.Spec)})
			continue
		}
		sets = append(sets, s)
	}
	return sets, false, nil
}

// set writes a set. The spec replaces a missing name.
func (a *answer) set(s protocol.Set) error {
	a.raw("<set>\n")
	a.element("setSpec", s.Spec)
	if s.Name == "" {
		s.Name = s.Spec
	}
	a.element("setName", s.Name)
	if s.Description != "" {
		a.raw("<setDescription>")
		x := xmlstream.NewWriter(into{a}, xmlstream.Options{Fragment: true})
		if err := dc.Write(x, dc.Record{{Element: dc.Description, Value: s.Description}}); err != nil {
			return err
		}
		if err := x.Close(); err != nil {
			return err
		}
		a.raw("</setDescription>\n")
	}
	a.raw("</set>\n")
	return nil
}

// into lets an XML writer write into an answer.
type into struct{ a *answer }

func (i into) Write(b []byte) (int, error) {
	i.a.piece(b)
	return len(b), nil
}

// hasSets reports whether the backend has a hierarchy of sets.
func (p *Provider) hasSets(ctx context.Context) (bool, error) {
	for _, err := range p.backend.Sets(ctx, "") {
		if errors.Is(err, ErrNoSets) {
			return false, nil
		}
		return err == nil, err
	}
	return true, nil
}
