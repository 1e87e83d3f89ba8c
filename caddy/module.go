// Package caddy is the module http.handlers.crate for the web server Caddy. Harvesters can harvest
// the websites that it serves by OAI-PMH.
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
// The module only reads its configuration and connects package quire/oai/crate to Caddy. It serves
// the site's own answers: crate sends internal requests through the whole configuration of the
// site, as for any visitor. docs/operations/875_caddy.md describes all settings.
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

// Crate answers harvesters at one path of a website and passes all other requests on unchanged.
type Crate struct {
	config.Config

	context caddy.Context
	key     string // key of running in the pool
	running *running
}

// CaddyModule returns the Caddy module information.
func (*Crate) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.crate", New: func() caddy.Module { return new(Crate) }}
}

// Provision starts the endpoint, or reuses the running endpoint of an earlier configuration if its
// settings are unchanged.
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

// complete sets the defaults.
func (c *Crate) complete() error {
	if c.Base == "" {
		return errors.New("base is missing: set the URL of the site's endpoint for harvesters, such as " +
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

// Validate refuses invalid tools.
func (c *Crate) Validate() error {
	seen := map[string]bool{}
	for _, p := range c.Plugins {
		if err := p.Check(); err != nil {
			return fmt.Errorf("crate: plugin: %w", err)
		}
		if seen[p.Label] {
			return fmt.Errorf("crate: plugin: duplicate label %q", p.Label)
		}
		seen[p.Label] = true
	}
	return nil
}

// Cleanup releases the endpoint. The endpoint ends when no other configuration uses it.
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
	if site.Internal(r) { // our internal request, not a visit
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
