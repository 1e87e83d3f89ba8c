package statements

import (
	"os"
	"strings"
	"testing"
)

// The example in the documentation is valid.
func TestDocumentedFile(t *testing.T) {
	b, err := os.ReadFile("../../docs/reference/325_rights.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(b), "## The file\n\n")
	var doc strings.Builder
	for line := range strings.Lines(after) {
		text, indented := strings.CutPrefix(line, "    ")
		if !indented {
			break
		}
		doc.WriteString(text)
	}
	f, err := ReadFile(strings.NewReader(doc.String()), "rights.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.Statements([]string{"job-7"})
	if err != nil || len(all) != 6 {
		t.Errorf("%d statements, %v", len(all), err)
	}
}
