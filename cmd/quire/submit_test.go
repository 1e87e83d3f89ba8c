package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quire/repository/jobs"
)

// TestMain runs the tests. For a worker of a test, it is the program.
func TestMain(m *testing.M) {
	if jobs.Here() != nil {
		main()
	}
	os.Exit(m.Run())
}

// TestSubmitRefuses calls that no worker can run, before they wait.
func TestSubmitRefuses(t *testing.T) {
	workplace(t)
	if status, _, errs := call(t, "init", "repo"); status != exitGood {
		t.Fatal(errs)
	}
	for args, want := range map[string]string{
		"submit --repo repo":       "the argument <command> is missing",
		"submit --repo repo serve": "no worker runs \"serve\"",
		"submit --repo repo withdraw http://a.org/ --because b --authority c": "a job can only finish one",
		"submit --repo repo withdraw lift W1 --because b --authority c":       "a job can only finish one",
		"submit --repo repo purge x --because y":                              "quire help purge",
		"submit --repo repo ingest":                                           "the argument <package> is missing",
		"submit --repo repo inspect --nonsense crawl":                         "unknown flag --nonsense",
		"submit --repo repo audit --repo elsewhere":                           "another repository",
		"submit inspect crawl":                                                "no repository named",
		"submit --repo repo --priority 9 inspect crawl":                       "priority",
		"submit --repo repo --queue Up inspect crawl":                         "queue",
		"submit --repo repo --each report --out x":                            "no argument to make a job for",
		"submit --repo nowhere inspect crawl":                                 "nowhere",
		"work --repo repo --lease 1ms":                                        "--lease",
		"work --repo repo --min-free much":                                    "much",
		"jobs show 7 --repo repo":                                             "no such job",
		"jobs retry 7 --repo repo":                                            "no such job",
		"jobs cancel 7 --repo repo":                                           "no such job",
		"jobs list --limit 0 --repo repo":                                     "--limit",
		"jobs list --state nonsense --repo repo":                              "nonsense",
		"jobs pause nonsense --repo repo":                                     "no worker has it yet",
		"submit --repo repo --attempts 0 inspect crawl":                       "attempts",
		"submit --repo repo submit --repo repo inspect x":                     "no worker runs \"submit\"",
		"submit --repo repo --at yesterday inspect crawl":                     "yesterday",
		"submit --repo repo migrate p --using rule":                           "--out",
		"submit --repo repo jobs list":                                        "no worker runs \"jobs\"",
		"submit --repo repo audit --sample nothing --repair":                  "nothing",
	} {
		status, out, errs := call(t, strings.Fields(args)...)
		if status != exitCall || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%s: status %d, %s%s", args, status, out, errs)
		}
	}
	if _, out, _ := call(t, "jobs", "list", "--repo", "repo", "--json"); !strings.Contains(out, `"jobs":[]`) {
		t.Errorf("after refusals: %s", out)
	}
}

// TestSubmitSplits makes a job for each package, with the flags of all.
func TestSubmitSplits(t *testing.T) {
	workplace(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if status, _, errs := call(t, "init", "repo"); status != exitGood {
		t.Fatal(errs)
	}
	repo := filepath.Join(here, "repo")
	for args, want := range map[string][]string{
		"--repo repo ingest a b --message because --new-version": {
			"ingest a --message because --new-version --repo " + repo,
			"ingest b --message because --new-version --repo " + repo},
		"ingest --repo=repo c": {"ingest --repo=repo c"},
		"--repo repo ingest -- d -e": {
			"ingest --repo " + repo + " -- d", "ingest --repo " + repo + " -- -e"},
		"--repo repo inspect crawl bad.warc":                    {"inspect crawl bad.warc"},
		"--repo repo --each inspect --verbose crawl x":          {"inspect --verbose crawl", "inspect --verbose x"},
		"--repo repo --each convert crawl --out made":           {"convert crawl --out made"},
		"--repo repo stats crawl":                               {"stats crawl"},
		"--repo repo withdraw finish W1":                        {"withdraw finish W1 --repo " + repo},
		"--repo repo audit --repair":                            {"audit --repair --repo " + repo},
		"--repo repo --queue night --priority 4 pack x --out y": {"pack x --out y"},
	} {
		status, out, errs := call(t, append([]string{"submit", "--json"}, strings.Fields(args)...)...)
		if status != exitGood {
			t.Errorf("%s: status %d, %s", args, status, errs)
			continue
		}
		var got []string
		for line := range strings.Lines(out) {
			var s jobs.Submitted
			if err := json.Unmarshal([]byte(line), &s); err != nil || s.Already {
				t.Errorf("%s: %s, %v", args, line, err)
			}
			got = append(got, strings.Join(s.Command, " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	_, out, _ := call(t, "jobs", "list", "--repo", "repo", "--json")
	var all jobsList
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatal(err)
	}
	queues := map[string]string{}
	for _, j := range all.Jobs {
		queues[j.Command[0]+j.Queue] = j.Directory
	}
	for _, want := range []string{"ingestingest", "auditrepair", "packnight", "inspectinspect"} {
		if queues[want] != here {
			t.Errorf("no job %s: %v", want, queues)
		}
	}
}

// TestJobsFromEndToEnd packs and stores a crawl by jobs.
func TestJobsFromEndToEnd(t *testing.T) {
	workplace(t)
	for _, step := range []struct {
		args   string
		status int
		want   string
	}{
		{"init repo", 0, ""},
		{"jobs list --repo repo", 0, "no job yet"},
		{"submit --repo repo pack crawl --id p1 --out made", 0, "job 1: pack crawl --id p1 --out made"},
		{"submit --repo repo pack crawl --id p1 --out made", 0, "waits or runs already"},
		{"jobs list --repo repo", 0, "no worker runs"},
		{"work --repo repo --drain", 0, "ended with status 0"},
		{"submit ingest made --repo repo", 0, "ingest made"},
		{"submit --repo repo inspect bad.warc", 0, "inspect bad.warc"},
		{"submit --repo repo --attempts 1 ingest nowhere", 0, "ingest nowhere"},
		{"work --repo repo --drain --json", 0, `"exit_status":1`},
		{"list --repo repo", 0, "p1"},
		{"jobs list --repo repo --state problems", 0, "inspect bad.warc"},
		{"jobs list --repo repo --state failed", 0, "ingest nowhere"},
		{"jobs list --repo repo --state done --queue ingest", 0, "ingest made --repo repo"},
		{"audit --repo repo", 0, ""},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Fatalf("%s: status %d\n%s%s", step.args, status, out, errs)
		}
	}
	status, out, errs := call(t, "jobs", "list", "--repo", "repo", "--json", "--state", "failed")
	var all jobsList
	if err := json.Unmarshal([]byte(out), &all); status != exitGood || err != nil || len(all.Jobs) != 1 {
		t.Fatalf("status %d, %v, %s%s", status, err, out, errs)
	}
	id := strconv.FormatInt(all.Jobs[0].ID, 10)
	for args, want := range map[string]string{
		"jobs show " + id + " --repo repo":   "nowhere",
		"jobs retry " + id + " --repo repo":  "ingest nowhere",
		"jobs cancel " + id + " --repo repo": "failed",
		"jobs pause ingest --repo repo":      "is paused",
		"jobs resume ingest --repo repo":     "takes jobs again",
		"jobs pause --repo repo --json":      `{"queue":"","paused":true}`,
	} {
		if status, out, errs := call(t, strings.Fields(args)...); status != exitGood || !strings.Contains(out, want) {
			t.Errorf("%s: status %d\n%s%s", args, status, out, errs)
		}
	}
}

// TestSelectionFeedsJobs: audits, exports and migrations of the chosen packages alone.
func TestSelectionFeedsJobs(t *testing.T) {
	workplace(t)
	record := func(id, media, body string) string {
		return fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Target-URI: "+
			"http://%s.org/\r\nWARC-Date: 1996-01-01T00:00:00Z\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"+
			"%s\r\n\r\n", id, id, media, len(body), body)
	}
	for name, content := range map[string]string{
		"bitmap.warc": record("b", "image/x-xbitmap",
			"#define a_width 8\n#define a_height 1\nstatic char a_bits[] = { 0x01 };\n"),
		"text.warc": record("t", "text/plain", "hello"),
	} {
		if err := os.WriteFile(name, []byte(container+content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const chosen = `"image/x-xbitmap" in pkg.mime_types`
	for _, step := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"init", "repo"}, 0, ""},
		{[]string{"pack", "bitmap.warc", "--id", "with", "--out", "p1"}, 0, ""},
		{[]string{"pack", "text.warc", "--id", "without", "--out", "p2"}, 0, ""},
		{[]string{"ingest", "p1", "p2", "--repo", "repo"}, 0, ""},
		{[]string{"submit", "--repo", "repo", "--select", chosen, "migrate", "--id", "{}", "--using", "xbm-to-png",
			"--out", "new-{}"}, 0, "job 1: migrate --id with --using xbm-to-png --out new-with"},
		{[]string{"submit", "--repo", "repo", "--select", chosen, "export", "{}", "--out", "out-{}"}, 0,
			"job 2: export with --out out-with"},
		{[]string{"submit", "--repo", "repo", "--select", chosen, "audit", "{}"}, 0, "job 3: audit with"},
		{[]string{"submit", "--repo", "repo", "--select", chosen, "audit"}, 2, "write {}"},
		{[]string{"submit", "--repo", "repo", "--select", `pkg.bytes < 0`, "audit", "{}"}, 2, "no package is selected"},
		{[]string{"work", "--repo", "repo", "--drain"}, 0, "ended with status 0"},
		{[]string{"jobs", "list", "--repo", "repo", "--state", "done", "--json"}, 0, `"queue":"migrate"`},
		{[]string{"validate", "new-with"}, 0, "new-with: valid"},
		{[]string{"validate", "out-with"}, 0, "out-with: valid"},
		{[]string{"show", "with", "--repo", "repo", "--json"}, 0, `"type":"dissemination"`},
		{[]string{"ingest", "new-with", "--new-version", "--repo", "repo"}, 0, ""},
		{[]string{"show", "with", "--repo", "repo", "--json"}, 0, `"number":2`},
		{[]string{"migrate", "p1", "--id", "with", "--using", "xbm-to-png", "--out", "x"}, 2, "not both"},
		{[]string{"migrate", "--using", "xbm-to-png", "--out", "x"}, 2, "by --id"},
		{[]string{"migrate", "--id", "absent", "--repo", "repo", "--using", "xbm-to-png", "--out", "x"}, 2, "absent"},
		{[]string{"migrate", "--id", "with", "--repo", "repo", "--using", "xbm-to-png", "--out", "p1"}, 2, "not empty"},
		{[]string{"migrate", "--id", "without", "--repo", "repo", "--using", "gif-to-png", "--out", "x"}, 1,
			"nothing to migrate"},
	} {
		status, out, errs := call(t, step.args...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("%q: status %d, want %d and %s\n%s%s", step.args, status, step.status, step.want, out, errs)
		}
	}
	if left, err := filepath.Glob(".quire-*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	if _, out, _ := call(t, "show", "without", "--repo", "repo", "--json"); strings.Contains(out, "dissemination") {
		t.Errorf("an export without a result is recorded: %s", out)
	}
}
