package caddy

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
)

// The configurations in docs/operations/875_caddy.md and examples/crate are accepted, and formatted
// as by Caddy.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/operations/875_caddy.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../examples/crate/Caddyfile")
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{string(example)}
	for _, block := range regexp.MustCompile(`(?m)(^    [^\n]*\n)+`).FindAllString(string(doc), -1) {
		if block = regexp.MustCompile(`(?m)^    `).ReplaceAllString(block, ""); strings.Contains(block, "crate {") {
			shown = append(shown, block)
		}
	}
	if len(shown) != 3 {
		t.Fatalf("%d configurations are shown", len(shown))
	}
	for _, text := range shown {
		if formatted := string(caddyfile.Format([]byte(text))); formatted != text {
			t.Errorf("caddy fmt would write\n%s\ninstead of\n%s", formatted, text)
		}
		adapted, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(text),
			map[string]any{"filename": "Caddyfile"})
		if err != nil || len(warnings) > 0 {
			t.Errorf("%v %v\n%s", err, warnings, text)
			continue
		}
		if !strings.Contains(string(adapted), `"handler":"crate"`) {
			t.Errorf("there is no crate in\n%s", adapted)
		}
	}
}
