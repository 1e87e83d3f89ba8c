package main

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"syscall"

	"quire/access/server"
	"quire/holdings"
	"quire/internal/heapgoal"
	"quire/internal/httpserver"
	"quire/repository/store"
)

type serveCmd struct {
	Listen     string `default:"127.0.0.1:8000" placeholder:"ADDR" help:"Address to listen on, HOST:PORT. Default: ${default}."`
	ReplayHost string `placeholder:"NAME" help:"Other names of this host, for archived pages: *.NAME gives each site a separate origin; NAME puts all in a sandbox. NAME:PORT and https://NAME are possible. Default: *.localhost."`
	Config     string `type:"existingfile" env:"QUIRE_SERVE_CONFIG" placeholder:"FILE" help:"Settings in YAML: readers, rules, names. See docs/operations/855_serve.md."`
	SiteRules  string `type:"existingfile" placeholder:"FILE" help:"@siteRulesFile"`
	operateFlags
	repoFlag
}

// Run serves until it is interrupted.
func (c *serveCmd) Run(ctx context.Context, t *terminal) error {
	heapgoal.Service()
	if err := c.operateFlags.check(); err != nil {
		return err
	}
	settings := server.Config{}
	if c.Config != "" {
		var err error
		if settings, err = server.Load(c.Config); err != nil {
			return err
		}
	}
	settings.SiteRules = cmp.Or(c.SiteRules, settings.SiteRules)
	return c.with(ctx, t, func(s *store.Store) error { return c.serve(ctx, t, s, settings) })
}

func (c *serveCmd) serve(ctx context.Context, t *terminal, s *store.Store, settings server.Config) error {
	l, err := httpserver.On(c.Listen)
	if err != nil {
		return err
	}
	w := &watch{t: t}
	readers, err := server.New(ctx, s, server.Options{
		Config: settings, Root: httpserver.URL(l), ReplayHost: c.ReplayHost, Problem: w.problem,
		Progress: w.progress,
	})
	if err != nil {
		return closed(err, l.Close())
	}
	for _, line := range readers.Greeting() {
		w.say("%s", line)
	}
	if file := readers.Holdings().RulesFile(); file != "" {
		w.say("  the rules in %s are not in the copies of the repository: quire rules set keeps them there", file)
	}
	go func() {
		if text := noRightsWarning(ctx, readers.Holdings(), settings, string(holdings.Public)); text != "" {
			w.say("  %s", text)
		}
	}()
	defer reopening(readers, w)()
	run, wait, err := c.operating(ctx, t, s, readers.Holdings())
	if err != nil {
		return closed(closed(err, l.Close()), readers.Close())
	}
	err = httpserver.Serve(run, l, readers, httpserver.Options{Connections: readers.Connections(), Problem: w.problem})
	return closed(closed(err, wait()), readers.Close())
}

// reopening reopens the request log at each SIGHUP; log rotation programs send this signal. The
// returned function ends it.
func reopening(readers *server.Server, w *watch) (end func()) {
	hung := make(chan os.Signal, 1)
	signal.Notify(hung, syscall.SIGHUP)
	go func() {
		for range hung {
			if err := readers.ReopenLog(); err != nil {
				w.problem(err)
			}
		}
	}()
	return func() {
		signal.Stop(hung)
		close(hung)
	}
}
