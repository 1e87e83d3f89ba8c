package api

import (
	"context"
	"net/http"
	"time"

	"quire/repository/jobs"
	"quire/service/desk"
	"quire/service/role"
)

func (a *API) work() {
	add(a, call{"jobs-list", http.MethodGet, "/jobs", 200, "jobs"}, a.listJobs)
	add(a, call{"job-submit", http.MethodPost, "/jobs", 201, "jobs"}, a.submitJob)
	add(a, call{"job-show", http.MethodGet, "/jobs/{job}", 200, "jobs"},
		func(ctx context.Context, _ *role.Person, in *Number) (*Answer[Job], error) {
			return answerJob(a.desk.Queue.Get(ctx, in.Job))
		})
	add(a, call{"job-retry", http.MethodPost, "/jobs/{job}/retry", 201, "jobs"},
		func(ctx context.Context, who *role.Person, in *Number) (*Answer[Submitted], error) {
			s, err := a.desk.Queue.Retry(ctx, in.Job, who.Name)
			if err != nil {
				return nil, err
			}
			return &Answer[Submitted]{Submitted{s.Job, s.Command, s.Already}}, nil
		})
	add(a, call{"job-cancel", http.MethodPost, "/jobs/{job}/cancel", 200, "jobs"},
		func(ctx context.Context, _ *role.Person, in *Number) (*Answer[Job], error) {
			return answerJob(a.desk.Queue.Cancel(ctx, in.Job))
		})
	add(a, call{"queues-list", http.MethodGet, "/queues", 200, "jobs"}, a.listQueues)
	add(a, call{"queue-pause", http.MethodPost, "/queues/{queue}/pause", 200, "jobs"},
		func(ctx context.Context, _ *role.Person, in *QueueName) (*Answer[Paused], error) {
			return &Answer[Paused]{Paused{in.Queue, true}}, a.desk.Pause(ctx, in.Queue)
		})
	add(a, call{"queue-resume", http.MethodPost, "/queues/{queue}/resume", 200, "jobs"},
		func(ctx context.Context, _ *role.Person, in *QueueName) (*Answer[Paused], error) {
			return &Answer[Paused]{Paused{in.Queue, false}}, a.desk.Resume(ctx, in.Queue)
		})
}

// Number names a job in the path.
type Number struct {
	Job int64 `path:"job" minimum:"1" doc:"Number of the job."`
}

// QueueName names a queue in the path.
type QueueName struct {
	Queue string `path:"queue" pattern:"^[a-z0-9_-]{1,100}$|^\\*$" doc:"Name of the queue, * for all."`
}

// Paused says whether a queue is paused.
type Paused struct {
	Queue  string `json:"queue"`
	Paused bool   `json:"paused"`
}

// Job is a command in the queue.
type Job struct {
	ID        int64     `json:"id"`
	State     string    `json:"state" enum:"waiting,later,running,done,problems,failed,cancelled,lost"`
	Queue     string    `json:"queue"`
	Command   []string  `json:"command"`
	By        string    `json:"by"`
	Source    string    `json:"source,omitempty"`
	Priority  int       `json:"priority"`
	Submitted time.Time `json:"submitted"`
	NotBefore time.Time `json:"not_before,omitzero"`
	Started   time.Time `json:"started,omitzero"`
	Ended     time.Time `json:"ended,omitzero"`
	Attempt   int       `json:"attempt"`
	Attempts  int       `json:"attempts" doc:"At most."`
	Worker    string    `json:"worker,omitempty"`
	Follows   int64     `json:"follows,omitempty" doc:"The job whose worker was lost."`
	Continued int64     `json:"continued,omitempty" doc:"The job that goes on for this one."`
	Failures  []Failure `json:"failures,omitempty"`
	Progress  *Progress `json:"progress,omitempty"`
}

// Failure is an attempt that failed.
type Failure struct {
	Attempt int       `json:"attempt"`
	Time    time.Time `json:"time"`
	Error   string    `json:"error"`
}

// Progress is how far a job is, and what it printed.
type Progress struct {
	Phase      string    `json:"phase,omitempty"`
	Done       int64     `json:"done"`
	Total      int64     `json:"total"`
	ExitStatus *int      `json:"exit_status,omitempty" doc:"1: the content has problems."`
	Output     string    `json:"output,omitempty" doc:"The last part."`
	Messages   string    `json:"messages,omitempty" doc:"The last part."`
	At         time.Time `json:"at"`
}

func jobOf(j *jobs.Job) Job {
	out := Job{ID: j.ID, State: string(j.State), Queue: j.Queue, Command: j.Command, By: j.By, Source: j.Source,
		Priority: j.Priority, Submitted: j.Submitted, NotBefore: j.NotBefore, Started: j.Started, Ended: j.Ended,
		Attempt: j.Attempt, Attempts: j.Attempts, Worker: j.Worker, Follows: j.Follows, Continued: j.Continued}
	for _, f := range j.Failures {
		out.Failures = append(out.Failures, Failure(f))
	}
	if r := j.Report; r != nil {
		out.Progress = &Progress{r.Phase, r.Done, r.Total, r.ExitStatus, r.Output, r.Messages, r.At}
	}
	return out
}

func answerJob(j jobs.Job, err error) (*Answer[Job], error) {
	if err != nil {
		return nil, err
	}
	return &Answer[Job]{jobOf(&j)}, nil
}

// JobList is a list of jobs.
type JobList struct {
	Items []Job `json:"items"`
	Next  int64 `json:"next,omitempty" doc:"For the parameter before, if there may be more jobs."`
}

func (a *API) listJobs(ctx context.Context, _ *role.Person, in *struct {
	State  []string `query:"state" enum:"waiting,later,running,done,problems,failed,cancelled,lost" maxItems:"8"`
	Queue  []string `query:"queue" maxItems:"50" doc:"Names of queues."`
	Before int64    `query:"before" minimum:"1" doc:"Only jobs with a smaller number."`
	Limit  int      `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}) (*Answer[JobList], error) {
	q := jobs.Query{Queues: in.Queue, Before: in.Before, Limit: in.Limit}
	for _, s := range in.State {
		q.States = append(q.States, jobs.State(s))
	}
	all, err := a.desk.Queue.List(ctx, q)
	if err != nil {
		return nil, err
	}
	out := JobList{Items: []Job{}}
	for i := range all {
		out.Items = append(out.Items, jobOf(&all[i]))
	}
	if len(all) == in.Limit {
		out.Next = all[len(all)-1].ID
	}
	return &Answer[JobList]{out}, nil
}

// Submitted is a job that was submitted.
type Submitted struct {
	Job     int64    `json:"job"`
	Command []string `json:"command"`
	Already bool     `json:"already,omitempty" doc:"Such a job waits or runs: no other one was made."`
}

// SubmittedJobs are the jobs of a submission.
type SubmittedJobs struct {
	Jobs []Submitted `json:"jobs"`
}

func (a *API) submitJob(ctx context.Context, who *role.Person, in *struct {
	Body struct {
		Kind      Kind              `json:"kind"`
		Arguments []string          `json:"arguments,omitempty" maxItems:"1000" doc:"Ids or paths."`
		Flags     map[string]string `json:"flags,omitempty" doc:"Flags without --, true for one without a value."`
		Select    string            `json:"select,omitempty" maxLength:"4000" doc:"CEL: ids of packages for {}."`
		Queue     string            `json:"queue,omitempty" pattern:"^[a-z0-9_-]{1,100}$"`
		Priority  int               `json:"priority,omitempty" minimum:"1" maximum:"4" default:"2"`
		Attempts  int               `json:"attempts,omitempty" minimum:"1" maximum:"25" default:"5"`
		At        time.Time         `json:"at,omitzero" doc:"Not before this time."`
		Source    Line              `json:"source,omitempty"`
	}
}) (*Answer[SubmittedJobs], error) {
	b := &in.Body
	made, err := a.desk.SubmitJob(ctx, who, desk.Submission{Kind: string(b.Kind), Arguments: b.Arguments,
		Flags: b.Flags, Select: b.Select, Queue: b.Queue, Priority: b.Priority, Attempts: b.Attempts, At: b.At,
		Source: string(b.Source)})
	if err != nil {
		return nil, err
	}
	out := SubmittedJobs{Jobs: []Submitted{}}
	for _, s := range made {
		out.Jobs = append(out.Jobs, Submitted{s.Job, s.Command, s.Already})
	}
	return &Answer[SubmittedJobs]{out}, nil
}

// Queues are the queues and workers.
type Queues struct {
	Queues  []Queue  `json:"queues"`
	Workers []Worker `json:"workers"`
}

// Queue is a queue with its jobs.
type Queue struct {
	Name   string           `json:"name"`
	Jobs   map[string]int64 `json:"jobs" doc:"The number of jobs in each state."`
	Oldest time.Time        `json:"oldest_waiting,omitzero" doc:"The submission of the job that waits longest."`
}

// Worker is a worker that holds a lease.
type Worker struct {
	ID          string    `json:"id"`
	Host        string    `json:"host"`
	Queues      string    `json:"queues"`
	Concurrency int64     `json:"concurrency"`
	Started     time.Time `json:"started"`
	Until       time.Time `json:"lease_until"`
}

func (a *API) listQueues(ctx context.Context, _ *role.Person, _ *struct{}) (*Answer[Queues], error) {
	queues, err := a.desk.Queue.Queues(ctx)
	if err != nil {
		return nil, err
	}
	workers, err := a.desk.Queue.Workers(ctx)
	if err != nil {
		return nil, err
	}
	out := Queues{Queues: []Queue{}, Workers: []Worker{}}
	for _, q := range queues {
		counts := map[string]int64{}
		for s, n := range q.Counts {
			counts[string(s)] = n
		}
		out.Queues = append(out.Queues, Queue{q.Queue, counts, q.Oldest})
	}
	for _, w := range workers {
		out.Workers = append(out.Workers, Worker{w.ID, w.Host, w.Queues, w.Concurrency, w.Started, w.Until})
	}
	return &Answer[Queues]{out}, nil
}
