package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"quire/internal/prove"
	"quire/repository/disposal"
)

// TestPurge requests, approves and lists purges and holds on the command line. A purged package shows as
// purged everywhere, and is stored again only if asked.
func TestPurge(t *testing.T) {
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
		{"pack formats.warc --out package --id formats --title Sesame --rights open.yaml", 0, "package"},
		{"init repo", 0, "repository repo"},
		{"ingest package --repo repo", 0, "stored formats"},
		{"index --repo repo", 0, "in the text index"},
		{"purge list --repo repo", 0, "no purges"},
		{"hold list --repo repo", 0, "no holds"},
		{"hold formats --until 2099-12-31 --because lawsuit --repo repo", 0, "H1   in force  formats until 2099-12-31"},
		{"purge formats --repo repo --because file-17 --authority board --by Ada", 1, "lawsuit"},
		{"hold lift H1 --because over --repo repo", 0, "H1   ended"},
		{"hold list --repo repo --json", 0, `"lifted"`},
		{"hold lift H7 --because over --repo repo", 2, "no such hold"},
		{"purge formats --repo repo --because http://a.org/x --authority board --by Ada", 2, "names a URL"},
		{"purge none --repo repo --because b --authority board --by Ada", 2, "none"},
		{"purge formats --repo repo --because file-17 --authority board --by Ada", 0, "requested P1"},
		{"purge cancel P1 --because wrong --by Ada --repo repo", 0, "cancelled P1"},
		{"purge formats --repo repo --because file-17 --authority board --by Ada --json", 0, `"token"`},
		{"show formats --repo repo", 0, "Sesame"},
		{"purge approve TOKEN --by ada --repo repo", 2, "second person"},
		{"purge approve TOKEN --by Bob --repo repo", 0, "purged formats (P2)"},
		{"purge list --repo repo", 0, "approved"},
		{"purge list --repo repo --json", 0, `"state":"cancelled"`},
		{"purge finish --repo repo", 0, "purged"},
		{"show formats --repo repo", 0, "purged by P2"},
		{"show formats --repo repo --json", 0, `"status":"purged"`},
		{"list --repo repo", 0, "purged 20"},
		{"list --repo repo --json", 0, `"status":"purged"`},
		{"export formats --repo repo --out out", 1, "was purged on"},
		{"export formats --repo repo --out out --as warc", 1, "was purged on"},
		{"show formats --versions --repo repo", 1, "was purged on"},
		{"amend formats --title x --because y --repo repo", 1, "was purged on"},
		{"audit formats --repo repo", 1, "was purged on"},
		{"ingest package --repo repo", 1, "--again"},
		{"ingest package --repo repo --dry-run", 1, "--again"},
		{"document set purges open.yaml --repo repo --because b", 2, "quire purge"},
		{"document set holds open.yaml --repo repo --because b", 2, "quire hold"},
		{"audit --repo repo", 0, "all copies are whole"},
		{"ingest package --repo repo --again", 0, "stored formats, version 1"},
		{"purge list --repo repo", 0, "readmitted"},
		{"show formats --repo repo", 0, "Sesame"},
	} {
		status, out, errs := call(t, strings.Fields(strings.ReplaceAll(step.args, "TOKEN", token))...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant status %d and %q", step.args, status, out, errs,
				step.status, step.want)
		}
		var p disposal.Purge
		if strings.HasSuffix(step.args, "--json") && json.Unmarshal([]byte(out), &p) == nil && p.Token != "" &&
			p.Approved == nil {
			token = p.Token
		}
	}
}
