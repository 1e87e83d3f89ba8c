package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	access "quire/access/server"
	"quire/holdings/follow"
	"quire/internal/httpserver"
	"quire/internal/humanize"
	"quire/model"
	"quire/oai/archive"
	"quire/oai/archive/server"
	"quire/oai/config"
	"quire/repository/store"
)

type oaiServeCmd struct {
	Listen string `default:"127.0.0.1:8000" placeholder:"ADDR" help:"Address to listen on, HOST:PORT. Default: ${default}."`
	allowFlag
	Config   string `type:"existingfile" placeholder:"FILE" help:"Settings in YAML: access, tools, names. See docs/operations/865_oai-repository.md."`
	Zone     string `enum:"open,onsite,restricted," default:"" placeholder:"ZONE" help:"Access of harvesters: open (as everyone), onsite, restricted. Default: open."`
	Unstated string `enum:"open,onsite,restricted," default:"" placeholder:"ZONE" help:"Access to packages without a rights statement: open, onsite, restricted. Default: restricted."`
	Serve    string `name:"serve-config" env:"QUIRE_SERVE_CONFIG" type:"existingfile" placeholder:"FILE" help:"Settings of quire serve: the rules of access that they name hold here, too."`
	repoFlag
}

// Run serves until it is interrupted.
func (c *oaiServeCmd) Run(ctx context.Context, t *terminal) error {
	settings := config.Config{}
	err := settings.Complete()
	if c.Config != "" {
		settings, err = config.Load(c.Config)
	}
	if err != nil {
		return err
	}
	c.allow(&settings)
	if c.Zone != "" {
		settings.Repository.Zone = model.Zone(c.Zone)
	}
	if c.Unstated != "" {
		settings.Repository.Unstated = model.Zone(c.Unstated)
	}
	if err := c.rules(&settings); err != nil {
		return err
	}
	return c.with(ctx, t, func(s *store.Store) error { return c.serve(ctx, t, s, settings) })
}

// rules has harvesters judged by the rules of quire serve, where QUIRE_SERVE_CONFIG names its
// settings and ours name no others.
func (c *oaiServeCmd) rules(settings *config.Config) error {
	if c.Serve == "" || settings.Repository.Rules != "" {
		return nil
	}
	of, err := access.Load(c.Serve)
	settings.Repository.Rules = of.Rules
	return err
}

func (c *oaiServeCmd) serve(ctx context.Context, t *terminal, s *store.Store, settings config.Config) error {
	l, err := httpserver.On(c.Listen)
	if err != nil {
		return err
	}
	w := &watch{t: t}
	provider, err := server.New(ctx, s, server.Options{
		Config: settings, Dir: filepath.Join(c.Repo, "oai"), Root: httpserver.URL(l), Progress: w.progress,
		Problem: w.problem,
	})
	if err != nil {
		return closed(err, l.Close())
	}
	w.say("serving repository %s by OAI-PMH at %s (Ctrl-C ends it)", c.Repo, provider.Base)
	for _, line := range provider.Access {
		w.say("  access: %s", line)
	}
	if len(settings.Admin) == 0 {
		w.say("  harvesters get no contact address: set admin in the configuration")
	}
	go w.summary(ctx, provider.Archive)
	err = httpserver.Serve(ctx, l, provider, httpserver.Options{Problem: w.problem})
	return closed(err, provider.Close())
}

// watch prints the messages of a server, from several goroutines.
type watch struct {
	t  *terminal
	mu sync.Mutex
	at follow.Progress
}

func (w *watch) say(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t.clear()
	_, _ = fmt.Fprintf(w.t.err, format+"\n", args...) // a message that cannot be printed stops nothing
}

func (w *watch) problem(err error) { w.say("quire: %v", err) }

// progress draws a bar for each package that is read.
func (w *watch) progress(p follow.Progress) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.Package != w.at.Package || p.Total != w.at.Total {
		w.t.begin("reading "+p.Package, p.Total)
		w.at = follow.Progress{Package: p.Package, Total: p.Total}
	}
	if p.Package == "" {
		w.t.clear()
		return
	}
	w.t.progress(p.Bytes - w.at.Bytes)
	w.at = p
}

// summary prints the number of records, once it is known.
func (w *watch) summary(ctx context.Context, a *archive.Archive) {
	if a.Ready(ctx) != nil {
		return // it was printed, or the server ends
	}
	s, err := a.Summary(ctx)
	if err != nil {
		w.problem(err)
		return
	}
	w.say("  %s of %s; %s not shown for their rights, %s of these because none are stated (--unstated)",
		humanize.Number(s.Shown, "record", "records"),
		humanize.Number(s.Packages, "package", "packages"), humanize.Number(s.Hidden, "record", "records"),
		humanize.Number(s.Unstated, "record", "records"))
	for _, out := range s.LeftOut {
		w.say("  left out: %s: %s", humanize.Number(out.Count, "capture", "captures"), out.Why)
	}
	packages := make([]string, 0, len(s.Problems))
	for name := range s.Problems {
		packages = append(packages, name)
	}
	slices.Sort(packages)
	for _, name := range packages {
		w.say("  package %s could not be read: %s", name, s.Problems[name])
	}
}
