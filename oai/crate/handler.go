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
	"slices"
	"strings"

	"quire/internal/httpserver"
	"quire/internal/sandbox"
	"quire/oai/plugin"
	"quire/oai/plugin/builtin"
	"quire/oai/provider"
	"quire/oai/site"
)

// HandlerOptions say what a website offers to harvesters, and where. Base and State are needed, all
// else has good defaults.
type HandlerOptions struct {
	Name  string   // of the site, as Identify tells it; default its host
	Admin []string // mail addresses of those who answer for it; default webmaster@ its host

	Base     string // URL of the endpoint as harvesters see it: "https://a.example/modoai"
	Endpoint string // its path, as requests reach this handler: default that of Base

	State   string    // folder for the index, the key of tokens and what tools said; made when it is not there
	Folder  string    // that the next handler serves, walked to find what there is; "" when there is none
	Find    site.Find // where else resources are looked for
	Aliases []string  // roots under which the site calls itself otherwise: that of a server behind a proxy

	PageRecords int   // records of a page of a list at most; default 100
	PageBytes   int64 // bytes after which a page ends; default 8 MiB
	ByValue     int64 // bytes up to which a resource goes into its CRATE; default 64 MiB

	Plugins []plugin.Config // tools that look at each resource; nil is those of [DefaultPlugins], an empty list is none

	// Jail says whether tools that are programs run where the kernel cannot lock them in: see
	// plugin.Options.
	Jail sandbox.Demand

	// Gate goes around the endpoint, and around nothing else; nil lets everybody in.
	Gate func(http.Handler) http.Handler

	// Requests is how many requests of harvesters are worked on at once; some more wait, those
	// beyond are told to come again. Default 4.
	Requests int

	Problem func(string) // told what went wrong, a line each; may be nil. From several goroutines
}

// DefaultPlugins are what is built in, each under its own name, but for digests that others make
// unnecessary.
func DefaultPlugins() []plugin.Config {
	var all []plugin.Config
	for _, name := range builtin.Names() {
		if name != "sha1" && name != "sha512" {
			all = append(all, plugin.Config{Label: name, Builtin: name})
		}
	}
	return all
}

// Middleware is a website with an endpoint for harvesters. It answers what is asked of the
// endpoint, and hands everything else to the handler that it stands before, untouched.
type Middleware struct {
	next       http.Handler
	endpoint   string
	harvesters http.Handler // the endpoint, behind its gate
	wellKnown  string
	visitors   *site.Visitors
	site       *site.Site
	tools      *plugin.Runner
}

// Handler puts an endpoint for harvesters before a website. The bytes that it hands out are what
// next answers to a request of ours, with next's headers, so that rights, scripts and redirects
// hold; what next does not answer with 200 is not handed out. Close ends what goes on behind it.
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

// place is where the endpoint and the site are.
type place struct {
	host     string
	root     string // URL of the site
	strip    string // path that a server in front of us takes away
	endpoint string // path of the endpoint, as requests reach us
}

func (o *HandlerOptions) place() (p place, err error) {
	base, err := url.Parse(o.Base)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.RawQuery != "" ||
		base.Fragment != "" {
		return p, fmt.Errorf("%q is no URL of an endpoint: give one as https://a.example/modoai", o.Base)
	}
	p = place{host: base.Hostname(), endpoint: strings.TrimSuffix(cmp.Or(o.Endpoint, base.Path), "/")}
	if !strings.HasPrefix(p.endpoint, "/") {
		return p, fmt.Errorf("the endpoint needs a path of its own, as https://%s/modoai", base.Host)
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
		return errors.New("a folder is needed for the index, the key of tokens and what tools said")
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
		return fmt.Errorf("the state folder %s lies in the folder %s that is served: name another", o.State, o.Folder)
	}
	return nil
}

// unlinked gives the path of a folder that need not be there yet, without links.
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

// offer makes what harvesters ask.
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
	d := Disseminator{Tools: tools, ByValue: o.ByValue, Schemas: base + schemasPath}
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
	m.harvesters = httpserver.AtOnce(cmp.Or(o.Requests, 4), e)
	if o.Gate != nil {
		m.harvesters = o.Gate(m.harvesters)
	}
	return nil
}

func (o *HandlerOptions) admin(host string) []string {
	switch {
	case len(o.Admin) > 0:
		return slices.Clone(o.Admin)
	case strings.Contains(host, ".") && net.ParseIP(host) == nil:
		return []string{"webmaster@" + host}
	}
	// a number or a host such as localhost has no mail, and an address must have a domain (RFC
	// 2606)
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

// isEndpoint says whether a request is a harvester's. What the site has of its own at the
// well-known place is not hidden.
func (m *Middleware) isEndpoint(r *http.Request) bool {
	if r.URL.Path == m.wellKnown {
		return !m.site.Answers(r.Context(), m.wellKnown)
	}
	below, ok := strings.CutPrefix(r.URL.Path, m.endpoint)
	return ok && (below == "" || isBelow(below))
}

// Status tells how far the index of the site is.
func (m *Middleware) Status(ctx context.Context) (site.Status, error) { return m.site.Status(ctx) }

// Close ends the scanning and the tools. What was learnt is kept in the state folder.
func (m *Middleware) Close() error {
	err := m.site.Close()
	if m.tools != nil {
		err = errors.Join(err, m.tools.Close())
	}
	return err
}
