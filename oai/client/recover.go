package client

import (
	"errors"
	"io"
)

// begins holds the first child of each unit of a list. It prevents mistaking an element named
// record within metadata for a unit when the nesting is broken.
var begins = map[string]string{"record": "header", "header": "identifier", "set": "setSpec",
	"metadataFormat": "metadataPrefix"}

// resume returns the offset at which a list continues after a broken unit. This is the offset of
// the next unit, of the resumptionToken, or of the end of the list. It returns limit if there is no
// such position.
func (s *scanner) resume(unit tag, list string, limit int64) (int64, error) {
	prefix := unit.name[:len(unit.name)-len(local(unit.name))]
	best := limit
	for _, what := range []string{"<" + prefix + "resumptionToken", "</" + list} {
		at, err := s.findFar(unit.start+1, limit, what)
		if err != nil {
			return 0, err
		}
		if at >= 0 {
			best = min(best, at)
		}
	}
	for at := unit.start + 1; at < best; at++ {
		next, err := s.findFar(at, best, "<"+unit.name)
		if err != nil {
			return 0, err
		}
		if next < 0 {
			break
		}
		is, err := s.isUnit(next, unit.name, limit)
		if err != nil {
			return 0, err
		}
		if is {
			return next, nil
		}
		at = next
	}
	return best, nil
}

// isUnit reports whether a unit begins at an offset.
func (s *scanner) isUnit(at int64, name string, limit int64) (bool, error) {
	var b *broken
	s.at = at
	t, err := s.next(limit)
	switch {
	case errors.As(err, &b), errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, err
	case t.kind != startTag || t.name != name:
		return false, nil
	}
	u, err := s.next(limit)
	switch {
	case errors.As(err, &b), errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, err
	}
	return u.kind == startTag && local(u.name) == begins[local(name)] && u.start-t.end < 100, nil
}
