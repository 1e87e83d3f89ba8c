package archive

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/rights"
	"quire/internal/repotest"
	"quire/oai/protocol"
	"quire/oai/provider"
)

// repo is a repository for tests.
type repo struct {
	*repotest.Repository
	t *testing.T
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	return &repo{repotest.New(t), t}
}

// response returns a record with an HTTP response that has a unique field.
func response(id, uri, date, mime, body string) string {
	return repotest.Response(id, uri, date, mime, body, "X-From: test")
}

const date1, date2 = "2015-01-02T03:04:05Z", "2016-01-02T03:04:05Z"

// settings are the settings of an archive and of its holdings.
type settings struct {
	Options
	Rules   string // the content of the rules file
	Problem func(error)
}

// open opens the archive of the repository in a folder named name.
func (r *repo) open(name string, o settings) *Archive {
	r.t.Helper()
	a, err := r.tryOpen(name, o)
	if err != nil {
		r.t.Fatal(err)
	}
	return a
}

func (r *repo) tryOpen(name string, o settings) (*Archive, error) {
	r.t.Helper()
	o.Dir = filepath.Join(r.Dir, name)
	o.Location = time.UTC
	if o.Wait == 0 {
		o.Wait = time.Minute
	}
	if o.Options.Problem = o.Problem; o.Problem == nil {
		o.Options.Problem = func(err error) { r.t.Errorf("problem: %v", err) }
	}
	h, err := holdings.Of(context.Background(), r.Store, holdings.Options{
		Dir: o.Dir + "-access", Rules: r.rules(o.Rules), Unstated: o.Unstated, Location: o.Location, Wait: o.Wait,
		Now: o.Now, Problem: o.Options.Problem,
	})
	if err != nil {
		return nil, err
	}
	r.t.Cleanup(func() { _ = h.Close() })
	a, err := Open(context.Background(), r.Store, h, o.Options)
	if err == nil {
		r.t.Cleanup(func() { _ = a.Close() })
	}
	return a, err
}

// rules writes the rules file, which tests can then change, and returns its path. Empty text means
// no file.
func (r *repo) rules(text string) string {
	r.t.Helper()
	if text == "" {
		return ""
	}
	return r.Write(filepath.Join(r.Dir, "rules.yaml"), text)
}

// all shows packages without a rights statement too.
func all(c *repotest.Clock) settings {
	return settings{Options: Options{Unstated: rights.Open, Now: c.Now}}
}

// list returns the headers of a query.
func list(t *testing.T, a *Archive, q provider.Query) []protocol.Header {
	t.Helper()
	var all []protocol.Header
	for h, err := range a.List(context.Background(), q) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h)
	}
	n, ok, err := a.Count(context.Background(), provider.Query{From: q.From, Until: q.Until, Set: q.Set})
	if err != nil || !ok || q.After.Identifier == "" && n != int64(len(all)) {
		t.Errorf("counted %d (%v, %v), listed %d", n, ok, err, len(all))
	}
	return all
}

// urls returns the URLs of headers. The URL of a deleted record has a minus before it.
func urls(t *testing.T, headers []protocol.Header) string {
	t.Helper()
	var all []string
	for _, h := range headers {
		c, err := ParseIdentifier(h.Identifier)
		if err != nil {
			t.Fatal(err)
		}
		if h.Deleted {
			c.URL = "-" + c.URL
		}
		all = append(all, c.URL)
	}
	return strings.Join(all, " ")
}

// statesOf returns the identifiers and whether they are deleted, without datestamps.
func statesOf(headers []protocol.Header) string {
	var all []string
	for _, h := range headers {
		all = append(all, fmt.Sprint(h.Identifier, " ", h.Deleted, " ", h.Sets))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}
