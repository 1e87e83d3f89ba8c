package inspect

import (
	"fmt"
	"strings"
	"testing"

	"quire/model"
)

// Findings between files are counted completely and listed up to the limit, as for one file.
func TestBetweenIsCapped(t *testing.T) {
	told := 0
	o := Options{MaxFindings: 2, Policy: Policy{FaultIDElsewhere: model.Error}, Finding: func(model.Finding) { told++ }}
	set := NewSet().With(o)
	file := []byte(warcinfo + strings.Repeat(record("metadata", "x"), 3))
	for i := range 6 {
		inspectBytes(t, file, Options{Set: set, Name: fmt.Sprint(i)})
	}
	c := set.Between()
	code := string(FaultIDElsewhere)
	if c.Outcome != model.Invalid || len(c.Findings) != 2 || c.FindingCounts[code] != c.FindingsTotal ||
		int64(told) != c.FindingsTotal || c.FindingsTotal < 5 {
		t.Errorf("%s, %d listed of %d, %d reported, counts %v", c.Outcome, len(c.Findings), c.FindingsTotal, told,
			c.FindingCounts)
	}
	if c := NewSet().Between(); c.Outcome != model.Valid || c.FindingsTotal != 0 {
		t.Errorf("of no file: %s, %d findings", c.Outcome, c.FindingsTotal)
	}
}
