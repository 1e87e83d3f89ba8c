package reconcile

import (
	"os"
	"strings"
	"testing"
)

// Each kind and each reason is in the documentation and has its own text.
func TestDocumentation(t *testing.T) {
	b, err := os.ReadFile("../../docs/reference/455_reconcile.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(b)
	seen := map[string]bool{}
	for _, k := range Kinds {
		if !strings.Contains(doc, "`"+string(k)+"`") || k.Means() == "" || seen[string(k)] {
			t.Errorf("%s is not documented", k)
		}
		seen[string(k)] = true
	}
	clear(seen)
	for _, why := range Reasons {
		if !strings.Contains(doc, "| `"+why.Code+"` |") || why.Means == "" || seen[why.Code] ||
			why.Class == Unexplained || reasonOf(why.Code) != why {
			t.Errorf("%s is not documented", why.Code)
		}
		seen[why.Code] = true
	}
}
