package jobs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Call is a command for a worker, and how it waits.
type Call struct {
	Command   []string `json:"command"`   // the arguments of quire
	Directory string   `json:"directory"` // where relative paths begin
	By        string   `json:"by"`        // who submitted it
	Source    string   `json:"source,omitempty"`
	// Unique is a text that no other job may have while this one waits or runs. "" stands for the command in
	// its directory.
	Unique   string    `json:"unique,omitempty"`
	Queue    string    `json:"queue"`
	Priority int       `json:"priority"`    // 1, first, to 4
	Attempts int       `json:"attempts"`    // at most
	At       time.Time `json:"at,omitzero"` // not before
}

// queueName are the names that River takes.
var queueName = regexp.MustCompile(`^[a-z0-9]+([-_][a-z0-9]+)*$`)

// maxCommand bounds the arguments of a command, in bytes together.
const maxCommand = 1 << 20

func (c *Call) check() error {
	size := 0
	for _, word := range append([]string{c.Directory, c.By, c.Source, c.Unique}, c.Command...) {
		size += len(word)
		if strings.ContainsRune(word, 0) || !utf8.ValidString(word) {
			return fmt.Errorf("%q has a NUL, or is not UTF-8: no queue keeps it", word)
		}
	}
	switch {
	case len(c.Command) == 0:
		return errors.New("the command is missing")
	case size > maxCommand:
		return errors.New("the arguments of the command are longer than 1 MiB")
	case len(c.Queue) > 60 || !queueName.MatchString(c.Queue):
		return errors.New("the name of a queue has a to z and 0 to 9, and single - or _ between them, at most 60")
	case c.Priority < 1 || c.Priority > 4:
		return errors.New("the priority is 1, first, to 4")
	case c.Attempts < 1 || c.Attempts > 100:
		return errors.New("the number of attempts is 1 to 100")
	}
	return nil
}

// task is a call as River stores it. Field names are in stored rows.
type task struct {
	Command   []string `json:"command"`
	Directory string   `json:"directory"`
	By        string   `json:"by"`
	Source    string   `json:"source,omitempty"`
	Unique    string   `json:"unique,omitempty"`
	Key       string   `json:"key" river:"unique"` // see [Call.key]
}

// Kind implements [river.JobArgs]. All commands have the same worker.
func (task) Kind() string { return "quire" }

// note is the metadata of a job. Field names are in stored rows.
type note struct {
	Submission string `json:"submission"`
	Line       int    `json:"line"`
	Follows    int64  `json:"follows,omitempty"`   // the job of the worker that was lost
	Lost       int    `json:"lost,omitempty"`      // how many workers were lost over this call
	Continued  int64  `json:"continued,omitempty"` // the job that goes on
	// River writes this one, when a person cancels a job that runs.
	CancelledAt string `json:"cancel_attempted_at,omitempty"`
}

// open are the states of jobs that wait or run.
var open = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
	rivertype.JobStateRunning, rivertype.JobStateScheduled}

// uniqueness lets River make no second job of a key that waits or runs.
func uniqueness() river.UniqueOpts {
	return river.UniqueOpts{ByArgs: true, ByState: slices.Clone(open)}
}

// params returns a job for River.
func (c *Call) params(n note) (river.InsertManyParams, error) {
	metadata, err := json.Marshal(n)
	return river.InsertManyParams{
		Args: task{Command: c.Command, Directory: c.Directory, By: c.By, Source: c.Source,
			Unique: c.Unique, Key: c.key()},
		InsertOpts: &river.InsertOpts{MaxAttempts: c.Attempts, Metadata: metadata, Priority: c.Priority,
			Queue: c.Queue, ScheduledAt: c.At,
			UniqueOpts: uniqueness()},
	}, err
}

// key returns a digest of the unique text, or of the command in its directory.
func (c *Call) key() string {
	texts := []string{c.Unique}
	if c.Unique == "" {
		texts = append(texts, c.Directory)
		texts = append(texts, c.Command...)
	}
	text, err := json.Marshal(texts)
	if err != nil {
		panic(err) // strings
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
