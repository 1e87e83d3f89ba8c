package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestWithdraw closes a page on the command line, writes certificates, and opens the page again; it
// keeps rules and other documents with their history.
func TestWithdraw(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for name, content := range map[string]string{
		"none.yaml": "rules: []\n", "wrong.yaml": "rules:\n  - urls: [/x]\n    access: onsite\n",
		"closed.yaml": "rules:\n  - urls: [a.org]\n    access: onsite\n", "open.yaml": "access: open\n",
		"agreement.txt": "between us\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"pack formats.warc --out package --id formats --rights open.yaml", 0, "package"},
		{"init repo", 0, "repository repo"},
		{"ingest package --repo repo", 0, "stored formats"},
		{"withdraw list --repo repo", 0, "no withdrawals"},
		{"withdraw http://a.org/x --repo repo", 2, "--because"},
		{"withdraw http://a.org/x --repo repo --because b --authority c --dry-run", 0,
			"would withdraw http://a.org/x: 1 capture"},
		{"withdraw http://a.org/x --repo repo --because b --authority c -n --json", 0, `"dryRun":true`},
		{"withdraw list --repo repo --json", 0, ""},
		{"rules explain --repo repo --url http://a.org/x", 0, "public  may have it"},
		{"withdraw http://a.org/x --repo repo --because b --authority c --certificate none.yaml", 2, "none.yaml"},
		{"withdraw http://a.org/x --repo repo --because b --authority c --certificate c.html", 0, "withdrawn W1"},
		{"rules explain --repo repo --url http://a.org/x", 0, "because it is blocked: withdrawal W1"},
		{"withdraw http://none.org/ --repo repo --because b --authority c", 0, "no capture has this URL now"},
		{"withdraw /x --repo repo --because b --authority c", 2, "no URL"},
		{"withdraw certificate W1 --repo repo --out c.json", 0, "certificate in c.json"},
		{"withdraw certificate W7 --repo repo --out d.json", 2, "W7: no such withdrawal"},
		{"withdraw finish W1 --repo repo", 0, "withdrawn W1"},
		{"withdraw finish W7 --repo repo", 2, "W7: no such withdrawal"},
		{"withdraw lift W1 --repo repo --because b --authority c", 0, "lifted W1"},
		{"withdraw list --repo repo", 0, "W1   ended"},
		{"withdraw list --repo repo", 0, "W2   in force"},
		{"rules explain --repo repo --url http://a.org/x", 0, "public  may have it"},
		{"show formats --repo repo", 0, "reinstatement"},

		{"rules show --repo repo", 2, "no document rules"},
		{"rules set wrong.yaml --repo repo --because b", 2, "was not stored"},
		{"rules set closed.yaml --repo repo --because minutes --by Ada", 0, "stored document rules, version 1"},
		{"rules explain --repo repo --url http://a.org/x", 0,
			"because it is onsite: rules of the repository, version 1"},
		{"rules set closed.yaml --repo repo --because again", 0, "already stored"},
		{"rules set none.yaml --repo repo --because over --by Ada", 0, "version 2"},
		{"rules history --repo repo", 0, "Ada: minutes"},
		{"rules show --repo repo --version 1", 0, "access: onsite"},
		{"rules show --repo repo --version 3", 2, "version 3"},
		{"document set withdrawals none.yaml --repo repo --because b", 2, "quire withdraw"},
		{"document set agreement agreement.txt --repo repo --because signed", 0, "version 1"},
		{"document show agreement --repo repo --json", 0, `"text":"between us\n"`},
		{"document history agreement --repo repo --json", 0, `"because":"signed"`},
		{"document list --repo repo", 0, "withdrawals"},
		{"audit --repo repo", 0, "all copies are whole"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant status %d and %q", step.args, status, out, errs,
				step.status, step.want)
		}
	}
	for name, want := range map[string]string{"c.html": "<h1>Certificate of withdrawal W1</h1>",
		"c.json": `"authority": "c"`} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s (%v)", name, text, err)
		}
	}
}

// TestWithdrawBesideDamage: while the document of purges is damaged in all copies, content can be withdrawn and
// rules can be set. No package is stored.
func TestWithdrawBesideDamage(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for name, content := range map[string]string{"open.yaml": "access: open\n", "none.yaml": "rules: []\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	damaged := 0
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"pack formats.warc --out package --id formats --rights open.yaml", 0, "package"},
		{"pack formats.warc --out late --id late --rights open.yaml", 0, "packed late"},
		{"init repo", 0, "repository repo"},
		{"ingest package --repo repo", 0, "stored formats"},
		{"purge formats --repo repo --because file-17 --authority board --by Ada", 0, "requested P1"},
		{"", 0, ""},
		{"ingest late --repo repo", 2, "the document of purges cannot be read"},
		{"withdraw http://a.org/x --repo repo --because b --authority c", 0, "withdrawn W1"},
		{"rules explain --repo repo --url http://a.org/x", 0, "because it is blocked: withdrawal W1"},
		{"rules set none.yaml --repo repo --because minutes", 0, "stored document rules, version 1"},
	} {
		if step.args == "" {
			damaged = damageFiles(t, "repo", "purges.json")
			continue
		}
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant status %d and %q", step.args, status, out, errs,
				step.status, step.want)
		}
	}
	if damaged == 0 {
		t.Error("no copy has the document of purges")
	}
}

// damageFiles overwrites the files of a name, and returns their number.
func damageFiles(t *testing.T, folder, name string) (n int) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != name {
			return err
		}
		n++
		return os.WriteFile(path, []byte("{}"), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
