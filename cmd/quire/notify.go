package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"quire/repository/jobs"
	"quire/repository/store"
	"quire/service/server"
	"quire/service/webhook"
)

type notifyCmd struct {
	Hook string `arg:"" help:"Name of the webhook in the settings."`
	Job  int64  `placeholder:"N" help:"Send the end of this job. Default: a message for a test."`

	OperateConfig string `required:"" type:"existingfile" env:"QUIRE_OPERATE_CONFIG" help:"@notifyConfig"`
	repoFlag
}

// Run sends one message to a webhook. A receiver that wants no more is status 1, so that the job is not tried again.
func (c *notifyCmd) Run(ctx context.Context, t *terminal) error {
	settings, err := server.Resolved(c.OperateConfig)
	if err != nil {
		return err
	}
	h, err := settings.Webhook(c.Hook)
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	id, m := "test-"+strconv.FormatInt(now.UnixNano(), 36), webhook.Message{Type: "test", Timestamp: now}
	if c.Job != 0 {
		if err := c.withQueue(ctx, t, func(_ *store.Store, q *jobs.Queue) error {
			j, err := q.Get(ctx, c.Job)
			id, m = fmt.Sprintf("job-%d-%s", j.ID, j.State), webhook.Of(&j, settings.URL)
			return err
		}); err != nil {
			return notified(t, err)
		}
	}
	if err := h.Send(ctx, id, m); err != nil {
		return notified(t, err)
	}
	t.note("sent to the webhook " + h.Name)
	return nil
}

// notified returns the error of a message. One that no further try mends ends the job, with status 1.
func notified(t *terminal, err error) error {
	if errors.Is(err, webhook.ErrRefused) || errors.Is(err, jobs.ErrNoJob) {
		t.warn(err.Error())
		return errContent
	}
	return err
}
