// Package holdingstest makes repositories for tests, and opens them as their readers see them; what
// is stored is made by repotest.
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

// Repository is a repository that a test fills, in a folder that goes with the test.
type Repository struct {
	*repotest.Repository
	t testing.TB
}

// New makes an empty repository with two copies.
func New(t testing.TB) *Repository {
	t.Helper()
	return &Repository{repotest.New(t), t}
}

// Package is what a package is made of.
type Package = repotest.Package

// Records, and what is in them, are made as for every repository of a test.
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

// Rules writes the file of rules, and gives its path.
func (r *Repository) Rules(text string) string {
	r.t.Helper()
	return r.Write(filepath.Join(r.Dir, "access-rules.yaml"), text)
}

// Open opens the holdings, with an index of their own, and waits until all is in it. The clock is
// that of the repository; what is wrong behind the scenes ends the test, unless Problem is set.
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
		o.Wait = 5 * time.Minute // on a busy machine, too, what came is read before questions are answered
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

// Find gives the captures of a URL.
func (r *Repository) Find(h *holdings.Holdings, who holdings.Reader, url string) []holdings.Judged {
	r.t.Helper()
	return Captures(r.t, h, who, captures.Query{URL: url})
}

// Captures gives those of a query.
func Captures(t testing.TB, h *holdings.Holdings, who holdings.Reader, q captures.Query) (all []holdings.Judged) {
	t.Helper()
	for c, err := range h.Captures(context.Background(), who, q) {
		if err != nil {
			t.Fatal(err)
		}
		copied := *c.Capture // it may be that of the next by then
		all = append(all, holdings.Judged{Capture: &copied, Decision: c.Decision})
	}
	return all
}
