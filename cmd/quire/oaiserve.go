package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	access "quire/access/server"
	"quire/holdings/follow"
	"quire/internal/heapgoal"
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
	Zone     string `enum:"open,onsite,restricted," default:"" placeholder:"ZONE" help:"Access for harvesters: open (as the public), onsite, restricted. Default: open."`
	Unstated string `enum:"open,onsite,restricted," default:"" placeholder:"ZONE" help:"Access to packages without a rights statement: open, onsite, restricted. Default: restricted."`
	Serve    string `name:"serve-config" env:"QUIRE_SERVE_CONFIG" type:"existingfile" placeholder:"FILE" help:"The settings file of quire serve; its access rules also apply here."`
	repoFlag
}

// Run serves until it is interrupted.
func (c *oaiServeCmd) Run(ctx context.Context, t *terminal) error {
	heapgoal.Service()
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

// rules applies the access rules of quire serve to harvesters, if QUIRE_SERVE_CONFIG names its
// settings and our settings name no others.
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
		Config: settings, Dir: filepath.Join(c.Repo, oaiFolder), Root: httpserver.URL(l), Progress: w.progress,
		Agent: model.Agent{Name: "Quire", Version: version}, Problem: w.problem,
	})
	if err != nil {
		return closed(err, l.Close())
	}
	w.say("serving repository %s by OAI-PMH at %s (stop with Ctrl-C)", c.Repo, provider.Base)
	for _, line := range provider.Access {
		w.say("  access: %s", line)
	}
	if len(settings.Admin) == 0 {
		w.say("  no contact address for harvesters: set admin in the configuration")
	}
	go w.summary(ctx, provider.Archive)
	err = httpserver.Serve(ctx, l, provider, httpserver.Options{Problem: w.problem})
	return closed(err, provider.Close())
}

// oaiFolder is the folder of the index for harvesters in a repository.
const oaiFolder = "oai"

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
	_, _ = fmt.Fprintf(w.t.err, format+"\n", args...) // a failed print stops nothing
}

func (w *watch) problem(err error) { w.say("quire: %v", err) }

// progress draws a bar for each package while it is read.
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

// summary prints the number of records as soon as the number is known.
func (w *watch) summary(ctx context.Context, a *archive.Archive) {
	if a.Ready(ctx) != nil {
		return // already printed, or the server is stopping
	}
	s, err := a.Summary(ctx)
	if err != nil {
		w.problem(err)
		return
	}
	w.say("  %s of %s; %s withheld, %s of these for lack of a rights statement (--unstated)",
		humanize.Number(s.Shown, "record", "records"),
		humanize.Number(s.Packages, "package", "packages"), humanize.Number(s.Hidden, "record", "records"),
		humanize.Number(s.Unstated, "record", "records"))
	for _, out := range s.LeftOut {
		w.say("  omitted: %s: %s", humanize.Number(out.Count, "capture", "captures"), out.Why)
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
