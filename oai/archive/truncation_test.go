package archive

import (
	"strings"
	"testing"

	"quire/holdings/captures"
)

// TestTruncation: the crawler is blamed for its own statement only, and not for a segment that is missing.
func TestTruncation(t *testing.T) {
	whole := &captures.Capture{Truncated: true, TruncatedBy: "length"}
	if got := truncation(whole); !strings.Contains(got, "the crawler") || !strings.Contains(got, "length") {
		t.Errorf("cut by the crawler: %q", got)
	}
	parted := &captures.Capture{Truncated: true, TruncatedBy: "segment 2 is missing"}
	parted.Record.Segments = make([]captures.Segment, 2)
	if got := truncation(parted); strings.Contains(got, "crawler") || !strings.Contains(got, "segment 2 is missing") {
		t.Errorf("without a segment: %q", got)
	}
}
