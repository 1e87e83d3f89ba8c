package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"quire/internal/accesscontrol"
	"quire/internal/httpserver"
	"quire/internal/humanize"
	"quire/model"
	"quire/oai/config"
	"quire/oai/crate/server"
)

// crateCmd has the commands of CRATE. With CRATE, a web server describes the resources of its
// website to archives.
type crateCmd struct {
	Serve crateServeCmd `cmd:"" help:"Serve a website so that archives can harvest it by OAI-PMH, each resource with the output of tools."`
}

type crateServeCmd struct {
	Folder   string `arg:"" optional:"" type:"existingdir" help:"The folder of the website."`
	Upstream string `placeholder:"URL" help:"Serve the website of this web server instead; requests are forwarded to it."`
	Listen   string `default:"127.0.0.1:8089" placeholder:"ADDR" help:"Address to listen on, HOST:PORT. Default: ${default}."`
	Config   string `type:"existingfile" placeholder:"FILE" help:"Settings in YAML: access, tools, names. See docs/operations/870_crate.md."`
	allowFlag
	State string `type:"path" placeholder:"FOLDER" help:"The folder for the index of the site. Default: a folder below ~/.local/state/quire."`
	jsonFlag
}

// Run serves until it is interrupted.
func (c *crateServeCmd) Run(ctx context.Context, t *terminal) error {
	if (c.Folder == "") == (c.Upstream == "") {
		return errors.New("no website named: give a folder, or --upstream URL")
	}
	settings := config.Config{}
	err := settings.Complete()
	if c.Config != "" {
		settings, err = config.Load(c.Config)
	}
	if err != nil {
		return err
	}
	if c.State != "" {
		settings.State = c.State
	}
	c.allow(&settings)
	l, err := httpserver.On(c.Listen)
	if err != nil {
		return err
	}
	w := &crateWatch{t: t}
	s, err := server.New(server.Options{Config: settings, Folder: c.Folder, Upstream: c.Upstream,
		Root: httpserver.URL(l), Agent: model.Agent{Name: "Quire", Version: version}, Problem: w.problem})
	if err != nil {
		return closed(err, l.Close())
	}
	if c.JSON {
		err = t.json(served{Site: httpserver.URL(l) + "/", Base: s.Base, State: s.State, Access: s.Access})
	} else {
		w.begin(httpserver.URL(l)+"/", s, len(settings.Admin) == 0)
	}
	var watching sync.WaitGroup
	watching.Go(func() { w.found(ctx, s) })
	if err == nil {
		err = httpserver.Serve(ctx, l, s,
			httpserver.Options{Connections: 10_000, Body: -1, Problem: func(err error) { w.problem(err.Error()) }})
	}
	watching.Wait()
	return closed(err, s.Close())
}

// served is the start message for scripts.
type served struct {
	Site   string   `json:"site"`
	Base   string   `json:"base"`
	State  string   `json:"state"`
	Access []string `json:"access"`
}

// crateWatch prints the messages of a server, from several goroutines.
type crateWatch struct {
	t  *terminal
	mu sync.Mutex
}

func (w *crateWatch) say(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = fmt.Fprintf(w.t.err, format+"\n", args...) // a failed print stops nothing
}

func (w *crateWatch) problem(text string) { w.say("quire: %s", text) }

func (w *crateWatch) begin(root string, s *server.Server, anonymous bool) {
	w.say("serving %s for harvesters at %s (stop with Ctrl-C)", root, s.Base)
	w.say("  try: %s?verb=Identify", s.Base)
	for _, line := range s.Access {
		w.say("  access: %s", line)
	}
	for _, line := range s.Warnings {
		w.say("  warning: %s", line)
	}
	w.say("  index: %s", s.State)
	if anonymous {
		w.say("  no contact address for harvesters: set admin in the configuration")
	}
}

// found prints the number of resources after the first complete scan.
func (w *crateWatch) found(ctx context.Context, s *server.Server) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for at := 0; ; at++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		st, err := s.Status(ctx)
		switch {
		case err != nil:
			w.problem(err.Error())
			return
		case !st.Scanned.IsZero():
			w.say("  %s; %s", humanize.Number(st.Resources, "resource", "resources"),
				humanize.Number(st.Deleted, "that has gone", "that have gone"))
			return
		case at%25 == 10:
			w.say("  scanning the site: %s so far", humanize.Number(st.Found, "resource", "resources"))
		}
	}
}

// allowFlag names the networks that harvesters may use, if there is no settings file.
type allowFlag struct {
	Allow []string `placeholder:"NETWORK" help:"Networks that may harvest: everyone, private, an address or a network (192.0.2.0/24). Can be repeated. Default: the settings, else this machine only."`
}

// allow adds an access agreement for the networks of the flag.
func (c *allowFlag) allow(settings *config.Config) {
	if len(c.Allow) > 0 {
		settings.Allow = append(settings.Allow, accesscontrol.Agreement{Networks: c.Allow})
	}
}
