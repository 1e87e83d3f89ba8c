package convert

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPrefixes(t *testing.T) {
	dir := t.TempDir()
	var sources []string
	for _, name := range []string{"a/x", "b/x", "c/x-2", "d/x"} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(p, 0o777); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, p)
	}
	if got := strings.Join(prefixes(sources), " "); got != "x x-2 x-2-2 x-3" {
		t.Errorf("prefixes %s", got)
	}
}
