package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/pictures"
	"quire/internal/prove"
)

func TestIndex(t *testing.T) {
	dir := t.TempDir()
	file, out, repo := filepath.Join(dir, "who.yaml"), filepath.Join(dir, "package"), filepath.Join(dir, "repo")
	if err := os.WriteFile(file, []byte("access: onsite\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"pack", "../../examples/crawl", "--rights", file, "--out", out}, {"init", repo},
		{"ingest", "--repo", repo, out}} {
		if status, _, stderr := call(t, args...); status != exitGood {
			t.Fatalf("%v: status %d: %s", args, status, stderr)
		}
	}
	lines := filepath.Join(dir, "lines")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, exitGood, "40 captures of 2 containers in 1 package\n"},
		{[]string{"--rebuild", "--json"}, exitGood, `{"packages":1,"containers":2,"captures":40,`},
		{[]string{"--export", "cdxj", "--out", lines}, exitGood, "0 captures written to " + lines + "\n  withheld: "},
		{[]string{"--export", "cdxj", "--out", lines, "--for", "onsite"}, exitGood, " written to " + lines + "\n"},
		{[]string{"--export", "cdx", "--out", "-", "--for", "staff"}, exitGood, " CDX N b a m s k r M S V g\n"},
		{[]string{"--export", "cdx"}, exitCall, ""},
		{[]string{"--export", "xml", "--out", lines}, exitCall, ""},
	} {
		status, stdout, stderr := call(t, append([]string{"index", "--repo", repo}, c.args...)...)
		if status != c.status || !strings.Contains(stdout, c.want) {
			t.Errorf("%v: status %d\n%s%s", c.args, status, stdout, stderr)
		}
	}
	// The index of images is built, too, and built again.
	x, err := sql.Open("sqlite", filepath.Join(repo, "access", pictures.DirName, "pictures.db"))
	if err != nil {
		t.Fatal(err)
	}
	var packages, images int
	if err := x.QueryRow(`SELECT (SELECT count(*) FROM package WHERE state <> ''), count(*) FROM picture`).Scan(
		&packages, &images); err != nil || packages != 1 || images == 0 {
		t.Errorf("%d packages with %d images, %v", packages, images, err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(lines)
	if err != nil || !strings.Contains(string(text), `"filename": "`+repo) {
		t.Errorf("%v, no path of ours in\n%s", err, text)
	}
}

// TestIndexExportAsksRules checks that rules from the environment apply to an exported index: its
// readers ask no server.
func TestIndexExportAsksRules(t *testing.T) {
	prove.Serial(t)
	dir := t.TempDir()
	rights, out, repo := filepath.Join(dir, "who.yaml"), filepath.Join(dir, "package"), filepath.Join(dir, "repo")
	for name, text := range map[string]string{"who.yaml": "access: open\n", "serve.yaml": "rules: rules.yaml\n",
		"rules.yaml": "rules:\n  - access: blocked\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"pack", "../../examples/crawl", "--rights", rights, "--out", out}, {"init", repo},
		{"ingest", "--repo", repo, out}} {
		if status, _, stderr := call(t, args...); status != exitGood {
			t.Fatalf("%v: status %d: %s", args, status, stderr)
		}
	}
	for _, args := range [][]string{{"index", "--export", "cdxj", "--out", filepath.Join(dir, "lines")},
		{"search", "boats"}} {
		if _, _, stderr := call(t, append(args, "--repo", repo)...); !strings.Contains(stderr, "no --config") {
			t.Errorf("%v does not say which rules were asked: %s", args, stderr)
		}
	}
	t.Setenv("QUIRE_SERVE_CONFIG", filepath.Join(dir, "serve.yaml"))
	status, stdout, stderr := call(t, "index", "--export", "cdxj", "--out", filepath.Join(dir, "lines"), "--repo", repo)
	if status != exitGood || !strings.HasPrefix(stdout, "0 captures written") ||
		strings.Contains(stderr, "no --config") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	if want := "withheld from these readers: 40; hidden from them by a rule: 0"; !strings.Contains(
		stderr, want) {
		t.Errorf("%q is not reported: %s", want, stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "rules.yaml"), []byte("rules:\n  - access: blocked\n    hidden: true\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for class, want := range map[string]string{"public": "withheld from these readers: 0; hidden from them by " +
		"a rule: 40",
		"staff": "withheld from these readers: 40; hidden from them by a rule: 0"} {
		if _, _, stderr := call(t, "index", "--export", "cdxj", "--out", filepath.Join(dir, "lines"), "--repo", repo,
			"--for", class); !strings.Contains(stderr, want) {
			t.Errorf("%s: %q is not reported: %s", class, want, stderr)
		}
	}
	if _, stdout, _ := call(t, "search", "boats", "--json", "--for", "staff", "--repo", repo); !strings.Contains(stdout,
		`"total":0`) {
		t.Errorf("search finds blocked captures: %s", stdout)
	}
}
