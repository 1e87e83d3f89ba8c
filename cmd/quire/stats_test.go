package main

import (
	"os"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestStatsOfRepository counts a repository and its parts, in each form.
func TestStatsOfRepository(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	if err := os.WriteFile("none.yaml", []byte("name: none\nformats: {refuse: [fmt/4]}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("rule.yaml", []byte("id: ones\ntitle: Ones\nharvests:\n  - select: pkg.id == \"one\"\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("virtual.yaml", []byte("id: old\ntitle: Old\nharvests:\n  - id: found\n    "+
		"select: size(pkg.definitions) == 0\n    virtual: year\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output or the errors
	}{
		{"stats", exitCall, "name containers, or a repository"},
		{"pack crawl --out p --id one", exitGood, ""},
		{"init r", exitGood, ""},
		{"stats --repo r --by type", exitGood, "Nothing was counted."},
		{"ingest p --repo r", exitGood, ""},
		{"stats --repo r --by type", exitGood, "warcinfo"},
		{"stats --repo r --by type --json", exitGood, `"scope":{"packages":1,"partly":0,"uncounted":0,"values":`},
		{"stats --repo r --by outcome --format csv", exitGood, "outcome,puid,count,bytes,containers,version"},
		{"stats --repo r --by type --format html", exitGood, "<h1>Types of records in the repository</h1>"},
		{"stats --repo r --by type --package one --harvest 1 --format html", exitGood,
			"<h1>Types of records in harvest 1 of package one</h1>"},
		{"stats --repo r --by type --top 1 --from 1990 --to 2000", exitGood, "Nothing was counted."},
		{"stats --repo r --by format --format html", exitGood, "<p role=\"note\">The formats in 1 container are"},
		{"stats --repo r --by format", exitGood, "The formats in 1 container are not known"},
		{"stats --repo r --by type --count", exitGood, "warcinfo"},
		{"stats --repo r --by container", exitCall, "name the package of the containers"},
		{"stats --repo r --by container --package one --format html", exitGood, "<h1>Containers in package one</h1>"},
		{"stats --repo r --by type --package one --container containers/x.warc", exitCall, "no container"},
		{"stats --repo r --by language", exitGood, "no record has a page"},
		{"stats crawl --by container", exitGood, "crawl/"},
		{"stats crawl --by language", exitGood, "no record has a page"},
		{"stats --repo r --package two", exitCall, "two"},
		{"stats --repo r --collection one", exitCall, "one is a package, no collection"},
		{"stats --repo r --harvest 1", exitCall, "name the package of the harvest"},
		{"stats --repo r --identify", exitCall, "--identify"},
		{"stats --repo r --policy x.yaml", exitCall, "x.yaml"},
		{"stats --repo r --policy none.yaml", exitGood, "policy none: accepted"},
		{"stats --repo r --policy none.yaml --top 3", exitCall, "exclude each other"},
		{"stats crawl --repo r", exitCall, "cannot be counted together"},
		{"stats crawl --by completeness", exitCall, "only a repository is counted by completeness"},
		{"stats --repo r --by all", exitCall, "add --format html"},
		{"stats --repo r --by all --format html --package one", exitGood,
			"<h1>The collection in numbers: in package one</h1>"},
		{"stats --repo r --by completeness", exitGood, "not compared"},
		{"collection virtual.yaml --out old --repo r", exitGood, "harvests    1"},
		{"validate old --repo r", exitGood, "complete"},
		{`list --repo r --select pkg.id=="one"`, exitGood, "one "},
		{`list --repo r --select pkg.id=="one" --owed`, exitCall, "exclude each other"},
		{"list --repo r --select pkg.nothing", exitCall, "pkg.nothing"},
		{`submit --repo r --select pkg.id=="one" audit {}`, exitGood, "job 1: audit one"},
		{`submit --repo r --select pkg.id=="one" audit one`, exitCall, "write {} for the id"},
		{`submit --repo r --select pkg.id=="two" audit {}`, exitCall, "no package is selected"},
		{"collection rule.yaml --out c", exitCall, "no repository named"},
		{"collection rule.yaml --out c --repo r", exitGood, "collection ones"},
		{"collection none.yaml --out d --repo r", exitCall, "needs an id"},
		{"ingest c --repo r", exitGood, "stored ones"},
		{"stats --repo r --by type --collection ones", exitGood, "warcinfo"},
		{"stats crawl --by outcome", exitGood, "valid"},
		{"stats bad.warc --by finding", exitGood, "WARC-TRUNCATED"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d with %q:\n%s%s", step.args, status, step.status, step.want, out,
				errs)
		}
	}
	t.Setenv("QUIRE_REPO", "r")
	if status, out, errs := call(t, "stats", "crawl", "--by", "type"); status != exitGood ||
		strings.Contains(out, "scope") {
		t.Errorf("containers are not counted beside QUIRE_REPO: %d\n%s%s", status, out, errs)
	}
}
