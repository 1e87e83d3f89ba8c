package server

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/export"
	"quire/access/search"
	"quire/holdings"
	"quire/internal/accesscontrol"
	"quire/internal/yamlfile"
)

// Defaults.
const (
	DefaultPermission  = 2 * time.Hour
	DefaultConnections = 512
)

// Config is the whole configuration: one YAML file (complete example in
// docs/operations/855_serve.md). All keys are optional.
type Config struct {
	Name  string // of the archive, for readers
	About string // a sentence or two on the first page

	UI     string // public URL of our own pages
	Replay string // URL of archived pages: another host, or many with a wildcard; "" if there is only one host

	Rules    string // file of access rules (docs/reference/530_access-rules.md)
	Unstated string // access without a rights statement: open, onsite, restricted

	SiteRules string // file of rules for single sites (docs/reference/547_site-rules.md)

	OnSite, Staff []accesscontrol.Agreement // definition of reading rooms and curators
	Proxies       []string                  // trusted proxies in front of this server

	Permission  time.Duration // lifetime of addresses of restricted content
	Connections int           // concurrent clients; more wait
	Log         string        // log file of requests; "" for none
	Assets      string        // folder of installed replay engines (quire assets install)
	Downloads   []string      // formats offered for download
	Sitemap     bool          // serve a sitemap of the open titles

	Languages []string      // of our pages besides English: "fr", or a file of UI strings
	Language  string        // default language; "" means English
	AnyName   bool          // answer under any host name, even if addresses identify readers
	Exports   export.Limits // limits for exports

	Search search.Settings // the engine of the search

	NoThumbnails bool // make and show no small pictures of captures
	NoPoints     bool // make no points of entry into long records
}

// Load reads a file. Relative paths in it start at its folder.
func Load(file string) (Config, error) {
	in, err := os.Open(file)
	if err != nil {
		return Config{}, err
	}
	defer func() { _ = in.Close() }() // only read
	c, err := Read(in, "the configuration "+file)
	if err != nil {
		return c, err
	}
	folder := filepath.Dir(file)
	for _, p := range []*string{&c.Rules, &c.SiteRules, &c.Log, &c.Assets} {
		*p = yamlfile.Resolve(folder, *p)
	}
	for i, l := range c.Languages {
		if isFile(l) {
			c.Languages[i] = yamlfile.Resolve(folder, l)
		}
	}
	for _, all := range [][]accesscontrol.Agreement{c.OnSite, c.Staff} {
		for i := range all {
			all[i].PasswordFile, all[i].TokenFile = yamlfile.Resolve(folder, all[i].PasswordFile),
				yamlfile.Resolve(folder, all[i].TokenFile)
		}
	}
	return c, nil
}

// Read reads the configuration. name identifies it in errors, which list all problems with their
// lines.
func Read(in io.Reader, name string) (Config, error) {
	doc, err := yamlfile.Read(in, name)
	if err != nil {
		return Config{}, err
	}
	c := Config{}
	doc.Fields(map[string]func(*yamlfile.Node){
		"name":        func(n *yamlfile.Node) { c.Name = n.Text() },
		"about":       func(n *yamlfile.Node) { c.About = n.Text() },
		"ui":          func(n *yamlfile.Node) { c.UI = readURL(n) },
		"replay":      func(n *yamlfile.Node) { c.Replay = readURL(n) },
		"rules":       func(n *yamlfile.Node) { c.Rules = n.Text() },
		"site-rules":  func(n *yamlfile.Node) { c.SiteRules = n.Text() },
		"unstated":    func(n *yamlfile.Node) { c.Unstated = n.OneOf("open", "onsite", "restricted") },
		"readers":     func(n *yamlfile.Node) { c.readReaders(n) },
		"proxies":     func(n *yamlfile.Node) { c.Proxies = accesscontrol.ReadNetworks(n) },
		"permission":  func(n *yamlfile.Node) { c.Permission = readPermission(n) },
		"connections": func(n *yamlfile.Node) { c.Connections = int(min(n.Number(), 100_000)) },
		"log":         func(n *yamlfile.Node) { c.Log = n.Text() },
		"assets":      func(n *yamlfile.Node) { c.Assets = n.Text() },
		"downloads":   func(n *yamlfile.Node) { c.Downloads = n.Texts() },
		"sitemap":     func(n *yamlfile.Node) { c.Sitemap = n.Bool() },
		"languages":   func(n *yamlfile.Node) { c.Languages = n.Texts() },
		"language":    func(n *yamlfile.Node) { c.Language = n.Text() },
		"any-name":    func(n *yamlfile.Node) { c.AnyName = n.Bool() },
		"exports":     func(n *yamlfile.Node) { c.readExports(n) },
		"thumbnails":  func(n *yamlfile.Node) { c.NoThumbnails = !n.Bool() },
		"points":      func(n *yamlfile.Node) { c.NoPoints = !n.Bool() },
		"search":      func(n *yamlfile.Node) { c.readSearch(n) },
	})
	return c, doc.Err()
}

// isFile distinguishes a file of UI strings from a built-in language.
func isFile(words string) bool {
	return strings.HasSuffix(words, ".yaml") || strings.ContainsAny(words, `/\`)
}

func (c *Config) readReaders(n *yamlfile.Node) {
	n.Fields(map[string]func(*yamlfile.Node){
		string(holdings.OnSite): func(n *yamlfile.Node) { c.OnSite = accesscontrol.ReadAllow(n) },
		string(holdings.Staff):  func(n *yamlfile.Node) { c.Staff = accesscontrol.ReadAllow(n) },
	})
}

func (c *Config) readExports(n *yamlfile.Node) {
	few := func(to *int) func(*yamlfile.Node) {
		return func(n *yamlfile.Node) { *to = int(min(n.Number(), 1000)) }
	}
	n.Fields(map[string]func(*yamlfile.Node){
		"at-once": few(&c.Exports.AtOnce),
		"waiting": few(&c.Exports.Waiting),
		"time":    func(n *yamlfile.Node) { c.Exports.Time = n.Duration() },
		"size":    func(n *yamlfile.Node) { c.Exports.Size = n.Size() },
		"kept": func(n *yamlfile.Node) {
			if c.Exports.Kept = n.Size(); c.Exports.Kept == 0 {
				c.Exports.Kept = -1
			}
		},
	})
}

func (c *Config) readSearch(n *yamlfile.Node) {
	to := &c.Search.Solr
	n.Fields(map[string]func(*yamlfile.Node){
		"engine":     func(n *yamlfile.Node) { c.Search.Engine = n.OneOf(search.SQLite, search.SolrName) },
		"url":        func(n *yamlfile.Node) { to.URL = n.Text() },
		"collection": func(n *yamlfile.Node) { to.Collection = n.Text() },
		"open":       func(n *yamlfile.Node) { to.Open = n.Text() },
		"user":       func(n *yamlfile.Node) { to.User = n.Text() },
		"files":      func(n *yamlfile.Node) { to.Files = n.Text() },
	})
	if err := c.Search.Check(); err != nil {
		n.Fail("%v", err)
	}
}

func readURL(n *yamlfile.Node) string {
	s, err := baseURL(n.Text())
	if err != nil {
		n.Fail("%v", err)
	}
	return s
}

// baseURL validates the URL of one of our hosts, and removes the slash at its end.
func baseURL(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" || strings.ContainsAny(s, " \"'<>;,") {
		return "", fmt.Errorf("%.80q is not the URL of a host: write it as https://archive.example", s)
	}
	if !address.Sound(s) {
		return "",
			fmt.Errorf("%.80q: an asterisk must be the whole first label of a name: https://*.replay.example", s)
	}
	return strings.TrimRight(u.Scheme+"://"+strings.ToLower(u.Host)+u.EscapedPath(), "/"), nil
}

func readPermission(n *yamlfile.Node) time.Duration {
	d, err := time.ParseDuration(n.Text())
	if err != nil || d < time.Minute || d > 24*time.Hour {
		n.Fail("%.40q is not a duration from a minute to a day: write it as 2h or 30m", n.Text())
	}
	return d
}

// complete sets defaults, and rejects invalid combinations.
func (c *Config) complete() error {
	if c.Permission == 0 {
		c.Permission = DefaultPermission
	}
	if c.Connections == 0 {
		c.Connections = DefaultConnections
	}
	if c.UI != "" && c.Replay != "" && hostOf(c.UI) == hostOf(c.Replay) {
		return fmt.Errorf("ui and replay are both on %s, but archived pages need another host; change "+
			"replay, or remove it", hostOf(c.UI))
	}
	if c.Replay != "" && c.UI == "" {
		return fmt.Errorf("replay requires ui: add the URL of the archive's own pages")
	}
	if strings.Contains(c.UI, "*") {
		return fmt.Errorf("ui is %s: our own pages need one host; only replay allows the asterisk", c.UI)
	}
	parent, _, _ := strings.Cut(address.Replay(c.Replay).Parent(), ":")
	if own := hostOf(c.UI); parent != "" && parent != "localhost" &&
		(own == parent || strings.HasSuffix(own, "."+parent)) {
		return fmt.Errorf("ui is on %s, and archived sites on *.%s: their scripts could set cookies for "+
			"it. Use replay: https://*.replay.%s, or another domain", own, parent, parent)
	}
	return nil
}

// hostOf returns the host name of a URL without its port: cookies ignore ports.
func hostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
