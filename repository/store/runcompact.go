package store

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"quire/repository/catalogue"
)

// The records of audits would grow with each audit. Compaction leaves out the lines that say "good"
// about a package and copy that was read again later. Heads, checkpoints with lines, feet, and each
// line with a problem stay for ever. So the records together have one such line for each package and
// copy, and at most as many again that wait for the next compaction.

// Compaction is the result of compacting the records of audits.
type Compaction struct {
	Files int   `json:"files"` // records that became smaller, in all copies
	Lines int64 `json:"lines"` // lines left out
	Bytes int64 `json:"bytes"` // bytes freed
}

// CompactAudits makes the records of audits smaller. Without all, it reads only those of which half
// may be superseded: then the work is in proportion to the packages that were audited. Before, it
// copies records to copies that lack them, because the newer record must be in each copy. The error
// names the records that stay as they are.
func (s *Store) CompactAudits(ctx context.Context, all bool) (Compaction, error) {
	var done Compaction
	if err := s.Writable(); err != nil {
		return done, err
	}
	turn, err := tryLock(s.lockPath("audits"), exclusive, "the records of audits", "compaction")
	if err != nil {
		if !all && isBusy(err) {
			return done, nil // another audit is at it
		}
		return done, err
	}
	defer turn.release()
	sums, err := s.catalogue.Audits(ctx, -1)
	if err != nil {
		return done, err
	}
	var errs []error
	for _, name := range s.allRuns() {
		if err := s.shareRun(name); err != nil {
			errs = append(errs, fmt.Errorf("audit record %s: %w", name, err))
			continue
		}
		for _, c := range s.present() {
			if err := s.compactRun(ctx, c, name, sums, all, &done); err != nil {
				errs = append(errs, fmt.Errorf("copy %s: audit record %s: %w", c.name, name, err))
			}
		}
	}
	return done, errors.Join(errs...)
}

// allRuns lists the run files of all copies.
func (s *Store) allRuns() []string {
	var names []string
	for _, c := range s.present() {
		names = append(names, runNames(c)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// shareRun copies a run file to the copies that lack it.
func (s *Store) shareRun(name string) error {
	var from string
	for _, c := range s.present() {
		path := filepath.Join(c.audits(), name)
		if from == "" && exists(path) {
			from = path
		}
	}
	for _, c := range s.present() {
		if exists(filepath.Join(c.audits(), name)) {
			continue
		}
		if _, _, err := readEnds(from); err != nil {
			return err
		}
		in, err := os.Open(from)
		if err != nil {
			return err
		}
		if err = s.disk.mkdirAll(c.audits()); err == nil {
			err = s.replaceRun(c, name, func(out *bufio.Writer) error {
				_, err := io.Copy(out, in)
				return err
			})
		}
		_ = in.Close() // opened for reading only
		if err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	return nil
}

// compactRun makes one run file smaller, if that is worth it.
func (s *Store) compactRun(ctx context.Context, c *copyFolder, name string, sums []catalogue.Audit, all bool,
	done *Compaction) error {
	path := filepath.Join(c.audits(), name)
	if !all {
		head, err := readHead(path)
		if err != nil || !worthIt(&head, sums) {
			return err
		}
	}
	head, foot, err := readEnds(path)
	if err != nil {
		return err
	}
	p := &pruner{store: s, path: path, head: head, foot: foot}
	if err := p.prune(ctx, func([]byte) error { return nil }); err != nil || p.dropped == 0 {
		return err
	}
	before, err := os.Stat(path)
	if err != nil {
		return err
	}
	p = &pruner{store: s, path: path, head: head, foot: foot, good: p.good}
	if err := s.replaceRun(c, name, func(out *bufio.Writer) error {
		return p.prune(ctx, func(text []byte) error {
			_, err := out.Write(append(text, '\n'))
			return err
		})
	}); err != nil {
		return err
	}
	after, err := os.Stat(path)
	if err != nil {
		return err
	}
	done.Files++
	done.Lines += p.dropped
	done.Bytes += before.Size() - after.Size()
	return nil
}

// readHead reads only the first line of a run file.
func readHead(path string) (head runHead, err error) {
	f, err := os.Open(path)
	if err != nil {
		return head, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	text, err := readRunLine(bufio.NewReader(f))
	if err != nil {
		return head, err
	}
	return head, json.Unmarshal(text, &head)
}

// worthIt reports whether later runs read at least half as many packages as the file has lines.
func worthIt(head *runHead, sums []catalogue.Audit) bool {
	since, lines := head.Compacted, int64(0)
	for _, a := range sums {
		if a.Run == head.Run {
			lines += a.Objects
			if head.Compacted.IsZero() {
				since = a.Finished
			}
		}
	}
	if head.Lines != nil {
		lines = *head.Lines
	}
	var later int64
	for _, a := range sums {
		if a.Finished.After(since) {
			later += a.Objects
		}
	}
	return lines > 0 && 2*later >= lines
}

// pruner reads a run file and leaves out the superseded lines.
type pruner struct {
	store   *Store
	path    string
	head    runHead
	foot    runFoot
	good    int64 // lines of good results that stay
	dropped int64
	waiting []waitingLine
	kept    bool // a line since the last checkpoint
}

// waitingLine is a line whose time is not known yet.
type waitingLine struct {
	text []byte
	line runLine
}

// prune calls emit with each line that stays.
func (p *pruner) prune(ctx context.Context, emit func(text []byte) error) error {
	limit := maxUntimed
	if p.head.Format == 1 {
		limit = 3 * batchPackages // all its lines have the time of the foot
	}
	good := p.good
	p.good = 0
	return eachLine(p.path, func(n int, text []byte) error {
		if n == 0 {
			text, err := p.newHead(text, good)
			if err != nil {
				return err
			}
			return emit(text)
		}
		var line runText
		if err := json.Unmarshal(text, &line); err != nil {
			return err
		}
		switch {
		case line.Package != "":
			p.waiting = append(p.waiting, waitingLine{slices.Clone(text), line.runLine})
			if len(p.waiting) < limit {
				return nil
			}
			if p.head.Format != 1 {
				return errors.New("too many results without a checkpoint")
			}
			return p.decide(ctx, p.foot.Finished, emit)
		case line.Checkpoint != nil:
			p.kept = false
			if err := p.decide(ctx, line.Checkpoint.At, emit); err != nil || !p.kept {
				return err
			}
		case !line.Finished.IsZero():
			if err := p.decide(ctx, p.foot.Finished, emit); err != nil {
				return err
			}
		}
		return emit(slices.Clone(text)) // also a kind of line that this program does not know
	})
}

// newHead adds the time and the number of lines to the head, and leaves the rest as it is.
func (p *pruner) newHead(text []byte, good int64) ([]byte, error) {
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	for name, value := range map[string]any{"compacted": p.store.moment(), "lines": good} {
		b, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		raw[name] = b
	}
	return json.Marshal(raw)
}

// decide emits the waiting lines that stay. All were read at the same time.
func (p *pruner) decide(ctx context.Context, at time.Time, emit func(text []byte) error) error {
	for part := range slices.Chunk(p.waiting, batchPackages) {
		var ids []string
		for _, w := range part {
			ids = append(ids, w.line.Package)
		}
		slices.Sort(ids)
		newest, err := p.store.catalogue.Newest(ctx, slices.Compact(ids))
		if err != nil {
			return err
		}
		for _, w := range part {
			good := w.line.Status == catalogue.Good && w.line.Problems == 0
			if good && newest[catalogue.Check{Package: w.line.Package, Copy: w.line.Copy}].After(at) {
				p.dropped++
				continue
			}
			if good {
				p.good++
			}
			p.kept = true
			if err := emit(w.text); err != nil {
				return err
			}
		}
	}
	p.waiting = p.waiting[:0]
	return nil
}
