package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"quire/repository/jobs"
	"quire/repository/store"
)

type watchCmd struct {
	Source   []string          `arg:"" placeholder:"SOURCE" help:"@watchSource"`
	Complete jobs.Completeness `default:"marker" placeholder:"HOW" help:"@watchComplete"`
	As       string            `default:"ingest {}" placeholder:"COMMAND" help:"@watchAs"`
	Spool    string            `placeholder:"FOLDER" help:"@watchSpool"`
	Every    time.Duration     `default:"30s" help:"The time between two looks. Default: 30s."`
	Once     bool              `help:"Look once, and end."`
	repoFlag
	jsonFlag
}

// Run submits deliveries until it is stopped.
func (c *watchCmd) Run(ctx context.Context, t *terminal) error {
	if c.Every < time.Second {
		return errors.New("--every is at least 1s")
	}
	if !strings.Contains(c.As, "{}") {
		return errors.New("--as has no {} for the path of the delivery")
	}
	if _, err := c.call("/delivery", "/"); err != nil {
		return err
	}
	spool, err := filepath.Abs(cmp.Or(c.Spool, filepath.Join(c.Repo, "jobs", "arrived")))
	if err != nil {
		return err
	}
	return c.withQueue(ctx, t, func(_ *store.Store, q *jobs.Queue) error {
		wrong := false
		err := q.Watch(ctx, jobs.WatchOptions{Sources: c.Source, Spool: spool, Complete: c.Complete,
			Every: c.Every, Once: c.Once, Call: c.call,
			Log: func(a jobs.Arrival) {
				wrong = wrong || a.Error != ""
				switch {
				case c.JSON:
					_ = t.json(a) // t.failed keeps the error
				case a.Error != "":
					t.warn(a.Path + ": " + a.Error)
				default:
					t.printf("job %d: %s\n", a.Job, a.Path)
				}
			}})
		if err == nil && wrong && c.Once {
			return errContent
		}
		return err
	})
}

// call returns the job for a delivery of a source.
func (c *watchCmd) call(path, source string) (jobs.Call, error) {
	submit := submitCmd{Priority: 2, Attempts: 5, Source: source, repoFlag: c.repoFlag}
	for _, word := range strings.Fields(c.As) {
		named := strings.NewReplacer("{}", path, "{name}", filepath.Base(path)).Replace(word)
		if isFlag(named) && !isFlag(word) {
			return jobs.Call{}, errors.New("its name begins with -, as a flag does")
		}
		submit.Command = append(submit.Command, named)
	}
	call, err := parsed(submit.Command)
	if err != nil {
		return jobs.Call{}, err
	}
	if err := submit.adopt(call); err != nil {
		return jobs.Call{}, err
	}
	calls, err := submit.calls(call)
	if err != nil {
		return jobs.Call{}, err
	}
	return calls[0], nil
}
