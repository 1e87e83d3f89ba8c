package crate

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"quire/oai/plugin"
	"quire/oai/site"
)

// HandlerOptions say what a website offers to harvesters, and where. Base and State are needed, all else has good defaults.
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

	Tools []plugin.Tool // that look at each resource; H4's runner takes their place

	// Gate goes around the endpoint, and around nothing else; nil lets everybody in.
	Gate func(http.Handler) http.Handler

	// Requests is how many requests of harvesters are worked on at once; those beyond are told to come again. Default 4.
	Requests int

	Problem func(string) // told what went wrong, a line each; may be nil. From several goroutines
}

// Middleware is a website with an endpoint for harvesters. It answers what is asked of the endpoint, and hands everything else to
// the handler that it stands before, untouched.
type Middleware struct {
	next     http.Handler
	endpoint string
}

// Handler puts an endpoint for harvesters before a website. The bytes that it hands out are what next answers to a request of ours,
// with next's headers, so that rights, scripts and redirects hold; what next does not answer with 200 is not handed out. Close ends
// what goes on behind it.
func Handler(next http.Handler, o HandlerOptions) (*Middleware, error) {
	base, err := url.Parse(o.Base)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	if base.Scheme == "" || base.Host == "" {
		return nil, errors.New("the base URL is needed, as https://a.example/modoai")
	}
	endpoint := o.Endpoint
	if endpoint == "" {
		endpoint = base.Path
	}
	return &Middleware{next: next, endpoint: strings.TrimSuffix(endpoint, "/")}, nil
}

// ServeHTTP implements http.Handler.
func (m *Middleware) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == m.endpoint && !site.Internal(r) {
		w.Header().Set("Retry-After", "3600")
		http.Error(w, "not yet", http.StatusServiceUnavailable)
		return
	}
	m.next.ServeHTTP(w, r)
}

// Close ends the scanning and the tools. What was learnt is kept in the state folder.
func (m *Middleware) Close() error { return nil }
