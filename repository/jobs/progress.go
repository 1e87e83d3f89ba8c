package jobs

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// progressEnvironment names the variable with the descriptor to which a command reports its progress.
const progressEnvironment = "QUIRE_PROGRESS"

// Reporter reports the progress of this process to its worker, at most twice a second.
type Reporter struct {
	to   *os.File
	last time.Time
}

// ToWorker returns the reporter of this process, nil without a worker.
func ToWorker() *Reporter { return toWorker() }

var toWorker = sync.OnceValue(func() *Reporter {
	fd, err := strconv.Atoi(os.Getenv(progressEnvironment))
	_ = os.Unsetenv(progressEnvironment) // as in here
	if err != nil || fd < 3 {
		return nil
	}
	return &Reporter{to: os.NewFile(uintptr(fd), "progress")} //nolint:gosec // checked
})

// Report reports the progress. A worker that does not read stops nothing.
func (r *Reporter) Report(p Progress) {
	if r == nil || time.Since(r.last) < 500*time.Millisecond {
		return
	}
	r.last = time.Now()
	if text, err := json.Marshal(p); err == nil {
		_, _ = r.to.Write(append(text, '\n'))
	}
}

// writeProgress stores the progress of the commands that run.
func (w *worker) writeProgress(ctx context.Context) error {
	w.mu.Lock()
	changed := map[int64]Progress{}
	for id, r := range w.running {
		r.mu.Lock()
		if r.progress != r.written {
			changed[id], r.written = r.progress, r.progress
		}
		r.mu.Unlock()
	}
	w.mu.Unlock()
	for id, p := range changed {
		// Not over the report of a run that ended meanwhile.
		_, err := w.queue.exec(ctx, "UPDATE jobs_reports SET phase = ?, done = ?, total = ?, at = "+w.queue.dialect.now+
			" WHERE job = ? AND exit_status IS NULL", storable(p.Phase), p.Done, p.Total, id)
		if err != nil {
			return err
		}
	}
	return nil
}

// lastLine returns the last line of a text that is not empty.
func lastLine(text string) string {
	text = strings.TrimRight(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}
