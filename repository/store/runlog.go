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
	"time"

	"quire/repository/catalogue"
)

// An audit run leaves one file in the audits folder of every copy, with the time and the result for
// each package. This fixity information is separate from the content (ISO 16363, 4.4.1.2). A
// rebuilt catalogue imports old audits from it.
//
// The file has lines of JSON: a head, one line for each package and copy, a foot. It is written
// under a temporary name and renamed at the end, so an existing file is complete.

type runHead struct {
	Format  int       `json:"format"` // 1
	Run     string    `json:"run"`
	Scope   string    `json:"scope"`
	Started time.Time `json:"started"`
}

// runLine is the result for one package in one copy.
type runLine struct {
	Package  string           `json:"package"`
	Copy     string           `json:"copy"`
	Status   catalogue.Status `json:"status"`
	Problems int64            `json:"problems"`
}

type runFoot struct {
	Finished time.Time   `json:"finished"`
	Copies   []CopyAudit `json:"copies"`
}

// runLog is a run file during its writing, in several copies at once.
type runLog struct {
	name  string
	disk  *disk
	files []*runFile
}

// runFile is the run file in one copy. After an error it ignores further lines.
type runFile struct {
	copy *copyFolder
	temp string
	file *diskFile
	out  *bufio.Writer
	err  error
}

func (s *Store) beginRun(copies []*copyFolder, run, scope string, started time.Time) *runLog {
	l := &runLog{name: fmt.Sprintf("%s-%s.jsonl", started.Format(eventTime), run), disk: s.disk}
	for _, c := range copies {
		f := &runFile{copy: c, temp: filepath.Join(c.audits(), "."+l.name+".tmp")}
		if f.err = s.disk.mkdirAll(c.audits()); f.err == nil {
			f.file, f.err = s.disk.create(f.temp, workingFile)
		}
		if f.err == nil {
			f.out = bufio.NewWriter(f.file)
		}
		l.files = append(l.files, f)
	}
	l.add(runHead{Format: 1, Run: run, Scope: scope, Started: started})
	return l
}

// add writes a line.
func (l *runLog) add(line any) {
	text, err := json.Marshal(line)
	for _, f := range l.files {
		if f.err == nil && err == nil {
			_, f.err = f.out.Write(append(text, '\n'))
		}
	}
}

// finish completes the files. The error names the copies that failed.
func (l *runLog) finish(finished time.Time, copies []CopyAudit) error {
	l.add(runFoot{Finished: finished, Copies: copies})
	var errs []error
	for _, f := range l.files {
		if f.err == nil {
			f.err = f.out.Flush()
		}
		if f.file != nil {
			f.err = errors.Join(f.err, f.file.finish())
			f.file = nil
		}
		if f.err == nil {
			f.err = l.disk.rename(f.temp, filepath.Join(f.copy.audits(), l.name))
		}
		if f.err != nil {
			errs = append(errs, fmt.Errorf("copy %s: writing the record of this audit: %w", f.copy.name, f.err))
		}
	}
	return errors.Join(errs...)
}

// abandon removes the files that finish did not complete.
func (l *runLog) abandon() {
	for _, f := range l.files {
		if f.file != nil {
			f.file.abandon()
		}
		if exists(f.temp) {
			_ = l.disk.removeAll(f.temp) // a leftover does no harm: its name begins with a dot
		}
	}
}

// importRun imports a finished run into the catalogue.
func (s *Store) importRun(ctx context.Context, l *runLog) error {
	for _, f := range l.files {
		if f.err == nil {
			return s.importRunFile(ctx, filepath.Join(f.copy.audits(), l.name))
		}
	}
	return nil // no copy could write it; the notes of the report record that
}

// importAudits imports runs that are missing in the catalogue: all runs after a rebuild, the last
// run after an audit that was killed at its very end.
func (s *Store) importAudits(ctx context.Context) error {
	seen := map[string]bool{}
	for _, c := range s.present() {
		entries, err := os.ReadDir(c.audits())
		if err != nil {
			continue // nothing to import
		}
		for _, e := range entries {
			name := e.Name()
			run, ok := runOf(name)
			if !ok || seen[name] || !e.Type().IsRegular() {
				continue
			}
			known, err := s.catalogue.HasAudit(ctx, run)
			if err != nil {
				return err
			}
			if known {
				seen[name] = true
				continue
			}
			if err := s.importRunFile(ctx, filepath.Join(c.audits(), name)); err == nil {
				seen[name] = true
			} else if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// runOf returns the run's id from its file name.
func runOf(name string) (string, bool) {
	stem, ok := strings.CutSuffix(name, ".jsonl")
	_, run, cut := strings.Cut(stem, "-")
	return run, ok && cut && !strings.HasPrefix(name, ".") && isToken(run)
}

// importRunFile imports one run file into the catalogue.
func (s *Store) importRunFile(ctx context.Context, path string) error {
	var head runHead
	var foot runFoot
	if err := eachLine(path, func(n int, text []byte) error {
		if n == 0 {
			return json.Unmarshal(text, &head)
		}
		return json.Unmarshal(text, &foot) // the last line wins; others have none of its fields
	}); err != nil {
		return err
	}
	if head.Format != 1 || !isToken(head.Run) || foot.Finished.IsZero() || len(foot.Copies) == 0 {
		return fmt.Errorf("%s is not a complete record of an audit", path)
	}
	var sums []catalogue.Audit
	for _, c := range foot.Copies {
		sums = append(sums, catalogue.Audit{Run: head.Run, Copy: c.Name, Scope: head.Scope, Started: head.Started,
			Finished: foot.Finished, Objects: c.Objects, Files: c.Files, Bytes: c.Bytes, Problems: c.Problems})
	}
	return s.catalogue.PutAudit(ctx, sums, func(yield func(id, copyName string) error) error {
		return eachLine(path, func(_ int, text []byte) error {
			var line runLine
			if err := json.Unmarshal(text, &line); err != nil || line.Package == "" {
				return err
			}
			return yield(line.Package, line.Copy)
		})
	})
}

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
	lines := bufio.NewScanner(io.Reader(f))
	lines.Buffer(nil, maxRunLine)
	for n := 0; lines.Scan(); n++ {
		if err := visit(n, lines.Bytes()); err != nil {
			return fmt.Errorf("%s line %d: %w", path, n+1, err)
		}
	}
	return lines.Err()
}
