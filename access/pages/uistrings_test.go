package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quire/access/pages/uistrings"
)

// keyPattern matches the keys used in templates and code.
var keyPattern = regexp.MustCompile(`(?:\bt |\bt\(|[wW]ords\.[TN]\(|key: |s\.add\(d, )"([a-z][A-Za-z0-9.-]*)"`)

// TestEveryTextIsThere: every key used in a template or in the code has a string.
func TestEveryTextIsThere(t *testing.T) {
	w := uistrings.English()
	var files []string
	for _, pattern := range []string{"templates/*.html", "*.go", "../replay/*.go", "../replay/*.html"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	used := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range keyPattern.FindAllStringSubmatch(string(text), -1) {
			key := m[1]
			if strings.Contains(m[0], "s.add(d") {
				key = "site.fact." + key
			}
			if strings.HasPrefix(m[0], "key: ") {
				key = "refused." + key
			}
			used++
			if !w.Has(key) && !w.Has(key+".other") && !strings.HasSuffix(key, ".") {
				t.Errorf("%s asks for %q, which en.yaml has not", name, key)
			}
		}
	}
	if used < 100 {
		t.Errorf("only %d texts were looked for: the pattern fits nothing", used)
	}
	for _, k := range append(slices.Clone(kinds), "unknown") {
		if !w.Has("kind." + k) {
			t.Errorf("no word for kind %s", k)
		}
	}
}
