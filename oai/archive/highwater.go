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

// highWaterMark is the high-water mark: the latest second for which a list was answered. Later records
// get a later datestamp, so that the next incremental harvest includes them. The mark has its own
// file because it is not a cache: the index can be rebuilt, but the answers to harvesters cannot.
type highWaterMark struct {
	path string

	mu sync.Mutex
	at int64 // seconds; as on the disk
}

// openAnswered reads the mark.
func openAnswered(dir string) (*highWaterMark, error) {
	a := &highWaterMark{path: filepath.Join(dir, "answered")}
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
			fmt.Errorf("%s does not hold a time: %w; write a time into this file: a time before the "+
				"first harvest, or the current time, such as 2026-11-22T10:00:00Z", a.path, err)
	}
	a.at = t.Unix()
	return a, nil
}

// reach moves the mark to a second before a list of that second is answered.
func (a *highWaterMark) reach(second int64) error {
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
		return fmt.Errorf("storing the time of the last list: %w", err)
	}
	a.at = second
	return nil
}

// last returns the mark.
func (a *highWaterMark) last() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.at
}
