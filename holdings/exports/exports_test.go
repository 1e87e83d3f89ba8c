package exports_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"quire/holdings/exports"
	"quire/holdings/rights"
	"quire/internal/repotest"
)

func export(packages int) *exports.Export {
	now := time.Date(2026, 11, 30, 2, 0, 0, 0, time.UTC)
	e := &exports.Export{Form: "parquet", For: rights.Public, Tables: []string{"captures"}, Where: "/data", Host: "h",
		By: "Ada", Software: "Quire test", Begun: now, Run: now, Complete: true, Key: []byte("key")}
	for i := range packages {
		e.Packages = append(e.Packages, exports.Package{ID: fmt.Sprintf("package-%06d", i), Version: 1})
	}
	return e
}

// TestRegister: exports get numbers, keep all that they state, and change as versions of their documents. A
// long list of packages is packed.
func TestRegister(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := repotest.New(t).Store
	if all, err := exports.List(ctx, s); err != nil || len(all) != 0 {
		t.Fatalf("%v, %v", all, err)
	}
	for i, e := range []*exports.Export{export(2), export(150_000)} {
		if err := exports.Register(ctx, s, e); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprint("E", i+1); e.ID != want {
			t.Errorf("%s, want %s", e.ID, want)
		}
		if got, err := exports.Get(ctx, s, e.ID); err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("%v, %v", got, err)
		}
	}
	docs, err := s.Documents(ctx)
	if err != nil || len(docs) != 2 || docs[0].File != "export.json" || docs[1].File != "export.json.gz" ||
		docs[1].Size > 4<<20 || docs[1].By != "Ada" {
		t.Errorf("%+v, %v", docs, err)
	}
	changed := export(0)
	changed.ID, changed.Complete = "E1", false
	if err := exports.Register(ctx, s, changed); err != nil {
		t.Fatal(err)
	}
	if v, _, err := s.Document(ctx, "export-1", 0); err != nil || v.Version != 2 {
		t.Errorf("%+v, %v", v, err)
	}
	for _, id := range []string{"E3", "E0", "E01", "1", "", "E-1", "E1/../rules"} {
		if _, err := exports.Get(ctx, s, id); !errors.Is(err, exports.ErrNone) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// TestWith: a takedown finds the exports with data of its packages, and those whose last run did not end.
func TestWith(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := repotest.New(t).Store
	unfinished := export(0)
	unfinished.Complete = false
	for _, e := range []*exports.Export{export(3), export(1), unfinished} {
		if err := exports.Register(ctx, s, e); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		packages []string
		want     string
	}{
		{[]string{"package-000001", "package-000002", "other"}, "E1:2 E3:0 "},
		{[]string{"package-000000"}, "E1:1 E2:1 E3:0 "},
		{[]string{"other"}, "E3:0 "},
		{nil, ""},
	} {
		got := ""
		all, err := exports.With(ctx, s, c.packages)
		for _, e := range all {
			got += fmt.Sprintf("%s:%d ", e.ID, e.Packages)
			if e.Complete == (e.ID == "E3") || e.Where != "/data" || e.Host != "h" || e.For != rights.Public {
				t.Errorf("%+v", e)
			}
		}
		if err != nil || got != c.want {
			t.Errorf("%v: %q, want %q, %v", c.packages, got, c.want, err)
		}
	}
}
