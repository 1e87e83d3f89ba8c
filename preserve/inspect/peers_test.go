package inspect

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// docs/explanation/725_findings-and-peers.md maps each message of other tools to a code. The test
// checks that the codes exist. If a message has no code, the document must state the reason.
func TestFindingsAndPeers(t *testing.T) {
	text, err := os.ReadFile("../../docs/explanation/725_findings-and-peers.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("`([A-Z0-9]+(?:-[A-Z0-9]+)+)`")
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[2]) == "codes" {
			continue
		}
		rows++
		named := code.FindAllStringSubmatch(cells[2], -1)
		for _, n := range named {
			if _, ok := Catalogue.Explain(n[1]); !ok {
				t.Errorf("%s: the catalogue has no %s", strings.TrimSpace(cells[1]), n[1])
			}
		}
		if len(named) == 0 && strings.TrimSpace(cells[3]) == "" {
			t.Errorf("%s: no code, and no reason why", strings.TrimSpace(cells[1]))
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows were read", rows)
	}
}
