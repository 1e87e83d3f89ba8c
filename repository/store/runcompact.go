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

	"quire/repository/catalogue"
)

// The records of audits, not of copying, would grow with each audit. Compaction leaves out the lines that say "good"
// about a package and copy that was read again later. Heads, checkpoints with lines, feet, and each
// line with a problem stay for ever. So the records together have one such line for each package and
// copy, and at most as many again that wait for the next compaction. The register has the digest over all
// lines of a record: hashes take the place of those that are left out.

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
	turn, err := s.tryLock("audits", exclusive, "the records of audits", "compaction")
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
	runs, err := s.enteredRuns(ctx)
	if err != nil {
		return done, err
	}
	var errs []error
	for _, name := range s.allRuns() {
		if err := s.shareRun(name, runs); err != nil {
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

// shareRun copies a run file to the copies that lack it. A file that differs from the register is not copied.
func (s *Store) shareRun(name string, runs *enteredRuns) error {
	var lacking []*copyFolder
	var from string
	for _, c := range s.present() {
		if !exists(filepath.Join(c.audits(), name)) {
			lacking = append(lacking, c)
		}
	}
	if len(lacking) > 0 {
		from = s.goodRun(name, runs)
	}
	if from == "" {
		return nil // or audits report that no copy has it whole
	}
	var errs []error
	for _, c := range lacking {
		if err := s.copyRun(c, name, from); err != nil {
			errs = append(errs, fmt.Errorf("copy %s: %w", c.name, err))
		}
	}
	return errors.Join(errs...)
}

// goodRun returns the path of a complete run file that does not differ from the register; "" if there is none.
func (s *Store) goodRun(name string, runs *enteredRuns) string {
	for _, c := range s.present() {
		path := filepath.Join(c.audits(), name)
		if _, _, err := readEnds(path); err == nil && runs.fault(path, true) == "" {
			return path
		}
	}
	return ""
}

// copyRun copies a run file into a copy.
func (s *Store) copyRun(c *copyFolder, name, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // opened for reading only
	if err := s.disk.mkdirAll(c.audits()); err != nil {
		return err
	}
	return s.replaceRun(c, name, func(out *bufio.Writer) error {
		_, err := io.Copy(out, in)
		return err
	})
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
	if err != nil || head.isCopying() {
		return err
	}
	p := &pruner{store: s, path: path, head: head, foot: foot}
	var size int64
	if err := p.prune(ctx, func(text []byte) error {
		size += int64(len(text)) + 1
		return nil
	}); err != nil || p.dropped == 0 {
		return err
	}
	before, err := os.Stat(path)
	if err != nil || size >= before.Size() { // hashes may take more room than short lines
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

// readHead reads the head of a run file, with the time of the last compaction.
func readHead(path string) (head runHead, err error) {
	f, err := os.Open(path)
	if err != nil {
		return head, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	in := bufio.NewReader(f)
	text, err := readRunLine(in)
	if err == nil {
		err = json.Unmarshal(text, &head)
	}
	if err != nil || head.Format < saltedFormat {
		return head, err
	}
	var line runText
	if text, err := readRunLine(in); err == nil && json.Unmarshal(text, &line) == nil && line.Compacted != nil {
		head.Compacted, head.Lines = line.Compacted.At, &line.Compacted.Lines
	}
	return head, nil
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
