package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"sync"

	"quire/holdings"
	"quire/internal/httpserver"
	"quire/oai/archive"
	"quire/repository/jobs"
	"quire/repository/store"
	"quire/service/desk"
	"quire/service/server"
	"quire/service/token"
	"quire/service/webhook"
)

// operateFlags start the service for operators and their programs.
type operateFlags struct {
	Operate       string `placeholder:"ADDR" help:"@operate"`
	OperateConfig string `type:"existingfile" env:"QUIRE_OPERATE_CONFIG" placeholder:"FILE" help:"@operateConfig"`
	LogFormat     string `enum:"text,json" default:"text" help:"@logFormat"`
}

// check refuses flags that need another one.
func (f *operateFlags) check() error {
	if f.Operate == "" && f.LogFormat == "json" {
		return errors.New("--log-format is for the log of --operate ADDR: add it")
	}
	return nil
}

// operating starts the service of a repository, and returns the function that waits for its end. An error of the
// service ends the context.
func (c *serveCmd) operating(ctx context.Context, t *terminal, s *store.Store, h *holdings.Holdings) (
	_ context.Context, wait func() error, err error) {
	if c.Operate == "" {
		return ctx, func() error { return nil }, nil
	}
	if s.ReadOnly() {
		return ctx, nil, fmt.Errorf("--operate: %w", store.ErrReadOnly)
	}
	var settings server.Config
	config := ""
	if c.OperateConfig != "" {
		if config, err = filepath.Abs(c.OperateConfig); err != nil {
			return ctx, nil, err
		}
		if settings, err = server.Load(c.OperateConfig); err != nil {
			return ctx, nil, err
		}
	}
	q, err := queueOf(ctx, t, s)
	if err != nil {
		return ctx, nil, err
	}
	d := &desk.Desk{Store: s, Queue: q, Holdings: h, Folders: settings.Folders, Reports: settings.Reports,
		Submit:     submitting(s, q, c.Repo),
		Harvesters: func() error { return archive.Drop(s.Folder(oaiFolder)) }}
	log := c.log(t.err)
	service, err := server.New(server.Options{Config: settings, Desk: d, Version: version, Log: log,
		Tokens: token.In(s.Folder(serviceFolder))})
	if err != nil {
		return ctx, nil, closed(err, q.Close())
	}
	l, err := httpserver.On(c.Operate)
	if err != nil {
		return ctx, nil, closed(err, q.Close())
	}
	t.note("service for operators on " + httpserver.URL(l))
	ctx, stop := context.WithCancelCause(ctx)
	ended := make(chan error, 1)
	var others sync.WaitGroup
	if len(settings.Webhooks) > 0 {
		f := follower(s, q, config, settings.Webhooks, log)
		others.Go(func() { f.Follow(ctx) })
	}
	go func() {
		err := httpserver.Serve(ctx, l, service, httpserver.Options{Problem: func(err error) {
			log.Warn("connection", "error", err)
		}})
		stop(err)
		others.Wait()
		ended <- closed(err, q.Close())
	}()
	return ctx, func() error {
		stop(nil)
		return <-ended
	}, nil
}

// follower returns what makes jobs for the webhooks of the settings. Workers read the same file.
func follower(s *store.Store, q *jobs.Queue, config string, hooks []webhook.Hook, log *slog.Logger) *webhook.Follower {
	root, _, _ := s.Catalogue()
	command := func(hook string, job int64) []string {
		return []string{webhook.Queue, "--operate-config", config, "--repo", root, "--job", strconv.FormatInt(job, 10),
			hook}
	}
	return &webhook.Follower{Jobs: q, Hooks: hooks, Folder: root, Log: log, Command: command}
}

// log returns the log of the service.
func (f *operateFlags) log(w io.Writer) *slog.Logger {
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

// submitting returns the function that puts a command of the service into the queue, as quire submit does.
func submitting(s *store.Store, q *jobs.Queue, repo string) func(context.Context, desk.Commanded) ([]jobs.Submitted,
	error) {
	return func(ctx context.Context, m desk.Commanded) ([]jobs.Submitted, error) {
		root, err := filepath.Abs(repo)
		if err != nil {
			return nil, err
		}
		c := &submitCmd{Queue: m.Queue, Priority: m.Priority, Attempts: m.Attempts, At: m.At, Source: m.Source,
			Select: m.Select, Command: m.Words, by: m.By, dir: m.Directory, repoFlag: repoFlag{root}}
		calls, err := c.prepared()
		if err != nil {
			return nil, err
		}
		return c.submit(ctx, s, q, calls)
	}
}
