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
	"strings"

	"quire/repository/register"
)

// settleRuns completes the records of runs, audits and copyings, whose process was killed, up to the last signed
// checkpoint. The leaf of a run comes first, then its files get their names, and the temporary files go
// last. So it may be killed itself, and begins again.
func (s *Store) settleRuns(ctx context.Context) error {
	found := map[string][]*copyFolder{}
	for _, c := range s.present() {
		entries, err := os.ReadDir(c.audits())
		if err != nil {
			continue // no audit yet
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(strings.TrimPrefix(e.Name(), "."), ".tmp")
			if _, isRun := runOf(name); ok && isRun && strings.HasPrefix(e.Name(), ".") {
				found[name] = append(found[name], c)
			}
		}
	}
	for _, name := range sortedKeys(found) {
		run, _ := runOf(name)
		l, err := s.tryLock(runLock(run), exclusive, "audit run "+run, "recovery")
		var held *BusyError
		if errors.As(err, &held) {
			continue // it is under way
		}
		if err != nil {
			return err
		}
		err = s.settleRun(ctx, name, found[name])
		l.release()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.addRecovery(Recovery{Outcome: Pending, Detail: fmt.Sprintf("audit run %s: %v", run, err)})
		}
	}
	return nil
}

// settleRun completes the record of one run, and removes its temporary files.
func (s *Store) settleRun(ctx context.Context, name string, copies []*copyFolder) error {
	run, _ := runOf(name)
	best, entered, err := s.bestRemains(ctx, name, copies)
	if err != nil {
		return err
	}
	if best == nil && entered {
		return errors.New("the register has it with other lines than the copies that are present")
	}
	if best != nil && best.older {
		return nil // of an older Quire, which holds no lock and may be alive
	}
	if best != nil {
		if err := s.putRun(ctx, name, copies, best, entered); err != nil {
			return err
		}
		detail := fmt.Sprintf("audit run %s was cut off after %d packages; quire audit --resume reads the rest", run,
			best.last.Done)
		switch {
		case best.head.isCopying():
			detail = fmt.Sprintf("the copying of %s by run %s was cut off; its record is in place now", best.head.Scope,
				run)
		case best.whole:
			detail = fmt.Sprintf("audit run %s had ended, and its record is in place now", run)
		}
		s.addRecovery(Recovery{Outcome: Finished, Detail: detail})
	}
	for _, c := range copies {
		if best == nil || tempRun(c, name) != best.path {
			if err := s.disk.removeAll(tempRun(c, name)); err != nil {
				return err
			}
		}
	}
	if best == nil || !strings.HasSuffix(best.path, ".tmp") {
		return nil
	}
	return s.disk.removeAll(best.path)
}

// bestRemains returns the record to complete. If the register has the run, it is the record with that leaf.
// Else it is a complete one, or the one with the most results. nil: none has results that count.
func (s *Store) bestRemains(ctx context.Context, name string, copies []*copyFolder) (best *remains, entered bool,
	err error) {
	keys, err := s.registerKeys(ctx)
	if err != nil {
		return nil, false, err
	}
	runs, err := s.enteredRuns(ctx)
	if err != nil {
		return nil, false, err
	}
	var paths []string
	for _, c := range copies {
		paths = append(paths, tempRun(c, name))
	}
	for _, c := range s.present() {
		if path := filepath.Join(c.audits(), name); exists(path) {
			paths = append(paths, path)
		}
	}
	run, _ := runOf(name)
	leaf, entered := runs.of(run)
	for _, path := range paths {
		r, err := readRemains(path, run, keys)
		if err != nil {
			return nil, entered, err
		}
		switch {
		case r.older:
			return r, entered, nil
		case r.size == 0 || entered && r.leaf != leaf.Batch:
		case best == nil || r.whole && !best.whole || r.whole == best.whole && r.last.Done > best.last.Done:
			best = r
		}
	}
	return best, entered, nil
}

// putRun enters the leaf of a run, and writes its record into the copies that lack it.
func (s *Store) putRun(ctx context.Context, name string, copies []*copyFolder, r *remains, entered bool) error {
	tail := r.foot
	if r.proof.salted && r.foot != "" {
		signature, err := s.signRun(ctx, r.proof.signed(r.head.Run))
		if err != nil {
			return err
		}
		tail += text(signatureLine{signature}) + "\n"
	}
	if r.proof.salted && !entered {
		if err := s.enterRun(ctx, r.leaf); err != nil {
			return err
		}
	}
	for _, c := range copies {
		if exists(filepath.Join(c.audits(), name)) {
			continue // it was complete here
		}
		if err := s.completeRun(c, name, r, tail); err != nil {
			return err
		}
	}
	return nil
}

// remains is the record of a run in one copy, as far as it counts.
type remains struct {
	path  string
	head  runHead
	older bool // its run may be alive: it held no lock
	size  int64
	last  checkpoint
	whole bool   // it has its foot
	foot  string // else the line to add
	proof runProof
	leaf  register.Batch
}

// readRemains reads a record up to its foot, or to its last checkpoint. The lines after that may be
// incomplete. In a record that has a leaf, only lines before a signature of the register's key count: other
// programs may have written into the copy.
func readRemains(path, run string, keys []string) (*remains, error) {
	r := &remains{path: path}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	in := bufio.NewReaderSize(f, 1<<16)
	var at int64
	var p runProof
	var last checkpoint
	var foot *runFoot
	for n := 0; ; n++ {
		text, err := readRunLine(in)
		if err != nil {
			break // the end, or a line that was cut off
		}
		at += int64(len(text))
		line, err := r.read(n, text[:len(text)-1], &p)
		if err != nil || r.older {
			break
		}
		counts := !p.salted
		switch {
		case n == 0:
			counts = false
		case line.covered() && line.Checkpoint != nil:
			last = *line.Checkpoint
		case line.covered() && !line.Finished.IsZero():
			foot = &runFoot{}
			if json.Unmarshal(text, foot) != nil {
				foot = nil
			}
		case p.salted && !line.covered() && line.Signature != "":
			counts = r.head.Run == run && isSigned(keys, line.Signature, p.signed(run))
		default:
			counts = false
		}
		if counts {
			r.size, r.last, r.whole = at, last, foot != nil
			r.proof = p.clone()
		}
	}
	return r, r.end(foot)
}

// read parses a line, and adds it to the digest.
func (r *remains) read(n int, text []byte, p *runProof) (line runText, err error) {
	if err = json.Unmarshal(text, &line); err == nil && n == 0 {
		err = json.Unmarshal(text, &r.head)
	}
	if n == 0 {
		r.older = err != nil || r.head.Format < 2
	}
	if err == nil {
		err = p.add(n, text, &line)
	}
	return line, err
}

// end computes the foot of a record that has none, and the leaf.
func (r *remains) end(foot *runFoot) error {
	if r.size == 0 || r.older {
		return nil
	}
	if !r.whole {
		foot = &runFoot{Finished: r.last.At, Copies: r.last.Copies, Scope: r.scope(), Ended: EndedByKill,
			Place: r.last.Place, Done: r.last.Done}
		line := text(foot)
		r.foot = line + "\n"
		if err := r.proof.add(1, []byte(line), &runText{Finished: foot.Finished}); err != nil {
			return err
		}
	}
	if !r.proof.salted {
		return nil
	}
	var err error
	r.leaf, err = r.proof.leaf(r.head.Run, foot)
	return err
}

// scope returns the scope in words.
func (r *remains) scope() string {
	return fmt.Sprintf("%s, %d of %d packages, %s", r.head.Scope, r.last.Done, r.head.Of, EndedByKill)
}

// readRunLine reads a line with its end. A line that is too long or has no end is an error.
func readRunLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for len(line) <= maxRunLine {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
	return nil, errors.New("the line is too long")
}

// completeRun writes the complete record into one copy.
func (s *Store) completeRun(c *copyFolder, name string, from *remains, tail string) error {
	in, err := os.Open(from.path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // opened for reading only
	return s.replaceRun(c, name, func(out *bufio.Writer) error {
		if _, err := io.Copy(out, io.LimitReader(in, from.size)); err != nil {
			return err
		}
		_, err := out.WriteString(tail)
		return err
	})
}

// replaceRun writes a run file beside its place, syncs it, and renames it.
func (s *Store) replaceRun(c *copyFolder, name string, write func(out *bufio.Writer) error) error {
	temp := filepath.Join(c.audits(), "."+name+".new")
	if exists(temp) { // of a killed process
		if err := s.disk.removeAll(temp); err != nil {
			return err
		}
	}
	f, err := s.disk.create(temp, workingFile)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	if err = write(out); err == nil {
		err = out.Flush()
	}
	if err != nil {
		f.abandon()
		return errors.Join(err, s.disk.removeAll(temp))
	}
	if err := f.finish(); err != nil {
		return err
	}
	return s.disk.rename(temp, filepath.Join(c.audits(), name))
}
