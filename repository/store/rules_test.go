package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestRequireValidation: a repository that requires validation stores nothing without one, nor what
// the validation refuses; also after a rebuild from its copies alone.
func TestRequireValidation(t *testing.T) {
	ctx := context.Background()
	s, err := Init(ctx, filepath.Join(fastDir(t), "repo"),
		InitOptions{Describe: testDescribe, Rules: Rules{Validation: true}})
	if err != nil {
		t.Fatal(err)
	}
	check := func(s *Store, id string) {
		t.Helper()
		if !s.RequiresValidation() {
			t.Error("the rule is lost")
		}
		dir := makePackage(t, id, crawl)
		var asked []string
		refused := errors.New("refused")
		refuse := IngestOptions{Validate: func(_ context.Context, dir string) error {
			asked = append(asked, dir)
			return refused
		}}
		for _, ingest := range []func(context.Context, string, IngestOptions) (Receipt, error){s.Ingest, s.PlanIngest} {
			if _, err := ingest(ctx, dir, IngestOptions{}); !errors.Is(err, ErrNotValidated) {
				t.Errorf("without a validation: %v", err)
			}
			if _, err := ingest(ctx, dir, refuse); !errors.Is(err, refused) {
				t.Errorf("an invalid package: %v", err)
			}
		}
		if !slices.Equal(asked, []string{dir, dir}) {
			t.Errorf("validated %q", asked)
		}
		for e, err := range s.List(ctx) {
			if err != nil || e.ID == id {
				t.Errorf("%s is stored (%v)", e.ID, err)
			}
		}
		mustIngest(t, s, dir, IngestOptions{Validate: func(context.Context, string) error { return nil }})
	}
	check(s, "urn:a")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s.root)
	check(s, "urn:b")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.root, repositoryFile)); err != nil {
		t.Fatal(err)
	}
	rebuilt, err := Init(ctx, s.root, InitOptions{Describe: testDescribe, Rebuild: true, Catalogue: defaultCatalogue})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rebuilt.Close() }()
	check(rebuilt, "urn:c")
}
