package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// settleRuns completes the records of audit runs whose process was killed, up to the last
// checkpoint. It may be killed itself, and begins again: the temporary files go last.
func (s *Store) settleRuns() error {
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
		l, err := tryLock(s.runLock(run), exclusive, "audit run "+run, "recovery")
		var held *BusyError
		if errors.As(err, &held) {
			continue // it is under way
		}
		if err != nil {
			return err
		}
		err = s.settleRun(name, found[name])
		l.release()
		if err != nil {
			s.addRecovery(Recovery{Outcome: Pending, Detail: fmt.Sprintf("audit run %s: %v", run, err)})
		}
	}
	return nil
}

// remains is the unfinished record of a killed run in one copy.
type remains struct {
	path string
	size int64 // of the part up to the last checkpoint
	last checkpoint
	ours bool // it has the format of runs that hold a lock
}

// settleRun completes the record of one run, from the copy with the most results.
func (s *Store) settleRun(name string, copies []*copyFolder) error {
	var best remains
	for _, c := range copies {
		r, err := readRemains(tempRun(c, name))
		if err != nil {
			return err
		}
		if !r.ours {
			return nil // of an older Quire, which holds no lock and may be alive
		}
		if r.size > 0 && (best.size == 0 || r.last.Done > best.last.Done) {
			best = r
		}
	}
	run, _ := runOf(name)
	if best.size > 0 {
		foot := runFoot{Finished: best.last.At, Copies: best.last.Copies, Scope: best.scope(), Ended: EndedByKill,
			Place: best.last.Place, Done: best.last.Done}
		for _, c := range copies {
			if exists(filepath.Join(c.audits(), name)) {
				continue // it was complete here
			}
			if err := s.completeRun(c, name, best, foot); err != nil {
				return err
			}
		}
		s.addRecovery(Recovery{Outcome: Finished, Detail: fmt.Sprintf("audit run %s was cut off after %d packages; "+
			"quire audit --resume reads the rest", run, best.last.Done)})
	}
	for _, c := range copies {
		if tempRun(c, name) != best.path {
			if err := s.disk.removeAll(tempRun(c, name)); err != nil {
				return err
			}
		}
	}
	if best.path == "" {
		return nil
	}
	return s.disk.removeAll(best.path)
}

// scope returns the scope in words.
func (r remains) scope() string {
	var head runHead
	_ = eachLine(r.path, func(n int, text []byte) error {
		if n > 0 {
			return io.EOF
		}
		return json.Unmarshal(text, &head)
	}) // it was read before
	return fmt.Sprintf("%s, %d of %d packages, %s", head.Scope, r.last.Done, head.Of, EndedByKill)
}

// readRemains looks for the last checkpoint. The lines after it may be incomplete.
func readRemains(path string) (remains, error) {
	r := remains{path: path}
	f, err := os.Open(path)
	if err != nil {
		return r, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	in := bufio.NewReaderSize(f, 1<<16)
	var at int64
	for n := 0; ; n++ {
		text, err := readRunLine(in)
		if err != nil {
			return r, nil // the end, or a line that was cut off
		}
		at += int64(len(text))
		if n == 0 {
			var head runHead
			r.ours = json.Unmarshal(text, &head) == nil && head.Format == runFormat
			continue
		}
		var line checkpointLine
		if json.Unmarshal(text, &line) == nil && line.Checkpoint != nil {
			r.size, r.last = at, *line.Checkpoint
		}
	}
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
func (s *Store) completeRun(c *copyFolder, name string, from remains, foot runFoot) error {
	in, err := os.Open(from.path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // opened for reading only
	return s.replaceRun(c, name, func(out *bufio.Writer) error {
		if _, err := io.Copy(out, io.LimitReader(in, from.size)); err != nil {
			return err
		}
		_, err := out.WriteString(text(foot) + "\n")
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
