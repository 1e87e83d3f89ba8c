package site

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"quire/internal/yamlfile"
)

// Options are the settings of a site's index.
type Options struct {
	Root   string       // URL of the site for visitors, up to the slash before its paths: "https://a.example/"
	Next   http.Handler // the site's handler. Internal requests are marked, see [Internal]
	Folder string       // on the disk, served by Next: walked for resources; may be ""
	State  string       // folder of the index, created if missing. It must not be served
	Find   Find

	// Strip is the path prefix that a front server removes before requests reach Next: "/site"; may
	// be "".
	Strip string
	// Aliases are other root URLs of the same resources in pages and sitemaps, such as the URL of
	// the server behind a proxy.
	Aliases []string
	// Reserved are paths such as the path of the endpoint. URLs at or below these paths are not
	// resources of the site.
	Reserved []string

	Visitors *Visitors    // visitors with priority; nil for none
	Problem  func(string) // receives failures, a line each, from several goroutines; may be nil
}

// Find selects how resources are found. The zero value walks the folder, if any. Without a folder,
// it reads the sitemap at its usual path and follows links from the first page. The JSON keys of
// Find are the keys in Caddy's configuration.
type Find struct {
	SkipFolder bool `json:"skip_folder,omitempty"` // do not walk the folder
	// URL or path of the site's own sitemap or sitemap index
	Sitemap string `json:"sitemap,omitempty"`
	// URLs or paths of start pages for following links within the site
	Seeds []string `json:"seeds,omitempty"`
	// maximum time from the end of one scan to the next, even without requests; default 10 minutes
	Every time.Duration `json:"every,omitempty"`
	// how long an unchanged file time or lastmod is trusted; default 24 hours
	Recheck time.Duration `json:"recheck,omitempty"`
	Exclude []string      `json:"exclude,omitempty"` // patterns of paths, see [Exclude]
	Limit   int           `json:"limit,omitempty"`   // resources found by following links; default 100,000
	// follow links also where the site's robots.txt, or nofollow in a page, asks programs not to
	IgnoreRobots bool `json:"ignore_robots,omitempty"`
}

// Defaults of Find.
const (
	DefaultEvery   = 10 * time.Minute
	DefaultRecheck = 24 * time.Hour
	DefaultLimit   = 100_000
)

// ReadFind reads the section "find" of a configuration.
func ReadFind(n *yamlfile.Node) Find {
	var f Find
	n.Fields(map[string]func(*yamlfile.Node){
		"folder":  func(n *yamlfile.Node) { f.SkipFolder = !n.Bool() },
		"sitemap": func(n *yamlfile.Node) { f.Sitemap = n.Text() },
		"seeds":   func(n *yamlfile.Node) { f.Seeds = n.Texts() },
		"every":   func(n *yamlfile.Node) { f.Every = n.Duration() },
		"recheck": func(n *yamlfile.Node) { f.Recheck = n.Duration() },
		"exclude": func(n *yamlfile.Node) { f.Exclude = n.Texts() },
		"robots":  func(n *yamlfile.Node) { f.IgnoreRobots = !n.Bool() },
		"limit":   func(n *yamlfile.Node) { f.Limit = int(min(n.Number(), 1<<31-1)) },
	})
	return f
}

// Check checks the options.
func (o *Options) Check() error {
	root, err := url.Parse(o.Root)
	switch {
	case err != nil:
		return fmt.Errorf("the URL of the site: %w", err)
	case root.Scheme != "http" && root.Scheme != "https" || root.Host == "" || root.User != nil ||
		!strings.HasSuffix(root.Path, "/") ||
		root.RawQuery != "" || root.Fragment != "":
		return fmt.Errorf("%q is not the URL of a site: write it as https://a.example/", o.Root)
	case o.Next == nil:
		return errors.New("the handler of the site is missing")
	case o.State == "":
		return errors.New("the state folder for the index of the site is missing")
	case o.Find.Every < 0 || o.Find.Recheck < 0 || o.Find.Limit < 0:
		return errors.New("every, recheck and limit must be more than 0")
	}
	return nil
}
