package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	signing "quire/access/statement"
)

// TestVerifyStatement: a statement verifies with the public key of its archive only.
func TestVerifyStatement(t *testing.T) {
	dir := t.TempDir()
	key, err := signing.OpenKey(filepath.Join(dir, "one"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := signing.OpenKey(filepath.Join(dir, "two"))
	if err != nil {
		t.Fatal(err)
	}
	offset := int64(512)
	signed, err := key.Sign(&signing.Statement{Format: signing.Format, Archive: "Archive of Test",
		URL: "http://a.example/", Timestamp: "20200102030405", Digest: "sha1:AAAA", Package: "a",
		Record: signing.Place{ID: "urn:x:1", Container: "containers/a.warc", Order: 3, Offset: &offset}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"s.json": signed, "k.pem": key.Public().PEM(),
		"other.pem": other.Public().PEM(), "cut.json": signed[:len(signed)/2]} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []struct {
		call   string
		status int
		want   string
	}{
		{"verify-statement s.json --key k.pem", 0, "containers/a.warc, record 3, byte 512"},
		{"verify-statement s.json --key k.pem --json", 0, `"digest":"sha1:AAAA"`},
		{"verify-statement s.json --key other.pem", 1, "another key signed it"},
		{"verify-statement cut.json --key k.pem", 1, "not a signed statement"},
		{"verify-statement s.json --key one/statement.key", 2, "holds no PUBLIC KEY"},
		{"verify-statement none.json --key k.pem", 2, "none.json"},
	} {
		status, out, problems := call(t, strings.Fields(c.call)...)
		if status != c.status || !strings.Contains(strings.ReplaceAll(out, `": `, `":`)+problems, c.want) {
			t.Errorf("quire %s: %d, want %d and %q:\n%s%s", c.call, status, c.status, c.want, out, problems)
		}
	}
}

// TestStatementKey: after a rotation, earlier statements verify with the published keys. After a break-in they are
// doubtful.
func TestStatementKey(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	run := func(status int, want string, args ...string) {
		t.Helper()
		got, out, problems := call(t, args...)
		if got != status || !strings.Contains(out+problems, want) {
			t.Errorf("quire %s: %d, want %d and %q:\n%s%s", strings.Join(args, " "), got, status, want, out, problems)
		}
	}
	run(0, "", "init", "repo")
	run(2, "first start", "statement-key", "list", "--repo", "repo")
	keys, err := signing.OpenKeys(filepath.Join("repo", "access"))
	if err != nil {
		t.Fatal(err)
	}
	run(0, "signs", "statement-key", "list", "--repo", "repo")
	signed, err := keys.Sign(&signing.Statement{Format: signing.Format, Archive: "Archive of Test",
		Made: "2026-11-01T00:00:00Z", URL: "http://a.example/", Timestamp: "20200102030405", Package: "a"})
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("s.json", signed)
	publish := func() signing.Published {
		t.Helper()
		all, err := keys.Published()
		if err != nil {
			t.Fatal(err)
		}
		write("k.pem", all.PEM())
		return all
	}
	run(0, "until", "statement-key", "rotate", "--repo", "repo")
	all := publish()
	run(0, "the archive signed this", "verify-statement", "s.json", "--key", "k.pem")
	run(0, "compromised since", "statement-key", "distrust", all[1].ID(), "--since", "2026-10-01T00:00:00Z",
		"--repo", "repo")
	publish()
	run(1, "doubtful", "verify-statement", "s.json", "--key", "k.pem")
	run(1, "another may have signed it", "verify-statement", "s.json", "--key", "k.pem", "--json")
	run(2, "no retired key", "statement-key", "distrust", "none", "--since", "2026-10-01T00:00:00Z", "--repo", "repo")
	run(0, "compromised", "statement-key", "rotate", "--compromised-since", "2026-11-02T00:00:00Z", "--repo", "repo")
}
