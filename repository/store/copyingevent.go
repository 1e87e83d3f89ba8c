package store

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"quire/repository/catalogue"
)

// lineFile returns the PREMIS document of an event that is a line of a record. The program is the one that the head
// of the record names.
func (s *Store) lineFile(ctx context.Context, id, file string) ([]byte, error) {
	lines, err := s.catalogue.Lines(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if l.File != file {
			continue
		}
		head, err := s.headOf(l.Run)
		if err != nil {
			return nil, fmt.Errorf("event %s of package %s: %w", file, id, err)
		}
		return s.eventOfLine(l, head.Software).marshal()
	}
	return nil, fmt.Errorf("event %s of package %s: %w", file, id, fs.ErrNotExist)
}

// eventOfLine returns a line of a record as an event.
func (s *Store) eventOfLine(l catalogue.Line, software string) event {
	e := event{Event: l.Event, Package: l.Package, Status: statusGood, Agent: software}
	e.Copy = s.copyURN(l.Copy)
	return e
}

// headOf returns the head of the record of a run, from the first copy that has it.
func (s *Store) headOf(run string) (runHead, error) {
	for _, c := range s.present() {
		for _, name := range runNames(c) {
			if of, _ := runOf(name); of != run {
				continue
			}
			if head, err := readHead(filepath.Join(c.audits(), name)); err == nil && head.Run == run {
				return head, nil
			}
		}
	}
	return runHead{}, fmt.Errorf("the record of run %s: %w", run, fs.ErrNotExist)
}
