package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/model"
	"quire/repository/catalogue"
)

// A run of copying is one batch of a refill: it writes packages into copies that lack them. It leaves a record, as an
// audit run does, and one leaf in the register. Each line of the record is an event of a package, and says that a copy
// has it. So the packages get no event files.

// copyingType is the type of the events in the record of a run of copying.
const copyingType = model.Recovery

// copied is a copy that got a package.
type copied struct {
	Package string   `json:"package"`
	Copy    string   `json:"copy"`
	From    []string `json:"from"`           // the copies that the bytes came from
	Event   string   `json:"event"`          // UUID of the event
	Order   string   `json:"order,omitzero"` // begins the name of the event, if that is not its time
}

// copiedLine is the line of a package.
type copiedLine struct {
	Copied *copied `json:"copied"`
}

// detail describes the event.
func (c *copied) detail() string {
	return fmt.Sprintf("%s did not have the package; it was written there from %s, synced, read back and matched",
		c.Copy, strings.Join(c.From, " and "))
}

// after orders the event after the newest name in a log, as [event.after] does.
func (c *copied) after(at time.Time, newest string) {
	if len(newest) < len(eventTime) {
		return
	}
	if last, err := time.Parse(eventTime, newest[:len(eventTime)]); err == nil && !at.After(last) {
		c.Order = last.Add(time.Microsecond).Format(eventTime)
	}
}

// event returns the event of the catalogue, of a run that ended at a time. Its name sorts as that of an event file.
func (c *copied) event(run string, at time.Time) catalogue.Event {
	order := c.Order
	if order == "" {
		order = at.UTC().Format(eventTime)
	}
	return catalogue.Event{File: order + "-" + string(copyingType) + "-" + c.Event, ID: c.Event,
		Type: string(copyingType), Time: at, Outcome: string(model.Success), Detail: c.detail(), Copy: c.Copy, Run: run}
}

// isCopying reports whether a run is one of copying, and no audit.
func (h *runHead) isCopying() bool { return h.Type == string(copyingType) }

// readCopied reads the lines of a record of copying. leaf is the index of its leaf.
func readCopied(path string, leaf int64) ([]catalogue.Line, error) {
	head, foot, err := readEnds(path)
	if err != nil {
		return nil, err
	}
	var lines []catalogue.Line
	err = eachLine(path, func(_ int, text []byte) error {
		var line runText
		if err := json.Unmarshal(text, &line); err != nil || line.Copied == nil {
			return err
		}
		lines = append(lines,
			catalogue.Line{Package: line.Copied.Package, Event: line.Copied.event(head.Run, foot.Finished), Leaf: leaf})
		return nil
	})
	return lines, err
}

// importCopying brings a record of copying into the catalogue: its lines are events of their packages, and the states
// of the copies follow from them. A rebuild only keeps the lines, since the packages come later. Lines of packages
// that the catalogue does not have are left out: they were purged.
func (s *Store) importCopying(ctx context.Context, path string, leaf int64) error {
	run, _ := runOf(filepath.Base(path))
	l, err := s.tryLock(runLock(run), exclusive, "copying "+run, "recovery")
	if isHeld(err) {
		return nil // its program enters it
	}
	if err != nil {
		return err
	}
	defer l.release()
	if has, err := s.catalogue.HasCopying(ctx, run); has || err != nil {
		return err
	}
	lines, err := readCopied(path, leaf)
	if err == nil {
		err = s.catalogue.StageLines(ctx, lines)
	}
	if err != nil {
		return err
	}
	if s.rebuilding {
		s.stagedRuns = append(s.stagedRuns, run)
		return nil
	}
	ids := make([]string, 0, len(lines))
	for _, line := range lines {
		ids = append(ids, line.Package)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		switch err := s.recordAgain(ctx, id); {
		case isHeld(err):
			return nil // the next open tries it again
		case err != nil:
			return err
		}
	}
	return s.catalogue.EndCopying(ctx, run)
}

// recordAgain writes the record of a package in the catalogue again, with the staged lines.
func (s *Store) recordAgain(ctx context.Context, id string) error {
	card, err := s.catalogue.Package(ctx, id)
	if errors.Is(err, catalogue.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	l, err := s.tryLock(objectKey(card.Object), exclusive, "package "+id, "recording")
	if err != nil {
		return err
	}
	defer l.release()
	if _, err := s.catalogue.Package(ctx, id); errors.Is(err, catalogue.ErrNotFound) { // purged meanwhile
		return nil
	}
	return s.recordObject(ctx, card.Path, nil)
}

// isHeld reports whether another process holds a lock.
func isHeld(err error) bool {
	var held *BusyError
	return errors.As(err, &held)
}

// stageCopyings keeps the lines of the records of copying for the packages of a rebuild. Before, it completes the
// records of killed runs, and brings those that only far copies have.
func (s *Store) stageCopyings(ctx context.Context, far []*copyFolder) error {
	if err := errors.Join(s.settleRuns(ctx), s.fetchRuns(ctx, far)); err != nil {
		return err
	}
	return s.importRuns(ctx, map[string]bool{}, (*runHead).isCopying)
}

// linesOf returns the events of an object in the records of copying. Staged ones count if their run was entered after
// the object: one of the same id may have been purged before.
func (s *Store) linesOf(ctx context.Context, id, object, path string) ([]event, error) {
	lines, err := s.catalogue.Lines(ctx, id)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	var h history
	if s.registered() && slices.ContainsFunc(lines, func(l catalogue.Line) bool { return l.Leaf > 0 }) {
		if h, _, err = s.historyOf(ctx, object, path); err != nil {
			return nil, err
		}
	}
	var events []event
	for _, l := range lines {
		if l.Leaf > 0 && (h.History == nil || l.Leaf < h.first) {
			continue
		}
		events = append(events, s.eventOfLine(l, ""))
	}
	return events, nil
}
