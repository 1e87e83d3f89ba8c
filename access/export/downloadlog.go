package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"quire/holdings"
)

// downloadLog is the log of downloads over HTTP: an export is an event of the package, a download is a
// line here (docs/reference/565_exports.md). It opens the file for each line, so the file can be
// moved at any time.
type downloadLog struct {
	file string
	mu   sync.Mutex
}

// add adds a line: the number of bytes sent of an export.
func (t *downloadLog) add(l *label, reader string, status int, sent int64) error {
	if t.file == "" {
		return nil
	}
	line, err := json.Marshal(struct {
		Time    time.Time      `json:"time"`
		Package string         `json:"package"`
		Version string         `json:"version"`
		As      string         `json:"as"`
		For     holdings.Class `json:"for"`
		Reader  string         `json:"reader,omitempty"`
		SHA512  string         `json:"sha512"` // of the export
		Size    int64          `json:"size"`   // of the export
		Status  int            `json:"status"` // 200, 206
		Sent    int64          `json:"sent"`
	}{time.Now().UTC().Truncate(time.Second), l.Package, l.Version, l.As, l.For, reader, l.SHA512, l.Size, status,
		sent})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f, err := os.OpenFile(t.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
	if err != nil {
		return fmt.Errorf("the download could not be logged: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
