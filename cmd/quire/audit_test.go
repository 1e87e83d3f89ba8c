package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quire/internal/prove"
	"quire/internal/sqlite"
)

// TestAuditChoices checks the flags of quire audit, one after another, in one repository.
func TestAuditChoices(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for n := range 3 {
		args := fmt.Sprintf("pack crawl --out p%d --id m%d", n, n)
		if status, out, errs := call(t, strings.Fields(args)...); status != 0 {
			t.Fatalf("%d %s%s", status, out, errs)
		}
	}
	for _, step := range []struct {
		args   []string
		status int
		want   string // pattern in the output
	}{
		{[]string{"init", "r", "--audit-schedule", "full every 365d"}, 0, "repository r"},
		{[]string{"ingest", "p0", "p1", "p2"}, 0, "stored m2"},
		{[]string{"list", "--limit", "2"}, 0, `^m0 .*\nm1 .*\n$`},
		{[]string{"list", "--after", "m1"}, 0, `^m2 .*\n$`},
		{[]string{"list", "--after", "m2"}, 0, `^$`},
		{[]string{"audit", "--sample", "40%", "--seed", "3"}, 0,
			`sample 40% with seed 3, 2 of 3 packages\n.*were read are whole`},
		{[]string{"audit", "--older-than", "90d"}, 0, "older than 90d, 0 of 3 packages"},
		{[]string{"audit", "--copy", "copy-2", "--rate", "1GB/s"}, 0,
			`^copy-2: 3 packages.*\nthis .* all, 3 of 3 packages, in copy-2\n`},
		{[]string{"audit", "--due", "--dry-run"}, 0, `full every 365d: last never, due on \d+-`},
		{[]string{"audit", "--schedule", "full every 1s, sample 1% every 1d"}, 0, "full every 1s, sample 1% every 1d"},
		{[]string{"audit", "--due", "--dry-run", "--json"}, 0,
			`^{"dryRun":true,"due":\[{"entry":"full every 1s","last":null,"due"`},
		{[]string{"audit", "--schedule", "none"}, 0, "schedule of audits: none"},
		{[]string{"audit", "--due"}, 0, "has no schedule of audits"},
		{[]string{"audit", "--compact", "--json"}, 0, `^{"files":\d+,"lines":\d+,"bytes":-?\d+}\n$`},
		{[]string{"audit", "--resume"}, 2, "no audit run to resume"},
		{[]string{"audit", "--resume=ab"}, 2, "no audit run ab"},
		{[]string{"audit", "m1", "--due"}, 2, "give one"},
		{[]string{"audit", "m1", "--sample", "1%"}, 2, "give one"},
		{[]string{"audit", "--sample", "5"}, 2, "is not a share"},
		{[]string{"audit", "--schedule", "sometimes"}, 2, "full every 365d, sample 1% every 7d"},
	} {
		args := step.args
		if args[0] != "init" {
			args = append(args, "--repo", "r")
		}
		status, out, errs := call(t, args...)
		if status != step.status || !regexp.MustCompile(step.want).MatchString(out+errs) {
			t.Errorf("quire %v: %d\n%s%s\nwant %d, %s", args, status, out, errs, step.status, step.want)
		}
	}
}

// TestListBesideWriter checks that quire list reads while another program writes to the catalogue.
func TestListBesideWriter(t *testing.T) {
	workplace(t)
	for _, args := range []string{"pack crawl --out p --id one", "init r", "ingest p --repo r"} {
		if status, out, errs := call(t, strings.Fields(args)...); status != 0 {
			t.Fatalf("quire %s: %d %s%s", args, status, out, errs)
		}
	}
	db, err := sqlite.Open(filepath.Join("r", "catalogue.db"), sqlite.Options{Immediate: true})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = tx.Rollback(), db.Close() }()
	for args, want := range map[string]string{"list --repo r": "1 container", "show one --repo r": "1 ",
		"audit --repo r --dry-run": "1 ", "export one --repo r --out x --dry-run": "would export one, v1,"} {
		if status, out, errs := call(t, strings.Fields(args)...); status != 0 || !strings.Contains(out, want) ||
			strings.Contains(errs, "rebuild") {
			t.Errorf("quire %s: %d %s%s", args, status, out, errs)
		}
	}
}
