//go:build interop

package verdicts

import (
	"os"
	"strings"
	"testing"
)

// explanation is a row of the table in the section "Peers" of docs/explanation/730_verdicts.md.
type explanation struct {
	said   string // as in summary
	reason string
}

// explained reads the table, by the file's path below the samples.
func explained(t *testing.T) map[string]explanation {
	t.Helper()
	text, err := os.ReadFile("../../docs/explanation/730_verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## Peers\n")
	if !ok {
		t.Fatal("docs/explanation/730_verdicts.md has no section Peers")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	rows := map[string]explanation{}
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		path := strings.Trim(strings.TrimSpace(cells[1]), "`")
		if _, twice := rows[path]; twice {
			t.Errorf("docs/explanation/730_verdicts.md explains %s twice", path)
		}
		rows[path] = explanation{strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])}
	}
	return rows
}
