package store

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/repository/catalogue"
)

// importRun imports a finished run into the catalogue.
func (s *Store) importRun(ctx context.Context, l *runLog) error {
	for _, f := range l.files {
		if f.err == nil {
			return s.importRunFile(ctx, filepath.Join(f.copy.audits(), l.name))
		}
	}
	return nil // no copy could write it; the notes of the report record that
}

// importAudits imports runs that are missing in the catalogue, of audits and of copying: all runs after a rebuild, the
// last run after one that was killed at its very end. Records that the register does not confirm are left
// out: audits report them.
func (s *Store) importAudits(ctx context.Context) error {
	known, err := s.knownRuns(ctx)
	if err != nil {
		return err
	}
	return s.importRuns(ctx, known, func(*runHead) bool { return true })
}

// importRuns imports the wanted runs that are not known yet.
func (s *Store) importRuns(ctx context.Context, known map[string]bool, wanted func(*runHead) bool) error {
	confirm := confirmer{store: s}
	for _, c := range s.present() {
		for _, name := range runNames(c) {
			run, _ := runOf(name)
			if known[run] {
				continue
			}
			path := filepath.Join(c.audits(), name)
			head, err := readHead(path)
			if err != nil || !wanted(&head) {
				continue
			}
			ok, err := confirm.run(ctx, path)
			if err != nil {
				s.addRecovery(Recovery{Outcome: Pending, Detail: fmt.Sprintf("the records of runs: %v", err)})
				return ctx.Err()
			}
			if !ok {
				continue
			}
			if err := s.importAny(ctx, &head, path, confirm.leaf(run)); err == nil {
				known[run] = true
			} else if ctx.Err() != nil || isBusy(err) {
				return err
			}
		}
	}
	return nil
}

// knownRuns returns the runs that the catalogue has.
func (s *Store) knownRuns(ctx context.Context) (map[string]bool, error) {
	known, err := s.catalogue.Ended(ctx)
	if err != nil {
		return nil, err
	}
	copyings, err := s.catalogue.Copyings(ctx)
	maps.Copy(known, copyings)
	return known, err
}

// importAny imports the record of an audit or of a run of copying, whose leaf has an index.
func (s *Store) importAny(ctx context.Context, head *runHead, path string, leaf int64) error {
	if !head.isCopying() {
		return s.importRunFile(ctx, path)
	}
	err := s.importCopying(ctx, path, leaf)
	if err != nil && !isBusy(err) {
		s.addRecovery(Recovery{Outcome: Pending, Detail: fmt.Sprintf("the record of a copying, %s: %v", path, err)})
	}
	return err
}

// confirmer compares records of runs with the register. It reads the register at the first one.
type confirmer struct {
	store *Store
	keys  []string
	runs  *enteredRuns
}

// leaf returns the index of the leaf of a run; 0 if there is none.
func (c *confirmer) leaf(run string) int64 {
	if c.runs == nil {
		return 0
	}
	l, _ := c.runs.of(run)
	return l.index
}

// run reports whether the register has the record of a run. It enters a record that its key signed: the
// register may be restored from a copy that lagged.
func (c *confirmer) run(ctx context.Context, path string) (bool, error) {
	s := c.store
	if !s.registered() {
		return true, nil // it begins with the records that the copies have
	}
	if c.runs == nil {
		var err error
		if c.keys, err = s.registerKeys(ctx); err == nil {
			c.runs, err = s.enteredRuns(ctx)
		}
		if err != nil {
			return false, err
		}
	}
	run, _ := runOf(filepath.Base(path))
	if _, entered := c.runs.of(run); !entered {
		r, err := readRecord(path)
		if err == nil && r.head.Run == run && r.leaf.Lines > 0 && isSigned(c.keys, r.signature, r.signed) {
			if err := s.enterRun(ctx, r.leaf); err != nil {
				return false, err
			}
			c.runs, err = s.enteredRuns(ctx)
			return true, err
		}
	}
	return c.runs.fault(path, true) == "", nil
}

// runNames lists the complete run files of a copy, the oldest first.
func runNames(c *copyFolder) []string {
	entries, err := os.ReadDir(c.audits())
	if err != nil {
		return nil // no audit yet
	}
	var names []string
	for _, e := range entries {
		if _, ok := runOf(e.Name()); ok && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}

// runOf returns the run's id from its file name.
func runOf(name string) (string, bool) {
	stem, ok := strings.CutSuffix(name, ".jsonl")
	_, run, cut := strings.Cut(stem, "-")
	return run, ok && cut && !strings.HasPrefix(name, ".") && isToken(run)
}

// runText is a line of a run file. Only one of its parts is there.
type runText struct {
	runLine
	Checkpoint *checkpoint `json:"checkpoint"`
	Copied     *copied     `json:"copied"`
	Finished   time.Time   `json:"finished"`

	// These lines are of format 3, and the digest does not cover them.
	Signature string     `json:"signature"`
	Omitted   *omitted   `json:"omitted"`
	Compacted *compacted `json:"compaction"`
}

// readEnds reads the head and the foot of a complete run file.
func readEnds(path string) (head runHead, foot runFoot, err error) {
	err = eachLine(path, func(n int, text []byte) error {
		if n == 0 {
			return json.Unmarshal(text, &head)
		}
		if !strings.HasPrefix(string(text[:min(len(text), len(footStart))]), footStart) {
			return nil
		}
		foot = runFoot{}
		return json.Unmarshal(text, &foot)
	})
	if err != nil {
		return head, foot, err
	}
	if head.Format < 1 || head.Format > runFormat || !isToken(head.Run) || foot.Finished.IsZero() ||
		len(foot.Copies) == 0 {
		return head, foot, fmt.Errorf("%s is not a complete record of a run", path)
	}
	return head, foot, nil
}

// footStart is how a foot begins.
const footStart = `{"finished":`

// importRunFile imports one run file into the catalogue, in batches. The row of the run comes last:
// a run without it is imported again.
func (s *Store) importRunFile(ctx context.Context, path string) error {
	head, foot, err := readEnds(path)
	if err != nil {
		return err
	}
	var checks []catalogue.Check
	put := func(at time.Time) error {
		for i := range checks {
			checks[i].At = at
		}
		defer func() { checks = checks[:0] }()
		return s.catalogue.PutChecks(ctx, nil, checks)
	}
	err = eachLine(path, func(_ int, text []byte) error {
		var line runText
		if err := json.Unmarshal(text, &line); err != nil {
			return err
		}
		switch {
		case line.Checkpoint != nil:
			return put(line.Checkpoint.At)
		case line.Package == "":
			return nil
		case len(checks) == maxUntimed:
			return errors.New("too many results without a checkpoint")
		}
		if line.Status.WasRead() {
			checks = append(checks, catalogue.Check{Package: line.Package, Copy: line.Copy})
		}
		if head.Format == 1 && len(checks) == 3*batchPackages {
			return put(foot.Finished)
		}
		return nil
	})
	if err == nil {
		err = put(foot.Finished)
	}
	if err != nil {
		return err
	}
	return s.catalogue.EndRun(ctx, head.row(foot), head.sums(foot))
}

// maxUntimed is the maximum number of results between two checkpoints: 64 copies, with room.
const maxUntimed = 100 * batchPackages

// maxRunLine is the maximum length in bytes of a line in a run file: an id, or the sums of every
// copy.
const maxRunLine = 1 << 20

// eachLine reads a file line by line.
func eachLine(path string, visit func(n int, text []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	return eachLineOf(f, path, visit)
}

func eachLineOf(r io.Reader, path string, visit func(n int, text []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxRunLine)
	for n := 0; lines.Scan(); n++ {
		if err := visit(n, lines.Bytes()); err != nil {
			return fmt.Errorf("%s line %d: %w", path, n+1, err)
		}
	}
	return lines.Err()
}
