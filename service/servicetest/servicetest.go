// Package servicetest makes repositories with a service, for tests.
package servicetest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/repository/jobs"
	"quire/service/desk"
)

// Service is a repository with its queue and holdings.
type Service struct {
	*holdingstest.Repository
	Desk *desk.Desk
	Said []desk.Commanded // the submitted commands
}

// New opens a repository for a service. Submitted commands become jobs as they are: the grammar of the command line
// is elsewhere.
func New(t testing.TB, r *holdingstest.Repository, o holdings.Options) *Service {
	t.Helper()
	s := &Service{Repository: r}
	root, file, database := r.Store.Catalogue()
	q, err := jobs.Open(context.Background(), jobs.Place{Root: root, File: file, Database: database})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() }) // the test ends
	folder, reports := filepath.Join(r.Dir, "deliveries"), filepath.Join(r.Dir, "reports")
	for _, dir := range []string{folder, reports} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	s.Desk = &desk.Desk{Store: r.Store, Queue: q, Holdings: r.Open(o), Folders: []string{folder}, Reports: reports,
		Submit: func(ctx context.Context, c desk.Commanded) ([]jobs.Submitted, error) {
			s.Said = append(s.Said, c)
			return q.Submit(ctx, []jobs.Call{{Command: c.Words, Directory: c.Directory, By: c.By, Queue: c.Words[0],
				Priority: max(c.Priority, 1), Attempts: max(c.Attempts, 1), At: c.At, Source: c.Source}})
		}}
	return s
}
