package place_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/repository/place"
	"quire/repository/place/placetest"
)

func newS3(t *testing.T, with place.Settings) *place.S3 {
	t.Helper()
	p, err := place.NewS3("bucket", "some/prefix", with)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestS3(t *testing.T) {
	services := map[place.Place]*placetest.Service{}
	placetest.Run(t, placetest.Kind{
		Open: func(t *testing.T) place.Place {
			s := placetest.NewService(t)
			p := newS3(t, s.Settings())
			services[p] = s
			return p
		},
		Faults: func(p place.Place, fail bool) {
			services[p].Fail(func(r *http.Request) bool {
				return fail && r.Method != http.MethodGet && r.Method != http.MethodHead
			})
		},
	})
}

// TestS3IgnoresConditions checks a service that accepts If-None-Match and ignores it.
func TestS3IgnoresConditions(t *testing.T) {
	placetest.Run(t, placetest.Kind{Racers: true, Open: func(t *testing.T) place.Place {
		s := placetest.NewService(t)
		s.IgnoreConditions()
		p := newS3(t, s.Settings())
		traits, err := p.Probe(context.Background())
		if err != nil || traits.Exclusive || !traits.Checks {
			t.Errorf("%+v, %v", traits, err)
		}
		if !strings.Contains(traits.String(), "only the locks of the repository protect") {
			t.Errorf("traits: %v", traits)
		}
		return p
	}})
}

// TestCold writes, lists and restores files in a cold storage class.
func TestCold(t *testing.T) {
	ctx := context.Background()
	s := placetest.NewService(t)
	with := s.Settings()
	with.StorageClass = "DEEP_ARCHIVE"
	p := newS3(t, with)
	text := strings.Repeat("x", place.ColdFrom)
	write := func(name string, bulk bool) place.Content {
		c, err := place.Sum(ctx, strings.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		c.Bulk = bulk
		if err := p.Write(ctx, name, strings.NewReader(text), c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := write("content", true)
	write("inventory", false)
	for e, err := range p.List(ctx, "") {
		if err != nil || e.Cold != (e.Name == "content") {
			t.Errorf("%+v, %v", e, err)
		}
	}
	e, err := p.Stat(ctx, "content")
	if err != nil || !e.Cold || e.Restoring || !c.Matches(e) {
		t.Errorf("%+v, %v; matches: %v", e, err, c.Matches(e))
	}
	var cold *place.ColdError
	_, err = p.Open(place.KeepCold(ctx), "content", 0)
	if !errors.As(err, &cold) || cold.Asked {
		t.Errorf("opening it for an audit: %v", err)
	}
	if n := s.Restore(); n != 0 {
		t.Errorf("an audit requested %d restores", n)
	}
	for range 2 {
		_, err = p.Open(ctx, "content", 0)
		if !errors.As(err, &cold) || !cold.Asked || !strings.Contains(err.Error(), "restore requested") {
			t.Fatalf("opening it: %v", err)
		}
	}
	if e, err := p.Stat(ctx, "content"); err != nil || !e.Restoring {
		t.Errorf("%+v, %v", e, err)
	}
	if n := s.Restore(); n != 1 {
		t.Errorf("%d restores", n)
	}
	if got := placetest.Read(t, p, "content", 0); got != text {
		t.Errorf("after the restore: %d bytes", len(got))
	}
	if e, err := p.Stat(ctx, "content"); err != nil || e.Cold {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "places.yaml")
	for _, c := range []struct{ name, text, want string }{
		{"good", "buckets:\n  b:\n    endpoint: http://127.0.0.1:1\n    access-key: k\n    secret-key: s\n" +
			"    retention: governance\n    retention-days: 3\n", ""},
		{"another bucket", "buckets:\n  other:\n    region: x\n", ""},
		{"unknown key", "buckets:\n  b:\n    acess-key: k\n", "acess-key"},
		{"half a key", "buckets:\n  b:\n    access-key: k\n", "needs a secret key"},
		{"an endpoint with a path", "buckets:\n  b:\n    endpoint: http://h/x\n", "not the URL of a service"},
		{"retention without days", "buckets:\n  b:\n    retention: compliance\n", "belong together"},
	} {
		t.Setenv("QUIRE_PLACES", file)
		t.Setenv("AWS_ACCESS_KEY_ID", "")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := place.Open("s3://b/prefix")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := place.Open("s3://b"); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that others can read: %v", err)
	}
}
