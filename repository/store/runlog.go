package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"quire/repository/catalogue"
)

// An audit run leaves one file in the audits folder of every copy, with the time and the result for
// each package. This fixity information is separate from the content (ISO 16363, 4.4.1.2). A
// rebuilt catalogue imports old audits from it.
//
// The file has lines of JSON: a head, one line for each package and copy, checkpoints between them,
// a foot. It is written under a temporary name, and synced at each checkpoint. At the end it is
// renamed, so a file with the final name is complete.

// runFormat is the format of new files. Format 1 had no checkpoints, and only complete runs. Formats 1 and 2
// have no leaf in the register.
const (
	runFormat    = 3
	saltedFormat = 3 // and later ones
)

type runHead struct {
	Format  int       `json:"format"`
	Run     string    `json:"run"`
	Scope   string    `json:"scope"`
	Started time.Time `json:"started"`

	// These fields are of format 2.
	Choice    *choice   `json:"choice,omitempty"`
	Resumes   string    `json:"resumes,omitempty"`
	Began     time.Time `json:"began,omitzero"`
	Whole     bool      `json:"whole,omitempty"`
	Chosen    int64     `json:"chosen,omitempty"`
	Of        int64     `json:"of,omitempty"`
	Compacted time.Time `json:"compacted,omitzero"` // when lines were left out last
	Lines     *int64    `json:"lines,omitempty"`    // lines of good results that it has since

	// These fields are of format 3.
	Salt string   `json:"salt,omitempty"` // of the digests in the register
	In   []string `json:"in,omitempty"`   // the copies in which the file was written

	// These fields are of a run of copying.
	Type     string `json:"type,omitempty"`     // of the events in it; "" in an audit
	Software string `json:"software,omitempty"` // name and version of the program
}

// runLine is the result for one package in one copy.
type runLine struct {
	Package  string           `json:"package"`
	Copy     string           `json:"copy"`
	Status   catalogue.Status `json:"status"`
	Problems int64            `json:"problems"`
}

// checkpoint ends a batch: the lines since the one before were read until then.
type checkpoint struct {
	At     time.Time   `json:"at"`
	Place  place       `json:"place"`
	Done   int64       `json:"done"`
	Copies []CopyAudit `json:"copies"`
}

// checkpointLine is the line of a checkpoint.
type checkpointLine struct {
	Checkpoint *checkpoint `json:"checkpoint"`
}

type runFoot struct {
	Finished time.Time   `json:"finished"`
	Copies   []CopyAudit `json:"copies"`

	// These fields are of format 2.
	Scope string `json:"scope,omitempty"`
	Ended string `json:"ended,omitempty"`
	Place place  `json:"place,omitzero"`
	Done  int64  `json:"done,omitempty"`
}

// row returns the row of the run in the catalogue.
func (h *runHead) row(f runFoot) catalogue.Run {
	r := catalogue.Run{Run: h.Run, Kind: catalogue.Named, Resumes: h.Resumes, Began: h.Began, Started: h.Started,
		Finished: f.Finished, Ended: f.Ended, Whole: h.Whole, Chosen: h.Chosen, Done: f.Done}
	if h.Format == 1 { // such a run was complete
		for _, c := range f.Copies {
			r.Done = max(r.Done, c.Objects)
		}
		if h.Scope == "all" {
			r.Kind = catalogue.Full
		}
		r.Began, r.Ended, r.Whole, r.Chosen = h.Started, catalogue.Complete, true, r.Done
		return r
	}
	if h.Choice != nil {
		r.Kind, r.Share = h.Choice.Kind, float64(h.Choice.Share)
		r.Choice = text(h.Choice)
	}
	r.Place = text(f.Place)
	return r
}

// text returns a value of this package as JSON.
func text(v any) string {
	b, _ := json.Marshal(v) // these types have no value that JSON lacks
	return string(b)
}

// sums returns the rows of the copies in the catalogue.
func (h *runHead) sums(f runFoot) []catalogue.Audit {
	scope := f.Scope
	if scope == "" {
		scope = h.Scope
	}
	var sums []catalogue.Audit
	for _, c := range f.Copies {
		sums = append(sums, catalogue.Audit{Run: h.Run, Copy: c.Name, Scope: scope, Started: h.Started,
			Finished: f.Finished, Objects: c.Objects, Files: c.Files, Bytes: c.Bytes, Problems: c.Problems})
	}
	return sums
}

// runLog is a run file during its writing, in several copies at once.
type runLog struct {
	name  string
	disk  *disk
	files []*runFile
	alive *lock // held while the run is under way
	run   string
	proof runProof
	count int // lines so far
}

// runFile is the run file in one copy. After an error it ignores further lines.
type runFile struct {
	copy *copyFolder
	temp string
	file *diskFile
	out  *bufio.Writer
	err  error
	done bool // it has its name
}

// tempRun returns the path of a run file while it is written.
func tempRun(c *copyFolder, name string) string { return filepath.Join(c.audits(), "."+name+".tmp") }

// runLock names the lock that a run holds while it is under way.
func runLock(run string) string { return "audit-" + run }

func (s *Store) beginRun(copies []*copyFolder, head runHead) (*runLog, error) {
	alive, err := s.tryLock(runLock(head.Run), exclusive, "run "+head.Run, "writing the record")
	if err != nil {
		return nil, err
	}
	l := &runLog{name: fmt.Sprintf("%s-%s.jsonl", head.Started.Format(eventTime), head.Run), disk: s.disk, alive: alive,
		run: head.Run}
	for _, c := range copies {
		if c.isFar() {
			continue // the records of runs are in the folders
		}
		f := &runFile{copy: c, temp: tempRun(c, l.name)}
		if f.err = s.disk.mkdirAll(c.audits()); f.err == nil {
			f.file, f.err = s.disk.create(f.temp, workingFile)
		}
		if f.err == nil {
			f.out = bufio.NewWriter(f.file)
			head.In = append(head.In, c.name) // a copy that just went away has no record
		}
		l.files = append(l.files, f)
	}
	l.add(head)
	return l, nil
}

// lost reports whether no copy has the record.
func (l *runLog) lost() bool {
	return !slices.ContainsFunc(l.files, func(f *runFile) bool { return f.err == nil })
}

// failed returns the errors of the copies.
func (l *runLog) failed() error {
	var errs []error
	for _, f := range l.files {
		if f.err != nil {
			errs = append(errs, fmt.Errorf("copy %s: writing the record of a run: %w", f.copy.name, f.err))
		}
	}
	return errors.Join(errs...)
}

// remove removes a record that counts for nothing. It closes the files.
func (l *runLog) remove() error {
	var errs []error
	for _, f := range l.files {
		if f.file != nil {
			f.file.abandon()
			f.file = nil
		}
		if exists(f.temp) {
			errs = append(errs, l.disk.removeAll(f.temp))
		}
	}
	return errors.Join(errs...)
}

// add writes a line.
func (l *runLog) add(line any) {
	text, err := json.Marshal(line)
	if err == nil && len(l.files) > 0 {
		var parsed runText
		if err = json.Unmarshal(text, &parsed); err == nil {
			err = l.proof.add(l.count, text, &parsed)
		}
		l.count++
	}
	for _, f := range l.files {
		if f.err == nil && err == nil {
			_, f.err = f.out.Write(append(text, '\n'))
		}
	}
}

// checkpoint writes a checkpoint with a signature, and syncs the files.
func (l *runLog) checkpoint(c checkpoint, sign func([]byte) (string, error)) error {
	l.add(checkpointLine{&c})
	err := l.sign(sign)
	for _, f := range l.files {
		if f.err == nil {
			f.err = f.out.Flush()
		}
		if f.err == nil {
			f.err = f.file.sync()
		}
	}
	return err
}

// sign writes a signature over the lines so far.
func (l *runLog) sign(sign func([]byte) (string, error)) error {
	if !l.proof.salted || l.lost() {
		return nil
	}
	signature, err := sign(l.proof.signed(l.run))
	if err != nil {
		return fmt.Errorf("signing the record of this run: %w", err)
	}
	l.add(signatureLine{signature})
	return nil
}

// sync makes the bytes so far durable.
func (f *diskFile) sync() error {
	if err := f.disk.allow("sync", f.path); err != nil {
		return err
	}
	return f.f.Sync()
}

// complete writes the foot, and syncs and closes the files. They keep their temporary names.
func (l *runLog) complete(foot runFoot, sign func([]byte) (string, error)) error {
	l.add(foot)
	err := l.sign(sign)
	for _, f := range l.files {
		if f.err == nil {
			f.err = f.out.Flush()
		}
		if f.file != nil {
			f.err = errors.Join(f.err, f.file.finish())
			f.file = nil
		}
	}
	return err
}

// finish gives the files their names. The error names the copies that failed.
func (l *runLog) finish() error {
	var errs []error
	for _, f := range l.files {
		if f.err == nil {
			f.err = l.disk.rename(f.temp, filepath.Join(f.copy.audits(), l.name))
			f.done = f.err == nil
		}
		if f.err != nil {
			errs = append(errs, fmt.Errorf("copy %s: writing the record of this run: %w", f.copy.name, f.err))
		}
	}
	return errors.Join(errs...)
}

// leave ends the run in this process. Files that have no name yet stay: the next open completes them.
func (l *runLog) leave() {
	for _, f := range l.files {
		if f.file != nil {
			f.file.abandon()
		}
	}
	l.alive.release()
}

// abandon removes the files that finish did not complete. A run without any complete file keeps one
// of them: the next open completes it.
func (l *runLog) abandon() {
	var kept bool
	for _, f := range l.files {
		kept = kept || f.done
	}
	for _, f := range l.files {
		if f.file != nil {
			f.file.abandon()
		}
		if kept && exists(f.temp) {
			_ = l.disk.removeAll(f.temp) // a leftover does no harm: its name begins with a dot
		}
	}
	if l.alive != nil {
		l.alive.release()
	}
}
