package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestCollection makes a collection of packages. The collection is complete if its packages are
// beside it or in a repository. It is incomplete if one of them is missing.
func TestCollection(t *testing.T) {
	prove.Serial(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	file := "id: c\ntitle: Harbours\nharvests:\n- packages: ['packages/*']\n"
	if err := os.WriteFile(at("c.yaml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   []string
	}{
		// missing parent folders are created
		{[]string{"pack", "../../examples/crawl", "--out", at("elsewhere/b/a"), "--id", "a"}, exitGood,
			[]string{"packed a"}},
		{[]string{"pack", "--out", at("x")}, exitCall, nil},
	} {
		expect(t, c.args, c.status, c.want...)
	}
	if err := os.Mkdir(at("packages"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QUIRE_REPO", "")
	for _, c := range []struct {
		args   []string
		status int
		want   []string
	}{
		{[]string{"pack", "../../examples/crawl", "--out", at("packages/a"), "--id", "a"}, exitGood, nil},
		{[]string{"pack", "../../examples/crawl", "--collection", at("c.yaml"), "--out", at("c")}, exitCall, nil},
		{[]string{"pack", "--title", "t", "--collection", at("c.yaml"), "--out", at("c")}, exitCall, nil},
		{[]string{"pack", "--collection", at("c.yaml"), "--out", at("c")}, exitGood,
			[]string{"collection c", "expected    2 containers, 2 with a digest"}},
		{[]string{"pack", "--collection", at("c.yaml"), "--out", at("d"), "--json"}, exitGood,
			[]string{`"harvests":1`, `"containers":2`}},
		{[]string{"validate", at("c")}, exitCall, nil},
		{[]string{"validate", at("c"), "--packages", dir}, exitGood,
			[]string{"c: complete", "1 of 1 harvest complete; 2 of 2 containers there; 1 package looked at"}},
		{[]string{"validate", at("packages/a"), "--packages", dir}, exitCall, nil},
		{[]string{"init", at("repo")}, exitGood, nil},
		{[]string{"validate", at("c"), "--repo", at("repo"), "--json"}, exitContent,
			[]string{`"outcome":"incomplete"`, `"missing_packages":["a"]`, `"missing_total":2`}},
		{[]string{"ingest", at("packages/a"), "--repo", at("repo")}, exitGood, nil},
		{[]string{"ingest", at("c"), "--repo", at("repo")}, exitGood, []string{"stored c, version 1: 2 files"}},
		{[]string{"audit", "--repo", at("repo")}, exitGood, []string{"all copies are whole"}},
		{[]string{"export", "c", "--repo", at("repo"), "--out", at("e")}, exitGood, nil},
		{[]string{"validate", at("e"), "--repo", at("repo")}, exitGood, []string{"e: complete", "1 package looked at"}},
	} {
		expect(t, c.args, c.status, c.want...)
	}
	containers, err := filepath.Glob(at("packages/a/containers/*00000.warc.gz"))
	if err != nil || len(containers) != 1 {
		t.Fatal(containers, err)
	}
	if err := os.Remove(containers[0]); err != nil {
		t.Fatal(err)
	}
	expect(t, []string{"validate", at("c"), "--packages", at("packages")}, exitContent, "c: incomplete",
		"1 of 2 containers missing", "not counted a, containers/", "is listed, but cannot be found")
}

func expect(t *testing.T, args []string, status int, want ...string) {
	t.Helper()
	var out, errors bytes.Buffer
	if got := run(context.Background(), args, &out, &errors); got != status {
		t.Errorf("%q: status %d, want %d; %s%s", args, got, status, &out, &errors)
	}
	for _, w := range want {
		if !strings.Contains(out.String(), w) {
			t.Errorf("%q: no %s in %s", args, w, &out)
		}
	}
}
