package provider_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"quire/oai/provider"
)

func TestKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token.key")
	first, err := provider.Key(file)
	if err != nil || len(first) != 32 {
		t.Fatalf("%d bytes, %v", len(first), err)
	}
	if again, err := provider.Key(file); err != nil || !bytes.Equal(again, first) {
		t.Errorf("the second time it is another: %v", err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v may read it: %v", info.Mode(), err)
	}
	if err := os.WriteFile(file, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := provider.Key(file); err == nil {
		t.Error("a key of 5 bytes is taken")
	}
}
