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
	"quire/holdings"
	"quire/internal/accesscontrol"
	"quire/internal/yamlfile"
)

// Defaults.
const (
	DefaultPermission  = 2 * time.Hour
	DefaultConnections = 512
)

// Config is all that can be set: one YAML file (docs/operations/855_serve.md shows it whole). All
// keys may be left out.
type Config struct {
	Name  string // of the archive, as readers know it
	About string // a sentence or two for the first page

	UI     string // the URL of our own pages, as readers see it
	Replay string // the URL of archived pages: another host, or with a wildcard many; "" when there is but one

	Rules    string // the file of rules (docs/reference/530_access-rules.md)
	Unstated string // what that is of which no rights are stated: open, onsite, restricted

	OnSite, Staff []accesscontrol.Agreement // who is in the reading rooms, and who is a curator
	Proxies       []string                  // servers before this one

	Permission  time.Duration // how long the address of something that is not open is good
	Connections int           // of clients at the same time; more wait
	Log         string        // file of what was asked and answered; "" for none
	Assets      string        // folder of replay engines that were installed (quire assets install)
	Downloads   []string      // forms in which packages can be taken away by readers

	Languages []string      // of our own pages beside English: "fr", or a file of words
	Language  string        // for readers who want none of them; "" is English
	AnyName   bool          // whoever asks by whatever name is answered, though readers are known by their address
	Exports   export.Limits // what making these may cost
}

// Load reads a file. Paths in it are meant from the folder in which it lies.
func Load(file string) (Config, error) {
	in, err := os.Open(file)
	if err != nil {
		return Config{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	c, err := Read(in, "the configuration "+file)
	if err != nil {
		return c, err
	}
	folder := filepath.Dir(file)
	for _, p := range []*string{&c.Rules, &c.Log, &c.Assets} {
		*p = yamlfile.Below(folder, *p)
	}
	for i, l := range c.Languages {
		if isFile(l) {
			c.Languages[i] = yamlfile.Below(folder, l)
		}
	}
	for _, all := range [][]accesscontrol.Agreement{c.OnSite, c.Staff} {
		for i := range all {
			all[i].PasswordFile, all[i].TokenFile = yamlfile.Below(folder, all[i].PasswordFile),
				yamlfile.Below(folder, all[i].TokenFile)
		}
	}
	return c, nil
}

// Read reads settings. The name is what they are called in errors, which tell all that is wrong,
// with the lines.
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
		"unstated":    func(n *yamlfile.Node) { c.Unstated = n.OneOf("open", "onsite", "restricted") },
		"readers":     func(n *yamlfile.Node) { c.readReaders(n) },
		"proxies":     func(n *yamlfile.Node) { c.Proxies = accesscontrol.ReadNetworks(n) },
		"permission":  func(n *yamlfile.Node) { c.Permission = readPermission(n) },
		"connections": func(n *yamlfile.Node) { c.Connections = int(min(n.Number(), 100_000)) },
		"log":         func(n *yamlfile.Node) { c.Log = n.Text() },
		"assets":      func(n *yamlfile.Node) { c.Assets = n.Text() },
		"downloads":   func(n *yamlfile.Node) { c.Downloads = n.Texts() },
		"languages":   func(n *yamlfile.Node) { c.Languages = n.Texts() },
		"language":    func(n *yamlfile.Node) { c.Language = n.Text() },
		"any-name":    func(n *yamlfile.Node) { c.AnyName = n.Bool() },
		"exports":     func(n *yamlfile.Node) { c.readExports(n) },
	})
	return c, doc.Err()
}

// isFile tells a file of words from a language that comes with the program.
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

func readURL(n *yamlfile.Node) string {
	s, err := baseURL(n.Text())
	if err != nil {
		n.Fail("%v", err)
	}
	return s
}

// baseURL checks the URL of a host of ours, and takes the slash from its end.
func baseURL(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" || strings.ContainsAny(s, " \"'<>;,") {
		return "", fmt.Errorf("%.80q is no URL of a host: write it as https://archive.example", s)
	}
	if !address.Sound(s) {
		return "",
			fmt.Errorf("%.80q: an asterisk stands for the first label of a name, whole: write it as "+
				"https://*.replay.example", s)
	}
	return strings.TrimRight(u.Scheme+"://"+strings.ToLower(u.Host)+u.EscapedPath(), "/"), nil
}

func readPermission(n *yamlfile.Node) time.Duration {
	d, err := time.ParseDuration(n.Text())
	if err != nil || d < time.Minute || d > 24*time.Hour {
		n.Fail("%.40q is no time between a minute and a day: write it as 2h or 30m", n.Text())
	}
	return d
}

// complete sets the defaults of what was not said, and refuses what cannot be.
func (c *Config) complete() error {
	if c.Permission == 0 {
		c.Permission = DefaultPermission
	}
	if c.Connections == 0 {
		c.Connections = DefaultConnections
	}
	if c.UI != "" && c.Replay != "" && hostOf(c.UI) == hostOf(c.Replay) {
		return fmt.Errorf("ui and replay are both on %s: a page of the archive would run beside archived ones; give "+
			"replay another host, or leave it out", hostOf(c.UI))
	}
	if c.Replay != "" && c.UI == "" {
		return fmt.Errorf("replay without ui: say at which URL readers find the archive's own pages, too")
	}
	if strings.Contains(c.UI, "*") {
		return fmt.Errorf("ui is %s: our own pages are on one host; the asterisk is for replay", c.UI)
	}
	parent, _, _ := strings.Cut(address.Replay(c.Replay).Parent(), ":")
	if own := hostOf(c.UI); parent != "" && parent != "localhost" &&
		(own == parent || strings.HasSuffix(own, "."+parent)) {
		return fmt.Errorf("ui is on %s, and archived sites on *.%s: their scripts could set cookies for it; write "+
			"replay: https://*.replay.%s, or use another domain", own, parent, parent)
	}
	return nil
}

// hostOf is the name of a URL's host, without its port: cookies do not care about ports.
func hostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
