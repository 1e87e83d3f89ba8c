package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
)

const container = "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: " +
	"2024-01-02T03:04:05Z\r\nContent-Length: 15\r\n\r\nsoftware: Boat\n\r\n\r\n"

// call runs one command like the shell.
func call(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(context.Background(), args, &out, &errs)
	return status, out.String(), errs.String()
}

// workplace creates a folder with a crawl in it, and makes it the current folder.
func workplace(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("QUIRE_REPO", "")
	t.Setenv("QUIRE_SCHEMAS", "")
	for name, content := range map[string]string{
		"crawl/a.warc": container, "crawl/crawl.log": "log\n", "bad.warc": container[:len(container)-10],
		"text.txt": "text", "empty.warc.gz": "", "twin.warc": container,
		"half.warc": strings.Replace(container, "WARC-Type: warcinfo", "WARC-Type: metadata\r\nWARC-Segment-Number: 1",
			1),
		"formats.warc": container +
			"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:2>\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n" +
			"WARC-Target-URI: http://a.org/x\r\nContent-Type: image/jpeg\r\nContent-Length: 45\r\n\r\n" +
			"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15" +
			"\xc4\x89\x00\x00\x00\x00IEND\xaeB`\x82\r\n\r\n",
		"rules.txt": "WARC-CONTENT-TYPE-MISSING error\n",
		"mild.txt":  "WARC-TRUNCATED warning\nWARC-CONTENT-TYPE-MISSING info\n", "nothing/x.txt": "x",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheMainJob goes from a crawl to a package that is exported again, with the statuses and the
// text that a person sees.
func TestTheMainJob(t *testing.T) {
	workplace(t)
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"help", 0, "quire pack SOURCE... --out FOLDER"},
		{"", 0, "quire pack SOURCE... --out FOLDER"},
		{"help ingest", 0, "--new-version"},
		{"version", 0, "quire unknown"},
		{"inspect crawl", 0, "outcome    valid"},
		{"inspect --verbose bad.warc", 1, "outcome    invalid"},
		{"inspect --format html crawl", 0, "<!DOCTYPE html>"},
		{"stats crawl --by type", 0, "warcinfo"},
		{"stats crawl --by year --format json", 0, `"rows":[]`},
		{"stats crawl --by format", 0, "format"},
		{"stats formats.warc --by format --json", 0,
			`"name":"Portable Network Graphics","version":"1.0","puid":"fmt/11","count":1`},
		{"inspect formats.warc --identify --json", 0,
			`"formats":[{"name":"Portable Network Graphics","version":"1.0","puid":"fmt/11","count":1,"bytes":45}]`},
		{"inspect formats.warc --identify", 0, "identified by siegfried"},
		{"inspect formats.warc --identify --format containermd --verbose", 0, "fmt/11 Portable Network Graphics 1.0"},
		{"inspect formats.warc --json", 0, `"formats":[]`},
		{"inspect formats.warc --signature text.txt", 2, "signature file text.txt cannot be used"},
		{"stats nothing", 1, "no ARC or WARC file in nothing"},
		{"inspect bad.warc", 1, "WARC-TRUNCATED"},
		{"inspect empty.warc.gz", 1, "WARC-EMPTY"},
		{"inspect text.txt", 1, "not a container"},
		{"inspect nothing", 1, "no ARC or WARC file in nothing"},
		{"inspect absent", 2, "check the path"},
		{"identify-source crawl", 0, "ARC or WARC files alone, a\n"},
		{"identify-source crawl --verbose", 0, "documentation = absent"},
		{"identify-source crawl --fetches", 0, "not in any log"},
		{"identify-source crawl --json", 0,
			`"harvests":[{"system":"bare-containers","path":"crawl/a.warc","archive":"","root":".",`},
		{"identify-source nothing", 1, "No harvest recognized in nothing"},
		{"identify-source nothing --url-prefix http://a.example/x", 0, "Files of a website, nothing"},
		{"identify-source nothing --url-prefix a.example", 2, "is not absolute"},
		{"identify-source absent", 2, "check the path"},
		{"explain source-renamed", 0, "A container was renamed after it was written."},
		{"explain SOURCE-SECRET --json", 0, `{"code":"SOURCE-SECRET","meaning":`},
		{"explain", 0, "HTTRACK-CACHE                 source   The cache"},
		{"explain pkg-part-digest", 0, "PKG-PART-DIGEST (error, about a package)"},
		{"explain bagit-oxum", 0, "BAGIT-OXUM (error, about something handed out)"},
		{"explain PKG-LINK-END --json", 0, `{"code":"PKG-LINK-END","severity":"error","check":"links","meaning":`},
		{"explain", 0, "PKG-PATH-PLACE                warning  the file is not below"},
		{"convert nothing --out site --url-prefix http://a.example/x", 0, "1 URL"},
		{"pack nothing --out p", 1, "no ARC or WARC file"},
		{"pack absent --out p", 2, "absent"},
		{"pack crawl", 2, "--out"},
		{"pack crawl --out p --id one --title Boats", 0, "packed one"},
		{"pack crawl --out p", 2, "not empty"},
		{"pack bad.warc --out q", 1, "invalid"},
		{"validate p", 0, "schemas: not-done"},
		{"validate crawl", 1, "mets.xml"},
		{"validate absent", 2, "absent"},
		{"list", 2, "--repo"},
		{"list --repo r", 2, "r"},
		{"init r", 0, "copy-3"},
		{"init r", 2, "r"},
		{"list --repo r", 0, "no package yet"},
		{"ingest p --repo r", 0, "verified in every copy"},
		{"ingest p --repo r", 0, "already stored"},
		{"ingest nothing --repo r", 1, "mets.xml is missing"},
		{"ingest p --repo r --validate", 0, "already stored"},
		{"ingest crawl --repo r --validate", 1, "PKG-METS-MISSING"},
		{"init strict --require-validation", 0, "copy-3"},
		{"ingest crawl --repo strict", 1, "PKG-METS-MISSING"},
		{"ingest crawl --repo strict --dry-run", 1, "PKG-METS-MISSING"},
		{"ingest p --repo strict", 0, "verified in every copy"},
		{"list --repo r", 0, "Boats"},
		{"show one --repo r", 0, "containers/a.warc"},
		{"show two --repo r", 2, "two"},
		{"audit --repo r", 0, "all copies are whole"},
		{"export one --repo r --out x", 0, "all digests fit"},
		{"export one --repo r --out x", 2, "x"},
		{"validate x", 0, "x: valid"},
		{"export one --repo r --out b --as bagit --for staff", 0, "exported one"},
		{"validate b", 0, "b is a bag"},
		{"validate b --json", 0, `"kind":"bag"`},
		{"validate b --policy none.yaml", 2, "--policy applies only to packages"},
		{"inspect --format xml crawl", 2, "--format"},
		{"inspect --policy rules.txt crawl", 1, "invalid"},
		{"inspect --policy text.txt crawl", 2, "text.txt"},
		{"inspect crawl twin.warc", 0, "REF-ID-ELSEWHERE"},
		{"inspect --json crawl twin.warc", 0, "REF-ID-ELSEWHERE"},
		{"inspect --format html crawl twin.warc", 0, "REF-ID-ELSEWHERE"},
		{"inspect --format html --apart crawl twin.warc", 0, "<!DOCTYPE html>"},
		{"inspect --json half.warc", 1, "REF-SEGMENT-MISSING"},
		{"inspect half.warc", 1, "outcome    incomplete"},
		{"inspect half.warc crawl", 1, "REF-SEGMENT-MISSING"},
		{"inspect --json --apart half.warc", 0, "\"outcome\":\"valid\""},
		{"inspect --findings all.jsonl bad.warc", 1, "WARC-TRUNCATED"},
		{"inspect --policy mild.txt bad.warc", 0, "outcome    valid: 1 warning"},
		{"inspect --policy mild.txt --max-findings=-1 bad.warc", 0, "outcome    valid: 1 warning"},
		{"inspect --max-findings 0 --json bad.warc", 1, `"findings":[],"findings_total":2`},
		{"inspect crawl twin.warc", 0, "between the files: 1 warning"},
		{"explain warc-truncated", 0, "What to do"},
		{"explain WARC-DATE-FORM", 0, "WARC-DATE-FORM (warning; error under --strict)"},
		{"explain", 0, "GZIP-CRC32"},
		{"explain NONSENSE", 2, "lists them all"},
		{"frobnicate", 2, "quire help"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d and %q in\n%s%s", step.args, status, step.status, step.want, out,
				errs)
		}
		if status == exitGood && errs != "" {
			t.Errorf("quire %s: all is good, but it says %s", step.args, errs)
		}
	}
	if all, err := os.ReadFile("all.jsonl"); err != nil || !strings.Contains(string(all), `"path":"bad.warc"`) {
		t.Errorf("the file of findings holds %s, %v", all, err)
	}
	for _, name := range []string{"mets.xml", "mets.xml.sha512", "containers/a.warc", "logs/crawl.log"} {
		a, errA := os.ReadFile(filepath.Join("p", name))
		b, errB := os.ReadFile(filepath.Join("x", name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s was not exported as it was stored (%v, %v)", name, errA, errB)
		}
	}
}

// TestOddNamesGoAllTheWay checks names from crawlers and mirrors: a package with them can be stored
// and exported.
func TestOddNamesGoAllTheWay(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for _, name := range []string{"WEB:8443?x=1*.warc", "Log.txt", "log.TXT", "end.", "nul", "\xff.log"} {
		if err := os.WriteFile(filepath.Join("crawl", name), []byte(container), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"pack crawl --out p --id one", "validate p", "init r", "ingest p --repo r",
		"audit --repo r", "export one --repo r --out x", "validate x"} {
		if status, out, errs := call(t, strings.Fields(args)...); status != 0 {
			t.Fatalf("quire %s: %d %s%s", args, status, out, errs)
		}
	}
}

func TestAuditNamesCopyObjectAndFile(t *testing.T) {
	workplace(t)
	for _, args := range []string{"pack crawl --out p --id one", "init r", "ingest p --repo r"} {
		if status, out, errs := call(t, strings.Fields(args)...); status != 0 {
			t.Fatalf("quire %s: %d %s%s", args, status, out, errs)
		}
	}
	victims, err := filepath.Glob("r/copy-2/ocfl/*/*/*/*/v1/content/containers/a.warc")
	if err != nil || len(victims) != 1 {
		t.Fatalf("found %v, %v", victims, err)
	}
	if err := os.Chmod(victims[0], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(victims[0], []byte(strings.Replace(container, "Boat", "Goat", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, _ := call(t, "audit", "--repo", "r")
	if status != exitContent || !strings.Contains(out, "copy-2") || !strings.Contains(out, "one") ||
		!strings.Contains(out, "a.warc") {
		t.Errorf("status %d:\n%s", status, out)
	}
	if status, out, errs := call(t, "audit", "--repair", "--repo", "r"); status != 0 ||
		!strings.Contains(out, "repaired one") {
		t.Errorf("repair: status %d:\n%s%s", status, out, errs)
	}
	if status, out, _ := call(t, "audit", "--repo", "r"); status != exitGood {
		t.Errorf("after the repair: status %d:\n%s", status, out)
	}
}

// TestJSON checks that every reporting command prints valid JSON with the promised fields.
func TestJSON(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for _, step := range []struct {
		args   string
		fields string
	}{
		{"version --json", "version"},
		{"stats crawl --by type --json", "by containers rows"},
		{"inspect --format json crawl",
			"path outcome format versions compression bytes inflated_bytes sha512 records first last software " +
				"findings findings_total formats hosts mime_types responses"},
		{"inspect --json bad.warc", "path outcome findings"},
		{"explain WARC-TRUNCATED --json", "code severity clause meaning explanation example advice"},
		{"pack crawl --out p --id one --json", "package id title mets containers records bytes outcome"},
		{"validate p --json", "path id outcome checks findings findings_total files bytes"},
		{"init r --json", "repository id copies"},
		{"ingest p --repo r --json", "id version already_stored files bytes copies"},
		{"list --repo r --json", "id title head records status"},
		{"show one --repo r --json", "package versions copies events"},
		{"audit --repo r --json", "packages copies findings problems"},
		{"export one --repo r --out x --json", "id version folder files bytes copy"},
	} {
		_, out, errs := call(t, strings.Fields(step.args)...)
		var object map[string]any
		if err := json.Unmarshal([]byte(out), &object); err != nil {
			t.Errorf("quire %s: %v in %s%s", step.args, err, out, errs)
			continue
		}
		for _, name := range strings.Fields(step.fields) {
			if _, ok := object[name]; !ok {
				t.Errorf("quire %s: no %q in %s", step.args, name, out)
			}
		}
	}
}

// TestStopped checks that a signal ends a command cleanly.
func TestStopped(t *testing.T) {
	workplace(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if status := run(ctx, []string{"pack", "crawl", "--out", "p"}, &out, &errs); status != exitCall ||
		!strings.Contains(errs.String(), "stopped") {
		t.Errorf("status %d: %s", status, errs.String())
	}
	if left, err := filepath.Glob("*p*"); err != nil || fmt.Sprint(left) != "[empty.warc.gz]" {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestHelpAndVersion checks help and version in every spelling that people try.
func TestHelpAndVersion(t *testing.T) {
	prove.Serial(t)
	for _, c := range []struct {
		call, want string
		status     int
	}{
		{"", "Start with:", exitGood},
		{"help", "Start with:", exitGood},
		{"--help", "Start with:", exitGood},
		{"help --help", "Start with:", exitGood},
		{"--version", "quire " + version, exitGood},
		{"--version --json", `"version"`, exitGood},
		{"help pack", "Usage: quire pack", exitGood},
		{"help oai harvest", "Usage: quire oai harvest", exitGood},
		{"oai harvest --help", "Usage: quire oai harvest", exitGood},
		{"help oai", "oai harvest", exitGood},
		{"help oai nothing", "nothing", exitCall},
		{"help oai", "quire oai check http", exitGood},                  // examples of its subcommands
		{"help dedup", "Usage: quire dedup run --out=FOLDER", exitGood}, // that can be left out
		{"help dedup", "--against=INDEX|FOLDER|REPO", exitGood},
		{"help pack --color never", "Usage: quire pack", exitGood},
	} {
		var out, problems strings.Builder
		status := run(t.Context(), strings.Fields(c.call), &out, &problems)
		if status != c.status || !strings.Contains(out.String()+problems.String(), c.want) {
			t.Errorf("quire %s: status %d: %s%s", c.call, status, out.String(), problems.String())
		}
	}
}

// TestSaysWhatToCall checks that a wrong command leads to the right one.
func TestSaysWhatToCall(t *testing.T) {
	prove.Serial(t)
	repo := filepath.Join(t.TempDir(), "archive")
	call(t, "init", repo)
	for line, want := range map[string]string{
		"pack --out x":     "SOURCE is missing: quire pack SOURCE… --out FOLDER",
		"validate " + repo: repo + " is a repository, and no package: quire audit --repo " + repo + " checks it",
		"inspct x":         `there is no command inspct, did you mean "inspect"? "quire help" lists the commands`,
		"oai harvst":       `there is no command harvst, did you mean "harvest"? "quire help oai" shows its form`,
		"pack x --dryrun":  `unknown flag --dryrun, did you mean "--dry-run"? "quire help pack" shows its form`,
		"migrate p":        `flags are missing: --out=FOLDER, --using=RULE; "quire help migrate" shows its form`,
		"policy":           `a subcommand is missing: one of "check", "explain"; "quire help policy" shows its form`,
		"inspect":          `the argument <path> is missing; "quire help inspect" shows its form`,
		"ingest p --repo":  `--repo needs a value; "quire help ingest" shows its form`,
		"list x":           `unexpected argument x; "quire help list" shows its form`,
		"describe exprt":   `there is no file exprt, did you mean "quire describe export"?`,
		"dedup unod a":     `there is no file unod, did you mean "quire dedup undo"?`,
	} {
		if status, out, errs := call(t, strings.Fields(line)...); status != exitCall || out != "" ||
			!strings.Contains(errs, want) {
			t.Errorf("quire %s: status %d, %s%s", line, status, out, errs)
		}
	}
}

// The subcommands of init and index, and the collection, do as their old spellings.
func TestSubcommands(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	if err := os.WriteFile("all.yaml", []byte("id: all\ntitle: All\nharvests:\n  - packages: "+
		"[p]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args   string
		status int
		want   string
	}{
		{"pack crawl --out p --id one", 0, "packed one"},
		{"collection all.yaml --out all", 0, "collection all"},
		{"pack --collection all.yaml --out old", 0, "collection all"},
		{"collection all.yaml", 2, "the flag --out=FOLDER is missing"},
		{"init run r", 0, "copy-3"},
		{"ingest p all --repo r", 0, "stored all"},
		{"init rebuild r", 0, "copy-3"},
		{"init r --rebuild", 0, "copy-3"},
		{"list --repo r", 0, "one"},
		{"index update --repo r", 0, "0 captures of 1 container"},
		{"index --repo r", 0, "0 captures of 1 container"},
		{"index export cdxj --out new.cdxj --repo r", 0, "0 captures written"},
		{"index --export cdxj --out old.cdxj --repo r", 0, "0 captures written"},
		{"index export --out x --repo r", 2, "the argument <form> is missing"},
		{"index export xml --out x --repo r", 2, "must be one of"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d and %q in\n%s%s", step.args, status, step.status, step.want,
				out, errs)
		}
	}
	for _, pair := range [][2]string{{"new.cdxj", "old.cdxj"}} {
		a, errA := os.ReadFile(pair[0])
		b, errB := os.ReadFile(pair[1])
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%v are not the same (%v, %v)", pair, errA, errB)
		}
	}
}
