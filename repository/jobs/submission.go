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
	"slices"
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

// submissions returns the ids of the files, in the order of their time.
func (p Place) submissions() ([]string, error) {
	found, err := filepath.Glob(filepath.Join(escaped(p.folder()), "*"+callsEnd))
	for i, path := range found {
		found[i] = strings.TrimSuffix(filepath.Base(path), callsEnd)
	}
	return found, err
}

// escaped returns a path in which no character is special for [filepath.Glob].
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

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

// endedFiles returns the files in which workers wrote the lines of a submission that ended.
func (p Place) endedFiles(id string) ([]string, error) {
	return filepath.Glob(filepath.Join(escaped(p.folder()), id+".*"+endedEnd))
}

// ended returns the lines of a submission that ended. A line that was cut off did not end.
func (p Place) ended(id string) (map[int]bool, error) {
	files, err := p.endedFiles(id)
	if err != nil {
		return nil, err
	}
	all := map[int]bool{}
	for _, path := range files {
		text, err := os.ReadFile(path)
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

// files returns the names of the files of each submission, that of its calls first.
func (p Place) files() (map[string][]string, error) {
	entries, err := os.ReadDir(p.folder())
	if err != nil {
		return nil, err
	}
	all := map[string][]string{}
	for _, e := range entries {
		name := e.Name()
		for _, end := range []string{callsEnd, newEnd, endedEnd} {
			if id, ok := strings.CutSuffix(name, end); ok {
				if end == endedEnd { // ID.WORKER: an id has one dot, in its time
					id = idOf.FindString(id)
				}
				all[id] = append(all[id], name)
				break
			}
		}
	}
	for _, names := range all {
		slices.SortFunc(names, func(a, b string) int { return ended(a) - ended(b) })
	}
	return all, nil
}

// idOf finds the id of a submission at the beginning of a name.
var idOf = regexp.MustCompile(`^\d{8}T\d{6}\.\d{6}-[0-9a-f]{8}`)

func ended(name string) int {
	if strings.HasSuffix(name, endedEnd) {
		return 1
	}
	return 0
}

// remove removes the files of a submission whose jobs all ended. The calls come first: without them, a submission
// is not made again.
func (p Place) remove(names []string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(p.folder(), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
