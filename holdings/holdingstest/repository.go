// Package holdingstest builds repositories for tests, and opens them for readers; repotest builds
// the stored packages.
package holdingstest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/repotest"
)

// Repository is a repository for a test, in a temporary folder.
type Repository struct {
	*repotest.Repository
	t testing.TB
}

// New creates an empty repository with two copies.
func New(t testing.TB) *Repository {
	t.Helper()
	return &Repository{repotest.New(t), t}
}

// Package describes a package to be built.
type Package = repotest.Package

// Constructors of records and their content, from repotest.
var (
	Record   = repotest.Record
	Response = repotest.Response
	Answer   = repotest.Answer
	Redirect = repotest.Redirect
	Request  = repotest.Request
	Revisit  = repotest.Revisit
	Digest   = repotest.Digest
	EICAR    = repotest.EICAR
)

// Rules writes the rules file, and returns its path.
func (r *Repository) Rules(text string) string {
	r.t.Helper()
	return r.Write(filepath.Join(r.Dir, "access-rules.yaml"), text)
}

// Open opens the holdings with an index of their own, and waits until everything is indexed. The
// clock of the holdings is the clock of the repository. A background error fails the test, unless
// Problem is set.
func (r *Repository) Open(o holdings.Options) *holdings.Holdings {
	r.t.Helper()
	if o.Dir == "" {
		o.Dir = r.Path("access")
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Now == nil {
		o.Now = r.Clock.Now
	}
	if o.Wait == 0 {
		o.Wait = 5 * time.Minute // even on a busy machine, new packages are read before queries run
	}
	if o.Problem == nil {
		o.Problem = func(err error) { r.t.Errorf("problem: %v", err) }
	}
	h, err := holdings.Of(context.Background(), r.Store, o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = h.Close() })
	if err := h.Ready(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	return h
}

// Find returns the captures of a URL.
func (r *Repository) Find(h *holdings.Holdings, who holdings.Reader, url string) []holdings.Judged {
	r.t.Helper()
	return Captures(r.t, h, who, captures.Query{URL: url})
}

// Captures returns the captures of a query.
func Captures(t testing.TB, h *holdings.Holdings, who holdings.Reader, q captures.Query) (all []holdings.Judged) {
	t.Helper()
	for c, err := range h.Captures(context.Background(), who, q) {
		if err != nil {
			t.Fatal(err)
		}
		copied := *c.Capture // the original may be reused for the next
		all = append(all, holdings.Judged{Capture: &copied, Decision: c.Decision})
	}
	return all
}
