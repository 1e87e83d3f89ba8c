package search

import (
	"context"
	"errors"
	"fmt"

	"quire/access/search/solr"
)

// Takedown deletes closed captures of some packages from both collections in Solr, and waits until no search
// finds them. With gone, the whole packages go. It reads no payload. A folder
// without a note of a Solr has nothing to take down.
func Takedown(ctx context.Context, dir string, house Holdings, packages []string, gone bool) error {
	settings, there, err := Noted(dir)
	if err != nil || !there {
		return err
	}
	s, err := OpenSolr(ctx, dir, house, settings, Options{})
	if err != nil {
		return err
	}
	err = s.takeDown(ctx, packages, gone)
	if err = errors.Join(err, s.Close()); err != nil {
		return fmt.Errorf("SOLR STILL HOLDS THE CONTENT: %s, collections %s and %s, may find it for programs that "+
			"ask Solr itself. Quire does not show it: %w", settings.URL, settings.Collection, settings.Open, err)
	}
	return nil
}

func (s *Solr) takeDown(ctx context.Context, packages []string, gone bool) error {
	const patience = 0 // the person at the command waits
	for _, c := range s.both() {
		c.Patience = patience
	}
	for _, name := range packages {
		if gone {
			if s.open != nil {
				if err := s.open.Delete(ctx, s.openPackage(name)); err != nil {
					return err
				}
			}
			if err := s.own.Delete(ctx, solr.OneOf("quire_package", name)); err != nil {
				return err
			}
			continue
		}
		if err := s.takeDownClosed(ctx, name); err != nil {
			return err
		}
	}
	for _, c := range s.both() {
		commit := c.Commit
		if gone {
			commit = c.Erase
		}
		if err := commit(ctx); err != nil {
			return err
		}
	}
	return nil
}

// takeDownClosed deletes the captures of a package that are not open for ever.
func (s *Solr) takeDownClosed(ctx context.Context, name string) error {
	const some = 500
	var open, own []string
	flush := func() error {
		err := s.deleteOpen(ctx, name, open)
		if err == nil && len(own) > 0 {
			err = s.own.Delete(ctx, solr.OneOf("id", own...))
		}
		open, own = open[:0], own[:0]
		return err
	}
	for c, err := range s.captures(ctx, name) {
		if err != nil {
			return err
		}
		a := s.accessTo(c.Capture)
		if !a.forever {
			open = append(open, openID(c.Capture))
		}
		if a.from == [3]int64{endOfTime, endOfTime, endOfTime} {
			own = append(own, captureID(c.Capture))
		}
		if len(open) >= some {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
