package crate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"quire/internal/httpserver"
	"quire/internal/sandbox"
	"quire/model"
	"quire/oai/plugin"
	"quire/oai/plugin/builtin"
	"quire/oai/provider"
	"quire/oai/site"
)

// HandlerOptions are the settings of a website's endpoint. Base and State are required; all others
// have good defaults.
type HandlerOptions struct {
	Name  string   // of the site, for Identify; default its host
	Admin []string // mail addresses of the administrators; default webmaster@ its host

	Base     string // URL of the endpoint for harvesters: "https://a.example/modoai"
	Endpoint string // path of the endpoint in requests to this handler; default: the path of Base

	State   string    // folder for the index, the token key and tools' output; created if missing
	Folder  string    // served by the next handler and walked for resources; may be ""
	Find    site.Find // other sources of resources
	Aliases []string  // other root URLs of the same site, such as the URL of a server behind a proxy

	PageRecords int   // maximum records on a page; default 100
	PageBytes   int64 // bytes at which a page ends; default 8 MiB
	ByValue     int64 // maximum size of a resource in its CRATE; default 6 MiB

	Plugins []plugin.Config // tools that examine each resource; nil means [DefaultPlugins], an empty list none

	// Jail decides whether external tools run if the kernel cannot confine them: see
	// plugin.Options.
	Jail sandbox.Demand

	// Gate wraps only the endpoint, for access control. Nil allows all clients.
	Gate func(http.Handler) http.Handler

	// Requests is the number of harvesters' requests processed at once. Some more wait; the others
	// get status 503. Default 4.
	Requests int

	Agent model.Agent // the program, for the documents; the default is Quire, with the version of its module

	Problem func(string) // receives errors, a line each, from several goroutines; may be nil
}

// DefaultPlugins returns the built-in tools, each under its own name, except digests that others
// make unnecessary.
func DefaultPlugins() []plugin.Config {
	var all []plugin.Config
	for _, name := range builtin.Names() {
		if name != "sha1" && name != "sha512" {
			all = append(all, plugin.Config{Label: name, Builtin: name})
		}
	}
	return all
}

// Middleware is a website with an endpoint for harvesters. It answers requests to the endpoint and
// passes all others unchanged to the next handler.
type Middleware struct {
	next       http.Handler
	endpoint   string
	harvesters http.Handler // the endpoint for harvesters, behind access control
	wellKnown  string
	visitors   *site.Visitors
	site       *site.Site
	tools      *plugin.Runner
}

// Handler adds an endpoint for harvesters to a website. It gets the bytes of resources by internal
// requests to next and serves them with next's headers, so that rights, scripts and redirects
// apply. It does not serve resources for which next returns a status other than 200. Close stops
// the background work.
func Handler(next http.Handler, o HandlerOptions) (*Middleware, error) {
	place, err := o.place()
	if err != nil {
		return nil, fmt.Errorf("crate: %w", err)
	}
	if err := o.checkState(); err != nil {
		return nil, fmt.Errorf("crate: %w", err)
	}
	m := &Middleware{next: next, endpoint: place.endpoint, wellKnown: site.WellKnown, visitors: &site.Visitors{}}
	m.site, err = site.New(site.Options{Root: place.root, Strip: place.strip, Next: next, Folder: o.Folder,
		State: o.State, Find: o.Find,
		Aliases: o.Aliases, Reserved: []string{place.strip + place.endpoint, place.strip + site.WellKnown},
		Visitors: m.visitors, Problem: o.Problem})
	if err != nil {
		return nil, err
	}
	if err := m.offer(&o, place); err != nil {
		return nil, errors.Join(err, m.site.Close())
	}
	return m, nil
}

// place is the location of the endpoint and the site.
type place struct {
	host     string
	root     string // URL of the site
	strip    string // path prefix that a front server removes
	endpoint string // path of the endpoint in our requests
}

func (o *HandlerOptions) place() (p place, err error) {
	base, err := url.Parse(o.Base)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.RawQuery != "" ||
		base.Fragment != "" {
		return p, fmt.Errorf("%q is not the URL of an endpoint: write it as https://a.example/modoai", o.Base)
	}
	p = place{host: base.Hostname(), endpoint: strings.TrimSuffix(cmp.Or(o.Endpoint, base.Path), "/")}
	if !strings.HasPrefix(p.endpoint, "/") {
		return p, fmt.Errorf("the endpoint needs a path of its own, such as https://%s/modoai", base.Host)
	}
	if before, ok := strings.CutSuffix(strings.TrimSuffix(base.Path, "/"), p.endpoint); ok {
		p.strip = before
	}
	p.root = base.Scheme + "://" + base.Host + p.strip + "/"
	return p, nil
}

// checkState refuses a state folder that visitors could read.
func (o *HandlerOptions) checkState() error {
	if o.State == "" {
		return errors.New("no State: set a folder for the index, the token key and the tools' output")
	}
	if o.Folder == "" {
		return nil
	}
	served, err := unlinked(o.Folder)
	if err != nil {
		return err
	}
	state, err := unlinked(o.State)
	if err != nil {
		return fmt.Errorf("the state folder %s: %w", o.State, err)
	}
	if below, err := filepath.Rel(served, state); err == nil && filepath.IsLocal(below) {
		return fmt.Errorf("the state folder %s is inside the served folder %s: choose another", o.State, o.Folder)
	}
	return nil
}

// unlinked resolves the links in a folder's path. The folder need not exist.
func unlinked(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	there, err := filepath.EvalSymlinks(folder)
	if errors.Is(err, os.ErrNotExist) && filepath.Dir(folder) != folder {
		above, err := unlinked(filepath.Dir(folder))
		return filepath.Join(above, filepath.Base(folder)), err
	}
	return there, err
}

// offer creates the endpoint.
func (m *Middleware) offer(o *HandlerOptions, at place) error {
	problem := func(text string) {
		if o.Problem != nil {
			o.Problem(text)
		}
	}
	key, err := provider.Key(filepath.Join(o.State, "token.key"))
	if err != nil {
		return err
	}
	configs := o.Plugins
	if configs == nil {
		configs = DefaultPlugins()
	}
	tools, err := plugin.New(plugin.Options{Configs: configs, Jail: o.Jail, Builtin: builtin.New,
		CacheDir: filepath.Join(o.State, "tools"),
		Hold:     func(ctx context.Context) error { _, err := m.visitors.Begin(ctx); return err },
		Problem:  func(label string, err error) { problem(fmt.Sprintf("tool %s: %v", label, err)) }})
	if err != nil {
		return fmt.Errorf("crate: %w", err)
	}
	m.tools = tools
	base := strings.TrimSuffix(o.Base, "/")
	if o.Agent.Name == "" {
		o.Agent = model.Agent{Name: "Quire", Version: builtVersion()}
	}
	if text := TooLargeByValue(o.ByValue); text != "" {
		problem(text)
	}
	d := Disseminator{Tools: tools, ByValue: o.ByValue, Schemas: base + schemasPath, Agent: o.Agent}
	p, err := provider.New(&considerate{d.Backend(m.site), m.visitors},
		provider.Options{Name: cmp.Or(o.Name, at.host), BaseURL: base,
			AdminEmail: o.admin(at.host), Key: key, Records: o.PageRecords, Bytes: o.PageBytes,
			Problem: func(p provider.Problem) { problem(p.Error()) }})
	if err != nil {
		return err
	}
	e := &endpoint{path: m.endpoint, provider: p, publisher: site.NewPublisher(m.site, base, m.endpoint),
		ready:   m.site.Ready,
		schemas: http.StripPrefix(m.endpoint+schemasPath, SchemaHandler())}
	m.harvesters = httpserver.LimitConcurrency(cmp.Or(o.Requests, 4), e)
	if o.Gate != nil {
		m.harvesters = o.Gate(m.harvesters)
	}
	return nil
}

// builtVersion returns the version of Quire's module in this program, or "" if it has none.
func builtVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == "quire" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return ""
}

func (o *HandlerOptions) admin(host string) []string {
	switch {
	case len(o.Admin) > 0:
		return slices.Clone(o.Admin)
	case strings.Contains(host, ".") && net.ParseIP(host) == nil:
		return []string{"webmaster@" + host}
	}
	// An IP address or a host such as localhost has no mail. A mail address must have a domain, so
	// this address uses a reserved domain (RFC 2606).
	return []string{"nobody@not-set.invalid"}
}

// ServeHTTP implements http.Handler.
func (m *Middleware) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case site.Internal(r):
		m.next.ServeHTTP(w, r)
	case m.isEndpoint(r):
		m.harvesters.ServeHTTP(w, r)
	default:
		m.visitors.Serve(m.next, w, r)
	}
}

// isEndpoint reports whether a request is for the endpoint. The site's own file at the well-known
// path has priority.
func (m *Middleware) isEndpoint(r *http.Request) bool {
	if r.URL.Path == m.wellKnown {
		return !m.site.Answers(r.Context(), m.wellKnown)
	}
	below, ok := strings.CutPrefix(r.URL.Path, m.endpoint)
	return ok && (below == "" || isBelow(below))
}

// Status returns the state of the site's index.
func (m *Middleware) Status(ctx context.Context) (site.Status, error) { return m.site.Status(ctx) }

// Close ends the scanning and the tools. The state folder keeps the results.
func (m *Middleware) Close() error {
	err := m.site.Close()
	if m.tools != nil {
		err = errors.Join(err, m.tools.Close())
	}
	return err
}
