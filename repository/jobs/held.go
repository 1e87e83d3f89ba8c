package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"quire/repository/catalogue"
)

// environment names the variable with which a worker gives its job to the process that runs it.
const environment = "QUIRE_JOB"

// Held is a job that this process runs for a worker. The number of its attempt is a fencing token: if the
// worker is lost, another job goes on, and this process may write no more.
type Held struct {
	Job        int64  `json:"job"`
	Attempt    int    `json:"attempt"`
	Repository string `json:"repository"` // its absolute folder
}

// ErrTaken reports that a job was given to another worker, or was ended.
var ErrTaken = errors.New("this job is not ours any more: another worker has it, or it was ended")

// Here returns the job that this process runs, nil for none.
func Here() *Held { return here() }

// here takes the job out of the environment: a program that this process starts does not have it.
var here = sync.OnceValue(func() *Held {
	h := &Held{}
	text := os.Getenv(environment)
	_ = os.Unsetenv(environment) // fails for names that no system takes
	if json.Unmarshal([]byte(text), h) != nil || h.Job == 0 {
		return nil // only workers set it
	}
	return h
})

// WhileWorker returns a context that ends when the worker of this process ends: the worker holds the other end of
// the standard input.
func WhileWorker(ctx context.Context) context.Context {
	ctx, stop := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // ends with the worker, in any way
		stop()
	}()
	return ctx
}

// In reports whether the queue of the job is that of the repository in a folder, by whatever path.
func (h *Held) In(repo string) bool {
	one, err := os.Stat(repo)
	other, failed := os.Stat(h.Repository)
	return err == nil && failed == nil && os.SameFile(one, other)
}

// Holds returns [ErrTaken] if the job was given to another worker. A process asks before it moves content into
// place.
func (h *Held) Holds(ctx context.Context, db catalogue.Asker) error {
	var n int
	err := db.QueryRowContext(ctx, "SELECT count(*) FROM river_job WHERE id = ? AND attempt = ? "+
		"AND state IN ('running', 'completed')", h.Job, h.Attempt).Scan(&n)
	if err != nil {
		return fmt.Errorf("asking for job %d: %w", h.Job, err)
	}
	if n == 0 {
		return fmt.Errorf("job %d: %w", h.Job, ErrTaken)
	}
	return nil
}

// Done ends the job in the transaction that writes its rows into the catalogue: both are there, or neither.
func (h *Held) Done(ctx context.Context, tx catalogue.Changer) error {
	n, err := changed(tx.ExecContext(ctx, "UPDATE river_job SET state = 'completed', finalized_at = CURRENT_TIMESTAMP "+
		"WHERE id = ? AND attempt = ? AND state = 'running'", h.Job, h.Attempt))
	if err != nil {
		return fmt.Errorf("ending job %d: %w", h.Job, err)
	}
	if n == 0 {
		return fmt.Errorf("job %d: %w", h.Job, ErrTaken)
	}
	return nil
}
