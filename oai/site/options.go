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

// Options say which website is indexed, and how.
type Options struct {
	Root   string       // URL of the site as visitors see it, up to the slash before its paths: "https://a.example/"
	Next   http.Handler // answers for it. Requests of ours are marked, see [Internal]
	Folder string       // on the disk, that Next serves: walked to find what there is; "" when there is none
	State  string       // folder in which the index is kept; made when it is not there. Never one that is served
	Find   Find

	// Strip is the path that a server in front of us takes away before requests reach Next:
	// "/site"; "" is none.
	Strip string
	// Aliases are other roots under which pages and sitemaps name the same resources: that of the
	// server behind a proxy.
	Aliases []string
	// Reserved are paths below which nothing is a resource of the site: the endpoint's own.
	Reserved []string

	Visitors *Visitors    // who come first; nil when nobody is waited for
	Problem  func(string) // told what could not be read or asked, a line each; may be nil. From several goroutines
}

// Find says where resources are looked for. The zero value walks the folder, where there is one,
// and otherwise reads the sitemap at its usual place and follows links from the first page. Its
// keys in JSON are those of Caddy's configuration.
type Find struct {
	SkipFolder bool `json:"skip_folder,omitempty"` // the folder is not walked
	// URL or path of the site's own sitemap or index of sitemaps
	Sitemap string `json:"sitemap,omitempty"`
	// URLs or paths of pages whose links are followed, within the site
	Seeds []string `json:"seeds,omitempty"`
	// from the end of one look to the next, whoever asks; default 10 minutes
	Every time.Duration `json:"every,omitempty"`
	// how long what a file's time or a sitemap's lastmod calls unchanged is believed; default 24
	// hours
	Recheck time.Duration `json:"recheck,omitempty"`
	Exclude []string      `json:"exclude,omitempty"` // patterns of paths, see [Exclude]
	Limit   int           `json:"limit,omitempty"`   // resources found by following links; default 100,000
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
		"limit":   func(n *yamlfile.Node) { f.Limit = int(min(n.Number(), 1<<31-1)) },
	})
	return f
}

// Check says what is wrong with the options.
func (o *Options) Check() error {
	root, err := url.Parse(o.Root)
	switch {
	case err != nil:
		return fmt.Errorf("the URL of the site: %w", err)
	case root.Scheme != "http" && root.Scheme != "https" || root.Host == "" || root.User != nil ||
		!strings.HasSuffix(root.Path, "/") ||
		root.RawQuery != "" || root.Fragment != "":
		return fmt.Errorf("%q is no URL of a site: give one as https://a.example/", o.Root)
	case o.Next == nil:
		return errors.New("nothing answers for the site")
	case o.State == "":
		return errors.New("no folder is named in which the index of the site is kept")
	case o.Find.Every < 0 || o.Find.Recheck < 0 || o.Find.Limit < 0:
		return errors.New("every, recheck and limit are more than 0")
	}
	return nil
}
