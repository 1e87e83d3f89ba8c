package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"quire/internal/disk"
)

// answered is the high-water mark: the latest second of which a list was answered. What is found
// later than that gets a later datestamp, so that whoever asked then, and asks next time for what
// came since, is told of it. It lies in a file of its own, because it is no cache: the index can be
// made again, what harvesters were told cannot.
type answered struct {
	path string

	mu sync.Mutex
	at int64 // seconds; on the disk
}

// openAnswered reads the mark.
func openAnswered(dir string) (*answered, error) {
	a := &answered{path: filepath.Join(dir, "answered")}
	text, err := os.ReadFile(a.path)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	t, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	if err != nil {
		return nil,
			fmt.Errorf("%s does not hold a time: %w; what harvesters were told last is not known, so write into it a "+
				"time at which no "+
				"harvester had asked yet, or that of now, as 2026-11-22T10:00:00Z", a.path, err)
	}
	a.at = t.Unix()
	return a, nil
}

// reach moves the mark to a second, before a list of that second is given.
func (a *answered) reach(second int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if second <= a.at {
		return nil
	}
	err := disk.Write(a.path, func(w io.Writer) error {
		_, err := io.WriteString(w, time.Unix(second, 0).UTC().Format(time.RFC3339)+"\n")
		return err
	})
	if err != nil {
		return fmt.Errorf("noting that a list was answered: %w", err)
	}
	a.at = second
	return nil
}

// last is the mark.
func (a *answered) last() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.at
}
