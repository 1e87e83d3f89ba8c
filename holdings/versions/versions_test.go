package versions_test

import (
	"context"
	"strings"
	"testing"

	"quire/holdings/holdingstest"
	"quire/holdings/versions"
)

// TestCompare: the difference names files, and the parts of the description that a person asks for.
func TestCompare(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	page := func(body string) string {
		return holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", body)
	}
	r.Ingest(holdingstest.Package{ID: "a", Rights: "access: open", Containers: map[string]string{
		"a.warc": page("<p>one"), "b.warc": page("<p>two")}})
	r.Ingest(holdingstest.Package{ID: "a", Rights: "access: onsite", Containers: map[string]string{
		"a.warc": page("<title>Another title</title>"), "b.warc": page("<p>two"), "c.warc": page("<p>three")}})
	d, err := versions.Compare(ctx, r.Store, "a", 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	how := map[string]string{}
	for _, f := range d.Files {
		switch {
		case f.OldSHA512 == "" && f.OldSize == 0:
			how[f.Path] = "added"
		case f.NewSHA512 == "" && f.NewSize == 0:
			how[f.Path] = "removed"
		case f.OldSHA512 != f.NewSHA512:
			how[f.Path] = "changed"
		}
	}
	for path, want := range map[string]string{"containers/a.warc": "changed", "containers/b.warc": "",
		"containers/c.warc": "added", "mets.xml": "changed"} {
		if how[path] != want {
			t.Errorf("%s is %q, want %q", path, how[path], want)
		}
	}
	parts := map[string]versions.Change{}
	for _, c := range d.Description {
		parts[c.Part] = c
	}
	if c := parts["title"]; c.Old == c.New || c.New != "Another title" {
		t.Errorf("title: %+v", c)
	}
	if c := parts["rights"]; !strings.Contains(c.Old, "disseminate open") ||
		!strings.Contains(c.New, "disseminate onsite") {
		t.Errorf("rights: %+v", c)
	}
	if parts["event"].Part == "" {
		t.Errorf("no events: %+v", d.Description)
	}
	same, err := versions.Compare(ctx, r.Store, "a", 2, 2)
	if err != nil || len(same.Files)+len(same.Description) != 0 {
		t.Errorf("%+v, %v", same, err)
	}
	for _, n := range []int{0, 3} {
		if _, err := versions.Compare(ctx, r.Store, "a", n, 2); err == nil {
			t.Errorf("version %d exists", n)
		}
	}
	all, err := r.Store.Versions(ctx, "a")
	if err != nil || len(all) != 2 || all[0].Added != all[0].Files || all[1].Added != 3 || all[1].Removed != 1 ||
		all[1].Changed < 3 {
		t.Errorf("%+v, %v", all, err)
	}
}
