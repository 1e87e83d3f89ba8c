package jobs

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"quire/internal/disk"
)

// The names of files in the folder of submissions.
const (
	callsEnd = ".jsonl"      // ID.jsonl: a call in each line
	newEnd   = ".submitting" // ID.submitting: the same, before its jobs are made
	endedEnd = ".ended"      // ID.WORKER.ended: the number of each line that ended
)

// newID returns the id of a submission or a worker: ids sort by time.
func newID() string {
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails
	return time.Now().UTC().Format("20060102T150405.000000") + "-" + hex.EncodeToString(random[:])
}

func (p Place) calls(id string) string { return filepath.Join(p.folder(), id+callsEnd) }

// writeCalls writes a new submission, complete and synced. [Place.keep] gives it its name.
func (p Place) writeCalls(id string, calls []Call) (path string, err error) {
	path = filepath.Join(p.folder(), id+newEnd)
	err = disk.WriteNew(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		for i := range calls {
			if err := enc.Encode(&calls[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return path, err
}

// keep makes a submission last until its jobs ended.
func (p Place) keep(id, path string) error {
	if err := os.Rename(path, p.calls(id)); err != nil {
		return err
	}
	return disk.SyncFolder(p.folder())
}

// eachCall reads the file of a submission, and gives each call with the number of its line, from 0. It reads no
// more of it when f returns false.
func eachCall(path string, f func(line int, c *Call) (bool, error)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 8*maxCommand)
	for n := 0; lines.Scan(); n++ {
		var c Call
		err := json.Unmarshal(lines.Bytes(), &c)
		if err == nil {
			err = c.check()
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w: %w; mend or remove it", path, n+1, errDamaged, err)
		}
		if more, err := f(n, &c); err != nil || !more {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w: %w; mend or remove it", path, errDamaged, err)
	}
	return nil
}

// errDamaged reports a file of calls that cannot be read.
var errDamaged = errors.New("the submission is damaged")

// end writes that a line ended. Without a sync: if it is lost, a new catalogue repeats a job, which changes nothing.
func (p Place) end(submission, worker string, line int) error {
	path := filepath.Join(p.folder(), submission+"."+worker+endedEnd)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, line)
	return errors.Join(err, file.Close())
}

// files are the names of the files of a submission.
type files struct {
	calls      string   // "" without one
	submitting string   // the same, before its jobs are made
	ended      []string // the lines that ended, one file a worker
}

// files reads the folder of submissions, and returns the files of each one.
func (p Place) files() (map[string]files, error) {
	entries, err := os.ReadDir(p.folder())
	if err != nil {
		return nil, err
	}
	all := map[string]files{}
	for _, e := range entries {
		name := e.Name()
		id, end := cutEnd(name)
		of := all[id]
		switch end {
		case callsEnd:
			of.calls = name
		case newEnd:
			of.submitting = name
		case endedEnd:
			of.ended = append(of.ended, name)
		default:
			continue
		}
		all[id] = of
	}
	return all, nil
}

// cutEnd returns the id of the submission that a file belongs to, and the end of its name.
func cutEnd(name string) (id, end string) {
	for _, end := range []string{callsEnd, newEnd, endedEnd} {
		if id, ok := strings.CutSuffix(name, end); ok {
			if end == endedEnd { // ID.WORKER: an id has one dot, in its time
				id = idOf.FindString(id)
			}
			return id, end
		}
	}
	return "", ""
}

// idOf finds the id of a submission at the beginning of a name.
var idOf = regexp.MustCompile(`^\d{8}T\d{6}\.\d{6}-[0-9a-f]{8}`)

// ended returns the lines of a submission that ended. A line that was cut off did not end.
func (p Place) ended(of files) (map[int]bool, error) {
	all := map[int]bool{}
	for _, name := range of.ended {
		text, err := os.ReadFile(filepath.Join(p.folder(), name))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			whole, ok := strings.CutSuffix(line, "\n")
			if n, err := strconv.Atoi(whole); ok && err == nil {
				all[n] = true
			}
		}
	}
	return all, nil
}

// remove removes the files of a submission whose jobs all ended. The calls come first: without them, a submission
// is not made again.
func (p Place) remove(of files) error {
	for _, name := range append([]string{of.calls}, of.ended...) {
		if name == "" {
			continue
		}
		if err := os.Remove(filepath.Join(p.folder(), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
