package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quire/repository/jobs"
	"quire/service/desk"
)

// jobsPage is the list of jobs.
type jobsPage struct {
	States  []stateLink
	Jobs    []jobs.Job
	Next    string
	Retry   bool
	Submit  bool
	Folders bool
	Workers []jobs.WorkerState
	Form    string
}

type stateLink struct {
	Text, URL string
	Here      bool
}

var shownStates = []jobs.State{jobs.Waiting, jobs.Later, jobs.Running, jobs.Failed, jobs.Problems, jobs.Done,
	jobs.Cancelled, jobs.Lost}

const pageJobs = 50

func (p *Pages) jobs(q *request) error {
	query := jobs.Query{Limit: pageJobs}
	asked := q.URL.Query()
	for _, s := range asked["state"] {
		if slices.Contains(shownStates, jobs.State(s)) {
			query.States = append(query.States, jobs.State(s))
		}
	}
	query.Before, _ = strconv.ParseInt(asked.Get("before"), 10, 64) // anything else begins with the newest
	query.Before = max(query.Before, 0)
	all, err := p.o.Desk.Queue.List(q.Context(), query)
	if err != nil {
		return err
	}
	workers, err := p.o.Desk.Queue.Workers(q.Context())
	if err != nil {
		return err
	}
	v := jobsPage{Jobs: all, Retry: q.who.May("job-retry"), Submit: q.who.May("job-submit"), Workers: workers,
		Folders: len(p.o.Desk.Folders) > 0, Form: q.form}
	v.States = append(v.States, stateLink{"all", "/jobs", len(query.States) == 0})
	for _, s := range shownStates {
		v.States = append(v.States, stateLink{string(s), "/jobs?state=" + string(s), slices.Contains(query.States, s)})
	}
	if len(all) == pageJobs {
		next := url.Values{"before": {strconv.FormatInt(all[len(all)-1].ID, 10)}}
		for _, s := range query.States {
			next.Add("state", string(s))
		}
		v.Next = "/jobs?" + next.Encode()
	}
	q.show(200, "jobs.html", "Jobs", v)
	return nil
}

// jobPage is a job.
type jobPage struct {
	jobs.Job
	Again, End bool // what the person may do with it now
	Form       string
	Packages   []string // that its command names
}

// number returns the number of the job in the address.
func (q *request) number() (int64, error) {
	n, err := strconv.ParseInt(q.PathValue("job"), 10, 64)
	if err != nil || n < 1 {
		return 0, errNoPage
	}
	return n, nil
}

func (p *Pages) job(q *request) error {
	n, err := q.number()
	if err != nil {
		return err
	}
	j, err := p.o.Desk.Queue.Get(q.Context(), n)
	if err != nil {
		return err
	}
	open := j.State == jobs.Waiting || j.State == jobs.Running || j.State == jobs.Later
	again := j.State != jobs.Waiting && j.State != jobs.Running && j.State != jobs.Lost
	v := jobPage{Job: j, Form: q.form, Again: again && q.who.May("job-retry"), End: open && q.who.May("job-cancel")}
	if at := slices.Index(j.Command, "--"); at >= 0 && j.Command[0] == "audit" {
		v.Packages = j.Command[at+1:]
	}
	q.show(200, "job.html", "Job "+strconv.FormatInt(n, 10), v)
	return nil
}

func (p *Pages) retry(q *request) error {
	n, err := q.number()
	if err != nil {
		return err
	}
	made, err := p.o.Desk.Queue.Retry(q.Context(), n, q.who.Name)
	if err != nil {
		return err
	}
	return q.back("/jobs/" + strconv.FormatInt(made.Job, 10))
}

func (p *Pages) cancel(q *request) error {
	n, err := q.number()
	if err != nil {
		return err
	}
	if _, err := p.o.Desk.Queue.Cancel(q.Context(), n); err != nil {
		return err
	}
	return q.back("/jobs/" + strconv.FormatInt(n, 10))
}

// submit makes a job of one of the forms.
func (p *Pages) submit(q *request) error {
	s := desk.Submission{Kind: q.PostFormValue("kind"), Flags: map[string]string{}, Priority: 2, Attempts: 5}
	if a := strings.TrimSpace(q.PostFormValue("argument")); a != "" {
		s.Arguments = []string{a}
	}
	for _, flag := range []string{"repair", "owed", "due", "new-version"} {
		if q.PostFormValue(flag) == "true" {
			s.Flags[flag] = "true"
		}
	}
	made, err := p.o.Desk.SubmitJob(q.Context(), q.who, s)
	if err != nil {
		return err
	}
	if len(made) != 1 {
		return q.back("/jobs")
	}
	return q.back("/jobs/" + strconv.FormatInt(made[0].Job, 10))
}
