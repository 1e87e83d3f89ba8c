// Package config reads the settings of a data provider from one YAML file. Each section belongs to
// the package that uses it (docs/operations/870_crate.md shows the whole file).
//
// All keys are optional and have defaults. The same types are the JSON of the module for Caddy.
package config

import (
	"fmt"
	"io"
	"net/mail"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"quire/internal/accesscontrol"
	"quire/internal/sandbox"
	"quire/internal/yamlfile"
	"quire/oai/archive"
	"quire/oai/crate"
	"quire/oai/plugin"
	"quire/oai/site"
)

// Defaults.
const (
	DefaultEndpoint = "/modoai"
	DefaultByValue  = crate.DefaultByValue
	DefaultRecords  = 100
	DefaultBytes    = 8 << 20
	DefaultRequests = 4
)

// maxNumber is the largest number that a setting may have.
const maxNumber = 1_000_000

// Config holds all settings.
type Config struct {
	Name     string   `json:"name,omitempty"`     // of the website or archive, for Identify
	Admin    []string `json:"admin,omitempty"`    // mail addresses, for Identify
	Base     string   `json:"base,omitempty"`     // the URL of the provider for harvesters
	Endpoint string   `json:"endpoint,omitempty"` // the path of the provider
	State    string   `json:"state,omitempty"`    // the folder with the index, the token key and tools' output

	Pages Pages `json:"pages,omitzero"`
	// maximum size of a resource inside its CRATE, in bytes; a larger one is only referenced
	ByValue  plugin.Size `json:"by_value,omitempty"`
	Requests int         `json:"requests,omitempty"` // harvesters' requests processed at once

	accesscontrol.Config // allow, proxies

	Folder  string          `json:"folder,omitempty"` // served folder, walked for resources
	Find    site.Find       `json:"find,omitzero"`
	Aliases []string        `json:"aliases,omitempty"` // other root URLs that the site uses for itself
	Plugins []plugin.Config `json:"plugins,omitzero"`  // nil means all built-in tools; an empty list, none

	// whether tools run if the kernel cannot confine them: required (default) or best-effort
	Jail sandbox.Demand `json:"jail,omitempty"`

	Repository archive.Settings `json:"repository,omitzero"` // content of quire oai serve
}

// Pages limits the size of list pages.
type Pages struct {
	Records int         `json:"records,omitempty"`
	Bytes   plugin.Size `json:"bytes,omitempty"`
}

// Load reads a file. Paths in it are relative to the file's folder.
func Load(file string) (Config, error) {
	in, err := os.Open(file)
	if err != nil {
		return Config{}, err
	}
	defer func() { _ = in.Close() }() // read only
	c, err := Read(in, "the configuration "+file)
	if err != nil {
		return c, err
	}
	folder := filepath.Dir(file)
	c.State, c.Folder = yamlfile.Resolve(folder, c.State), yamlfile.Resolve(folder, c.Folder)
	c.Repository.Rules = yamlfile.Resolve(folder, c.Repository.Rules)
	for i := range c.Allow {
		a := &c.Allow[i]
		a.PasswordFile, a.TokenFile = yamlfile.Resolve(folder, a.PasswordFile), yamlfile.Resolve(folder, a.TokenFile)
	}
	return c, nil
}

// Read reads settings and sets defaults. Errors use the given name, and list all faults with their
// lines.
func Read(in io.Reader, name string) (Config, error) {
	doc, err := yamlfile.Read(in, name)
	if err != nil {
		return Config{}, err
	}
	c := Config{}
	doc.Fields(map[string]func(*yamlfile.Node){
		"name":     func(n *yamlfile.Node) { c.Name = n.Text() },
		"admin":    func(n *yamlfile.Node) { c.Admin = checked(n, n.Texts(), checkAdmin) },
		"base":     func(n *yamlfile.Node) { c.Base = n.Text(); checked(n, []string{c.Base}, checkBase) },
		"endpoint": func(n *yamlfile.Node) { c.Endpoint = n.Text(); checked(n, []string{c.Endpoint}, checkEndpoint) },
		"state":    func(n *yamlfile.Node) { c.State = n.Text() },
		"pages":    func(n *yamlfile.Node) { c.Pages = readPages(n) },
		"by-value": func(n *yamlfile.Node) { c.ByValue = plugin.Size(n.Size()) },
		"requests": func(n *yamlfile.Node) { c.Requests = int(min(n.Number(), maxNumber)) },
		"allow":    func(n *yamlfile.Node) { c.Allow = accesscontrol.ReadAllow(n) },
		"proxies":  func(n *yamlfile.Node) { c.Proxies = accesscontrol.ReadNetworks(n) },
		"folder":   func(n *yamlfile.Node) { c.Folder = n.Text() },
		"find":     func(n *yamlfile.Node) { c.Find = site.ReadFind(n) },
		"aliases":  func(n *yamlfile.Node) { c.Aliases = n.Texts() },
		"plugins":  func(n *yamlfile.Node) { c.Plugins = append([]plugin.Config{}, plugin.ReadConfigs(n)...) },

		"jail": func(n *yamlfile.Node) {
			c.Jail = sandbox.Demand(n.OneOf(string(sandbox.Required), string(sandbox.BestEffort)))
		},

		"repository": func(n *yamlfile.Node) { c.Repository = archive.ReadSettings(n) },
	})
	if err := doc.Err(); err != nil {
		return Config{}, err
	}
	if err := c.Complete(); err != nil {
		return Config{}, fmt.Errorf("reading %s: %w", name, err)
	}
	return c, nil
}

// checked reports invalid values.
func checked(n *yamlfile.Node, values []string, check func(string) error) []string {
	for _, s := range values {
		if err := check(s); s != "" && err != nil {
			n.Fail("%v", err)
		}
	}
	return values
}

func readPages(n *yamlfile.Node) (p Pages) {
	n.Fields(map[string]func(*yamlfile.Node){
		"records": func(n *yamlfile.Node) { p.Records = int(min(n.Number(), maxNumber)) },
		"bytes":   func(n *yamlfile.Node) { p.Bytes = plugin.Size(n.Size()) },
	})
	return p
}

// Complete sets the defaults and refuses invalid settings.
func (c *Config) Complete() error {
	if u, err := url.Parse(c.Base); c.Endpoint == "" && c.Base != "" && err == nil {
		c.Endpoint = strings.TrimSuffix(u.Path, "/")
	}
	if c.Endpoint == "" {
		c.Endpoint = DefaultEndpoint
	}
	if c.ByValue == 0 {
		c.ByValue = DefaultByValue
	}
	if c.Pages.Records == 0 {
		c.Pages.Records = DefaultRecords
	}
	if c.Pages.Bytes == 0 {
		c.Pages.Bytes = DefaultBytes
	}
	if c.Requests == 0 {
		c.Requests = DefaultRequests
	}
	for _, a := range c.Admin {
		if err := checkAdmin(a); err != nil {
			return fmt.Errorf("admin: %w", err)
		}
	}
	if err := checkEndpoint(c.Endpoint); err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	if err := checkBase(c.Base); err != nil {
		return fmt.Errorf("base: %w", err)
	}
	return nil
}

func checkAdmin(s string) error {
	if m, err := mail.ParseAddress(s); err != nil || m.Address != s {
		return fmt.Errorf("%.80q is not a mail address: write it as oai@a.example", s)
	}
	return nil
}

func checkEndpoint(s string) error {
	if path.Clean("/"+s) != s || s == "/" || strings.ContainsAny(s, "?#%\\*{} ") {
		return fmt.Errorf("%.80q is not a path below the root: write it as %s", s, DefaultEndpoint)
	}
	return nil
}

func checkBase(s string) error {
	u, err := url.Parse(s)
	if s != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		u.RawQuery != "" || u.Fragment != "") {
		return fmt.Errorf("%.80q is not a URL of a provider: write it as https://a.example%s", s, DefaultEndpoint)
	}
	return nil
}
