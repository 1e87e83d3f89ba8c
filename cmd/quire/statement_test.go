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
