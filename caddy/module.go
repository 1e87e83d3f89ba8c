// Package caddy is the module http.handlers.crate for the web server Caddy: websites that it serves
// can be harvested by OAI-PMH.
//
//	a.example {
//		root * /var/www
//		crate {
//			base https://a.example/modoai
//			admin oai@a.example
//			folder /var/www
//			allow 192.0.2.0/24
//		}
//		file_server
//	}
//
// It only reads its configuration, and puts package quire/oai/crate into Caddy: what is handed out
// is what the site answers to a request of ours that comes in at the front door, through all that
// the configuration says of the site, as a stranger's would. docs/operations/875_caddy.md tells all
// that can be set.
package caddy

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyevents"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"quire/oai/config"
	"quire/oai/site"
)

func init() { caddy.RegisterModule(new(Crate)) }

// Crate has a website answer harvesters at one path, and hands all other requests on, untouched.
type Crate struct {
	config.Config

	context caddy.Context
	key     string // of running, in the pool
	running *running
}

// CaddyModule returns the Caddy module information.
func (*Crate) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.crate", New: func() caddy.Module { return new(Crate) }}
}

// Provision starts what answers, or takes that which a configuration before left running, when
// nothing has changed in it.
func (c *Crate) Provision(ctx caddy.Context) error {
	c.context = ctx
	if err := c.complete(); err != nil {
		return fmt.Errorf("crate: %w", err)
	}
	key, err := json.Marshal(c.Config)
	if err != nil {
		return fmt.Errorf("crate: %w", err)
	}
	c.key = string(key)
	made, _, err := pool.LoadOrNew(c.key, func() (caddy.Destructor, error) { return run(c.Config) })
	if err != nil {
		c.key = ""
		return fmt.Errorf("crate: %w", err)
	}
	c.running = made.(*running)
	events, err := ctx.App("events")
	if err != nil {
		return fmt.Errorf("crate: %w", err)
	}
	return events.(*caddyevents.App).On("started", c)
}

// complete sets what was not said.
func (c *Crate) complete() error {
	if c.Base == "" {
		return errors.New("base is missing: the URL at which harvesters find the site's endpoint, as " +
			"https://a.example/modoai")
	}
	if err := c.Complete(); err != nil {
		return err
	}
	if c.State == "" {
		base, err := url.Parse(c.Base)
		if err != nil {
			return err
		}
		c.State = filepath.Join(caddy.AppDataDir(), "quire", url.PathEscape(base.Host+c.Endpoint))
	}
	return nil
}

// Validate refuses tools that cannot be.
func (c *Crate) Validate() error {
	seen := map[string]bool{}
	for _, p := range c.Plugins {
		if err := p.Check(); err != nil {
			return fmt.Errorf("crate: plugin: %w", err)
		}
		if seen[p.Label] {
			return fmt.Errorf("crate: plugin: the label %q is there twice", p.Label)
		}
		seen[p.Label] = true
	}
	return nil
}

// Cleanup lets go of what answers. When no other configuration holds it, it ends.
func (c *Crate) Cleanup() error {
	if c.key == "" {
		return nil
	}
	_, err := pool.Delete(c.key)
	return err
}

// ServeHTTP implements caddyhttp.MiddlewareHandler.
func (c *Crate) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	if p := probeOf(r); p != nil {
		p.reached = p.reached || p.of == c.running
		caddyhttp.SetVar(r.Context(), caddyhttp.LogSkipVar, true)
		return nil
	}
	if site.Internal(r) { // ours, on its way through the site: no visit
		caddyhttp.SetVar(r.Context(), caddyhttp.LogSkipVar, true)
		return next.ServeHTTP(w, r)
	}
	v := &visit{next: next}
	caddyhttp.SetVar(r.Context(), visitVar, v)
	c.running.endpoint.ServeHTTP(w, r)
	return v.err
}

// Interface guards.
var (
	_ caddy.Module                = (*Crate)(nil)
	_ caddy.Provisioner           = (*Crate)(nil)
	_ caddy.Validator             = (*Crate)(nil)
	_ caddy.CleanerUpper          = (*Crate)(nil)
	_ caddyhttp.MiddlewareHandler = (*Crate)(nil)
	_ caddyevents.Handler         = (*Crate)(nil)
)
