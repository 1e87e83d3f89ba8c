package server

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/yamlfile"
	"quire/repository/jobs"
	"quire/service/oidc"
	"quire/service/role"
	"quire/service/webhook"
)

// Config is the settings file of the service. All keys are optional.
type Config struct {
	Name    string   // of the archive, for the pages
	URL     string   // of the service, as clients see it
	Folders []string // where jobs may read and write files
	Reports string   // the folder of reports

	OIDC     *oidc.Settings // nil for tokens alone
	Webhooks []webhook.Hook // in the order of their names
}

// Load reads a settings file. Relative paths in it begin at its folder.
func Load(file string) (Config, error) {
	c, err := Resolved(file)
	if err != nil {
		return c, err
	}
	return c, c.check()
}

// Resolved reads a settings file as Load does, and does not ask whether its folders and keys are on this machine: a
// worker needs those of one webhook only.
func Resolved(file string) (Config, error) {
	in, err := os.Open(file)
	if err != nil {
		return Config{}, err
	}
	defer func() { _ = in.Close() }() // only read
	c, err := Read(in, "the settings "+file)
	if err != nil {
		return c, err
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return c, err
	}
	c.Reports = yamlfile.Resolve(folder, c.Reports)
	if c.OIDC != nil {
		c.OIDC.SecretFile = yamlfile.Resolve(folder, c.OIDC.SecretFile)
	}
	for i := range c.Webhooks {
		c.Webhooks[i].SecretFile = yamlfile.Resolve(folder, c.Webhooks[i].SecretFile)
	}
	for i := range c.Folders {
		c.Folders[i] = yamlfile.Resolve(folder, c.Folders[i])
	}
	return c, nil
}

// Read reads settings. name identifies them in errors, which list all problems with their lines.
func Read(in io.Reader, name string) (Config, error) {
	doc, err := yamlfile.Read(in, name)
	if err != nil {
		return Config{}, err
	}
	c := Config{}
	doc.Fields(map[string]func(*yamlfile.Node){
		"name":    func(n *yamlfile.Node) { c.Name = n.Text() },
		"url":     func(n *yamlfile.Node) { c.URL = readURL(n) },
		"folders": func(n *yamlfile.Node) { c.Folders = n.Texts() },
		"reports": func(n *yamlfile.Node) { c.Reports = n.Text() },
		"oidc":    func(n *yamlfile.Node) { c.OIDC = readOIDC(n) },
		"webhooks": func(n *yamlfile.Node) {
			n.Each(func(name string, value *yamlfile.Node) {
				c.Webhooks = append(c.Webhooks, readHook(name, value))
			})
			slices.SortFunc(c.Webhooks, func(a, b webhook.Hook) int { return strings.Compare(a.Name, b.Name) })
		},
	})
	return c, doc.Err()
}

// readOIDC reads the settings of the OpenID provider.
func readOIDC(n *yamlfile.Node) *oidc.Settings {
	s := &oidc.Settings{Roles: map[string]role.Role{}}
	n.Fields(map[string]func(*yamlfile.Node){
		"issuer":      func(n *yamlfile.Node) { s.Issuer = n.Text() },
		"client-id":   func(n *yamlfile.Node) { s.ClientID = n.Text() },
		"secret-file": func(n *yamlfile.Node) { s.SecretFile = n.Text() },
		"audience":    func(n *yamlfile.Node) { s.Audience = n.Text() },
		"name-claim":  func(n *yamlfile.Node) { s.NameClaim = n.Text() },
		"roles-claim": func(n *yamlfile.Node) { s.RolesClaim = n.Text() },
		"scopes":      func(n *yamlfile.Node) { s.Scopes = n.Texts() },
		"roles": func(n *yamlfile.Node) {
			n.Each(func(group string, value *yamlfile.Node) {
				var r role.Role
				if err := r.UnmarshalText([]byte(value.Text())); err != nil {
					value.Fail("%v", err)
				}
				s.Roles[group] = r
			})
		},
	})
	return s
}

// readHook reads a webhook.
func readHook(name string, n *yamlfile.Node) webhook.Hook {
	h := webhook.Hook{Name: name, States: webhook.DefaultStates}
	if !webhook.ValidName(name) {
		n.Fail("%.80q names no webhook: use a to z, 0 to 9 and - between them, at most 40", name)
	}
	n.Fields(map[string]func(*yamlfile.Node){
		"url":         func(n *yamlfile.Node) { h.URL = n.Text() },
		"secret-file": func(n *yamlfile.Node) { h.SecretFile = n.Text() },
		"states": func(n *yamlfile.Node) {
			h.States = nil
			for _, s := range n.Texts() {
				h.States = append(h.States, jobs.State(s))
			}
			if err := webhook.CheckStates(h.States); err != nil {
				n.Fail("%v", err)
			} else if len(h.States) == 0 {
				n.Fail("states is empty, so the webhook would get nothing: leave it out, or name ends of jobs")
			}
		},
	})
	return h
}

// Webhook returns the webhook of a name.
func (c *Config) Webhook(name string) (*webhook.Hook, error) {
	for i := range c.Webhooks {
		if c.Webhooks[i].Name == name {
			return &c.Webhooks[i], nil
		}
	}
	return nil, fmt.Errorf("the settings of the service have no webhook %s", name)
}

// readURL reads the URL of a server without a path.
func readURL(n *yamlfile.Node) string {
	u, err := url.Parse(n.Text())
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		n.Fail("%.80q is not the URL of a host: write it as https://operate.archive.example", n.Text())
		return ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host)
}

// check tests that the folders exist, and that webhooks can be called.
func (c *Config) check() error {
	for _, dir := range append([]string{c.Reports}, c.Folders...) {
		if dir == "" {
			continue
		}
		info, err := os.Stat(dir)
		if err != nil {
			return fmt.Errorf("a folder in the settings of the service: %w", err)
		}
		if !info.IsDir() {
			return fmt.Errorf("%s, in the settings of the service, is no folder", dir)
		}
	}
	for i := range c.Webhooks {
		if err := c.Webhooks[i].Check(); err != nil {
			return err
		}
	}
	return nil
}
