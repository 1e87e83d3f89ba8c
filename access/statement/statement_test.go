package statement_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"quire/access/statement"
)

func example() *statement.Statement {
	return &statement.Statement{Format: statement.Format, Made: "2026-11-30T12:00:00Z", Archive: "Archive",
		URL: "http://a.example/", Timestamp: "20200102030405", Type: "response", Status: 200,
		Digest: "sha1:AAAA", Package: "a", Record: statement.Place{ID: "<urn:uuid:1>"}}
}

func TestSignature(t *testing.T) {
	t.Parallel()
	k, err := statement.OpenKey(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other, err := statement.OpenKey(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text, err := k.Sign(example())
	if err != nil {
		t.Fatal(err)
	}
	got, err := k.Public().Verify(text)
	if err != nil || *got != *example() {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := other.Public().Verify(text); !errors.Is(err, statement.ErrSignature) {
		t.Errorf("by another key: %v", err)
	}
	var e map[string]any
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(map[string]any){
		"type":          func(e map[string]any) { e["payloadType"] = "text/plain" },
		"content":       func(e map[string]any) { e["payload"] = "e30=" },
		"no signature":  func(e map[string]any) { e["signatures"] = []any{} },
		"not a payload": func(e map[string]any) { e["payload"] = 1 },
	} {
		e := map[string]any{"payloadType": e["payloadType"], "payload": e["payload"], "signatures": e["signatures"]}
		change(e)
		changed, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := k.Public().Verify(changed); err == nil {
			t.Errorf("%s changed: %+v", name, got)
		}
	}
	if _, err := k.Public().Verify(bytes.Repeat([]byte(" "), statement.MaxEnvelope+1)); err == nil {
		t.Error("a long envelope is read")
	}
}

// TestKeyFile: a key is made once, also by several processes at once, for its owner alone, and is
// never replaced.
func TestKeyFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "access")
	keys := make([]statement.Public, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			if k, err := statement.OpenKey(dir); err != nil {
				t.Error(err)
			} else {
				keys[i] = k.Public()
			}
		})
	}
	all.Wait()
	for _, k := range keys {
		if k != keys[0] || k == (statement.Public{}) {
			t.Errorf("two keys: %x, %x", k, keys[0])
		}
	}
	file := filepath.Join(dir, statement.KeyName)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("leftovers: %v, %v", entries, err)
	}
	public := filepath.Join(dir, "public.pem")
	if err := os.WriteFile(public, keys[0].PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := statement.ReadPublished(public); err != nil || len(got) != 1 || got[0].Public != keys[0] {
		t.Errorf("the public key: %+v, %v", got, err)
	}
	if _, err := statement.ReadPublished(file); err == nil {
		t.Error("a private key is read as a public one")
	}
	if err := os.WriteFile(file, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := statement.OpenKey(dir); err == nil {
		t.Error("a damaged key is replaced")
	}
}
