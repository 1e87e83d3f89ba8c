package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// State is where a job is in its life.
type State string

// The states.
const (
	Waiting   State = "waiting"   // for a worker
	Later     State = "later"     // for its time, or for the next attempt
	Running   State = "running"   //
	Done      State = "done"      // exit status 0
	Problems  State = "problems"  // exit status 1: the content has problems
	Failed    State = "failed"    // exit status 2, in each attempt
	Cancelled State = "cancelled" //
	Lost      State = "lost"      // its worker was lost; another job goes on
)

// Job is a job, as people see it.
type Job struct {
	ID         int64     `json:"id"`
	State      State     `json:"state"`
	Queue      string    `json:"queue"`
	Command    []string  `json:"command"`
	Directory  string    `json:"directory"`
	By         string    `json:"by"`
	Source     string    `json:"source,omitempty"`
	Priority   int       `json:"priority"`
	Submission string    `json:"submission"`
	Submitted  time.Time `json:"submitted"`
	NotBefore  time.Time `json:"not_before,omitzero"` // of a job that waits for its time
	Started    time.Time `json:"started,omitzero"`    // of the newest attempt
	Ended      time.Time `json:"ended,omitzero"`
	Attempt    int       `json:"attempt"`
	Attempts   int       `json:"attempts"` // at most
	Worker     string    `json:"worker,omitempty"`
	Follows    int64     `json:"follows,omitempty"`   // the job whose worker was lost
	Continued  int64     `json:"continued,omitempty"` // the job that goes on for this one
	Failures   []Failure `json:"failures,omitempty"`
	Report     *Report   `json:"report,omitempty"` // of the newest attempt

	line   int
	unique string
}

// Failure is an attempt that failed.
type Failure struct {
	Attempt int       `json:"attempt"`
	Time    time.Time `json:"time"`
	Error   string    `json:"error"`
}

// Report has the output of a run, and its progress.
type Report struct {
	Phase      string    `json:"phase,omitempty"` // of a run that goes on
	Done       int64     `json:"done"`
	Total      int64     `json:"total"`
	ExitStatus *int      `json:"exit_status,omitempty"`
	Output     string    `json:"output,omitempty"`   // the last part
	Messages   string    `json:"messages,omitempty"` // the last part
	At         time.Time `json:"at"`
}

// ErrNoJob reports that the queue has no job of that number.
var ErrNoJob = errors.New("the queue has no such job")

// Get returns a job. The error is [ErrNoJob] if there is none.
func (q *Queue) Get(ctx context.Context, id int64) (Job, error) {
	row, err := q.client.JobGet(ctx, id)
	if errors.Is(err, rivertype.ErrNotFound) {
		return Job{}, fmt.Errorf("job %d: %w", id, ErrNoJob)
	}
	if err != nil {
		return Job{}, err
	}
	all, err := q.jobs(ctx, []*rivertype.JobRow{row})
	if err != nil {
		return Job{}, err
	}
	return all[0], nil
}

// Query selects jobs.
type Query struct {
	States []State
	Queues []string
	Before int64 // jobs with a smaller number; 0 for all
	Limit  int   // at most 10,000
}

// List returns jobs, the newest first.
func (q *Queue) List(ctx context.Context, by Query) ([]Job, error) {
	ids, err := q.selected(ctx, by)
	if err != nil {
		return nil, err
	}
	return q.numbered(ctx, ids)
}

// numbered returns the jobs with some numbers, the newest first. Those that the queue has no more are left out.
func (q *Queue) numbered(ctx context.Context, ids []int64) ([]Job, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	p := river.NewJobListParams().IDs(ids...).First(len(ids)).OrderBy(river.JobListOrderByID, river.SortOrderDesc)
	found, err := q.client.JobList(ctx, p)
	if err != nil {
		return nil, err
	}
	return q.jobs(ctx, found.Jobs)
}

// condition returns the condition for jobs in a state. Some are a part of a state of River.
func (q *Queue) condition(s State) string {
	var of []string
	for _, state := range ofRiver[s] {
		of = append(of, "'"+string(state)+"'")
	}
	is := "state IN (" + strings.Join(of, ", ") + ")"
	const bad = "EXISTS (SELECT 1 FROM jobs_reports WHERE job = river_job.id AND exit_status = 1)"
	switch s {
	case Done:
		return "(" + is + " AND NOT " + bad + ")"
	case Problems:
		return "(" + is + " AND " + bad + ")"
	case Failed:
		return "(" + is + " AND " + q.dialect.continued + " IS NULL)"
	case Lost:
		return "(" + is + " AND " + q.dialect.continued + " IS NOT NULL)"
	}
	return is
}

// selected returns the numbers of jobs. River's own list makes SQLite sort all jobs.
func (q *Queue) selected(ctx context.Context, by Query) ([]int64, error) {
	conditions, values := []string{"id > 0"}, []any{}
	in := func(column string, all []string) {
		conditions = append(conditions, column+" IN ("+marks(len(all))+")")
		for _, v := range all {
			values = append(values, v)
		}
	}
	if by.Before > 0 {
		conditions, values = append(conditions, "id < ?"), append(values, by.Before)
	}
	if len(by.States) > 0 {
		var states []string
		for _, s := range by.States {
			states = append(states, q.condition(s))
		}
		conditions = append(conditions, "("+strings.Join(states, " OR ")+")")
	}
	if len(by.Queues) > 0 {
		in("queue", by.Queues)
	}
	return firstColumn[int64](ctx, q, "SELECT id FROM river_job WHERE "+strings.Join(conditions, " AND ")+
		" ORDER BY id DESC LIMIT ?", append(values, by.Limit)...)
}

// ofRiver has the states of River for each of ours.
var ofRiver = map[State][]rivertype.JobState{
	Waiting:   {rivertype.JobStateAvailable, rivertype.JobStatePending},
	Later:     {rivertype.JobStateScheduled, rivertype.JobStateRetryable},
	Running:   {rivertype.JobStateRunning},
	Done:      {rivertype.JobStateCompleted},
	Problems:  {rivertype.JobStateCompleted},
	Failed:    {rivertype.JobStateDiscarded},
	Cancelled: {rivertype.JobStateCancelled},
	Lost:      {rivertype.JobStateDiscarded},
}

// jobs returns rows of River as jobs, with their reports.
func (q *Queue) jobs(ctx context.Context, rows []*rivertype.JobRow) ([]Job, error) {
	ids := make([]any, 0, len(rows))
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	reports, err := q.reports(ctx, ids)
	if err != nil {
		return nil, err
	}
	all := make([]Job, 0, len(rows))
	for _, r := range rows {
		j, err := ofRow(r)
		if err != nil {
			return nil, fmt.Errorf("job %d: %w", r.ID, err)
		}
		report := reports[j.ID]
		j.Report = report
		if j.State == Done && report != nil && report.ExitStatus != nil && *report.ExitStatus == 1 {
			j.State = Problems
		}
		all = append(all, j)
	}
	return all, nil
}

func ofRow(r *rivertype.JobRow) (Job, error) {
	var t task
	var n note
	if err := errors.Join(json.Unmarshal(r.EncodedArgs, &t), json.Unmarshal(r.Metadata, &n)); err != nil {
		return Job{}, err
	}
	j := Job{ID: r.ID, Queue: r.Queue, Command: t.Command, Directory: t.Directory, By: t.By, Source: t.Source,
		Priority: r.Priority, Submission: n.Submission, Submitted: r.CreatedAt, Attempt: r.Attempt,
		Attempts: r.MaxAttempts, Follows: n.Follows, Continued: n.Continued, line: n.Line, unique: t.Unique}
	for s, all := range ofRiver {
		if s != Problems && s != Lost && slices.Contains(all, r.State) {
			j.State = s
		}
	}
	if j.State == Failed && n.Continued != 0 {
		j.State = Lost
	}
	if j.State == Later {
		j.NotBefore = r.ScheduledAt
	}
	if r.AttemptedAt != nil {
		j.Started = *r.AttemptedAt
	}
	if r.FinalizedAt != nil {
		j.Ended = *r.FinalizedAt
	}
	if len(r.AttemptedBy) > 0 {
		j.Worker = r.AttemptedBy[len(r.AttemptedBy)-1]
	}
	for _, e := range r.Errors {
		j.Failures = append(j.Failures, Failure{e.Attempt, e.At, e.Error})
	}
	return j, nil
}
