package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestExportTables exports tables on the command line, again and as a plan. Withdrawals and purges list the
// export, and its next run removes the data.
func TestExportTables(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	if err := os.WriteFile("open.yaml", []byte("access: open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	token := ""
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"pack formats.warc --out package --id formats --rights open.yaml", 0, "package"},
		{"init repo", 0, "repository repo"},
		{"ingest package --repo repo", 0, "stored formats"},
		{"exports --repo repo", 0, "no registered exports"},
		{"export --repo repo --out tables", 2, "name the package"},
		{"export formats --repo repo --out tables --tables captures", 2, "--tables is for"},
		{"export --repo repo --as parquet --out tables --tables none", 2, "no table \"none\""},
		{"export --repo repo --as parquet --out tables --version 1", 2, "newest version"},
		{"export --repo repo --as parquet --out tables -n", 0, "1 added, 0 written again, 0 removed, 0 unchanged"},
		{"exports --repo repo", 0, "no registered exports"},
		{"export --repo repo --as parquet --out tables", 0, "exported E1 to tables for public"},
		{"export --repo repo --as parquet --out tables --json", 0, `"kept":1`},
		{"export formats --repo repo --as parquet --out tables", 0, "1 unchanged"},
		{"exports --repo repo", 0, "E1   parquet for public"},
		{"exports --repo repo --json", 0, `"complete":true,"packages":1`},
		{"document set export-1 open.yaml --repo repo --because b", 2, "register themselves"},
		{"withdraw http://a.org/x --repo repo --because b --authority c --dry-run", 0, "export E1  parquet for public"},
		{"withdraw http://a.org/x --repo repo --because b --authority c --certificate c.html", 0,
			"has data of 1 package concerned"},
		{"withdraw certificate W1 --repo repo --out c.json --json", 0, `"where":"`},
		{"export --repo repo --as parquet --out tables", 0, "removed  formats: nothing of it is open"},
		{"withdraw certificate W1 --repo repo --out d.json --json", 0, `"exports":[]`},
		{"withdraw lift W1 --repo repo --because b --authority c", 0, "lifted W1"},
		{"export --repo repo --as parquet --out tables", 0, "1 added"},
		{"purge formats --repo repo --because b --authority c --by Ada", 0, "export E1"},
		{"purge cancel P1 --repo repo --because b", 0, "cancelled"},
		{"purge formats --repo repo --because b --authority c --by Ada --json", 0, `"exports":[{"id":"E1"`},
		{"purge approve TOKEN --by Bob --repo repo --json", 0, `"exports":[{"id":"E1"`},
		{"export --repo repo --as parquet --out tables", 0, "1 removed"},
	} {
		status, out, errs := call(t, strings.Fields(strings.ReplaceAll(step.args, "TOKEN", token))...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant status %d and %q", step.args, status, out, errs,
				step.status, step.want)
		}
		if _, after, ok := strings.Cut(out, `"token":"`); ok {
			token, _, _ = strings.Cut(after, `"`)
		}
	}
	for file, secret := range map[string]string{"c.json": "tables\"", "c.html": "tables"} {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "E1") || strings.Contains(string(text), secret) {
			t.Errorf("%s: %s, %v", file, text, err)
		}
	}
	files, err := filepath.Glob("tables/*/*")
	if err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}
