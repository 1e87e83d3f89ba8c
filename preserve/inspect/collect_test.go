package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The ids are kept as hashes with a random order; findings on them still have a fixed order.
func TestTwinsAreToldInTheirOrder(t *testing.T) {
	var file strings.Builder
	file.WriteString(warcinfo)
	for range 2 {
		for i := range 50 {
			file.WriteString(strings.Replace(record("metadata", "x"), "urn:uuid:metadata",
				fmt.Sprintf("urn:uuid:%d", i), 1))
		}
	}
	c := inspectBytes(t, []byte(file.String()), Options{Set: NewSet()})
	var offsets []int64
	for _, f := range c.Findings {
		if f.Code == string(FaultIDTwice) {
			offsets = append(offsets, f.Offset)
		}
	}
	if len(offsets) != 50 || !slices.IsSorted(offsets) {
		t.Errorf("told of %v", offsets)
	}
}
